"""`Pace`: how fast a client reads what nobody asked it for.

A server may send notifications as fast as it can write, and each costs its reader something. A client that is told too
much does not drop it, it reads on later: then the server has to wait, and nobody else does.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from weakref import WeakKeyDictionary

from cloche.wire.json import BULK_BYTES
from cloche.wire.token_bucket import TokenBucket

RATE, BURST = 2000.0, 10_000
"""Messages per second that nobody asked for, and how many at once, before a client reads more slowly."""


class Pace:
    """Counts messages, and says how long to wait before more are read."""

    def __init__(self, rate: float = RATE, burst: int = BURST, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._bucket = TokenBucket(rate, burst, clock())

    def spend(self, count: int) -> float:
        """`count` messages were read: the seconds until the next should be."""
        return self._bucket.spend(count, self._clock()) if count else 0.0


# Turns for work on large messages. To check, decode or weigh one takes the event loop up to a tenth of a second. When
# several arrive together, one such step after the other would stop everything else for as long as all of them take: so
# each waits for a turn of its own, and the loop gets to do what is waiting in between.

_locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


async def turn(size: int = BULK_BYTES + 1) -> None:
    """Return when a message of this many bytes may be worked on, until the next `await`; for a short one, at once."""
    if size <= BULK_BYTES:
        return
    async with _locks.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
        await asyncio.sleep(0)  # whoever is next wakes in a later turn of the loop
