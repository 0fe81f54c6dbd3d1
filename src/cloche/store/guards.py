"""Who may change what from outside. Code in the server's own process is not asked; tools, views and clients are."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from cloche.errors import ConfigurationError, SecurityError, UnauthorizedMutationError, shorten
from cloche.store.pointer import as_parts, is_list_item, overlap, pointer_to
from cloche.store.values import MAX_DEPTH

if TYPE_CHECKING:
    from cloche.auth import Principal

UNSAFE_NAMES = frozenset({"__proto__", "constructor", "prototype"})
"""Names that reach an object's prototype in JavaScript."""


class MutationGuard(Protocol):
    """A function that is asked before each change from outside."""

    def __call__(self, path: str, value: Any, principal: Principal | None, /) -> bool | None:
        """Return False, or raise an error, to refuse the change. `path` is a JSON Pointer; `value` is the new value,
        or None when it is to be removed.
        """


class Guards:
    """The checks of one store: unsafe names first, then read-only paths, then the author's own functions."""

    def __init__(self, read_only: Iterable[str | Sequence[str]], own: Iterable[MutationGuard]) -> None:
        self._read_only = [as_parts(path) for path in read_only]
        self._own = list(own)
        for guard in self._own:
            if inspect.iscoroutinefunction(guard):
                raise ConfigurationError("A guard is a `def` function: guard(path, value, principal) -> bool")

    def check(self, op: str, parts: Sequence[str], value: Any, principal: Principal | None) -> None:
        """Refuse a change that is not allowed, with `UnauthorizedMutationError`."""
        check_names(parts, value)
        pointer = pointer_to(parts)
        # An item that comes or goes moves the others of its list.
        reach = parts[:-1] if op != "replace" and is_list_item(parts) else parts
        for path in self._read_only:
            moved = len(path) > len(reach) < len(parts) and (path[len(reach)] == "*" or path[len(reach)].isdecimal())
            if overlap(parts, path) or (moved and overlap(reach, path)):
                raise UnauthorizedMutationError(f"{shorten(pointer) or 'The whole state'} is read-only")
        for guard in self._own:
            if guard(pointer, value, principal) is False:
                raise UnauthorizedMutationError(
                    f"This change of {shorten(pointer) or 'the whole state'} is not allowed"
                )


def check_names(parts: Iterable[str], value: Any) -> None:
    """Refuse names that nobody outside may use, in a path or in a value."""
    unsafe = next((part for part in parts if is_unsafe(part)), None) or unsafe_name(value)
    if unsafe in UNSAFE_NAMES:
        raise SecurityError(f"The name {unsafe!r} is not allowed in a store")
    if unsafe:
        raise UnauthorizedMutationError(f"{shorten(unsafe)!r}: names that begin with '_' are the server's own")


def is_unsafe(name: str) -> bool:
    """Whether nobody outside may use a name."""
    return name in UNSAFE_NAMES or name.startswith("_")


def unsafe_name(value: Any, depth: int = 0) -> str | None:
    """The first unsafe name among the keys of a value, however deep."""
    if depth > MAX_DEPTH:
        return None  # what is nested so deeply is refused anyway
    if isinstance(value, dict):
        for key, one in value.items():
            found = key if is_unsafe(key) else unsafe_name(one, depth + 1)
            if found:
                return str(found)
    if isinstance(value, list):
        for one in value:
            if found := unsafe_name(one, depth + 1):
                return found
    return None
