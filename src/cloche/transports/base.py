"""`Transport`: anything that carries messages between a client and a server.

A message is the bytes of one JSON-RPC message. The contract, which `cloche.testing.behaviour` checks on any transport:

- `send` returns when the message is on its way, and waits while the other side leaves too much unread; on a closed
  transport it raises `TransportClosedError`. Messages arrive in the order they were sent, or not at all.
- `on_message` and `on_close` return a function that unsubscribes. Handlers are plain functions, called one after the
  other; one that fails is logged and keeps nobody else from hearing. What arrives before the first one waits for it.
- `close` may be called twice. When the connection ends, from whichever side, every `on_close` handler is called once,
  and one that registers later is called at once.
- While answers wait for room, the server's end of a transport reads no further: so a client that asks and never reads
  costs a bounded amount. The client's end reads on, or both might wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cloche.errors import RemoteProtocolError, TransportClosedError
from cloche.transports.listeners import Listeners, nothing
from cloche.wire.json import MAX_ANSWER_BYTES
from cloche.wire.messages import HEAD_BYTES, encode_error, id_at_the_beginning

Handler = Callable[[bytes], None]
"""Gets the bytes of one message."""

CloseHandler = Callable[[], None]
"""Told that the connection is over."""

Unsubscribe = Callable[[], None]
"""Takes a handler out again; calling it twice is harmless."""

EARLY_MESSAGES = 256
"""Messages that wait for the first handler, together no longer than one may be; more are dropped."""


class TooLong(NamedTuple):
    """Stands for a message that was too long to keep; `head` is its beginning."""

    head: bytes


class Transport:
    """Base of a transport: keeps the handlers. A transport of your own provides `send` and `close`, calls `deliver`
    with each message that arrives and `ended` when the connection is over.
    """

    def __init__(self, *, limit: int = MAX_ANSWER_BYTES) -> None:
        self.limit = limit
        """The longest message that is taken, in bytes."""
        self.dropped = 0
        """Messages that were not delivered: too long, not a message, or too many before the first handler."""
        self.always_answers = False
        """Whether every request is answered sometime, be it with an error: then a client need not guess after a while
        that its first question was not understood.
        """
        self._message_handlers = Listeners()
        self._close_handlers = Listeners()
        self._early_messages: list[bytes] | None = []
        self._early_bytes = 0
        self._connected = True

    @property
    def has_room(self) -> bool:
        """Whether `send` takes a message without waiting, so that no deadline must be watched; False is safe."""
        return False

    @property
    def is_connected(self) -> bool:
        """Whether messages can be sent."""
        return self._connected

    async def send(self, data: bytes) -> None:
        """Send one message; waits for room, raises `TransportClosedError` when the connection is over."""
        raise NotImplementedError

    async def close(self) -> None:
        """End the connection."""
        raise NotImplementedError

    def on_message(self, handler: Handler) -> Unsubscribe:
        """Call `handler` with every message that arrives, until the function that is returned is called."""
        unsubscribe = self._message_handlers.add(handler)
        early, self._early_messages = self._early_messages, None
        for data in early or ():
            self.deliver(data)
        return unsubscribe

    def on_close(self, handler: CloseHandler) -> Unsubscribe:
        """Call `handler` when the connection ends; at once when it has ended already."""
        if not self._connected:
            handler()
            return nothing
        return self._close_handlers.add(handler)

    # For transports

    def deliver(self, data: bytes) -> None:
        """A message arrived: give it to the handlers."""
        if len(data) > self.limit:
            self.refuse(data[:HEAD_BYTES])
        elif self._early_messages is not None:
            self._keep_early(data)
        else:
            self._message_handlers.tell(data)

    def refuse(self, head: bytes, problem: str | None = None) -> None:
        """A message is too long, or has another `problem`; `head` is its beginning. When it answers a request, the
        request gets an error instead, so that nobody waits for it in vain.
        """
        self.dropped += 1
        request_id, is_answer = id_at_the_beginning(head)
        if request_id is not None and is_answer:
            error = RemoteProtocolError(problem or f"The answer is over {self.limit} bytes")
            self.deliver(encode_error(request_id, error))

    def closed_error(self) -> TransportClosedError:
        """What a request is told that the end of the connection leaves without an answer."""
        return TransportClosedError()

    def ended(self) -> None:
        """The connection is over: tell everybody, once."""
        if self._connected:
            self._connected = False
            self._close_handlers.tell()
            self._close_handlers.clear()

    def _keep_early(self, data: bytes) -> None:
        assert self._early_messages is not None
        self._early_bytes += len(data)
        if len(self._early_messages) < EARLY_MESSAGES and self._early_bytes <= self.limit:
            self._early_messages.append(data)
        else:
            self.dropped += 1
