"""The stateless era over HTTP: every request says in `_meta` who asks, and headers repeat parts of it for proxies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import HeaderMismatchError
from cloche.server.connection import stateless_peer
from cloche.server.exchange import Peer
from cloche.wire import types
from cloche.wire.headers import check_parameters, decode_value
from cloche.wire.versions import FEATURES, STATELESS_VERSIONS

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.serve.http.exchange import HttpExchange
    from cloche.server.engine import Engine

VERSION_MISMATCH = "Header mismatch: MCP-Protocol-Version is not the version in _meta"

MAX_KNOWN = 256
"""Clients remembered by their `_meta`; when there are more, the memory starts over."""

MAX_KNOWN_BYTES = 1024
"""A longer `_meta` is read anew each time."""


class Stateless:
    """Who asks, and whether the headers agree."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.nobody = Peer(FEATURES[STATELESS_VERSIONS[0]], {})
        """Who sends a notification: it says nothing of its sender."""
        self._known: dict[bytes, tuple[types.RequestMeta, Peer, bytes]] = {}

    def read_call(
        self,
        exchange: HttpExchange,
        headers: dict[bytes, bytes],
        params: types.CallToolParams,
        meta: bytes,
        principal: Principal | None,
    ) -> None:
        """The same as `read` for a `tools/call` whose `_meta` is at hand."""
        known = self._known.get(meta) if principal is None else None
        tool = self._engine.tools.get(params.name)
        if (
            known is None
            or tool is None
            or tool.headers
            or headers.get(b"mcp-name") != tool.name_bytes
            or headers.get(b"mcp-method") != b"tools/call"
        ):
            self.read(exchange, headers, params, principal)
            return
        exchange.meta, exchange.peer, version = known
        if headers[b"mcp-protocol-version"] != version:
            raise HeaderMismatchError(VERSION_MISMATCH)

    def read(
        self, exchange: HttpExchange, headers: dict[bytes, bytes], params: Any, principal: Principal | None
    ) -> None:
        """Fill in who asks; raises when `_meta` is incomplete or a header says something else than the body."""
        raw = params.meta
        key = b"" if raw is UNSET else bytes(raw)
        known = self._known.get(key) if principal is None else None
        if known is None:
            known = self._learn(key, raw, headers, principal)
        exchange.meta, exchange.peer, version = known
        if headers[b"mcp-protocol-version"] != version:
            raise HeaderMismatchError(VERSION_MISMATCH)
        method = exchange.method
        if headers.get(b"mcp-method", b"").strip(b" \t") != method.encode("utf-8", "replace"):
            raise HeaderMismatchError("Header mismatch: Mcp-Method does not repeat the method")
        if method == "tools/call":
            self._check_name(headers, params.name)
            tool = self._engine.tools.get(params.name)
            if tool is not None and tool.headers:
                check_parameters(tool.headers, _loose(params.arguments), headers)
        elif method == "prompts/get":
            self._check_name(headers, params.name)
        elif method == "resources/read":
            self._check_name(headers, params.uri)

    def _learn(
        self, key: bytes, raw: Raw | Any, headers: dict[bytes, bytes], principal: Principal | None
    ) -> tuple[types.RequestMeta, Peer, bytes]:
        """Read a `_meta` that was not seen before. Clients send the same one again and again, so it is remembered."""
        meta = self._engine.meta(Raw(b"{}") if raw is UNSET else raw)
        version = meta.protocol_version
        if version is not UNSET and headers[b"mcp-protocol-version"] != version.encode("utf-8", "replace"):
            raise HeaderMismatchError(VERSION_MISMATCH)
        peer = stateless_peer(meta, principal)
        found = meta, peer, headers[b"mcp-protocol-version"]
        if principal is None and len(key) <= MAX_KNOWN_BYTES and meta.progress_token is UNSET:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known[key] = found
        return found

    @staticmethod
    def _check_name(headers: dict[bytes, bytes], wanted: str) -> None:
        sent = headers.get(b"mcp-name")
        if sent is None or (sent != wanted.encode("utf-8", "replace") and decode_value(sent) != wanted):
            raise HeaderMismatchError("Header mismatch: Mcp-Name does not repeat the name or uri")


def _loose(arguments: Any) -> Any:
    """Arguments as plain values, for comparing; what is not JSON is refused later, with the right words."""
    try:
        return {} if arguments is UNSET else msgspec.json.decode(arguments)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
