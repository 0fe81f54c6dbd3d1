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
        self._entries: dict[Exchange, None] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.next_tick = 0.0
        """When the table will be looked at, on the loop's clock."""

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, exchange: Exchange, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to look after a request."""
        self._entries[exchange] = None
        if self._timer is None or self._loop is not loop:
            self._arm(loop, loop.time() + TICK)

    def remove(self, exchange: Exchange) -> None:
        """The request was answered, or looks after itself from now on."""
        self._entries.pop(exchange, None)

    def look_at(self, deadline: float) -> None:
        """Look again at `deadline`, which comes before the next tick."""
        if self._loop is not None:
            self._arm(self._loop, deadline)

    def _arm(self, loop: asyncio.AbstractEventLoop, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._loop = loop
        self.next_tick = when
        self._timer = loop.call_at(when, self._tick)

    def _tick(self) -> None:
        self._timer = None
        loop = self._loop
        if not self._entries or loop is None:
            return
        now = loop.time()
        when = now + TICK
        for exchange in list(self._entries):
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
        for exchange in list(self._entries):
            exchange.end(reason)
