"""What a case gets: a connected client, and what can be expected of the way to its server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from cloche.client.answering import ElicitRequest, SampleRequest
from cloche.client.client import Client
from cloche.client.opening import Target

ROOT = "file:///behaviour"

SendRubbish = Callable[[bytes], Awaitable[None]]


class Link:
    """A client connected to the reference server.

    `asks`: whether the server can ask the client something. `pushes`: whether the server can say something that
    belongs to no request. Both are the case unless a handshake-era server keeps no sessions. `send_rubbish` puts any
    bytes on the way to the server; None where each message is a request of its own, which answers for itself (HTTP).
    """

    def __init__(
        self, client: Any, *, asks: bool = True, pushes: bool = True, send_rubbish: SendRubbish | None = None
    ) -> None:
        self.client = client
        self.asks = asks
        self.pushes = pushes
        self.send_rubbish = send_rubbish
        self.logged: list[dict[str, Any]] = []


OpenLink = Callable[[], AbstractAsyncContextManager[Link]]
"""Makes a fresh server, a connection and a client; ends them afterwards."""


@asynccontextmanager
async def connect(
    target: Target,
    *,
    version: str | None = None,
    asks: bool = True,
    pushes: bool = True,
    send_rubbish: SendRubbish | None = None,
) -> AsyncIterator[Link]:
    """A link through `cloche.Client`, to anything it connects to."""
    logged: list[dict[str, Any]] = []
    client = Client(
        target, version=version, roots=[ROOT], sampling=think, elicitation=fill_in, on_log=logged.append, timeout=20
    )
    async with client:
        if send_rubbish is None and not hasattr(client.transport, "learn_tools"):  # which HTTP has
            send_rubbish = client.transport.send
        link = Link(client, asks=asks, pushes=pushes, send_rubbish=send_rubbish)
        link.logged = logged
        yield link


def think(request: SampleRequest) -> str:
    """The client's model: it repeats."""
    return f"thought about {request.text}"


def fill_in(request: ElicitRequest) -> dict[str, str] | None:
    """The client's user: says no when asked to."""
    return None if "no" in request.message.split() else {"name": "Ada"}
