"""Calls an ASGI application without sockets, the way a server would."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from benchmarks import traffic
from benchmarks.measure import Run
from benchmarks.traffic import Request

App = Callable[..., Awaitable[None]]


class Exchange:
    """One request and its response; `receive` says disconnect once the response is complete, like a server's."""

    __slots__ = ("_complete", "_message", "_unread", "_waiter", "body", "headers", "request", "status")

    def __init__(self, request: Request) -> None:
        self.request = request
        self._message = {"type": "http.request", "body": request.body, "more_body": False}
        self.reset()

    def reset(self) -> None:
        self._unread = True
        self._complete = False
        self._waiter: asyncio.Future[None] | None = None
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""

    async def receive(self) -> dict[str, Any]:
        if self._unread:
            self._unread = False
            return self._message
        if not self._complete:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = message["headers"]
            return
        self.body += message.get("body", b"")
        if not message.get("more_body", False):
            self._complete = True
            if self._waiter is not None and not self._waiter.done():
                self._waiter.set_result(None)

    def header(self, name: bytes) -> str:
        return next(value.decode() for key, value in self.headers if key.lower() == name)


class WrongAnswerError(Exception):
    """What is about to be timed does not do its job, so its time would mean nothing."""


async def ask(app: App, request: Request) -> Exchange:
    exchange = Exchange(request)
    await app(request.scope(), exchange.receive, exchange.send)
    if exchange.status not in (200, 202, 204):
        raise WrongAnswerError(f"{request.method} answered {exchange.status}: {exchange.body[:300]!r}")
    return exchange


async def result_of(app: App, request: Request) -> Any:
    """The JSON-RPC result, which must have come as JSON and not as a stream."""
    exchange = await ask(app, request)
    if not exchange.header(b"content-type").startswith("application/json"):
        raise WrongAnswerError(f"Expected a JSON response, got {exchange.header(b'content-type')}.")
    message = msgspec.json.decode(exchange.body)
    if "result" not in message or message["result"].get("isError"):
        raise WrongAnswerError(f"Expected a result, got {exchange.body[:300]!r}")
    return message["result"]


async def open_session(app: App) -> str:
    """Handshakes like a legacy client and returns the session id."""
    session = (await ask(app, traffic.initialize())).header(b"mcp-session-id")
    await ask(app, traffic.initialized(session))
    return session


def repeating(app: App, request: Request) -> Run:
    """The same request over and over, each in a fresh scope, one after the other.

    Does as little as it can around the application, because what it does is in everybody's time.
    """
    template = request.scope()
    body = {"type": "http.request", "body": request.body, "more_body": False}
    inbox: list[dict[str, Any]] = []
    outbox: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if inbox:
            return inbox.pop()
        # Nothing follows the body until the client hangs up, which this one does not.
        forever: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        return await forever

    async def send(message: dict[str, Any]) -> None:
        outbox.append(message)

    async def run(count: int) -> None:
        for _ in range(count):
            outbox.clear()
            inbox[:] = (body,)
            await app(template.copy(), receive, send)
            if outbox[0]["status"] != 200:
                raise WrongAnswerError(f"A timed request answered {outbox[0]['status']}: {outbox[1:]!r:.300}")

    return run
