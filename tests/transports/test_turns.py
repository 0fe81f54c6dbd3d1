"""Work on large messages: one at a time, with everything else in between."""

from __future__ import annotations

import asyncio

from cloche.transports.pace import turn
from cloche.wire.json import BULK_BYTES


async def test_large_messages_take_turns_and_others_run_in_between() -> None:
    steps: list[str] = []

    async def work(name: str) -> None:
        await turn(BULK_BYTES + 1)
        steps.append(name)

    async def beat() -> None:
        while len(steps) < 12:
            steps.append("beat")
            await asyncio.sleep(0)

    await asyncio.gather(*(work(name) for name in "abc"), beat())
    worked = [step for step in steps if step != "beat"]
    assert worked == ["a", "b", "c"]
    assert all("beat" in steps[steps.index(one) : steps.index(other)] for one, other in ("ab", "bc"))


async def test_a_short_message_waits_for_nobody() -> None:
    waiting = asyncio.create_task(turn())
    await turn(BULK_BYTES)
    assert not waiting.done()
    await waiting
