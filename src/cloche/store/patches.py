"""JSON Patch (RFC 6902): the operations, reading them from outside, and applying them to plain JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from cloche.errors import InvalidParamsError, shorten
from cloche.store.pointer import index_in, parse

MAX_OPERATIONS = 500
"""Operations in one patch from outside."""


class Operation(msgspec.Struct, rename={"source": "from"}, omit_defaults=True, frozen=True):
    """One operation of a JSON Patch. What a store sends has `add`, `remove` and `replace` only."""

    op: Literal["add", "remove", "replace", "move", "copy", "test"]
    path: str
    value: Any = msgspec.UNSET
    source: str | msgspec.UnsetType = msgspec.UNSET


def read_patch(given: Any) -> list[Operation]:
    """A patch as somebody outside sent it."""
    try:
        patch = msgspec.convert(given, list[Operation])
    except msgspec.ValidationError as error:
        raise InvalidParamsError(f"This is not a JSON Patch: {shorten(str(error), 200)}") from None
    if len(patch) > MAX_OPERATIONS:
        raise InvalidParamsError(f"A patch has at most {MAX_OPERATIONS} operations")
    for operation in patch:
        if operation.op in ("add", "replace", "test") and operation.value is msgspec.UNSET:
            raise InvalidParamsError(f"A patch's {operation.op!r} needs a value")
        if operation.op in ("move", "copy") and operation.source is msgspec.UNSET:
            raise InvalidParamsError(f"A patch's {operation.op!r} needs a path it comes 'from'")
    return patch


def apply_patch(value: Any, patch: Iterable[Operation]) -> Any:
    """Apply a store's operations to plain JSON, in place; returns the value, which is another if all was replaced."""
    for operation in patch:
        value = _apply(value, operation)
    return value


def _apply(root: Any, operation: Operation) -> Any:
    parts = parse(operation.path)
    if not parts:
        return operation.value
    holder = root
    for part in parts[:-1]:
        holder = member(holder, part)
    last = parts[-1]
    if isinstance(holder, list):
        at = len(holder) if last == "-" else index_in(last, len(holder) + (operation.op == "add"))
        if at is None:
            raise missing(operation.path)
        if operation.op == "add":
            holder.insert(at, operation.value)
        elif operation.op == "remove":
            del holder[at]
        else:
            holder[at] = operation.value
    elif isinstance(holder, dict):
        if operation.op != "add" and last not in holder:
            raise missing(operation.path)
        if operation.op == "remove":
            del holder[last]
        else:
            holder[last] = operation.value
    else:
        raise missing(operation.path)
    return root


def member(holder: Any, part: str) -> Any:
    """What a container of plain JSON has under one part of a pointer."""
    if isinstance(holder, dict) and part in holder:
        return holder[part]
    if isinstance(holder, list) and (at := index_in(part, len(holder))) is not None:
        return holder[at]
    raise missing(part)


def missing(path: str) -> InvalidParamsError:
    """The error for a path at which there is nothing."""
    return InvalidParamsError(f"There is nothing at {shorten(path)!r}")
