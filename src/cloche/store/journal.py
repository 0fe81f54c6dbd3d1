"""What happened to a state: the changes that others may have missed, and those that can be undone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

import msgspec

from cloche.store.patches import Operation
from cloche.store.pointer import is_list_item, overlap, parse
from cloche.store.tree import Inverse, Step

KEPT_CHANGES = 1000
"""Changes that are kept for those who missed them. Who missed more gets the whole state."""

KEPT_OPERATIONS = 10_000
"""Operations of all kept changes together."""


class Change(msgspec.Struct, frozen=True):
    """One commit: the state's version after it, and what changed, as a JSON Patch."""

    version: int
    patch: list[Operation]
    writer: str = ""
    """The page that wrote it, by the name it gave itself; empty where Python did."""


class Journal:
    """The latest changes of one state, in order and without gaps."""

    def __init__(self, version: int = 0) -> None:
        self.version = version
        """The version of the state now."""
        self._changes: deque[Change] = deque()
        self._operations = 0

    def add(self, patch: list[Operation], writer: str = "") -> Change:
        """Note a commit."""
        self.version += 1
        change = Change(self.version, patch, writer)
        self._changes.append(change)
        self._operations += len(patch)
        while len(self._changes) > KEPT_CHANGES or (self._operations > KEPT_OPERATIONS and len(self._changes) > 1):
            self._operations -= len(self._changes.popleft().patch)
        return change

    def since(self, version: int) -> list[Change] | None:
        """The changes after a version, oldest first; None when that is too long ago, or has not been yet."""
        missed = self.version - version
        if not 0 <= missed <= len(self._changes):
            return None
        return [self._changes[at] for at in range(len(self._changes) - missed, len(self._changes))]

    def conflicts(self, version: int, paths: Iterable[Sequence[str]], writer: str = "") -> bool:
        """Whether a writer who knows the state as of `version` would overwrite, at one of these paths, what it has not
        seen. What it wrote itself meanwhile it has seen.
        """
        missed = self.since(version)
        if missed is None:
            return True
        wanted = list(paths)
        return any(
            overlap(reach_of(operation), path)
            for change in missed
            if not writer or change.writer != writer
            for operation in change.patch
            for path in wanted
        )


def reach_of(operation: Operation) -> tuple[str, ...]:
    """What an operation changes: an item that comes or goes gives others in its list another place."""
    parts = parse(operation.path)
    return parts[:-1] if operation.op != "replace" and is_list_item(parts) else parts


class History:
    """What can be undone and redone, latest last."""

    def __init__(self, limit: int) -> None:
        self.undos: deque[list[Inverse]] = deque(maxlen=limit)
        self.redos: deque[list[Inverse]] = deque(maxlen=limit)

    def did(self, steps: Sequence[Step], redoing: bool) -> None:
        """Note a commit: what was undone before it cannot be redone any more, unless it is itself a redo."""
        self.undos.append(inverses(steps))
        if not redoing:
            self.redos.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.undos.clear()
        self.redos.clear()

    def undid(self, steps: Sequence[Step]) -> None:
        """Note an undo."""
        self.redos.append(inverses(steps))


def inverses(steps: Sequence[Step]) -> list[Inverse]:
    """What undoes these steps, in the order in which it is done."""
    return [step.inverse for step in reversed(steps)]
