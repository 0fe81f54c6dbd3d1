"""A session: what the server remembers of one client of the handshake era, or of one connection.

In-flight ids are unique per session and no wider: two clients both use 1. Requests to the client have ids of this
session too, so that an answer can only ever reach a question that was asked here (H13, H14).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import ID_IN_USE, TOO_MANY_REQUESTS, DeadlineError, InvalidRequestError, McpError, TransportError
from cloche.server.exchange import CANCELLED, Exchange, Peer
from cloche.transports.requests import Pending
from cloche.wire import types
from cloche.wire.lifecycle import CANCELLED_METHODS, INITIALIZED_METHODS, ConnectionState, Event, next_state
from cloche.wire.messages import Message, RequestId, encode_notification, encode_request

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.server.engine import Engine
    from cloche.wire.versions import Features

logger = logging.getLogger("cloche.server")

_cancelled = msgspec.json.Decoder(types.CancelledParams)


class Session(Peer):
    """A client that stays: its requests under way, our questions to it, its subscriptions."""

    __slots__ = (*("__weakref__", "engine", "in_flight", "pending", "state", "stray", "subscriptions"),)

    def __init__(
        self, engine: Engine, features: Features, principal: Principal | None = None, session_id: str | None = None
    ) -> None:
        super().__init__(features, {}, None, principal, None, session_id)
        self.engine = engine
        self.state = ConnectionState.DISCONNECTED
        self.in_flight: dict[RequestId, Exchange] = {}
        self.pending = Pending()
        """What the client was asked."""
        self.subscriptions: dict[str, Callable[[], None]] = {}
        self.stray = 0
        """Answers to nothing that was asked, and notifications out of place; counted, never acted on."""

    # To be provided by the transport

    def push(self, data: bytes) -> None:
        """Send a notification that belongs to no request, without waiting."""
        raise NotImplementedError

    # The handshake

    def initialize(self, params: types.InitializeParams, features: Features) -> None:
        """The client said who it is."""
        self.state = next_state(self.state, Event.INITIALIZE)
        self.features = features
        self.client_info = params.client_info
        self.client_capabilities = params.capabilities

    def initialized(self) -> None:
        """The client is ready; said at the wrong time it is counted and ignored."""
        try:
            self.state = next_state(self.state, Event.INITIALIZED)
        except McpError:
            self.stray += 1
            return
        self.engine.subscriptions.attach(self)

    @property
    def peer(self) -> Peer:
        """A session is the peer of its requests."""
        return self

    def admit(self, method: str) -> None:
        """Refuse a request that comes before the handshake."""
        if self.state is not ConnectionState.READY:
            self.state = next_state(self.state, Event.PING if method == "ping" else Event.REQUEST)

    # The client's requests

    def track(self, exchange: Exchange) -> None:
        """Remember a request under way; an id that is in use is refused and the first request goes on (H12)."""
        if exchange.id in self.in_flight:
            raise InvalidRequestError(ID_IN_USE)
        if len(self.in_flight) >= self.engine.limits.in_flight:
            raise InvalidRequestError(TOO_MANY_REQUESTS.format(limit=self.engine.limits.in_flight))
        self.in_flight[exchange.id] = exchange

    def untrack(self, exchange: Exchange) -> None:
        """The request was answered."""
        if self.in_flight.get(exchange.id) is exchange:
            del self.in_flight[exchange.id]

    def cancel(self, params: Any) -> None:
        """`notifications/cancelled`, in either spelling."""
        try:
            decoded = _cancelled.decode(b"{}" if params is UNSET else params)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.stray += 1
            return
        wanted = decoded.request_id if decoded.request_id is not UNSET else decoded.id
        exchange = self.in_flight.get(wanted) if wanted is not UNSET else None
        if exchange is None:
            self.stray += 1
        else:
            exchange.end(CANCELLED)

    # Our requests

    async def ask(self, method: str, params: dict[str, Any], seconds: float, send: Callable[[bytes], Any]) -> Raw:
        """Send a request with `send` and wait for the client's answer."""
        request_id = self.pending.next_id()
        answer = self.pending.open(request_id)
        try:
            await send(encode_request(request_id, method, params))
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            await _withdraw(send, {"requestId": request_id, "reason": "timed out"})
            raise DeadlineError(request_id) from None
        except asyncio.CancelledError:
            await _withdraw(send, {"requestId": request_id})
            raise
        finally:
            self.pending.forget(request_id, answer)

    # What the client sends beside its requests

    def take(self, message: Message) -> None:
        """A notification, or the answer to a question; an answer to nothing that was asked is counted and dropped."""
        if message.method is UNSET:
            self.stray += not self.pending.settle(message)
            return
        if message.method in CANCELLED_METHODS:
            self.cancel(message.params)
        elif message.method in INITIALIZED_METHODS:
            self.initialized()
        self.engine.notified(self, message.method, message.params)

    def end(self, reason: str) -> None:
        """The client is gone: end what it asked, and what it was asked."""
        self.state = ConnectionState.DISCONNECTED
        self.engine.subscriptions.detach(self)
        for exchange in list(self.in_flight.values()):
            exchange.end(reason)
        self.pending.close(lambda: McpError("The client is gone", code=-32000))


async def _withdraw(send: Callable[[bytes], Any], params: dict[str, Any]) -> None:
    """Tell the client that its answer is no longer wanted; a client that is gone need not be told."""
    try:
        await send(encode_notification("notifications/cancelled", params))
    except (OSError, TransportError) as error:
        logger.debug("a question could not be taken back: %s", error)
