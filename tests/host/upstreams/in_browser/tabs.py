"""A page that offers a server, without a browser: what it says to the host, true or not, is the test's to choose."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from cloche.host import Host, HostSession, InBrowser
from cloche.host.web.wrapper import Wrapper
from tests.support.host_surface import DEADLINE, SECRET, Socket, connect, make_server, product

Json = dict[str, Any]

TOOLS: list[Json] = [
    {"name": "read", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
    {"name": "write", "inputSchema": {"type": "object"}},
    {"name": "wipe", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": True}},
]


@asynccontextmanager
async def hosted(spec: InBrowser | None = None, **options: Any) -> AsyncIterator[Wrapper]:
    """A product whose visitors may offer a server called "mine"."""
    host = Host({"mine": spec or InBrowser(), "dice": make_server()}, **{"secret": SECRET, **options})
    wrapper = host.wrap(product)
    try:
        yield wrapper
    finally:
        await wrapper.close()


def text(value: str) -> Json:
    return {"content": [{"type": "text", "text": value}]}


class Page:
    """One page with an offered server. `answers` has a function of the parameters for each method; `says` is what it
    answers to a question, or None to let it wait.
    """

    def __init__(self, socket: Socket, number: int = 1, *, name: str = "page", says: Any = True) -> None:
        self.socket, self.number, self.says = socket, number, says
        self.questions: list[Json] = []
        self.asked: list[Json] = []
        self.held: dict[str, Json] = {}
        """Calls that are not answered until the test does, by their tools."""
        self.holds: set[str] = set()
        self.answers: dict[str, Callable[[Json], Any]] = {
            "initialize": lambda params: {
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": name, "version": "1"},
            },
            "tools/list": lambda params: {"tools": TOOLS},
            "tools/call": lambda params: text(f"{params['name']} in {name}"),
        }
        self.packet: Json = {}
        self._sent = 0
        self._seen = 0
        self._task: asyncio.Task[None] | None = None

    def offer(self, ticket: str, **options: Any) -> None:
        self.socket.say({"open": self.number, "offer": ticket, **options})

    async def offered(self, ticket: str, **options: Any) -> Page:
        self.offer(ticket, **options)
        self.packet = (await self.socket.frame("mount", view=self.number))["mount"]
        self._task = asyncio.create_task(self._serve())
        return self

    async def refused(self) -> Json:
        error: Json = (await self.socket.frame("error", view=self.number))["error"]
        return error

    def send(self, **frame: Any) -> None:
        self._sent += 1
        self.socket.say({"view": self.number, "n": self._sent, **frame})

    def say(self, **message: Any) -> None:
        self.send(message={"jsonrpc": "2.0", **message})

    async def resumed(self, socket: Socket) -> None:
        """Come back on another socket."""
        await self.stop()
        numbers = [frame["n"] for frame in self.socket.frames if frame.get("view") == self.number and "n" in frame]
        got = max(numbers, default=0)
        self.socket, self._seen = socket, 0
        socket.say({"open": self.number, "resume": self.packet["id"], "key": self.packet["key"], "got": got})
        self._task = asyncio.create_task(self._serve())

    async def _serve(self) -> None:
        while True:
            frame = await self.socket.until(self._next)
            self._take(frame)

    def _next(self) -> Json | None:
        while self._seen < len(self.socket.frames):
            self._seen += 1
            frame = self.socket.frames[self._seen - 1]
            if frame.get("view") == self.number:
                return frame
        return None

    def _take(self, frame: Json) -> None:
        message = frame.get("message", {})
        if "ask" in frame:
            self.questions.append(frame["question"])
            if self.says is not None:
                self.send(answer=frame["ask"], value=self.says)
        if message.get("method") == "tools/call" and message["params"]["name"] in self.holds:
            self.held[message["params"]["name"]] = message
        elif "id" in message and message.get("method") in self.answers:
            self.say(id=message["id"], result=self.answers[message["method"]](message["params"]))
        if "method" in message:
            self.asked.append(message)
            self.socket._changed.set()

    async def until_asked(self, method: str) -> Json:
        """Wait until the host has sent this."""

        def find() -> Any:
            return next((one for one in self.asked if one["method"] == method), None)

        found: Json = await self.socket.until(find)
        return found

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def leave(self) -> None:
        """The tab is closed."""
        self.socket.say({"close": self.number})
        await self.stop()


@asynccontextmanager
async def tab(
    wrapper: Wrapper, user: str = "ann", *, number: int = 1, visible: bool = True, **options: Any
) -> AsyncIterator[Page]:
    """A page of this user that offers "mine"."""
    socket = await connect(wrapper)
    page = Page(socket, number, **options)
    await page.offered(session(wrapper, user).offer("mine"), visible=visible)
    try:
        yield page
    finally:
        await page.stop()
        if not page.socket.task.done():
            await page.socket.drop()


def session(wrapper: Wrapper, user: str = "ann") -> HostSession:
    return wrapper.host.session(user)


async def names(wrapper: Wrapper, user: str = "ann") -> list[str]:
    """The tools that this user's model has from the page."""
    return [tool["name"] for tool in await session(wrapper, user).tools() if "mine" in tool["name"]]


async def until(wrapper: Wrapper, check: Callable[[], Awaitable[object]], user: str = "ann") -> None:
    """Wait until something is so, looking again whenever the user's server changes."""
    changed = asyncio.Event()
    stop = session(wrapper, user).upstream("mine").on_change(lambda _: changed.set())
    async with asyncio.timeout(DEADLINE):
        while not await check():
            await changed.wait()
            changed.clear()
    stop()


async def until_listed(wrapper: Wrapper, *expected: str) -> None:
    async def is_so() -> bool:
        return await names(wrapper) == [f"mine_{name}" for name in expected]

    await until(wrapper, is_so)


def said(result: Json) -> str:
    found: str = result["content"][0]["text"]
    return found


def decisions(wrapper: Wrapper) -> list[tuple[str | None, str | None]]:
    return [(entry.decision, entry.decision_by) for entry in wrapper.host.timeline.entries(action="tab-tool")]
