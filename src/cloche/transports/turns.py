"""Turns for work on large messages. To check, decode or weigh one takes the event loop up to a tenth of a second. When
several arrive together, one such step after the other would stop everything else for as long as all of them take: so
each waits for a turn of its own, and the loop gets to do what is waiting in between.
"""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from cloche.wire.json import BULK_BYTES

_locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


async def turn(size: int = BULK_BYTES + 1) -> None:
    """Return when a message of this many bytes may be worked on, until the next `await`; for a short one, at once."""
    if size <= BULK_BYTES:
        return
    async with _locks.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
        await asyncio.sleep(0)  # whoever is next wakes in a later turn of the loop
