"""A page without a browser: it opens views with tickets, greets them, and keeps what the host sends.

Somebody is using it: every request of the view comes after a click of its own, unless `page.idle` is set.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from cloche.host import Host, MountedView

ORIGIN = "http://localhost:8000"
SECRET = "a secret of at least sixteen bytes"

CONTEXT = {"theme": "dark", "locale": "de-DE", "timeZone": "Europe/Berlin", "platform": "web"}
APP = {"appInfo": {"name": "probe", "version": "1"}, "appCapabilities": {}, "protocolVersion": "2026-01-26"}


@asynccontextmanager
async def hosting(servers: dict[str, Any], **options: Any) -> AsyncIterator[Host]:
    """A host that is closed afterwards."""
    host = Host(servers, **{"secret": SECRET, **options})
    try:
        yield host
    finally:
        await host.close()


def ticket_in(markup: str | None) -> str:
    """The ticket of an element."""
    assert markup is not None
    ready = r'(?: view="[0-9a-f]{16}"(?: call="[^"]+")?)?'
    found = re.fullmatch(rf'<mcp-app ticket="([A-Za-z0-9_.-]+)"{ready}></mcp-app>', markup)
    assert found is not None, markup
    return found[1]


class Page:
    """One view in a page."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []
        self._more = asyncio.Event()
        self._ids = itertools.count(1)
        self._view: MountedView | None = None
        self.clicks = 0
        """Gestures of the person in the view; without another one, what the view asks comes after the last."""
        self.idle = False
        """Whether nobody uses the view."""
        self.polite = True
        """Whether the view puts its things away when it is asked to."""

    @property
    def view(self) -> MountedView:
        assert self._view is not None
        return self._view

    def send(self, frame: dict[str, Any]) -> None:
        self.frames.append(frame)
        self._more.set()
        if self.polite and frame.get("message", {}).get("method") == "ui/resource-teardown":
            self.say({"jsonrpc": "2.0", "id": frame["message"]["id"], "result": {}})

    async def open(self, host: Host, ticket: str, **options: Any) -> Page:
        """Open a view as the page does."""
        self._view = await host.open_view(
            ticket, context={**CONTEXT, **options}, page_origin=ORIGIN, at_url=f"{ORIGIN}/cloche", send=self.send
        )
        await self._view.ready()
        return self

    def greet(self, app: dict[str, Any] | None = None) -> Page:
        """The view says hello and is initialized."""
        self.view.event("initialize", {"params": {**APP, **(app or {})}})
        self.view.event("initialized", {})
        return self

    def say(self, message: Any, gesture: int = 0) -> None:
        self.view.receive(message, gesture)

    def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        self.say({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    def post(self, method: str, params: Any = None) -> int:
        """Send a request and return its id."""
        if not self.idle:
            self.clicks += 1
        return self.post_after(0 if self.idle else self.clicks, method, params)

    def post_after(self, gesture: int, method: str, params: Any = None) -> int:
        """Send a request after a gesture with this number."""
        number = next(self._ids)
        self.say({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}, gesture)
        return number

    async def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request and wait for its answer: `{"result": …}` or `{"error": …}`."""
        return await self.answer_to(self.post(method, params))

    async def answer_to(self, number: Any) -> dict[str, Any]:
        frame = await self.until(
            lambda frame: "method" not in frame.get("message", {}) and frame.get("message", {}).get("id") == number
        )
        return {key: frame["message"][key] for key in ("result", "error") if key in frame["message"]}

    async def result(self, method: str, params: Any = None) -> Any:
        answer = await self.ask(method, params)
        assert "result" in answer, answer
        return answer["result"]

    async def error(self, method: str, params: Any = None) -> tuple[int, str]:
        answer = await self.ask(method, params)
        assert "error" in answer, answer
        return answer["error"]["code"], answer["error"]["message"]

    async def until(self, fits: Any, timeout: float = 5.0) -> dict[str, Any]:
        """The first frame that fits, of those that came and those that come."""
        async with asyncio.timeout(timeout):
            while True:
                for frame in self.frames:
                    if fits(frame):
                        return frame
                self._more.clear()
                await self._more.wait()

    async def told(self, method: str) -> Any:
        """The parameters of the first such message of the host."""
        frame = await self.until(lambda frame: frame.get("message", {}).get("method") == method)
        return frame["message"].get("params")

    async def asked(self) -> dict[str, Any]:
        """The first question to the user."""
        return await self.until(lambda frame: "ask" in frame)

    def methods(self) -> list[str]:
        """What the host said to the view, in order."""
        return [frame["message"]["method"] for frame in self.frames if "method" in frame.get("message", {})]


async def opened(host: Host, tool: str, arguments: dict[str, Any], user: str = "ann", **app: Any) -> Page:
    """A view of a finished call that was greeted."""
    chat = host.session(user)
    call = await chat.start(tool, arguments)
    await call.result()
    page = await Page().open(host, ticket_in(call.embed()))
    return page.greet(app)
