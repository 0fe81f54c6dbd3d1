"""A server that says too much unasked is read more slowly, and nothing of it is lost."""

from __future__ import annotations

import asyncio
import sys

from cloche.transports.pace import Pace
from cloche.transports.stdio.client import StdioTransport

COUNT = 5000
FLOOD = f"""
import sys
line = '{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","data":"x"}}}}\\n'
sys.stdout.write(line * {COUNT})
sys.stdout.flush()
sys.stdin.read()
"""


async def heard(pace: Pace, until: int) -> tuple[int, bool]:
    """How many messages came until there were so many, and whether reading pauses then."""
    transport = await StdioTransport.start([sys.executable, "-c", FLOOD], pace=pace)
    count, enough = 0, asyncio.Event()

    def hear(_: bytes) -> None:
        nonlocal count
        count += 1
        if count >= until:
            enough.set()

    transport.on_message(hear)
    async with asyncio.timeout(30):
        await enough.wait()
    found = count, transport._pause is not None
    await transport.close()
    return found


async def test_a_flood_is_read_later_and_without_a_pace_at_once() -> None:
    count, pauses = await heard(Pace(rate=1.0, burst=100), until=101)
    assert count < COUNT
    assert pauses
    count, pauses = await heard(Pace(rate=1e9, burst=10**9), until=COUNT)
    assert (count, pauses) == (COUNT, False)
    count, _ = await heard(Pace(rate=20_000.0, burst=100), until=COUNT)
    assert count == COUNT, "it goes on reading after each pause"


def test_a_pace_is_what_was_read_over_the_burst() -> None:
    now = 0.0
    pace = Pace(rate=10.0, burst=5, clock=lambda: now)
    assert pace.spend(0) == 0.0
    assert pace.spend(5) == 0.0
    assert pace.spend(20) == 2.0
    now = 2.0
    assert pace.spend(0) == 0.0
    assert pace.spend(1) == 0.1
    now = 100.0
    assert pace.spend(5) == 0.0
