"""JSON Pointers (RFC 6901), and the paths that they stand for: tuples of member names and list indices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from cloche.errors import InvalidParamsError, shorten

Path: TypeAlias = tuple[str | int, ...]
"""Where a value is in a state: names of members, and numbers of list items."""

MAX_POINTER = 2000
"""Characters of a pointer from outside."""

_INDEX = re.compile(r"0|[1-9][0-9]{0,15}")
_BAD_ESCAPE = re.compile(r"~(?![01])")


def parse(pointer: str) -> tuple[str, ...]:
    """The names in a JSON Pointer such as `/items/0/name`; a list index is still text."""
    if len(pointer) > MAX_POINTER:
        raise InvalidParamsError(f"A path has at most {MAX_POINTER} characters")
    if pointer == "":
        return ()
    if not pointer.startswith("/") or _BAD_ESCAPE.search(pointer):
        raise InvalidParamsError(
            f"{shorten(pointer)!r} is not a JSON Pointer: it begins with '/', and writes '~' as '~0' and '/' as '~1'"
        )
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/"))


def pointer_to(path: Iterable[str | int]) -> str:
    """The JSON Pointer to a path: `("items", 0, "name")` is `/items/0/name`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def index_in(part: str, length: int) -> int | None:
    """The list index that a part of a pointer names, or None if it names none below `length`."""
    if not _INDEX.fullmatch(part):
        return None
    index = int(part)
    return index if index < length else None


def is_list_item(parts: Sequence[str]) -> bool:
    """Whether a path may name an item of a list: then adding or removing it moves others."""
    return bool(parts) and (parts[-1] == "-" or _INDEX.fullmatch(parts[-1]) is not None)


def as_parts(path: str | Iterable[str | int]) -> tuple[str, ...]:
    """A path in any spelling: a JSON Pointer, dotted names (`cart.total`), or names and numbers in a row."""
    if not isinstance(path, str):
        return tuple(str(part) for part in path)
    if path == "" or path.startswith("/"):
        return parse(path)
    return tuple(path.split("."))


def overlap(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one path is the other, or leads to it. A part `*` in either stands for any name."""
    return all("*" in (mine, theirs) or mine == theirs for mine, theirs in zip(one, other, strict=False))
