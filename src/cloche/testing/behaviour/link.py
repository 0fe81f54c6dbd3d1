"""What a case gets: a connected client, and what can be expected of the way to its server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from cloche.client.client import Client
from cloche.client.server_requests import ElicitRequest, SampleRequest
from cloche.client.targets import Target

ROOT = "file:///behaviour"

SendRubbish = Callable[[bytes], Awaitable[None]]


class Link:
    """A client connected to the reference server.

    `keeps_sessions` is False where a server of the handshake era forgets its client between two messages: then there
    is no way back to the client, nothing is pushed, and nobody knows which call a cancellation belongs to.
    `send_rubbish` puts any bytes on the way to the server; None where each message is a request of its own, which
    answers for itself (HTTP).
    """

    def __init__(self, client: Any, *, keeps_sessions: bool = True, send_rubbish: SendRubbish | None = None) -> None:
        self.client = client
        self.has_way_back: bool = keeps_sessions or client.is_stateless
        """Whether the server can ask and tell the client something."""
        self.send_rubbish = send_rubbish
        self.logged: list[dict[str, Any]] = []


OpenLink = Callable[[], AbstractAsyncContextManager[Link]]
"""Makes a fresh server, a connection and a client; ends them afterwards."""


@asynccontextmanager
async def connect(
    target: Target,
    *,
    version: str | None = None,
    keeps_sessions: bool = True,
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
        link = Link(client, keeps_sessions=keeps_sessions, send_rubbish=send_rubbish)
        link.logged = logged
        yield link


def think(request: SampleRequest) -> str:
    """The client's model: it repeats."""
    return f"thought about {request.text}"


def fill_in(request: ElicitRequest) -> dict[str, str] | None:
    """The client's user: says no when asked to."""
    return None if "no" in request.message.split() else {"name": "Ada"}
