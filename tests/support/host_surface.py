"""A wrapped app without a browser: requests as a web server hands them over, and the socket of a page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

from cloche import Context, Server, View
from cloche.host import Host
from cloche.host.web.socket import SUBPROTOCOL
from cloche.host.web.wrapper import Wrapper
from tests.support.host_page import APP, CONTEXT, ticket_in
from tests.support.http_client import Answer, Call, HttpClient

PAGE = "http://localhost:8000"
SECRET = "a secret of at least sixteen bytes"
DEADLINE = 30.0
FRAME = [(b"sec-fetch-dest", b"iframe"), (b"sec-fetch-site", b"cross-site"), (b"sec-fetch-mode", b"navigate")]


def make_server(**view: Any) -> Server:
    """One tool with a view, and tools for the view to call."""
    server = Server("dice")
    gate = asyncio.Event()

    @server.tool(view=View("<!doctype html><title>Dice</title><p>dice</p>", **view))
    async def roll(sides: int = 6) -> dict[str, int]:
        return {"rolled": sides}

    @server.tool
    async def big(size: int) -> str:
        return "x" * size

    @server.tool
    async def wait(ctx: Context) -> str:
        await gate.wait()
        return "waited"

    @server.tool
    async def let_go() -> str:
        gate.set()
        return "let go"

    return server


async def product(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
    """The app inside: says what reached it."""
    if scope["type"] == "http":
        body = json.dumps({"path": scope["path"], "host": dict(scope["headers"]).get(b"host", b"").decode()}).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-product", b"yes")]})
        await send({"type": "http.response.body", "body": body})
    elif scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": "product"})
    else:
        raise ValueError("this product knows no lifespan")


@asynccontextmanager
async def wrapped(
    server: Server | None = None, *, app: Any = product, at: str = "/cloche", **options: Any
) -> AsyncIterator[Wrapper]:
    """A wrapped product that is closed afterwards."""
    host = Host({"dice": server or make_server()}, **{"secret": SECRET, **options})
    wrapper = host.wrap(app, at=at)
    try:
        yield wrapper
    finally:
        await wrapper.close()


async def get(
    app: Any, path: str, *headers: tuple[bytes, bytes], host: str = "localhost:8000", method: str = "GET"
) -> Answer:
    """One request; `path` may have a query."""
    client = HttpClient(app)
    where, _, query = path.partition("?")
    given = [(b"host", host.encode())] if host else []
    scope = client.scope(method, [*given, *headers], where)
    scope["query_string"] = query.encode()
    call = Call(app, scope)
    call.feed(b"")
    return await call.answer()


class HandshakeError(Exception):
    """The socket was refused."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(status, text)
        self.status, self.text = status, text


class Socket:
    """A page's end of the socket: keeps every frame that came."""

    def __init__(self, app: Any, headers: list[tuple[bytes, bytes]], subprotocols: list[str]) -> None:
        self.frames: list[dict[str, Any]] = []
        self.closed: tuple[int, str] | None = None
        self.accepted = False
        self.refused: tuple[int, str] | None = None
        self._status = 0
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._changed = asyncio.Event()
        self._reads = asyncio.Event()
        self._reads.set()
        scope = HttpClient(app).scope("GET", headers, f"{app.at}/socket")
        scope |= {"type": "websocket", "scheme": "ws", "subprotocols": subprotocols}
        scope["extensions"] = {"websocket.http.response": {}}
        self._inbox.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.ensure_future(app(scope, self._inbox.get, self._send))
        self.task.add_done_callback(lambda _: self._changed.set())

    async def _send(self, event: MutableMapping[str, Any]) -> None:
        await self._reads.wait()
        kind = event["type"]
        if kind == "websocket.accept":
            assert event["subprotocol"] == SUBPROTOCOL
            self.accepted = True
        elif kind == "websocket.send":
            self.frames.append(json.loads(event["text"]))
        elif kind == "websocket.close":
            self.closed = event["code"], event.get("reason", "")
        elif kind == "websocket.http.response.start":
            self._status = event["status"]
        else:
            self.refused = self._status, event["body"].decode()
        self._changed.set()

    def say(self, frame: Any) -> None:
        """Send a frame; a text as it is."""
        text = frame if isinstance(frame, str) else json.dumps(frame)
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})

    def say_bytes(self, data: bytes) -> None:
        self._inbox.put_nowait({"type": "websocket.receive", "bytes": data})

    def stop_reading(self) -> None:
        self._reads.clear()

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Wait until something is there."""
        async with asyncio.timeout(DEADLINE):
            while not (found := condition()):
                assert not self.task.done(), (self.closed, self.refused, self.frames)
                self._changed.clear()
                await self._changed.wait()
        return found

    async def frame(self, key: str, **fields: Any) -> dict[str, Any]:
        """The first frame with this key and these values."""

        def find() -> Any:
            for one in self.frames:
                if key in one and all(one.get(name) == value for name, value in fields.items()):
                    return one
            return None

        found: dict[str, Any] = await self.until(find)
        return found

    async def told(self, method: str) -> dict[str, Any]:
        """The frame with the first such message to the view."""

        def find() -> Any:
            return next((one for one in self.frames if one.get("message", {}).get("method") == method), None)

        found: dict[str, Any] = await self.until(find)
        return found

    async def ended(self) -> tuple[int, str]:
        """Wait for the goodbye."""
        async with asyncio.timeout(DEADLINE):
            await self.task
        assert self.closed is not None
        return self.closed

    async def drop(self) -> None:
        """The connection breaks."""
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1006})
        self._reads.set()
        async with asyncio.timeout(DEADLINE):
            await self.task


async def connect(
    app: Any,
    *,
    origin: str | None = PAGE,
    host: str = "localhost:8000",
    subprotocols: list[str] | None = None,
    hello: bool = True,
) -> Socket:
    """A page connects; raises `HandshakeError`."""
    headers = [(b"host", host.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    socket = Socket(app, headers, [SUBPROTOCOL] if subprotocols is None else subprotocols)
    async with asyncio.timeout(DEADLINE):
        while not (socket.accepted or socket.refused or socket.closed):
            socket._changed.clear()
            await socket._changed.wait()
    if not socket.accepted:
        await socket.task
        raise HandshakeError(*(socket.refused or socket.closed or (0, "")))
    if hello:
        socket.say({"hello": 1})
    return socket


class View1:
    """A view that a page has opened: numbers what it sends."""

    def __init__(self, socket: Socket, packet: dict[str, Any], number: int = 1) -> None:
        self.socket, self.packet, self.number, self.sent = socket, packet, number, 0

    def send(self, **frame: Any) -> int:
        self.sent += 1
        self.socket.say({"view": self.number, "n": self.sent, **frame})
        return self.sent

    def greet(self) -> None:
        self.send(event="initialize", params=APP)
        self.send(event="initialized")

    def ask(self, request_id: int, method: str, **params: Any) -> None:
        self.send(message={"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})

    async def answer(self, request_id: int) -> dict[str, Any]:
        def find() -> Any:
            return next((one for one in self.socket.frames if one.get("message", {}).get("id") == request_id), None)

        found: dict[str, Any] = await self.socket.until(find)
        return found

    @property
    def got(self) -> int:
        """The number of the last frame of the host."""
        return max((one["n"] for one in self.socket.frames if "n" in one), default=0)

    def resume(self, socket: Socket, *, key: str | None = None, got: int | None = None) -> None:
        given = self.packet["key"] if key is None else key
        self.socket, seen = socket, self.got if got is None else got
        socket.say({"open": self.number, "resume": self.packet["id"], "key": given, "got": seen})


async def ticket_of(wrapper: Wrapper, tool: str = "dice.roll", user: str = "ann", **arguments: Any) -> str:
    """A ticket for a call that is over."""
    call = await wrapper.host.session(user).start(tool, arguments)
    await call.result()
    return ticket_in(call.embed())


async def show(wrapper: Wrapper, socket: Socket, number: int = 1, ticket: str | None = None) -> View1:
    """Open a view."""
    given = ticket or await ticket_of(wrapper)
    socket.say({"open": number, "ticket": given, "context": CONTEXT, "origin": PAGE})
    packet = (await socket.frame("mount", view=number))["mount"]
    return View1(socket, packet, number)
