"""How far a call has come: what its server says, for the product, the views and the timeline.

A server may report progress as often as it likes. Whoever follows gets every report, unless they are slow; views, hooks
and the timeline hear of the latest one now and then.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from time import monotonic

from cloche.host import plain_text
from cloche.host.hooks import Progress
from cloche.wire.types import Json

TELL_SECONDS = 0.1
"""The shortest time between two reports to views and hooks."""

FOLLOWING = 100
"""Reports that wait for somebody who follows; of more, the oldest are left out."""

MAX_MESSAGE = 200
"""Characters of a server's word on its progress."""

Tell = Callable[[Progress], None]


class CallProgress:
    """The progress of one call; `tell` gets the latest report, not more often than `TELL_SECONDS` allows."""

    def __init__(self, tell: Tell) -> None:
        self.latest: Progress | None = None
        self._tell = tell
        self._told_at = -TELL_SECONDS
        self._timer: asyncio.TimerHandle | None = None
        self._followers: set[_Follower] = set()
        self._is_over = False

    def take(self, told: Json) -> None:
        """The server reports progress: the parameters of its notification."""
        if self._is_over:
            return
        message = told.get("message")
        cleaned = plain_text.name(message, MAX_MESSAGE) if isinstance(message, str) and message else None
        self.latest = Progress(told["progress"], told.get("total"), cleaned)
        for follower in self._followers:
            follower.add(self.latest)
        if self._timer is None:
            pause = self._told_at + TELL_SECONDS - monotonic()
            if pause <= 0:
                self._tell_now()
            else:
                self._timer = asyncio.get_running_loop().call_later(pause, self._tell_now)

    def _tell_now(self) -> None:
        self._timer = None
        self._told_at = monotonic()
        assert self.latest is not None
        self._tell(self.latest)

    async def follow(self) -> AsyncIterator[Progress]:
        """The latest report, and every one from now on until the call is over."""
        follower = _Follower(self.latest)
        if self._is_over:
            follower.end()
        self._followers.add(follower)
        try:
            while (report := await follower.next()) is not None:
                yield report
        finally:
            self._followers.discard(follower)

    def end(self) -> None:
        """The call is over: what was about to be told is told now, and nothing after it."""
        if self._timer is not None:
            self._timer.cancel()
            self._tell_now()
        self._is_over = True
        for follower in self._followers:
            follower.end()


class _Follower:
    """Reports for somebody who follows."""

    def __init__(self, first: Progress | None) -> None:
        self._reports: deque[Progress] = deque([] if first is None else [first], maxlen=FOLLOWING)
        self._more = asyncio.Event()
        self._is_over = False

    def add(self, report: Progress) -> None:
        self._reports.append(report)
        self._more.set()

    def end(self) -> None:
        self._is_over = True
        self._more.set()

    async def next(self) -> Progress | None:
        while not self._reports and not self._is_over:
            self._more.clear()
            await self._more.wait()
        return self._reports.popleft() if self._reports else None
