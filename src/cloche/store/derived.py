"""Derived values: computed from a state, and shown beside its members as if they were some."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cloche.store.patches import Operation
from cloche.store.pointer import as_parts, overlap, parse, pointer_to
from cloche.store.values import as_json

logger = logging.getLogger("cloche.store")

_NEVER: Any = object()


class Derived:
    """One derived value: its name, its function, and the paths that it is computed from."""

    def __init__(self, name: str, fn: Callable[[Any], Any], of: Iterable[str | Sequence[str]]) -> None:
        self.name = name
        self.fn = fn
        self.of = [as_parts(path) for path in of]

    def concerns(self, patch: Iterable[Operation]) -> bool:
        """Whether a change may make it another value."""
        if not self.of:
            return True
        changed = [parse(operation.path) for operation in patch]
        return any(overlap(path, one) for path in self.of for one in changed)


class DerivedValues:
    """The derived values of one state, as they are now."""

    def __init__(self, derived: Sequence[Derived]) -> None:
        self._derived = derived
        self._values: dict[str, Any] = {}

    def compute(self, root: Any, patch: Sequence[Operation] | None = None) -> list[Operation]:
        """Compute what a change may have changed, or all of them without one; returns what is different now."""
        found: list[Operation] = []
        for one in self._derived:
            if patch is not None and one.name in self._values and not one.concerns(patch):
                continue
            try:
                value = as_json(one.fn(root))
            except Exception:
                logger.exception("the derived value %s of a store failed, and stays as it was", one.name)
                value = self._values.get(one.name)
            before = self._values.get(one.name, _NEVER)
            if before is _NEVER or before != value or type(before) is not type(value):
                self._values[one.name] = value
                found.append(Operation("add" if before is _NEVER else "replace", pointer_to((one.name,)), value))
        return found

    @property
    def values(self) -> dict[str, Any]:
        """The values by name, as JSON."""
        return self._values
