"""How one user answers the servers that ask: who was declined how often, and whose questions are off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

MAX_DECLINES = 3
"""After so many times no in a row a server's questions are off: nobody is worn down into a yes."""


class Declines:
    """The answers of one user, by server."""

    def __init__(self) -> None:
        self._in_a_row: Counter[str] = Counter()
        self._open: Counter[str] = Counter()

    def of(self, server: str) -> int:
        """How often in a row the user declined this server."""
        return self._in_a_row[server]

    def are_enough(self, server: str) -> bool:
        """Whether this server's questions are off."""
        return self._in_a_row[server] >= MAX_DECLINES

    @property
    def stopped(self) -> frozenset[str]:
        """The servers whose questions are off."""
        return frozenset(server for server in self._in_a_row if self.are_enough(server))

    def count(self, server: str, *, declined: bool) -> None:
        """The user answered this server."""
        if declined:
            self._in_a_row[server] += 1
        else:
            self._in_a_row.pop(server, None)

    def allow(self, server: str) -> None:
        """This server may ask again."""
        self._in_a_row.pop(server, None)

    @contextmanager
    def one_more(self, server: str, most: int) -> Iterator[bool]:
        """One more question of this server is open; yields whether that is within `most`."""
        if self._open[server] >= most:
            yield False
            return
        self._open[server] += 1
        try:
            yield True
        finally:
            self._open[server] -= 1
