"""`SessionStore`: what must outlive a connection, and with replicas a process: sessions, and logs of their streams."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


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
        self._log_entries = log_entries
        self._log_bytes = log_bytes
        self._clock = clock
        self._values: _Shelf[bytes] = _Shelf(entries, all_value_bytes, clock)
        self._logs: _Shelf[_Log] = _Shelf(entries, all_log_bytes, clock)

    async def put(self, key: str, value: bytes, seconds: float) -> None:
        """Keep `value` under `key` for `seconds`."""
        self._values.put(key, value, len(value), seconds)

    async def get(self, key: str) -> bytes | None:
        """The value under `key`, if it is still there."""
        return self._values.get(key)

    async def append(self, key: str, value: bytes, seconds: float) -> int:
        """Add `value` to the log under `key`; the oldest entries make room."""
        log = self._logs.items[key][1] if key in self._logs.items else _Log()
        number = log.append(value, self._log_entries, self._log_bytes)
        self._logs.put(key, log, log.size, seconds)
        return number

    async def read_after(self, key: str, number: int) -> list[tuple[int, bytes]]:
        """What the log still has after `number`, oldest first."""
        log = self._logs.get(key)
        return [] if log is None else [(at, value) for at, value in log.entries if at > number]

    async def expire(self, key: str) -> None:
        """Forget the value and the log under `key`."""
        self._values.forget(key)
        self._logs.forget(key)

    def __len__(self) -> int:
        return len(self._values.items) + len(self._logs.items)


class _Shelf(Generic[T]):
    """Things by key until their time is over; the longest untouched ones make room when all are too much."""

    def __init__(self, most: int, most_bytes: int, clock: Callable[[], float]) -> None:
        self.items: OrderedDict[str, tuple[float, T, int]] = OrderedDict()
        self._most = most
        self._most_bytes = most_bytes
        self._clock = clock
        self._size = 0

    def put(self, key: str, item: T, size: int, seconds: float) -> None:
        self.forget(key)
        now = self._clock()
        self.items[key] = (now + seconds, item, size)
        self._size += size
        while len(self.items) > 1:
            oldest, (expires, _, _) = next(iter(self.items.items()))
            if expires >= now and len(self.items) <= self._most and self._size <= self._most_bytes:
                return
            self.forget(oldest)

    def get(self, key: str) -> T | None:
        found = self.items.get(key)
        if found is None or found[0] >= self._clock():
            return None if found is None else found[1]
        self.forget(key)
        return None

    def forget(self, key: str) -> None:
        if key in self.items:
            self._size -= self.items.pop(key)[2]


@dataclass(slots=True)
class _Log:
    entries: deque[tuple[int, bytes]] = field(default_factory=deque)
    last: int = 0
    size: int = 0

    def append(self, value: bytes, most: int, most_bytes: int) -> int:
        self.last += 1
        self.entries.append((self.last, value))
        self.size += len(value)
        while len(self.entries) > most or (self.size > most_bytes and len(self.entries) > 1):
            self.size -= len(self.entries.popleft()[1])
        return self.last
