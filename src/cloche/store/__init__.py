"""State that Python changes in place, and that models, views and other clients see change: `cloche.Store`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloche.lazy import lazy_names

if TYPE_CHECKING:
    from cloche.store.creation import create_secure_store as create_secure_store
    from cloche.store.creation import create_store as create_store
    from cloche.store.creation import create_store_with_fallback as create_store_with_fallback
    from cloche.store.creation import define_store as define_store
    from cloche.store.guards import MutationGuard as MutationGuard
    from cloche.store.journal import Change as Change
    from cloche.store.patches import Operation as Operation
    from cloche.store.replica import Replica as Replica
    from cloche.store.saving import Save as Save
    from cloche.store.state import StoreState as StoreState
    from cloche.store.store import Store as Store

_HOMES = {
    "Change": "store.journal",
    "MutationGuard": "store.guards",
    "Operation": "store.patches",
    "Replica": "store.replica",
    "Save": "store.saving",
    "Store": "store.store",
    "StoreState": "store.state",
    "create_secure_store": "store.creation",
    "create_store": "store.creation",
    "create_store_with_fallback": "store.creation",
    "define_store": "store.creation",
}

__all__ = [*_HOMES]  # noqa: PLE0604

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
