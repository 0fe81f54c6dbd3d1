"""One resource update to 500 `subscriptions/listen` streams, and what each stream keeps in memory."""

from __future__ import annotations

import asyncio
import math
from contextlib import AsyncExitStack

from benchmarks.measure import Cost, Findings, Plan, Reading
from benchmarks.process import ServerProcess, one_processor, serving
from benchmarks.serving import allow_many_sockets
from benchmarks.sockets import Stream, open_stream
from benchmarks.traffic import listen

STREAMS = 500
WARM_UP = 20
ACKNOWLEDGED = b"notifications/subscriptions/acknowledged"
UPDATED = b"notifications/resources/updated"


async def run(plan: Plan) -> Findings:
    allow_many_sockets()
    async with AsyncExitStack() as stack:
        stack.enter_context(one_processor())
        fans = [Fan(await stack.enter_async_context(serving(name))) for name in ("raw fan-out", "Cloche", "MCPServer")]
        for fan in fans:
            await fan.open()
        for _ in range(plan.publishes):
            for fan in fans:
                await fan.publish()

    raw, cloche, _ = fans
    note = f"Cloche {cloche.best * 1e3:.3g} ms, raw ASGI {raw.best * 1e3:.3g} ms"
    memory = f"raw ASGI {raw.per_stream / 1024:.3g} KB, uvicorn's share of both"
    return Findings(
        [
            Reading("fanout.cpu", cloche.best / raw.best, note),
            Reading("fanout.memory", cloche.per_stream / 1024, memory),
        ],
        [
            *(Cost(f"one update to 500 streams: {fan.name}", fan.best * 1e3, "ms") for fan in fans),
            *(Cost(f"memory per listen stream: {fan.name}", fan.per_stream / 1024, "KB") for fan in fans),
        ],
    )


class Fan:
    """A server and the streams open to it."""

    def __init__(self, process: ServerProcess) -> None:
        self._process = process
        self._streams: list[Stream] = []
        self._published = 0
        self.name = process.name
        self.best = math.inf
        self.per_stream = math.nan

    async def open(self) -> None:
        """Opens a few streams so that code is warm and pools exist, then all, and weighs the difference."""
        await self._open(WARM_UP)
        before = await self._process.memory()
        await self._open(STREAMS - WARM_UP)
        after = await self._process.memory()
        self.per_stream = (after["rss"] - before["rss"]) / (STREAMS - WARM_UP)
        await self._process.freeze()

    async def _open(self, count: int) -> None:
        first = len(self._streams) + 1
        for number in range(first, first + count):
            request = listen(self._process.host, id=number)
            stream = await open_stream(self._process.host, request, ACKNOWLEDGED)
            stream.expect(UPDATED)
            self._streams.append(stream)

    async def publish(self) -> None:
        """One update, until every stream has it."""
        before = await self._process.cpu()
        self._published += 1
        await self._process.publish()
        await asyncio.gather(*(stream.until(self._published) for stream in self._streams))
        self.best = min(self.best, await self._process.cpu() - before)
