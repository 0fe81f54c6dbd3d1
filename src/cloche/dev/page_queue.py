"""What waits to be sent to one page. A page that is slow, or in a tab that sleeps, loses messages that it only shows,
and is told how many; answers and results it never loses.
"""

from __future__ import annotations

import asyncio
from collections import deque

import msgspec

from cloche.wire.types import Json

MAX_WAITING = 20_000
"""Frames that wait."""

MAX_BYTES = 64 << 20
"""Bytes of them."""

EXPENDABLE = frozenset({"traffic", "output", "server-log", "log", "progress", "context", "message", "problem"})
"""Events that are only shown, and can come without end."""


class PageQueue:
    """Frames as JSON, in their order."""

    def __init__(self) -> None:
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._dropped: Json = {}
        self._wake = asyncio.Event()

    def put(self, frame: Json) -> None:
        """Send this when it is its turn; or not, when too much waits and it can be missed."""
        is_full = len(self._frames) >= MAX_WAITING or self._bytes >= MAX_BYTES
        if is_full and frame.get("event") in EXPENDABLE:
            self._drop(frame)
            return
        if not is_full:
            self._say_dropped()
        self._append(frame)

    def _drop(self, frame: Json) -> None:
        if not self._dropped:
            self._dropped = {"event": "dropped", "number": 0, "lines": 0}
        if frame["event"] == "traffic":
            self._dropped["number"] = frame["number"]
        elif frame["event"] != "progress":  # of which the latest is enough
            self._dropped["lines"] += 1

    def _say_dropped(self) -> None:
        """Where something is missing, the page is told: up to which message, and how much else."""
        if self._dropped:
            dropped, self._dropped = self._dropped, {}
            self._append(dropped)

    def _append(self, frame: Json) -> None:
        data = msgspec.json.encode(frame)
        self._frames.append(data)
        self._bytes += len(data)
        self._wake.set()

    async def next(self) -> str:
        """The next frame, when there is one."""
        if not self._frames:
            self._say_dropped()
        while not self._frames:
            self._wake.clear()
            await self._wake.wait()
        data = self._frames.popleft()
        self._bytes -= len(data)
        return data.decode()
