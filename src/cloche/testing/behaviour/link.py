"""What a case gets: a connected client, and what can be expected of the way to its server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from cloche.client.answering import ElicitRequest, SampleRequest
from cloche.client.client import Client
from cloche.client.opening import Target
from cloche.transports.base import Transport

ROOT = "file:///behaviour"


class Link:
    """A client connected to the reference server.

    `asks`: whether the server can ask the client something. `pushes`: whether the server can say something that
    belongs to no request. Both are the case unless a handshake-era server keeps no sessions. `raw`: the transport, when
    a case may send anything over it.
    """

    def __init__(self, client: Any, *, asks: bool = True, pushes: bool = True, raw: Transport | None = None) -> None:
        self.client = client
        self.asks = asks
        self.pushes = pushes
        self.raw = raw
        self.logged: list[dict[str, Any]] = []


OpenLink = Callable[[], AbstractAsyncContextManager[Link]]
"""Makes a fresh server, a connection and a client; ends them afterwards."""


@asynccontextmanager
async def connect(
    target: Target, *, version: str | None = None, asks: bool = True, pushes: bool = True
) -> AsyncIterator[Link]:
    """A link through `cloche.Client`, to anything it connects to."""
    logged: list[dict[str, Any]] = []
    client = Client(
        target, version=version, roots=[ROOT], sampling=think, elicitation=fill_in, on_log=logged.append, timeout=20
    )
    async with client:
        # Over HTTP each message is a request of its own, which would answer for its own rubbish.
        raw = client.transport if not hasattr(client.transport, "learn_tools") else None
        link = Link(client, asks=asks, pushes=pushes, raw=raw)
        link.logged = logged
        yield link


def think(request: SampleRequest) -> str:
    """The client's model: it repeats."""
    return f"thought about {request.text}"


def fill_in(request: ElicitRequest) -> dict[str, str] | None:
    """The client's user: says no when asked to."""
    return None if "no" in request.message.split() else {"name": "Ada"}
