"""Which part of a state leaves the server, and for whom.

Names that begin with `_` stay in the process. What the author calls private is for views, and no model sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cloche.errors import UnauthorizedMutationError, shorten
from cloche.store.patches import Operation, missing
from cloche.store.pointer import as_parts, parse, pointer_to


class Visibility:
    """What one audience sees of a state: everything but names that begin with `_` and the hidden paths."""

    def __init__(self, hidden: Iterable[str | Sequence[str]] = ()) -> None:
        self.hidden = [as_parts(path) for path in hidden]

    def shows(self, parts: Sequence[str]) -> bool:
        """Whether something at this path may be seen."""
        return not any(part.startswith("_") for part in parts) and not any(
            len(path) <= len(parts) and _matches(path, parts) for path in self.hidden
        )

    def value(self, value: Any, parts: tuple[str, ...] = ()) -> Any:
        """Plain JSON as this audience sees it: a copy where something is left out."""
        below = [path for path in self.hidden if len(path) > len(parts) and _matches(path[: len(parts)], parts)]
        return _shown(value, [path[len(parts) :] for path in below])

    def check(self, operation: Operation) -> None:
        """Refuse an operation that names what this audience does not see: for it there is nothing."""
        for pointer in (operation.path, operation.source):
            if isinstance(pointer, str) and not self.shows(parse(pointer)):
                raise missing(pointer)

    def check_whole(self, parts: tuple[str, ...], value: Any) -> None:
        """Refuse to overwrite a value, given as JSON, of which this audience sees only a part."""
        if isinstance(value, dict | list) and self.value(value, parts) != value:
            raise UnauthorizedMutationError(
                f"{shorten(pointer_to(parts)) or 'The whole state'} has parts that are not yours to change: "
                "change the others one by one"
            )

    def patch(self, patch: Iterable[Operation]) -> list[Operation]:
        """A patch as this audience sees it."""
        seen: list[Operation] = []
        for operation in patch:
            parts = parse(operation.path)
            if not self.shows(parts):
                continue
            if operation.op == "remove":
                seen.append(operation)
            else:
                seen.append(Operation(operation.op, operation.path, self.value(operation.value, parts)))
        return seen


def _matches(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    return all(want in ("*", part) for want, part in zip(pattern, parts, strict=False))


def _shown(value: Any, hidden: list[tuple[str, ...]]) -> Any:
    if isinstance(value, dict):
        kept = {}
        for key, one in value.items():
            inner = [path[1:] for path in hidden if path[0] in ("*", key)]
            if not key.startswith("_") and () not in inner:
                kept[key] = _shown(one, inner)
        return kept
    if isinstance(value, list):
        return [
            _shown(one, [path[1:] for path in hidden if len(path) > 1 and path[0] in ("*", str(at))])
            for at, one in enumerate(value)
        ]
    return value


EVERYTHING = Visibility()
"""What everybody may see: all but names that begin with `_`."""
