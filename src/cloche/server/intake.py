"""How every transport takes up a request: decode its parameters, find out who asks, track it, answer it, untrack it.

Whoever carries messages makes an `Exchange` and says who the `Caller` is: a connection, a session, or in the stateless
era the client that the request's own `_meta` names. Only the fast path of HTTP does without `take_up`
(`cloche.serve.http.fast_path`), and a test compares its answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from msgspec import UNSET

from cloche.errors import InvalidParamsError, McpError, UnsupportedVersionError
from cloche.server.exchange import Peer
from cloche.wire import types
from cloche.wire.messages import Message, ToolCall
from cloche.wire.versions import FEATURES, STATELESS_VERSIONS

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.server.engine import Engine
    from cloche.server.exchange import Exchange

Answer: TypeAlias = Coroutine[Any, Any, bytes | None]

MAX_KNOWN = 256
"""Clients remembered by their `_meta`; when there are more, the memory starts over."""

MAX_KNOWN_BYTES = 1024
"""A longer `_meta` is read each time."""


class Caller(Protocol):
    """Who sends requests over a transport."""

    @property
    def is_stateless(self) -> bool | None:
        """Whether the caller speaks the stateless era; None while that is not known."""

    @property
    def peer(self) -> Peer:
        """What is known of the caller before it is identified."""

    def identify(self, exchange: Any, params: Any, meta: bytes) -> None:
        """Fill in `exchange.peer` and `exchange.meta`, and track the request; raises what is wrong with it.

        `meta` is the request's `_meta` as it was sent, empty when there is none.
        """


def read(engine: Engine, exchange: Exchange, message: Message | ToolCall, caller: Caller) -> Any:
    """What a request asks, and who asks it: fills in the exchange and returns the typed parameters."""
    exchange.id = message.id  # type: ignore[assignment]
    exchange.method = message.method  # type: ignore[assignment]
    params: Any = message.params
    if type(message) is not ToolCall:
        exchange.params = params
        params = engine.decode(exchange.method, params, caller.is_stateless)
    caller.identify(exchange, params, b"" if params.meta is UNSET else bytes(params.meta))
    return params


def take_up(engine: Engine, exchange: Exchange, message: Message | ToolCall, caller: Caller) -> Answer:
    """Take up a request, and return what answers it when it is awaited.

    It is read and tracked at once, not in a task: what follows in the same read may be its cancellation.
    """
    try:
        params = read(engine, exchange, message, caller)
    except McpError as error:
        exchange.peer = caller.peer
        return ready(engine.fail(exchange, error))
    return _attend(engine, exchange, params)


async def _attend(engine: Engine, exchange: Exchange, params: Any) -> bytes | None:
    """Answer, with the request in the table of those under way meanwhile."""
    try:
        if exchange.cancelled:
            return None
        exchange.task = asyncio.current_task(exchange.loop)
        engine.inflight.add(exchange, exchange.loop)
        return await engine.answer(exchange, params)
    finally:
        exchange.answered(engine)


async def ready(data: bytes) -> bytes | None:
    """An answer that needs no waiting."""
    return data


class KnownCallers:
    """Clients of the stateless era by their `_meta`. They send the same one with every request, so it is read once."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[types.RequestMeta, Peer, bytes]] = {}

    def find(self, meta: bytes, principal: Principal | None) -> tuple[types.RequestMeta, Peer, bytes] | None:
        """What this `_meta` says, who sends it, and the protocol version as bytes; None when it is to be learned."""
        known = self._known.get(meta)
        return known if known is not None and known[1].principal is principal else None

    def learn(
        self, meta: bytes, decoded: types.RequestMeta, principal: Principal | None
    ) -> tuple[types.RequestMeta, Peer, bytes]:
        """Who sends this `_meta`; raises what is wrong with it."""
        peer = _peer(decoded, principal)
        found = decoded, peer, peer.features.version.encode()
        if len(meta) <= MAX_KNOWN_BYTES and decoded.progress_token is UNSET:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known[meta] = found
        return found


def _peer(meta: types.RequestMeta, principal: Principal | None) -> Peer:
    version, capabilities = meta.protocol_version, meta.client_capabilities
    if version is UNSET or capabilities is UNSET:
        missing = types.PROTOCOL_VERSION_KEY if version is UNSET else types.CLIENT_CAPABILITIES_KEY
        raise InvalidParamsError(f"Invalid params: _meta needs {missing!r}")
    if version not in STATELESS_VERSIONS:
        raise UnsupportedVersionError(str(version), list(STATELESS_VERSIONS))
    info = meta.client_info
    return Peer(FEATURES[version], capabilities, None if info is UNSET else info, principal)
