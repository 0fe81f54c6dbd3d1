"""`tools/list` and the other lists: encoded once, and given out again until something changes.

Kept per protocol version and, where entries are guarded, per set of entries that the caller may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import InvalidParamsError
from cloche.wire.versions import Features

if TYPE_CHECKING:
    from cloche.server.engine import Engine
    from cloche.server.exchange import Exchange

MEMBERS = {"tools": "tools", "resources": "resources", "templates": "resourceTemplates", "prompts": "prompts"}
"""What each list is called in its result."""

MAX_CACHED = 256
"""Pages kept; a registry with many kinds of callers starts over."""


class Lists:
    """The pages of every list."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._page_size = engine.server.page_size
        self._pages: dict[tuple[Any, ...], Raw] = {}

    def forget(self) -> None:
        """Something changed."""
        self._pages.clear()

    def page(self, kind: str, exchange: Exchange, cursor: str | None) -> Raw:
        """One page of a list, as JSON."""
        hidden = self._engine.hidden(kind, exchange.principal)
        features = exchange.peer.features
        key = (kind, features.version, hidden, cursor)
        found = self._pages.get(key)
        if found is None:
            found = self._build(kind, features, hidden, self._offset(kind, cursor))
            if len(self._pages) >= MAX_CACHED:
                self._pages.clear()
            self._pages[key] = found
        return found

    def _offset(self, kind: str, cursor: str | None) -> int:
        if cursor is None:
            return 0
        of, _, offset = self._engine.signer.open("cursor", cursor).decode().partition(":")
        if of != kind:
            raise InvalidParamsError("The cursor belongs to another list")
        return int(offset)

    def _build(self, kind: str, features: Features, hidden: frozenset[str] | None, offset: int) -> Raw:
        entries: Sequence[Any] = [
            entry for entry in self._engine.server.registries[kind].in_order() if not hidden or entry.key not in hidden
        ]
        chosen = entries[offset : offset + self._page_size]
        result: dict[str, Any] = {MEMBERS[kind]: [entry.shown(features) for entry in chosen]}
        if offset + self._page_size < len(entries):
            result["nextCursor"] = self._engine.signer.sign("cursor", f"{kind}:{offset + self._page_size}".encode())
        scope = "private" if hidden is not None else "public"
        result |= self._engine.cacheable(features, scope)
        return Raw(msgspec.json.encode({key: value for key, value in result.items() if value is not UNSET}))
