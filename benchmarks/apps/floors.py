"""The floors: what a request costs when nobody speaks MCP."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from benchmarks.traffic import PATH, RESOURCE

_JSON = [(b"content-type", b"application/json")]
_EVENTS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache")]


def starlette_echo(*, suspends: bool) -> Starlette:
    """The bare Starlette JSON echo."""

    async def echo(request: Request) -> JSONResponse:
        return JSONResponse(await request.json())

    async def suspending_echo(request: Request) -> JSONResponse:
        message = await request.json()
        await asyncio.sleep(0)
        return JSONResponse(message)

    return Starlette(routes=[Route(PATH, suspending_echo if suspends else echo, methods=["POST"])])


async def raw_echo(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Raw ASGI and msgspec: read, decode, encode, answer."""
    body = await _read(receive)
    answer = msgspec.json.encode(msgspec.json.decode(body))
    headers = [*_JSON, (b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


class RawFanout:
    """Raw ASGI fan-out: every stream's task waits on its queue and sends a frame encoded beforehand."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[bytes]] = set()
        self._acknowledged = _frame("notifications/subscriptions/acknowledged", {"notifications": {}})
        self._updated = _frame("notifications/resources/updated", {"uri": RESOURCE})

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        await _read(receive)
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        self._queues.add(queue)
        await send({"type": "http.response.start", "status": 200, "headers": _EVENTS})
        await send({"type": "http.response.body", "body": self._acknowledged, "more_body": True})
        while True:
            await send({"type": "http.response.body", "body": await queue.get(), "more_body": True})

    def publish(self) -> None:
        for queue in self._queues:
            queue.put_nowait(self._updated)


async def _read(receive: Any) -> bytes:
    body: bytes = b""
    while True:
        message = await receive()
        body += message["body"]
        if not message.get("more_body", False):
            return body


def _frame(method: str, params: dict[str, Any]) -> bytes:
    meta = {"io.modelcontextprotocol/subscriptionId": 1}
    message = {"jsonrpc": "2.0", "method": method, "params": {**params, "_meta": meta}}
    return b"event: message\ndata: " + msgspec.json.encode(message) + b"\n\n"
