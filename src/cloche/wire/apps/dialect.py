"""The words in which a host speaks: current ones, or those of hosts before today's MCP Apps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cloche.errors import MethodNotFoundError
from cloche.wire.apps.methods import PROTOCOL_VERSION, current
from cloche.wire.types import Json


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """The words in which a host speaks: today's, or those of hosts before today's MCP Apps."""

    version: str = PROTOCOL_VERSION
    """What it answers to `ui/initialize` as its version."""
    sends: Mapping[str, str] = field(default_factory=dict)
    """Today's methods that it calls otherwise."""
    takes: frozenset[str] | None = None
    """The only requests that it understands; None for all of today's."""
    omits: tuple[str, ...] = ()
    """Members that its answer to `ui/initialize` does not have."""
    capabilities: Mapping[str, Any] | None = None
    """What it offers, in its own words; None for today's."""
    waits: bool = True
    """Whether a view must say that it is initialized before it is spoken to."""

    def worded(self, message: Json) -> Json:
        """A message of today as this host says it."""
        method = self.sends.get(message.get("method", ""))
        return message if method is None else {**message, "method": method}

    def check(self, method: str) -> None:
        """Raise `MethodNotFoundError` for a request that this host does not understand."""
        if self.takes is not None and method not in self.takes:
            raise MethodNotFoundError(method)

    def understood(self, method: str, params: Json) -> tuple[str, Json]:
        """A view's request in today's words; raises `MethodNotFoundError` for what this host does not understand."""
        self.check(method)
        return (method, params) if self.takes is None else current(method, params)
