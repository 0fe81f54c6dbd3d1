"""Deprecated: `SessionStore` and `MemorySessionStore` are in `cloche.server.session_store`. `Store` will be the
application's own state.
"""

from __future__ import annotations

import warnings
from typing import Any

from cloche.server import session_store

_NEW_NAMES = {"MemoryStore": "MemorySessionStore", "SessionStore": "SessionStore"}


def __getattr__(name: str) -> Any:
    new = _NEW_NAMES.get(name)
    if new is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        f"cloche.server.store.{name} is now called cloche.server.session_store.{new}", DeprecationWarning, stacklevel=2
    )
    return getattr(session_store, new)
