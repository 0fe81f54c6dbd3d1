"""One call of a tool with its view on a page of its own, and everything that the view does, told as it happens."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from typing import Any

from cloche.dev.servers import DevServer
from cloche.errors import ClocheError, ConfigurationError, shorten
from cloche.host import Host
from cloche.host.call import Call
from cloche.host.hooks import ModelContext, ViewLog, ViewMessage
from cloche.host.tool_names import meant
from cloche.host.traffic import Message
from cloche.problems import Problem
from cloche.transports.tasks import Tasks
from cloche.wire.types import Json

USER = "window"
LEFT_SECONDS = 3.0
"""A page that is loaded again comes back within this time."""

BROWSER = "browser"
"""The logger of what a view's runtime knows from the browser; the problem is told, too, with its reason."""

Tell = Callable[[Json], None]


class ViewWindow:
    """A tool that is called once, and the pages that show its view. `tell` gets each event as a dictionary."""

    def __init__(self, server: DevServer, tell: Tell) -> None:
        self.server = server
        self.host = Host({server.name: server.spec}, secret=secrets.token_bytes(32), name="cloche open")
        if server.is_stranger:
            self.host.strangers = frozenset([server.name])
        self.session = self.host.session(USER)
        self.call: Call | None = None
        self.ready = asyncio.Event()
        """Set when there is a call to show."""
        self.over = asyncio.Event()
        """Set when every page was closed."""
        self._tell = tell
        self._tasks = Tasks()
        self._pages = 0
        self._leaving: asyncio.TimerHandle | None = None
        self._asked: dict[object, str] = {}
        self._stop = self.host.traffic.listen(self._heard)
        self._hook()

    @property
    def title(self) -> str:
        """What the window is called."""
        return f"{self.call.tool if self.call is not None else ''} · {self.server.name}"

    async def start(self, tool: str, read: Callable[[Json], Json]) -> None:
        """Call the tool with what `read` makes of its entry. Raises when there is no such tool, or no view."""
        tools = {str(entry.get("name")): entry for entry in await self.session.upstream(self.server.name).tools()}
        if tool not in tools:
            raise ConfigurationError(f"the server has no tool {shorten(tool)!r}: {meant(tool, tools)}")
        call = await self.session.start(f"{self.server.name}.{tool}", read(tools[tool]))
        if call.view_uri is None:
            await call.result()  # it may bring a view along
        if call.view_uri is None:
            raise ConfigurationError(f"the tool {shorten(tool)!r} has no view: cloche call shows its result")
        self.call = call
        self.ready.set()
        self._tasks.spawn(self._finish(call))

    async def _finish(self, call: Call) -> None:
        try:
            self._tell({"event": "result", "tool": call.tool, "result": await call.result()})
        except ClocheError as error:
            self._tell({"event": "result", "tool": call.tool, "error": shorten(str(error), 2000)})

    # What the view does

    def _hook(self) -> None:
        @self.host.on_message
        def message(view: Any, said: ViewMessage) -> None:
            self._tell({"event": "message", "text": said.text, "content": said.content})

        @self.host.on_model_context
        def context(view: Any, left: ModelContext) -> None:
            told: Json = {"event": "context", "content": left.content}
            if left.structured_content is not None:
                told["structuredContent"] = left.structured_content
            self._tell(told)

        @self.host.on_log
        def log(view: Any, line: ViewLog) -> None:
            if line.logger != BROWSER:
                self._tell({"event": "log", "level": line.level, "data": line.data})

        @self.host.on_error
        def error(call: Any, problem: Problem) -> None:
            self._tell({"event": "problem", "code": problem.code, "text": str(problem)})

    def _heard(self, message: Message) -> None:
        """Calls of tools by the view, and their results."""
        body = message.body if isinstance(message.body, dict) else {}
        if message.lane != "view" or message.exchange is None:
            return
        if message.direction == "in" and message.what == "tools/call":
            given = body.get("params")
            params: Json = given if isinstance(given, dict) else {}
            tool = self._asked[message.exchange] = str(params.get("name"))
            self._tell({"event": "call", "tool": tool, "arguments": params.get("arguments") or {}})
        elif message.direction == "out" and message.exchange in self._asked:
            tool = self._asked.pop(message.exchange)
            outcome = {key: body[key] for key in ("result", "error") if key in body}
            self._tell({"event": "answer", "tool": tool, **outcome})

    # Pages

    @contextlib.contextmanager
    def page(self) -> Any:
        """A page is open for as long as this is."""
        self._pages += 1
        if self._leaving is not None:
            self._leaving.cancel()
        try:
            yield
        finally:
            self._pages -= 1
            if self._pages == 0:
                self._leaving = asyncio.get_running_loop().call_later(LEFT_SECONDS, self.over.set)

    async def close(self) -> None:
        """End what is under way; the host is closed by whoever wraps it."""
        self._stop()
        if self._leaving is not None:
            self._leaving.cancel()
        await self._tasks.end()
