"""`Tree`: one state, its lock, and what is changed in it until it is committed.

`with tree:` is one change: everything inside is one commit, made when the outermost `with` ends. Each change is noted
with its inverse, so that undoing costs what was done, and nothing ever looks at the whole state.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from cloche.errors import LocalError, StoreValueError
from cloche.store.links import path_of, release, unlinked
from cloche.store.patches import Operation, missing
from cloche.store.pointer import Path, pointer_to
from cloche.store.shapes import SCALARS, Shape, shape_of
from cloche.store.values import adopt, as_json, plain_copy, same_kind, tracked_copy


class Inverse(NamedTuple):
    """What undoes one change: an operation of JSON Patch whose value is a plain Python value."""

    op: str
    path: Path
    value: Any = None


class Step(NamedTuple):
    """One change, as everybody is told, and what undoes it."""

    operation: Operation
    inverse: Inverse


class Tree:
    """One state. `commit` is called, under the lock, with the steps of each change."""

    def __init__(self, initial: Any, hint: Any, commit: Callable[[list[Step]], None]) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._steps: list[Step] = []
        self._to_check: dict[int, Any] = {}
        self._commit = commit
        self._after: Callable[[], None] = lambda: None
        self._owner: object = None
        self.shape: Shape = shape_of(hint)
        self.root: Any = None
        self.root = tracked_copy(initial, self.shape, self)
        if not hasattr(self.root, "_cloche_link"):
            raise StoreValueError("a state is a dataclass, a Struct, a dict or a list")

    def after_commit(self, fn: Callable[[], None]) -> None:
        """Have `fn` called after each change, when the lock is free again."""
        self._after = fn

    # One change

    def __enter__(self) -> Tree:
        self._lock.acquire()
        if self._owner is not None and self._owner != current_task():
            self._lock.release()
            raise LocalError(
                "Another task changes this store inside its transaction or batch: do not await inside `with store.…`"
            )
        self._depth += 1
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            if self._depth == 1 and self._steps:
                self._check_whole()
                steps, self._steps = self._steps, []
                self._commit(steps)
        finally:
            self._depth -= 1
            is_over = self._depth == 0
            self._lock.release()
        if is_over:
            self._after()

    def hold(self) -> object:
        """From here until `unhold` only the running asyncio task may change the state."""
        before, self._owner = self._owner, current_task()
        return before

    def unhold(self, before: object) -> None:
        """Let others change the state again, when this was the outermost `hold`."""
        self._owner = before

    @property
    def mark(self) -> int:
        """How many steps were made in the change that is under way."""
        return len(self._steps)

    @property
    def latest(self) -> Step | None:
        """The last step of the change that is under way."""
        return self._steps[-1] if self._steps else None

    def roll_back(self, mark: int) -> None:
        """Undo the steps after `mark`, as if they had never been."""
        undone, self._steps = self._steps[mark:], self._steps[:mark]
        before, self._to_check = self._to_check, {}
        for step in reversed(undone):
            self.invert(step.inverse)
        del self._steps[mark:]
        self._to_check = before

    def _check_whole(self) -> None:
        checked, self._to_check = self._to_check, {}
        try:
            for node in checked.values():
                if path_of(node) is not None:
                    node._cloche_link.shape.read(node)
        except BaseException:
            self.roll_back(0)
            raise

    # Values

    def take_in(self, value: Any, shape: Shape, parent: Any, key: str | int) -> Any:
        """A value as it is kept under `key` of `parent`. What was taken out of this state is put back as it is."""
        if type(value) in SCALARS and type(value) in shape.scalars:
            return tracked_copy(value, shape, self)
        if not unlinked(value, self, shape, parent):
            value = tracked_copy(value, shape, self)
        adopt(value, parent, key)
        return value

    def take_all(self, values: Sequence[tuple[Any, Shape, str | int]], parent: Any) -> list[Any]:
        """Several values at once: all, or none."""
        taken: list[Any] = []
        try:
            for value, shape, key in values:
                taken.append(self.take_in(value, shape, parent, key))
        except BaseException:
            for value in taken:
                release(value)
            raise
        return taken

    def plain(self, value: Any) -> Any:
        """A copy of a part of the state, with plain lists and dicts and the author's classes."""
        with self._lock:
            return plain_copy(value)

    def typed(self, value: Any, cls: type) -> Any:
        """A value read as an instance of a class."""
        return shape_of(cls).read(value)

    # Steps. `path` is that of the container, or None if it is not part of the state any more

    def added(self, node: Any, path: Path | None, key: str | int, new: Any) -> None:
        """A member or item came."""
        if path is not None:
            where = (*path, key)
            self._note(node, Operation("add", pointer_to(where), as_json(new)), Inverse("remove", where))

    def removed(self, node: Any, path: Path | None, key: str | int, old: Any) -> None:
        """A member or item went."""
        if path is not None:
            where = (*path, key)
            self._note(node, Operation("remove", pointer_to(where)), Inverse("add", where, plain_copy(old)))

    def replaced(self, node: Any, path: Path | None, key: str | int, new: Any, old: Any) -> None:
        """A member or item became another value."""
        if path is not None:
            where = (*path, key)
            operation = Operation("replace", pointer_to(where), as_json(new))
            self._note(node, operation, Inverse("replace", where, plain_copy(old)))

    def refilled(self, node: Any, before: Any) -> None:
        """A list or dict has other contents."""
        path = path_of(node)
        if path is not None:
            self._note(node, Operation("replace", pointer_to(path), as_json(node)), Inverse("replace", path, before))

    def _note(self, node: Any, operation: Operation, inverse: Inverse) -> None:
        self._steps.append(Step(operation, inverse))
        if node._cloche_link.shape.checks_whole:
            self._to_check[id(node)] = node

    # By path

    def find(self, parts: Iterable[str]) -> Any:
        """What is at a path; raises `InvalidParamsError` when nothing is."""
        found, parts = self.root, tuple(parts)
        for part in parts:
            try:
                found = found._cloche_get(part)
            except (KeyError, AttributeError):
                raise missing(pointer_to(parts)) from None
        return found

    def change(self, op: str, parts: Sequence[str], value: Any = None) -> None:
        """Carry out `add`, `remove` or `replace` of JSON Patch."""
        with self:
            target: Any = self.root if not parts else None
            if parts:
                holder = self.find(parts[:-1])
                if op == "replace":
                    target = self.find(parts)
            if op == "replace" or (op == "add" and target is not None):
                if same_kind(target, value):
                    target._cloche_fill(value)
                    return
                if not parts:
                    self._replace_root(value)
                    return
            if not parts:
                raise StoreValueError("the whole state cannot be removed")
            try:
                if op == "remove":
                    holder._cloche_remove(parts[-1])
                else:
                    holder._cloche_set(parts[-1], value, insert=op == "add")
            except (KeyError, AttributeError):
                raise missing(pointer_to(parts)) from None

    def _replace_root(self, value: Any) -> None:
        kind = shape_of(self.root._cloche_base) if hasattr(self.root, "_cloche_base") else self.shape
        read = value if kind.hint is Any else kind.read(value)
        if not same_kind(self.root, read):
            raise StoreValueError(f"the state is a {type(self.root).__name__} and stays one")
        self.root._cloche_fill(read)

    def invert(self, inverse: Inverse) -> None:
        """Carry out an inverse."""
        self.change(inverse.op, [str(part) for part in inverse.path], inverse.value)


def current_task() -> object:
    """The asyncio task that runs, or the thread where there is none."""
    import asyncio

    try:
        task = asyncio.current_task()
    except RuntimeError:
        task = None
    return task if task is not None else threading.get_ident()
