"""The words in which a host speaks: current ones, or those of hosts before MCP Apps 2026-01-26."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cloche.errors import MethodNotFoundError
from cloche.wire.apps.methods import PROTOCOL_VERSION, current
from cloche.wire.types import Json


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """The names that a host uses: the current ones, or those of hosts before MCP Apps 2026-01-26."""

    version: str = PROTOCOL_VERSION
    """What it answers to `ui/initialize` as its version."""
    sends: Mapping[str, str] = field(default_factory=dict)
    """Current methods that it calls otherwise."""
    takes: frozenset[str] | None = None
    """The only requests that it understands; None for all current ones."""
    omits: tuple[str, ...] = ()
    """Members that its answer to `ui/initialize` does not have."""
    capabilities: Mapping[str, Any] | None = None
    """What it offers, in its own words; None for the current ones."""
    waits: bool = True
    """Whether a view must say that it is initialized before it is spoken to."""

    def worded(self, message: Json) -> Json:
        """A current message under the name that this host uses."""
        method = self.sends.get(message.get("method", ""))
        return message if method is None else {**message, "method": method}

    def check(self, method: str) -> None:
        """Raise `MethodNotFoundError` for a request that this host does not understand."""
        if self.takes is not None and method not in self.takes:
            raise MethodNotFoundError(method)

    def understood(self, method: str, params: Json) -> tuple[str, Json]:
        """A view's request in current terms; raises `MethodNotFoundError` for what this host does not understand."""
        self.check(method)
        return (method, params) if self.takes is None else current(method, params)
