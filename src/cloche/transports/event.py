"""MCP over an event emitter: server and client on one bus, in one process or one page.

Messages are emitted as plain dictionaries, so that any listener on the emitter can read them. What arrives is checked
before it is delivered: the bus may carry other things under the same name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

from cloche.errors import ConfigurationError, LocalProtocolError, TransportClosedError
from cloche.transports.requests import RequestTransport
from cloche.wire import json
from cloche.wire.json import MAX_ANSWER_BYTES
from cloche.wire.messages import is_valid_message

RESPONSE_EVENT = "mcp:response"
"""What a server sends on, and a client receives on."""

REQUEST_EVENT = "mcp:request"
"""What a client sends on, and a server receives on."""

EVENT_NAMES = {"RESPONSE": RESPONSE_EVENT, "REQUEST": REQUEST_EVENT}
"""The default names of events."""

Role = Literal["server", "client"]
Listener = Callable[[Any], Any]


class Emitter(Protocol):
    """What an emitter must have; those of most libraries do."""

    def emit(self, event: str, data: Any, /) -> Any:
        """Call everybody who listens to `event`."""

    def on(self, event: str, handler: Listener, /) -> Any:
        """Listen to `event`."""

    def off(self, event: str, handler: Listener, /) -> Any:
        """No longer listen to `event`."""


class SimpleEmitter:
    """The smallest emitter that does."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Listener]] = {}

    def emit(self, event: str, data: Any) -> None:
        """Call everybody who listens to `event`, in the order they came."""
        for handler in tuple(self._listeners.get(event, ())):
            handler(data)

    def on(self, event: str, handler: Listener) -> None:
        """Listen to `event`; a handler that listens already is not added again."""
        handlers = self._listeners.setdefault(event, [])
        if handler not in handlers:
            handlers.append(handler)

    def off(self, event: str, handler: Listener) -> None:
        """No longer listen to `event`."""
        handlers = self._listeners.get(event, [])
        if handler in handlers:
            handlers.remove(handler)
        if not handlers:
            self._listeners.pop(event, None)


class EventTransport(RequestTransport):
    """MCP over `emitter`. The server's side sends `mcp:response` and receives `mcp:request`; the client's side, with
    `role="client"`, the other way round.
    """

    def __init__(
        self,
        emitter: Emitter,
        *,
        role: Role = "server",
        send_event: str | None = None,
        receive_event: str | None = None,
        limit: int = MAX_ANSWER_BYTES,
    ) -> None:
        super().__init__(limit=limit)
        if role not in ("server", "client"):
            raise ConfigurationError(f"A transport's role is 'server' or 'client', not {role!r}")
        sends, receives = (RESPONSE_EVENT, REQUEST_EVENT) if role == "server" else (REQUEST_EVENT, RESPONSE_EVENT)
        self.send_event = send_event or sends
        self.receive_event = receive_event or receives
        if self.send_event == self.receive_event:
            raise ConfigurationError(f"send_event and receive_event are both {self.send_event!r}: it would hear itself")
        self._emitter = emitter
        self._linked: EventTransport | None = None
        # One bound method, kept: `off` must be given what `on` was given.
        self._listener: Listener = self._heard
        emitter.on(self.receive_event, self._listener)

    has_room = True
    """The other end takes a message at once."""

    async def send(self, data: bytes) -> None:
        """Emit the message."""
        if not self._connected:
            raise TransportClosedError
        try:
            message = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise LocalProtocolError("A message is JSON, because it travels as an object") from None
        self._emitter.emit(self.send_event, message)

    async def close(self) -> None:
        """Leave the emitter; of a linked pair, both ends do."""
        if not self._connected:
            return
        self._emitter.off(self.receive_event, self._listener)
        self.ended()
        if self._linked is not None:
            await self._linked.close()

    def _heard(self, event: Any) -> None:
        try:
            data = event if isinstance(event, bytes) else json.encode(event)
        except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
            data = b""
        if len(data) <= self.limit and not is_valid_message(data):
            self.dropped += 1
        else:
            self.deliver(data)


def create_linked_pair(*, limit: int = MAX_ANSWER_BYTES) -> tuple[EventTransport, EventTransport]:
    """A client's and a server's end on an emitter of their own; closing one closes the other."""
    emitter = SimpleEmitter()
    client = EventTransport(emitter, role="client", limit=limit)
    server = EventTransport(emitter, role="server", limit=limit)
    client._linked, server._linked = server, client
    return client, server
