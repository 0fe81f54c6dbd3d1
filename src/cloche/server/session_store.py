"""`SessionStore`: what must outlive a connection, and with replicas a process: sessions and the logs of their
streams.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Protocol


class SessionStore(Protocol):
    """Values by key with an expiry, and append-only logs that can be read from a number on."""

    async def put(self, key: str, value: bytes, seconds: float) -> None:
        """Keep `value` under `key` for `seconds`."""

    async def get(self, key: str) -> bytes | None:
        """The value under `key`, if it is still there."""

    async def append(self, key: str, value: bytes, seconds: float) -> int:
        """Add `value` to the log under `key`; returns its number, counting from 1."""

    async def read_after(self, key: str, number: int) -> list[tuple[int, bytes]]:
        """What the log still has after `number`, oldest first."""

    async def expire(self, key: str) -> None:
        """Forget the value and the log under `key`."""


class MemorySessionStore:
    """The session store of a single process: bounded, and entries vanish when their time is over."""

    def __init__(
        self,
        *,
        entries: int = 100_000,
        all_value_bytes: int = 1 << 28,
        log_entries: int = 256,
        log_bytes: int = 1 << 20,
        all_log_bytes: int = 1 << 28,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._entries = entries
        self._all_value_bytes = all_value_bytes
        self._value_size = 0
        self._log_entries = log_entries
        self._log_bytes = log_bytes
        self._all_log_bytes = all_log_bytes
        self._size = 0
        self._clock = clock
        self._values: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self._logs: OrderedDict[str, _Log] = OrderedDict()

    async def put(self, key: str, value: bytes, seconds: float) -> None:
        """Keep `value` under `key` for `seconds`."""
        self._forget_value(key)
        self._values[key] = (self._clock() + seconds, value)
        self._value_size += len(value)
        now = self._clock()
        while len(self._values) > 1:
            oldest, (expires, _) = next(iter(self._values.items()))
            if expires >= now and len(self._values) <= self._entries and self._value_size <= self._all_value_bytes:
                return
            self._forget_value(oldest)

    def _forget_value(self, key: str) -> None:
        found = self._values.pop(key, None)
        if found is not None:
            self._value_size -= len(found[1])

    async def get(self, key: str) -> bytes | None:
        """The value under `key`, if it is still there."""
        found = self._values.get(key)
        if found is None:
            return None
        if found[0] < self._clock():
            self._forget_value(key)
            return None
        return found[1]

    async def append(self, key: str, value: bytes, seconds: float) -> int:
        """Add `value` to the log under `key`; the oldest entries make room."""
        log = self._logs.get(key)
        if log is None:
            log = self._logs[key] = _Log()
        log.expires = self._clock() + seconds
        self._logs.move_to_end(key)
        self._size -= log.size
        number = log.append(value, self._log_entries, self._log_bytes)
        self._size += log.size
        self._make_room()
        return number

    def _make_room(self) -> None:
        """Drop logs whose time is over, and the longest unused ones when all together are too much."""
        now = self._clock()
        while len(self._logs) > 1:
            key, oldest = next(iter(self._logs.items()))
            if oldest.expires >= now and len(self._logs) <= self._entries and self._size <= self._all_log_bytes:
                return
            self._forget_log(key)

    def _forget_log(self, key: str) -> None:
        log = self._logs.pop(key, None)
        if log is not None:
            self._size -= log.size

    async def read_after(self, key: str, number: int) -> list[tuple[int, bytes]]:
        """What the log still has after `number`, oldest first."""
        log = self._logs.get(key)
        if log is None or log.expires < self._clock():
            self._forget_log(key)
            return []
        return [(at, value) for at, value in log.entries if at > number]

    async def expire(self, key: str) -> None:
        """Forget the value and the log under `key`."""
        self._forget_value(key)
        self._forget_log(key)

    def __len__(self) -> int:
        return len(self._values) + len(self._logs)


class _Log:
    __slots__ = ("entries", "expires", "last", "size")

    def __init__(self) -> None:
        self.entries: deque[tuple[int, bytes]] = deque()
        self.expires = 0.0
        self.last = 0
        self.size = 0

    def append(self, value: bytes, most: int, most_bytes: int) -> int:
        self.last += 1
        self.entries.append((self.last, value))
        self.size += len(value)
        while len(self.entries) > most or (self.size > most_bytes and len(self.entries) > 1):
            self.size -= len(self.entries.popleft()[1])
        return self.last
