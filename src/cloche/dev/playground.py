"""What the page can have done: list, call, read, and hear what views say. One user, everything of the host."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from cloche.dev.targets import DevServer
from cloche.errors import ClocheError, ConfigurationError, InvalidParamsError, shorten
from cloche.host import Host
from cloche.host.call import Call
from cloche.host.hooks import ModelContext, ViewLog, ViewMessage
from cloche.host.naming import visibility
from cloche.host.traffic import Message
from cloche.wire.types import Json

USER = "dev"
MAX_PAGES = 50
KEPT = 2000
"""Messages that a page which comes late is told of."""

MAX_BODY = 256 * 1024
"""Bytes of a message that the page gets; of larger ones it gets the beginning."""

Tell = Callable[[Json], None]


class Playground:
    """The servers, and a host around them."""

    def __init__(self, servers: Sequence[DevServer]) -> None:
        if not servers:
            raise ConfigurationError("there is nothing to play with: name a file, a URL or a command")
        self.servers = {server.name: server for server in servers}
        self.host = Host(
            {server.name: server.spec for server in servers}, secret=secrets.token_bytes(32), name="Cloche dev"
        )
        self.session = self.host.session(USER)
        self.history: list[Json] = []
        """What was told so far, for a page that is opened later."""
        self._tellers: set[Tell] = set()
        self._calls: dict[str, Call] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stops = [self.host.traffic.listen(self._heard)]
        self._hook()

    # Telling

    def listen(self, tell: Tell) -> Callable[[], None]:
        """Tell a page everything from now on."""
        self._tellers.add(tell)
        return lambda: self._tellers.discard(tell)

    def tell(self, event: str, **facts: Any) -> None:
        """Tell every page."""
        told = {"event": event, "time": time.time(), **facts}
        self.history.append(told)
        if len(self.history) > KEPT:
            del self.history[: KEPT // 4]
        for tell in tuple(self._tellers):
            tell(told)

    def _heard(self, message: Message) -> None:
        size, body = _sized(message.body)
        plain = {**msgspec.to_builtins(msgspec.structs.replace(message, body=None)), "size": size, "body": body}
        plain.pop("time")
        self.tell("traffic", at=message.time, **plain)

    def _hook(self) -> None:
        @self.host.on_message
        def message(view: Any, said: ViewMessage) -> None:
            self.tell("message", view=view.id, tool=view.tool, content=said.content)

        @self.host.on_model_context
        def context(view: Any, left: ModelContext) -> None:
            self.tell("context", view=view.id, tool=view.tool, content=left.content, structured=left.structured_content)

        @self.host.on_log
        def log(view: Any, line: ViewLog) -> None:
            self.tell("log", view=view.id, tool=view.tool, level=line.level, data=line.data)

        @self.host.on_error
        def error(view: Any, problem: str) -> None:
            self.tell("problem", view=view.id, tool=view.tool, problem=problem)

    # Doing

    async def listing(self) -> list[Json]:
        """Every server with everything it has; one that fails says why."""
        return list(await asyncio.gather(*(self._server(name) for name in self.servers)))

    async def _server(self, name: str) -> Json:
        upstream = self.session.upstream(name)
        found: Json = {"name": name, "file": _shown(self.servers[name])}
        try:
            found["tools"] = [{**tool, "visibility": sorted(visibility(tool))} for tool in await upstream.tools()]
        except ClocheError as error:
            return {**found, "tools": [], "problem": upstream.problem or shorten(str(error), 2000)}
        for key, method in (
            ("resources", "resources/list"),
            ("resourceTemplates", "resources/templates/list"),
            ("prompts", "prompts/list"),
        ):
            found[key] = await self._all(upstream, method, key)
        return {**found, "info": upstream.server_info}

    async def _all(self, upstream: Any, method: str, key: str) -> list[Json]:
        entries: list[Json] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            try:
                page = await upstream.request(method, {} if cursor is None else {"cursor": cursor})
            except ClocheError:  # a server without such a list has none
                break
            entries += [entry for entry in page.get(key) or [] if isinstance(entry, dict)]
            cursor = page.get("nextCursor")
            if not cursor:
                break
        return entries

    async def call(self, server: str, tool: str, arguments: Json) -> Json:
        """Call a tool; its result is told later. A tool that only views may call has no view of its own."""
        entry = await self._entry(server, tool)
        if "model" not in visibility(entry):
            self._spawn(self._call_directly(server, tool, arguments, number := secrets.token_urlsafe(6)))
            return {"call": number, "ticket": None}
        call = await self.session.start(f"{server}.{tool}", arguments)
        self._calls[call.id] = call
        self._spawn(self._finish(call))
        return {"call": call.id, "ticket": call.ticket() if call.view_uri is not None else None}

    async def _entry(self, server: str, tool: str) -> Json:
        for entry in await self.session.upstream(server).tools():
            if entry.get("name") == tool:
                return entry
        raise InvalidParamsError(f"The server {shorten(server)!r} has no tool {shorten(tool)!r}")

    async def _finish(self, call: Call) -> None:
        started = time.monotonic()
        try:
            await call.result()
        except ClocheError as error:
            self.tell("result", call=call.id, error=shorten(str(error), 2000), milliseconds=_since(started))
            return
        # As the server gave it, with what only the view sees.
        whole = call.record()["result"]
        ticket = call.ticket() if call.view_uri is not None else None
        self.tell("result", call=call.id, result=whole, ticket=ticket, milliseconds=_since(started))

    async def _call_directly(self, server: str, tool: str, arguments: Json, number: str) -> None:
        started = time.monotonic()
        try:
            result = await self.session.upstream(server).call_tool(tool, arguments)
            self.tell("result", call=number, result=result, milliseconds=_since(started))
        except ClocheError as error:
            self.tell("result", call=number, error=shorten(str(error), 2000), milliseconds=_since(started))

    async def cancel(self, call: str) -> Json:
        """Give a call up."""
        if call in self._calls:
            await self._calls[call].cancel("Cancelled in the playground")
        return {}

    async def again(self, call: str) -> Json:
        """A ticket that shows a finished call anew, with the page as it is now, without calling the tool."""
        known = self._calls.get(call)
        if known is None or not known.is_over:
            raise InvalidParamsError("There is no finished call to show again")
        shown = self.session.call_of(_as_record(known))
        return {"ticket": shown.ticket() if shown.view_uri is not None else None}

    async def ask(self, server: str, method: str, params: Json) -> Json:
        """Read a resource, or get a prompt."""
        if method not in ("resources/read", "prompts/get"):
            raise InvalidParamsError("The page can read resources and get prompts")
        return await self.session.upstream(server).request(method, params)

    def page_changed(self, server: str) -> None:
        """A file of a view was saved."""
        self.session.pages.forget(server)

    async def restart(self, server: str) -> None:
        """Start a server anew; the next request does it."""
        self.session.pages.forget(server)
        await self.session.upstream(server).rest()
        self.session.upstream(server).everything_changed()

    def _spawn(self, coroutine: Any) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End everything that is under way; the host is closed by whoever wraps it."""
        for stop in self._stops:
            stop()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _as_record(call: Call) -> Any:
    from cloche.host import records

    return records.from_json(call.record())


def _shown(server: DevServer) -> str | None:
    return None if server.file is None else server.file.name


def _since(started: float) -> float:
    return round((time.monotonic() - started) * 1000, 1)


def _sized(body: Any) -> tuple[int, Any]:
    """How many bytes a body has, and as much of it as the page gets."""
    try:
        data = msgspec.json.encode(body)
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError):
        return 0, "this cannot be shown"
    if len(data) <= MAX_BODY:
        return len(data), body
    return len(data), {"truncated": data[:2000].decode("utf-8", "replace")}
