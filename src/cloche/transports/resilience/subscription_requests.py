"""How a subscription is made: through a client, which knows both eras, or by hand on a transport."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Protocol

from cloche.errors import RemoteProtocolError
from cloche.transports.base import CloseHandler, Unsubscribe
from cloche.transports.listeners import nothing
from cloche.transports.requests import RequestTransport


class SubscribingClient(Protocol):
    """What is needed of a client; `cloche.Client` is one. It subscribes again by itself on a new connection; asking it
    once more does no harm.
    """

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection."""

    async def subscribe_resource(self, uri: str, /) -> None:
        """Subscribe, also on later connections."""

    async def unsubscribe_resource(self, uri: str, /) -> None:
        """Take that back."""

    async def read_resource(self, uri: str, /) -> Any:
        """Something with `contents`."""

    def on_notification(self, method: str, handler: Callable[[dict[str, Any]], None], /) -> Unsubscribe:
        """Hear of notifications."""

    def on_reconnected(self, handler: Callable[[], None], /) -> Unsubscribe:
        """Hear of new connections."""

    def on_close(self, handler: CloseHandler, /) -> Unsubscribe:
        """Hear of the end."""


class TransportSubscribing:
    """A transport in the form of a client. It subscribes by hand, in the handshake era; a new connection of a
    `Reconnecting` knows nothing of the old one.
    """

    def __init__(self, transport: RequestTransport) -> None:
        self._transport = transport
        self.on_notification = transport.on_notification
        self.on_close = transport.on_close

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection."""
        return self._transport.is_connected

    def on_reconnected(self, handler: Callable[[], None]) -> Unsubscribe:
        """Hear of new connections, where there can be any."""
        register: Callable[[Any], Unsubscribe] = getattr(self._transport, "on_restored", lambda _: nothing)
        return register(handler)

    async def subscribe_resource(self, uri: str) -> None:
        """Ask the server to tell of changes."""
        await self._transport.request("resources/subscribe", {"uri": uri})

    async def unsubscribe_resource(self, uri: str) -> None:
        """Ask it to stop."""
        await self._transport.request("resources/unsubscribe", {"uri": uri})

    async def read_resource(self, uri: str) -> SimpleNamespace:
        """What the resource contains, as dictionaries."""
        result = await self._transport.request("resources/read", {"uri": uri})
        contents = result.get("contents") if isinstance(result, dict) else None
        if not isinstance(contents, list):
            raise RemoteProtocolError("The server's answer to resources/read has no contents")
        return SimpleNamespace(contents=contents)
