"""Requests under way: one table and one timer give every request a deadline and make it cancellable.

There is no task and no timeout object per request: they would cost more than the request. The timer runs only while
the table has entries. A request that outlives its first tick is watched for a client that hangs up; one that ignores
its cancellation is answered over its head.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cloche.server.exchange import Exchange

TICK = 0.25
"""Seconds between two looks at the table."""


class InFlight:
    """The requests that have not been answered yet."""

    def __init__(self) -> None:
        self.entries: dict[Exchange, None] = {}
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop whose timer looks at the table; None while it rests."""
        self._timer: asyncio.TimerHandle | None = None
        self._next = 0.0

    def __len__(self) -> int:
        return len(self.entries)

    def add(self, exchange: Exchange, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to look after a request."""
        self.entries[exchange] = None
        if self.loop is not loop:
            self.wake(loop)

    def remove(self, exchange: Exchange) -> None:
        """The request was answered, or looks after itself from now on."""
        self.entries.pop(exchange, None)

    def wake(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to look at the table, on this loop."""
        self._arm(loop, loop.time() + TICK)

    def look_at(self, deadline: float) -> None:
        """Look again at `deadline` when that comes before the next tick."""
        if self.loop is not None and deadline < self._next:
            self._arm(self.loop, deadline)

    def _arm(self, loop: asyncio.AbstractEventLoop, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.loop = loop
        self._next = when
        self._timer = loop.call_at(when, self._tick)

    def _tick(self) -> None:
        self._timer = None
        loop = self.loop
        if not self.entries or loop is None:
            self.loop = None
            return
        now = loop.time()
        when = now + TICK
        for exchange in list(self.entries):
            if exchange.loop is not loop:
                # Left behind by an event loop that was closed, as test clients do between requests.
                if exchange.loop.is_closed():
                    self.remove(exchange)
                continue
            exchange.on_tick(now)
            if exchange.deadline is not None and now < exchange.deadline < when:
                when = exchange.deadline
        self._arm(loop, when)

    def cancel_all(self, reason: str) -> None:
        """End every request, as when the server closes."""
        for exchange in list(self.entries):
            exchange.end(reason)

    def rest(self) -> None:
        """Stop the timer when there is nothing to look at; else the next tick after the last request does."""
        if not self.entries and self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self.loop = None
