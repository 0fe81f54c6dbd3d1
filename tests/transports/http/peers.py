"""Servers to call: scripted ones that answer as a test says, and the words that every client begins with."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from cloche.transports.http.client import HttpTransport
from tests.support.doors import AsgiDoor

URL = "http://127.0.0.1:8000/mcp"
DEADLINE = 20.0
MODERN: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"elicitation": {}},
    "clientInfo": {"name": "test", "version": "1"},
}
SESSION = "session-1"


class Call:
    """One HTTP request that a scripted server got, and the ways to answer it."""

    def __init__(self, scope: Any, body: bytes, receive: Any, send: Any) -> None:
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.headers = {name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]}
        self.message: Any = json.loads(body) if body else None
        self._receive = receive
        self._send = send

    @property
    def rpc(self) -> str:
        return str(self.message.get("method", "")) if isinstance(self.message, dict) else ""

    async def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})
        await self._send({"type": "http.response.body", "body": body})

    async def json(self, value: Any, status: int = 200, **headers: str) -> None:
        await self.reply(status, json.dumps(value).encode(), content_type="application/json", **headers)

    async def result(self, result: Any, **headers: str) -> None:
        await self.json({"jsonrpc": "2.0", "id": self.message["id"], "result": result}, **headers)

    async def events(self, **headers: str) -> None:
        pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        head = [(b"content-type", b"text/event-stream"), *pairs]
        await self._send({"type": "http.response.start", "status": 200, "headers": head})

    async def write(self, data: bytes) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def event(self, value: Any, event_id: str | None = None) -> None:
        head = "" if event_id is None else f"id: {event_id}\n"
        await self.write(f"{head}data: {json.dumps(value)}\n\n".encode())

    async def end(self) -> None:
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def hang_up_of_client(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass


Script = Callable[[Call], Awaitable[None]]


class Scripted:
    """An ASGI app that hands every request to a function, and remembers them."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.calls: list[Call] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            part = await receive()
            body += part.get("body", b"")
            more = part.get("more_body", False)
        call = Call(scope, body, receive, send)
        self.calls.append(call)
        await self._script(call)


async def shake_hands(call: Call) -> bool:
    """Do what a server with sessions does at the beginning and the end; False when the test's script has to answer."""
    if call.rpc == "initialize":
        info = {"name": "scripted", "version": "1"}
        result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": info}
        await call.result(result, mcp_session_id=SESSION)
    elif call.rpc == "notifications/initialized":
        await call.reply(202)
    elif call.method == "DELETE":
        await call.reply(204)
    else:
        return False
    return True


@asynccontextmanager
async def calling(app: Any, **options: Any) -> AsyncIterator[HttpTransport]:
    """A transport to an ASGI app in this process."""
    async with asyncio.timeout(DEADLINE), httpx2.AsyncClient(transport=AsgiDoor(app)) as http:
        transport = HttpTransport(options.pop("url", URL), client=http, **options)
        try:
            yield transport
        finally:
            await transport.close()


@asynccontextmanager
async def connected(url: str, **options: Any) -> AsyncIterator[HttpTransport]:
    """A transport to a real socket."""
    async with asyncio.timeout(DEADLINE):
        transport = HttpTransport(url, **options)
        try:
            yield transport
        finally:
            await transport.close()


async def begin(transport: HttpTransport, **changes: Any) -> Any:
    """The handshake."""
    result = await transport.request("initialize", {**HELLO, **changes})
    await transport.notify("notifications/initialized")
    return result


def tool(name: str, /, **arguments: Any) -> dict[str, Any]:
    """The parameters of `tools/call`."""
    return {"name": name, "arguments": arguments}


def modern(params: dict[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
    """Parameters of the stateless era."""
    return {**(params or {}), "_meta": {**MODERN, **meta}}


class Heard:
    """What arrives, one after the other."""

    def __init__(self, transport: HttpTransport, method: str) -> None:
        self._queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        transport.on_notification(method, self._queue.put_nowait)

    async def next(self) -> dict[str, Any]:
        return await self._queue.get()

    def all(self) -> list[dict[str, Any]]:
        return [self._queue.get_nowait() for _ in range(self._queue.qsize())]
