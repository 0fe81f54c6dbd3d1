"""Where states are kept: the protocols, memory, SQLite, and the visitor's browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloche.lazy import lazy_names

if TYPE_CHECKING:
    from cloche.store.persistence.browser import BrowserStorage as BrowserStorage
    from cloche.store.persistence.memory import MemoryStorage as MemoryStorage
    from cloche.store.persistence.sqlite import SQLiteStorage as SQLiteStorage
    from cloche.store.persistence.storage import AsyncStorage as AsyncStorage
    from cloche.store.persistence.storage import Saved as Saved
    from cloche.store.persistence.storage import Storage as Storage

_HOMES = {
    "AsyncStorage": "store.persistence.storage",
    "BrowserStorage": "store.persistence.browser",
    "MemoryStorage": "store.persistence.memory",
    "SQLiteStorage": "store.persistence.sqlite",
    "Saved": "store.persistence.storage",
    "Storage": "store.persistence.storage",
}

__all__ = [*_HOMES]  # noqa: PLE0604

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
