"""`Storage`: what keeps states, whichever way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeGuard

import msgspec


class Saved(msgspec.Struct):
    """One state as it was kept."""

    version: int
    """The state's version then."""
    schema: int
    """The version of the author's types then."""
    members: dict[str, bytes]
    """Its members by name, each as JSON. A state that is a list has one, under the empty name."""


class Storage(Protocol):
    """Keeps states by name. Methods are called from one thread at a time, and may block."""

    mode: str
    """What it is: `"memory"`, `"sqlite"`."""

    def read(self, name: str) -> Saved | None:
        """A state, or None if it was never kept."""

    def write(self, name: str, version: int, schema: int, members: Mapping[str, bytes | None]) -> None:
        """Keep members of a state, and drop those that are None: all of it, or nothing. Raises `StateFileError`."""

    def close(self) -> None:
        """Let go of what is open."""


class AsyncStorage(Protocol):
    """A storage that must be waited for: opened once, when a server starts, read from then on, and written in the
    background. Use it for stores that are attached to a server.
    """

    mode: str
    """What it is: `"indexeddb"`, `"localstorage"`."""

    async def open(self) -> None:
        """Take what is there; a second call does nothing. Raises `StateFileError`."""

    def read(self, name: str) -> Saved | None:
        """A state as it is there, or None if it was never kept."""

    async def write(self, name: str, version: int, schema: int, members: Mapping[str, bytes | None]) -> None:
        """Keep members of a state, and drop those that are None: all of it, or nothing. Raises `StateFileError`."""

    def close(self) -> None:
        """Let go of what is open."""


def must_be_waited_for(storage: Storage | AsyncStorage) -> TypeGuard[AsyncStorage]:
    """Which of the two protocols a storage has."""
    return hasattr(storage, "open")
