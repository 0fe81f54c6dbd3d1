"""The stateless era over HTTP: every request says in `_meta` who asks, and headers repeat parts of it for proxies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import HeaderMismatchError, InvalidRequestError, MethodNotFoundError
from cloche.serve.replies import reply
from cloche.server.exchange import Peer
from cloche.wire import messages, types
from cloche.wire.headers import check_parameters, decode_value
from cloche.wire.versions import FEATURES, NAMED_BY, STATELESS_VERSIONS

if TYPE_CHECKING:
    from cloche.serve.http.exchange import HttpExchange
    from cloche.server.engine import Engine


class Stateless:
    """What the app does with requests of the stateless era: who asks, and whether the headers agree."""

    is_stateless = True

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.peer = Peer(FEATURES[STATELESS_VERSIONS[0]], {})
        """Who sends a notification, or a request that names nobody."""

    async def post(self, exchange: HttpExchange, body: bytes) -> None:
        """A request, or a notification."""
        message = messages.parse(body)
        if message.method is UNSET:
            raise InvalidRequestError(
                "Invalid Request: this protocol version asks no questions, so it takes no answers"
            )
        if message.id is UNSET:
            # A cancellation too does nothing more: without a session a client cancels by hanging up.
            self._engine.notified(self.peer, message.method, message.params)
            await reply(exchange.send, 202, b"", exchange.headers)
        elif message.method == "initialize":
            raise messages.about(message.id, MethodNotFoundError("initialize"))
        else:
            await exchange.answer(message, self)

    def identify(self, exchange: HttpExchange, params: Any, meta: bytes) -> None:
        """Fill in who asks; raises when `_meta` is incomplete or a header says something else than the body."""
        headers = exchange.request_headers
        known = self._engine.callers.find(meta, exchange.principal)
        exchange.meta, exchange.peer, version = known or self._learn(exchange, params.meta, meta)
        if headers[b"mcp-protocol-version"] != version:
            raise _version_mismatch()
        method = exchange.method
        tool = self._engine.tools.get(params.name) if method == "tools/call" else None
        if tool is None or headers.get(b"mcp-name") != tool.name_bytes or headers.get(b"mcp-method") != b"tools/call":
            _check_repeated(headers, method, params)
        if tool is not None and tool.headers:
            check_parameters(tool.headers, _loose(params.arguments), headers)
        elif method == "subscriptions/listen" and not exchange.accepts_events:
            raise InvalidRequestError("subscriptions/listen needs Accept: text/event-stream")

    def _learn(self, exchange: HttpExchange, raw: Raw | Any, meta: bytes) -> tuple[types.RequestMeta, Peer, bytes]:
        """Read a `_meta` that was not seen before."""
        decoded = self._engine.meta(Raw(b"{}") if raw is UNSET else raw)
        version = decoded.protocol_version
        if version is not UNSET and exchange.request_headers[b"mcp-protocol-version"] != version.encode(
            "utf-8", "replace"
        ):
            raise _version_mismatch()
        return self._engine.callers.learn(meta, decoded, exchange.principal)


def _version_mismatch() -> HeaderMismatchError:
    return HeaderMismatchError("Header mismatch: MCP-Protocol-Version is not the version in _meta")


def _check_repeated(headers: dict[bytes, bytes], method: str, params: Any) -> None:
    if headers.get(b"mcp-method", b"").strip(b" \t") != method.encode("utf-8", "replace"):
        raise HeaderMismatchError("Header mismatch: Mcp-Method does not repeat the method")
    member = NAMED_BY.get(method)
    if member is not None:
        sent, wanted = headers.get(b"mcp-name"), getattr(params, member)
        if sent is None or (sent != wanted.encode("utf-8", "replace") and decode_value(sent) != wanted):
            raise HeaderMismatchError("Header mismatch: Mcp-Name does not repeat the name, uri or task id")


def _loose(arguments: Any) -> Any:
    """Arguments as plain values, for comparing; what is not JSON is refused later, with the right words."""
    try:
        return {} if arguments is UNSET else msgspec.json.decode(arguments)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
