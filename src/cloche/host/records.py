"""Records of calls: what a product keeps so that a reloaded chat shows a view again without calling the tool again.

A record is plain JSON and holds no secret. It is as trustworthy as the place it was kept in: keep it where users
cannot write.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Any, Literal

import msgspec

from cloche.errors import InvalidParamsError, shorten
from cloche.host.budgets import VALUE_BYTES, Shelf
from cloche.wire.json import count_values
from cloche.wire.types import Json


class RecordedView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The view as it was then."""

    uri: str
    hash: str | None = None
    """SHA-256 of its page; when the server has another page now, the timeline says so."""


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call that is over."""

    cloche: Literal["call/1"]
    """What this is, and its version."""
    id: str
    server: str
    tool: str
    status: Literal["done", "failed", "cancelled"]
    time: str
    """When it was started, in UTC, ISO 8601."""
    arguments: Json | None = None
    result: Json | None = None
    reason: str | None = None
    """Why it was cancelled or failed."""
    view: RecordedView | None = None
    state: Any = None
    """What the view had the host remember."""


def as_json(record: Record) -> Json:
    """The record as a product keeps it."""
    found: Json = msgspec.to_builtins(record)
    return found


def from_json(given: object) -> Record:
    """A record that was kept; raises `InvalidParamsError` when it is none."""
    try:
        return msgspec.convert(given, Record)
    except msgspec.ValidationError as error:
        raise InvalidParamsError(f"This is not a record of a call: {shorten(str(error), 200)}") from None


class Filed(msgspec.Struct, frozen=True):
    """A record, and what takes a while to find out about a large one."""

    record: Record
    digest: str
    """What tells this record from every other."""
    size: int
    """How long it is as JSON."""
    weight: int
    """What it takes in memory, roughly."""


def filed(record: Record) -> Filed:
    """Look at a record, once."""
    data = msgspec.json.encode(record, order="sorted")  # the same bytes every time
    return Filed(record, hashlib.sha256(data).hexdigest(), len(data), len(data) + VALUE_BYTES * count_values(data))


class Records:
    """Records that do not fit into a ticket, the latest ones. `shelf` counts them, by user."""

    def __init__(self, keep: int, shelf: Shelf) -> None:
        self._keep = keep
        self._shelf = shelf
        self._records: OrderedDict[tuple[str, str], Record] = OrderedDict()

    def add(self, user: str, filed: Filed) -> None:
        """Keep a record for a user, who finds it by its digest. Older ones go for it: first the user's own. Raises
        `BudgetError` for one that is larger than all may be.
        """
        key = user, filed.digest
        if key not in self._records:
            self._make_room(user, filed)
            self._shelf.put(user, filed.digest, filed.weight)
            self._records[key] = filed.record
        self._records.move_to_end(key)
        while len(self._records) > self._keep:
            self._forget(next(iter(self._records)))

    def _make_room(self, user: str, filed: Filed) -> None:
        for others in (False, True):
            for key in list(self._records):
                if self._shelf.lacks(user, filed.digest, filed.weight) is None:
                    return
                if others or key[0] == user:
                    self._forget(key)

    def _forget(self, key: tuple[str, str]) -> None:
        del self._records[key]
        self._shelf.take(*key)

    def find(self, user: str, key: str | None) -> Record | None:
        """The user's record of this digest, when it is still kept."""
        return self._records.get((user, key or ""))
