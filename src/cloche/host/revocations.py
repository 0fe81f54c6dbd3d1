"""Which tickets were withdrawn: for each user one moment, and tickets made up to then open nothing.

A ticket carries the moment of its birth, which renewing it keeps. So withdrawing every ticket of a user takes one
number, and making a ticket needs no look at the store.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

MAX_USERS = 100_000
"""Users whose moments are kept in memory."""


class Revocations(Protocol):
    """Where a host keeps which tickets were withdrawn. Several processes of one product share one:
    `Host(revocations=…)`. Keep each moment for `HostLimits.ticket_life_seconds`; after that no ticket is that old.
    """

    async def revoke(self, user: str, moment: float) -> None:
        """Keep `moment`, in seconds of the epoch: tickets of `user` that were made up to then open nothing."""

    async def revoked(self, user: str) -> float | None:
        """The latest moment kept for `user`; None when there is none."""


class MemoryRevocations:
    """The revocations of one process; they are gone when it ends."""

    def __init__(self, keep_seconds: float, clock: Callable[[], float] = time.time, most: int = MAX_USERS) -> None:
        self._keep_seconds = keep_seconds
        self._clock = clock
        self._most = most
        self._moments: OrderedDict[str, float] = OrderedDict()
        self._everybody: float | None = None
        """A moment that counts for all users: too many had one of their own, and the oldest were merged into it."""

    async def revoke(self, user: str, moment: float) -> None:
        """Keep it."""
        self._moments[user] = max(moment, self._moments.pop(user, moment))
        while self._moments and next(iter(self._moments.values())) + self._keep_seconds < self._clock():
            self._moments.popitem(last=False)
        while len(self._moments) > self._most:
            _, oldest = self._moments.popitem(last=False)
            self._everybody = max(oldest, self._everybody or oldest)

    async def revoked(self, user: str) -> float | None:
        """The latest moment."""
        found = [moment for moment in (self._moments.get(user), self._everybody) if moment is not None]
        return max(found, default=None)
