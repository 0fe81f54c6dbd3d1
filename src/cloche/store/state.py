"""`StoreState`: one state with its versions, its listeners and what can be undone. A store has one, or one per user."""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from cloche.errors import InvalidParamsError, LocalError, UnauthorizedMutationError, VersionConflictError, shorten
from cloche.store.derived import Derived, DerivedValues
from cloche.store.guards import Guards, check_names
from cloche.store.journal import Change, History, Journal
from cloche.store.objects import base_of
from cloche.store.outside import writes_of
from cloche.store.patches import Operation, member
from cloche.store.pointer import as_parts, is_list_item, overlap, parse
from cloche.store.shapes import fields_of
from cloche.store.tree import Step, Tree
from cloche.store.values import as_json
from cloche.store.visibility import EVERYTHING, Visibility

if TYPE_CHECKING:
    from cloche.auth import Principal

logger = logging.getLogger("cloche.store")

S = TypeVar("S")

Unsubscribe = Callable[[], None]


class StoreState(Generic[S]):
    """One state. Change it in place: `one.state.count += 1`.

    Everything works from any thread. `with one.batch():` makes several changes one, and holds off other threads
    meanwhile.
    """

    def __init__(
        self,
        initial: S,
        hint: Any = Any,
        *,
        guards: Guards | None = None,
        derived: Sequence[Derived] = (),
        history: int = 100,
    ) -> None:
        self._tree = Tree(initial, hint, self._commit)
        self._tree.after_commit(self._deliver)
        self._guards = guards or Guards((), ())
        self._journal = Journal()
        self._history = History(history)
        self._derived = DerivedValues(derived)
        self._derived.compute(self._tree.root)
        self._doing = ""
        self._written: tuple[str, Step | None] = ("", None)
        """Who wrote from outside last, and the last step of it."""
        self._listeners: dict[object, Callable[[Change], Any]] = {}
        self._outbox: deque[Change] = deque()
        self._delivering = threading.Lock()
        self.epoch = secrets.token_urlsafe(9)
        """Tells this state from an earlier one that had the same versions."""

    @property
    def state(self) -> S:
        """The state itself: read it and change it like any object."""
        return self._tree.root  # type: ignore[no-any-return]

    @property
    def version(self) -> int:
        """How many changes there were."""
        return self._journal.version

    # Changing

    @contextmanager
    def batch(self) -> Iterator[S]:
        """Make everything inside one change: one version, one notification. Do not await inside."""
        with self._tree as tree:
            before = tree.hold()
            try:
                yield tree.root
            finally:
                tree.unhold(before)

    @contextmanager
    def transaction(self) -> Iterator[S]:
        """Make everything inside one change, or none if an exception leaves it. Do not await inside."""
        with self._tree as tree:
            before, mark = tree.hold(), tree.mark
            try:
                yield tree.root
            except BaseException:
                tree.roll_back(mark)
                raise
            finally:
                tree.unhold(before)

    def get(self, path: str | Sequence[str | int]) -> Any:
        """What is at a path, such as `/items/0` or `items.0`; raises `InvalidParamsError` if there is nothing."""
        return self._tree.find(as_parts(path))

    def set(self, path: str | Sequence[str | int], value: Any) -> None:
        """Set what is at a path; what holds it must be there. An item of a list is replaced, `-` adds one."""
        parts = as_parts(path)
        with self._tree as tree:
            is_item = bool(parts) and parts[-1] != "-" and isinstance(tree.find(parts[:-1]), list)
            tree.change("replace" if is_item or not parts else "add", parts, value)

    def undo(self) -> bool:
        """Take the latest change back; False when there is none."""
        return self._step_back("undo", self._history.undos)

    def redo(self) -> bool:
        """Make a change again that was taken back; False when there is none."""
        return self._step_back("redo", self._history.redos)

    def _step_back(self, what: str, stack: deque[Any]) -> bool:
        with self._tree as tree:
            if tree.mark:
                raise LocalError(f"store.{what}() is not for inside a batch or transaction: end it first")
            if not stack:
                return False
            inverses = stack.pop()
            self._doing = what
            try:
                for inverse in inverses:
                    tree.invert(inverse)
            except BaseException:
                tree.roll_back(0)
                stack.append(inverses)
                self._doing = ""
                raise
        self._doing = ""
        return True

    def apply(
        self,
        patch: Sequence[Operation],
        *,
        version: int | None = None,
        principal: Principal | None = None,
        seen: Visibility = EVERYTHING,
        writer: str = "",
    ) -> int:
        """Make a change that somebody outside wants, all of it or none; returns the version after it.

        Guards are asked first. With `version`, the version that the writer knows, what changed since is not
        overwritten: `VersionConflictError` tells the writer. What the writer does not see (`seen`) is not there for it.
        With `writer`, a name that the writer gave itself, what it wrote itself since is no conflict.
        """
        with self.transaction():
            alone = not self._tree.mark
            for operation in patch:
                check_names(parse(operation.path), operation.value)
                seen.check(operation)
                for op, parts, value in writes_of(operation, self.shown, self.version):
                    self._write(op, parts, value, version, principal, seen, writer)
            if alone:  # a change of several is nobody's own
                self._written = (writer, self._tree.latest)
        return self.version

    def _write(
        self,
        op: str,
        parts: tuple[str, ...],
        value: Any,
        version: int | None,
        principal: Principal | None,
        seen: Visibility,
        writer: str,
    ) -> None:
        self._guards.check(op, parts, value, principal)
        if parts and parts[0] in self._derived.values:
            raise UnauthorizedMutationError(f"{shorten(parts[0])!r} is derived from the state and cannot be set")
        if version is not None and self._journal.conflicts(version, [parts], writer):
            raise VersionConflictError(self.version)
        if op != "add" or not is_list_item(parts):
            with contextlib.suppress(InvalidParamsError):
                seen.check_whole(parts, as_json(self._tree.find(parts)))
        self._tree.change(op, parts, value)

    # Reading

    def snapshot(self) -> S:
        """A copy of the state that later changes do not reach."""
        return self._tree.plain(self._tree.root)  # type: ignore[no-any-return]

    def json(self) -> Any:
        """The whole state as plain JSON, with the derived values."""
        with self._tree as tree:
            value = as_json(tree.root)
            return {**value, **self._derived.values} if self._derived.values else value

    def shown(self, parts: Sequence[str]) -> Any:
        """What is at a path, as plain JSON; a derived value too."""
        with self._tree as tree:
            if not parts:
                return self.json()
            if parts[0] in self._derived.values:
                value: Any = self._derived.values[parts[0]]
                for part in parts[1:]:
                    value = member(value, part)
                return value
            return as_json(tree.find(parts))

    def since(self, version: int) -> list[Change] | None:
        """The changes after a version; None when they are not known any more, and the whole state is needed."""
        with self._tree:
            return self._journal.since(version)

    def at(self) -> tuple[int, Any]:
        """The version and the whole state as JSON, which belong together."""
        with self._tree:
            return self.version, self.json()

    # Listening

    def subscribe(self, listener: Callable[[Change], Any]) -> Unsubscribe:
        """Call `listener` with each change, in order, in the thread that made it; returns what ends that."""
        token = object()
        self._listeners[token] = listener
        return lambda: void(self._listeners.pop(token, None))

    def subscribe_key(self, path: str | Sequence[str | int], listener: Callable[[Any], Any]) -> Unsubscribe:
        """Call `listener` with the value at a path, as JSON, when something there changed: None if nothing is there."""
        wanted = as_parts(path)

        def heard(change: Change) -> None:
            if any(overlap(parse(operation.path), wanted) for operation in change.patch):
                value = None
                with contextlib.suppress(Exception):
                    value = self.shown(wanted)
                listener(value)

        return self.subscribe(heard)

    def on_mutation(self, listener: Callable[[list[Operation]], Any]) -> Unsubscribe:
        """Call `listener` with the operations of each change."""
        return self.subscribe(lambda change: listener(change.patch))

    # Keeping

    def dehydrate(self) -> dict[str, Any]:
        """The state as JSON that `hydrate` takes: for a page, a test or a file."""
        with self._tree as tree:
            return {"version": self.version, "state": as_json(tree.root)}

    def hydrate(self, data: dict[str, Any]) -> None:
        """Become what `dehydrate` gave, as one change. It cannot be undone."""
        with self._tree as tree:
            tree.change("replace", (), data["state"])
            self._doing = "hydrate"
        self._doing = ""

    @property
    def is_list(self) -> bool:
        """Whether the state is a list, and so has no members."""
        return isinstance(self._tree.root, list)

    def member_names(self) -> list[str]:
        """The names of the members of the state, as JSON has them."""
        root = self._tree.root
        return list(root) if isinstance(root, dict) else [field.name for field in fields_of(base_of(type(root)))]

    def member_json(self, name: str) -> Any:
        """One member of the state as JSON, or `UNSET` if there is none. The empty name is all of a list."""
        with self._tree as tree:
            if self.is_list:
                return as_json(tree.root)
            try:
                return as_json(tree.find((name,)))
            except InvalidParamsError:
                return msgspec.UNSET

    def resume(self, value: Any, version: int) -> None:
        """Become what was kept, at the version that it had then."""
        self.hydrate({"state": value})
        with self._tree:
            self._journal = Journal(version)

    # Committing

    def _commit(self, steps: list[Step]) -> None:
        patch = compressed([step.operation for step in steps])
        patch += self._derived.compute(self._tree.root, patch)
        doing, self._doing = self._doing, ""
        writer = self._written[0] if steps[-1] is self._written[1] else ""
        if doing == "undo":
            self._history.undid(steps)
        elif doing == "hydrate":
            self._history.clear()
        else:
            self._history.did(steps, doing == "redo")
        self._outbox.append(self._journal.add(patch, writer))

    def _deliver(self) -> None:
        """Tell the listeners, in order: whoever is telling already goes on to what came meanwhile."""
        while self._outbox and self._delivering.acquire(blocking=False):
            try:
                while self._outbox:
                    self._tell(self._outbox.popleft())
            finally:
                self._delivering.release()

    def _tell(self, change: Change) -> None:
        for listener in tuple(self._listeners.values()):
            try:
                listener(change)
            except Exception:
                logger.exception("a listener of a store failed")


def compressed(patch: list[Operation]) -> list[Operation]:
    """A patch without values that are replaced again at once."""
    kept: list[Operation] = []
    for operation in patch:
        last = kept[-1] if kept else None
        if last is not None and operation.op == last.op == "replace" and operation.path == last.path:
            kept[-1] = operation
        else:
            kept.append(operation)
    return kept


def void(_: object) -> None:
    """Drop a value."""
