"""States that the tests change: dataclasses, Structs, dicts and lists inside one another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from cloche.store import Replica, StoreState


@dataclass
class Item:
    """Something to buy."""

    name: str
    count: int = 1
    tags: list[str] = field(default_factory=list)

    def more(self, by: int = 1) -> None:
        """A method of the author's own changes the state too."""
        self.count += by


class Shop(msgspec.Struct, rename="camel"):
    """Where to buy it."""

    shop_name: str = "corner"
    is_open: bool = True
    prices: dict[str, float] = {}
    note: str | msgspec.UnsetType = msgspec.UNSET


@dataclass
class Cart:
    """A shopping list."""

    items: list[Item] = field(default_factory=list)
    shop: Shop = field(default_factory=Shop)
    notes: dict[str, Any] = field(default_factory=dict)
    first: Item | None = None
    count: int = 0


def followed(state: StoreState[Any]) -> Replica:
    """A replica that hears of every change."""
    replica = Replica(*state.at())
    state.subscribe(replica.receive)
    return replica
