"""Operations from outside as the simple ones they stand for: `move`, `copy` and `test` become what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cloche.errors import VersionConflictError
from cloche.store.patches import Operation
from cloche.store.pointer import parse

Write = tuple[str, tuple[str, ...], Any]
"""`add`, `remove` or `replace`, where, and the value."""


def writes_of(operation: Operation, read: Callable[[Sequence[str]], Any], version: int = 0) -> Iterator[Write]:
    """What an operation writes. `read` gives what is at a path as JSON."""
    parts = parse(operation.path)
    if operation.op == "test":
        if read(parts) != operation.value:
            raise VersionConflictError(version)
    elif operation.op in ("move", "copy"):
        source = parse(str(operation.source))
        value = read(source)
        if operation.op == "move":
            yield "remove", source, None
        yield "add", parts, value
    else:
        yield operation.op, parts, operation.value if operation.op != "remove" else None
