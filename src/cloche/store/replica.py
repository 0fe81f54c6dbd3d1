"""`Replica`: a store's state somewhere else, kept equal by the changes that the store tells of, or by asking."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from cloche.store.journal import Change
from cloche.store.patches import Operation, apply_patch


class Replica:
    """A copy of a state as plain JSON. Give it each change; when it says that it missed some, give it those.

    In another process `replica = Replica()` begins empty: read the resource `replica.uri("store://cart")`, and give
    what it says, as JSON, to `replica.take`; again whenever `store://cart` was updated.
    """

    def __init__(self, version: int = -1, value: Any = None) -> None:
        self.version = version
        self.value = value
        self.epoch = ""
        """Which life of the state the version counts in, where the replica was told."""

    def uri(self, store: str) -> str:
        """The resource that has what this replica missed of a store such as `store://cart`."""
        return f"{store}?version={self.version}&epoch={self.epoch}"

    def take(self, told: Mapping[str, Any]) -> None:
        """Take what that resource said: the changes that were missed, or the whole state."""
        if "patch" in told:
            patch = msgspec.convert(told["patch"], list[Operation])
            self.value = apply_patch(self.value, _own(Change(told["version"], patch)))
        else:
            self.value = told["value"]
        self.version, self.epoch = told["version"], told["epoch"]

    def receive(self, change: Change) -> bool:
        """Take one change; False when changes before it are missing. One that is known already is passed over."""
        if change.version <= self.version:
            return True
        if change.version != self.version + 1:
            return False
        self.value = apply_patch(self.value, _own(change))
        self.version = change.version
        return True

    def catch_up(self, changes: Iterable[Change]) -> bool:
        """Take what was missed, oldest first; False when there is still a gap."""
        return all(self.receive(change) for change in changes)

    def reset(self, version: int, value: Any) -> None:
        """Start again from the whole state."""
        self.version, self.value = version, value


def _own(change: Change) -> list[Operation]:
    """The operations with values of their own: a change may have other receivers in this process."""
    return [
        msgspec.structs.replace(one, value=copy.deepcopy(one.value)) if isinstance(one.value, dict | list) else one
        for one in change.patch
    ]
