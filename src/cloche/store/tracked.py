"""Lists and dicts that tell their tree of every change, whichever method makes it.

They are real lists and dicts: reading costs what it always does, and JSON encoders, `match` and `isinstance` see
nothing special.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, SupportsIndex

from cloche.errors import StoreValueError, shorten
from cloche.store.links import Link, path_of, release
from cloche.store.pointer import index_in
from cloche.store.shapes import SCALARS

_MISSING: Any = object()


def is_same(old: Any, new: Any) -> bool:
    """Whether setting `new` where `old` is changes nothing."""
    return new is old or (type(new) in SCALARS and type(new) is type(old) and new == old)


class TrackedDict(dict[str, Any]):
    """A dict in a state."""

    __slots__ = ("_cloche_link",)
    _cloche_link: Link

    def __setitem__(self, key: str, value: Any) -> None:
        link = self._cloche_link
        with link.tree as tree:
            check_key(key)
            old = self.get(key, _MISSING)
            if old is not _MISSING and is_same(old, value):
                return
            new = tree.take_in(value, link.shape.member(key), self, key)
            path = path_of(self)
            dict.__setitem__(self, key, new)
            if old is _MISSING:
                tree.added(self, path, key, new)
            else:
                tree.replaced(self, path, key, new, old)
                release(old)

    def __delitem__(self, key: str) -> None:
        self.pop(key)

    def pop(self, key: str, *default: Any) -> Any:
        """Take a member out and return it."""
        with self._cloche_link.tree as tree:
            if key not in self:
                return dict.pop(self, key, *default)
            path = path_of(self)
            old = dict.pop(self, key)
            tree.removed(self, path, key, old)
            release(old)
            return old

    def popitem(self) -> tuple[str, Any]:
        """Take the last member out."""
        with self._cloche_link.tree:
            if not self:
                raise KeyError("popitem(): dictionary is empty")
            key = next(reversed(self))
            return key, self.pop(key)

    def clear(self) -> None:
        """Take every member out."""
        if self:
            self._cloche_fill({})

    def update(self, *others: Any, **members: Any) -> None:
        """Set several members, in one change."""
        with self._cloche_link.tree:
            for key, value in dict(*others, **members).items():
                self[key] = value

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The member, set to the default first if it is not there."""
        with self._cloche_link.tree:
            if key not in self:
                self[key] = default
            return self[key]

    def __ior__(self, other: Any) -> TrackedDict:  # type: ignore[override,misc]
        self.update(other)
        return self

    def copy(self) -> dict[str, Any]:
        """A plain dict with the same members."""
        return dict(self)

    def __copy__(self) -> dict[str, Any]:
        return dict(self)

    def __deepcopy__(self, memo: Any) -> Any:
        return self._cloche_link.tree.plain(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (self._cloche_link.tree.plain(self),)

    def _cloche_place(self, child: Any) -> str | int:
        return child._cloche_link.key  # type: ignore[no-any-return]

    def _cloche_get(self, part: str) -> Any:
        return self[part]

    def _cloche_set(self, part: str, value: Any, *, insert: bool) -> None:
        if not insert and part not in self:
            raise KeyError(part)
        self[part] = value

    def _cloche_remove(self, part: str) -> None:
        del self[part]

    def _cloche_fill(self, value: Mapping[str, Any]) -> None:
        link = self._cloche_link
        with link.tree as tree:
            for key in value:
                check_key(key)
            new = tree.take_all([(one, link.shape.member(key), key) for key, one in value.items()], self)
            before = tree.plain(self)
            for old in self.values():
                release(old)
            dict.clear(self)
            dict.update(self, zip(value, new, strict=True))
            tree.refilled(self, before)


class TrackedList(list[Any]):
    """A list in a state."""

    __slots__ = ("_cloche_link",)
    _cloche_link: Link

    def _splice(self, start: int, count: int, values: Iterable[Any]) -> None:
        """Put `values` in the place of `count` items from `start` on."""
        link = self._cloche_link
        with link.tree as tree:
            given, shape = list(values), link.shape.items
            if len(given) == count == 1 and is_same(self[start], given[0]):
                return
            new = tree.take_all([(one, shape, start + at) for at, one in enumerate(given)], self)
            path, old = path_of(self), self[start : start + count]
            both = min(count, len(new))
            list.__setitem__(self, slice(start, start + count), new)
            for at in range(both):
                if not is_same(old[at], new[at]):
                    tree.replaced(self, path, start + at, new[at], old[at])
            for at in reversed(range(both, count)):
                tree.removed(self, path, start + at, old[at])
            for at in range(both, len(new)):
                tree.added(self, path, start + at, new[at])
            for one in old:
                release(one)

    def append(self, value: Any) -> None:
        """Add an item at the end."""
        with self._cloche_link.tree:
            self._splice(len(self), 0, [value])

    def extend(self, values: Iterable[Any]) -> None:
        """Add items at the end, in one change."""
        with self._cloche_link.tree:
            self._splice(len(self), 0, list(values))

    def insert(self, index: SupportsIndex, value: Any) -> None:
        """Add an item in front of the one at `index`."""
        with self._cloche_link.tree:
            self._splice(slice(index, None).indices(len(self))[0], 0, [value])

    def __setitem__(self, index: Any, value: Any) -> None:
        with self._cloche_link.tree:
            if not isinstance(index, slice):
                self._splice(self._index(index), 1, [value])
                return
            start, stop, step = index.indices(len(self))
            if step == 1:
                self._splice(start, max(stop - start, 0), list(value))
                return
            places, values = range(start, stop, step), list(value)
            if len(places) != len(values):
                raise ValueError(
                    f"attempt to assign sequence of size {len(values)} to extended slice of size {len(places)}"
                )
            for at, one in zip(places, values, strict=True):
                self._splice(at, 1, [one])

    def __delitem__(self, index: Any) -> None:
        with self._cloche_link.tree:
            if not isinstance(index, slice):
                self._splice(self._index(index), 1, ())
                return
            start, stop, step = index.indices(len(self))
            if step == 1:
                self._splice(start, max(stop - start, 0), ())
                return
            for at in sorted(range(start, stop, step), reverse=True):
                self._splice(at, 1, ())

    def pop(self, index: SupportsIndex = -1) -> Any:
        """Take an item out and return it."""
        with self._cloche_link.tree:
            if not self:
                raise IndexError("pop from empty list")
            at = self._index(index)
            value = self[at]
            self._splice(at, 1, ())
            return value

    def remove(self, value: Any) -> None:
        """Take out the first item that is equal to `value`."""
        with self._cloche_link.tree:
            self._splice(self.index(value), 1, ())

    def clear(self) -> None:
        """Take every item out."""
        if self:
            self._cloche_fill([])

    def sort(self, *, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> None:
        """Sort the items, in one change."""
        with self._cloche_link.tree:
            self._reorder(sorted(self, key=key, reverse=reverse))

    def reverse(self) -> None:
        """Turn the order round, in one change."""
        with self._cloche_link.tree:
            self._reorder(self[::-1])

    def _reorder(self, items: list[Any]) -> None:
        if all(one is other for one, other in zip(items, self, strict=True)):
            return
        tree = self._cloche_link.tree
        before = tree.plain(self)
        list.__setitem__(self, slice(None), items)
        tree.refilled(self, before)

    def __iadd__(self, values: Iterable[Any]) -> TrackedList:  # type: ignore[misc]
        self.extend(values)
        return self

    def __imul__(self, times: SupportsIndex) -> TrackedList:
        with self._cloche_link.tree as tree:
            self._cloche_fill(tree.plain(self) * times.__index__())
        return self

    def copy(self) -> list[Any]:
        """A plain list with the same items."""
        return list(self)

    def __copy__(self) -> list[Any]:
        return list(self)

    def __deepcopy__(self, memo: Any) -> Any:
        return self._cloche_link.tree.plain(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (self._cloche_link.tree.plain(self),)

    def _index(self, index: SupportsIndex) -> int:
        at = index.__index__()
        at += len(self) if at < 0 else 0
        if not 0 <= at < len(self):
            raise IndexError("list index out of range")
        return at

    def _cloche_place(self, child: Any) -> str | int:
        # Where it was last: right unless the list changed in front of it.
        at = child._cloche_link.key
        if not (at < len(self) and self[at] is child):
            at = next(at for at, one in enumerate(self) if one is child)
            child._cloche_link.key = at
        return at  # type: ignore[no-any-return]

    def _cloche_get(self, part: str) -> Any:
        return self[self._at(part, len(self))]

    def _at(self, part: str, length: int) -> int:
        at = index_in(part, length)
        if at is None:
            raise KeyError(part)
        return at

    def _cloche_set(self, part: str, value: Any, *, insert: bool) -> None:
        with self._cloche_link.tree:
            if insert:
                self._splice(len(self) if part == "-" else self._at(part, len(self) + 1), 0, [value])
            else:
                self._splice(self._at(part, len(self)), 1, [value])

    def _cloche_remove(self, part: str) -> None:
        with self._cloche_link.tree:
            self._splice(self._at(part, len(self)), 1, ())

    def _cloche_fill(self, value: Iterable[Any]) -> None:
        link = self._cloche_link
        with link.tree as tree:
            new = tree.take_all([(one, link.shape.items, at) for at, one in enumerate(value)], self)
            before = tree.plain(self)
            for old in self:
                release(old)
            list.__setitem__(self, slice(None), new)
            tree.refilled(self, before)


def check_key(key: object) -> None:
    """Refuse a key that JSON cannot have."""
    if type(key) is not str:
        raise StoreValueError(f"the keys of a dict in a store are text, and {shorten(repr(key))} is not")
    if not key.isascii():
        try:
            key.encode()
        except UnicodeEncodeError:
            raise StoreValueError("half of a surrogate pair is not text that JSON can carry") from None
