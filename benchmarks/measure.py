"""CPU time per operation, taken so that a noisy machine hardly matters.

Contenders take turns in short blocks and each keeps its cheapest block: a neighbour that wakes up spoils one block, not
one contender. The collector is off while blocks run, for everybody, and runs between them.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import process_time
from typing import Protocol

Run = Callable[[int], Awaitable[object]]


def rounded(value: float) -> str:
    """Three digits, and never an exponent."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class Plan:
    """How long to look: `--quick` trades certainty for time."""

    rounds: int = 80
    block: float = 0.02
    socket_rounds: int = 400
    waves: int = 12
    publishes: int = 30
    churn: int = 100_000
    shows: int = 15

    @classmethod
    def quick(cls) -> Plan:
        return cls(rounds=8, block=0.01, socket_rounds=15, waves=12, publishes=4, churn=30_000, shows=6)


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that a bound of the same key judges."""

    key: str
    value: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """What something costs here, for the reader; nothing depends on it."""

    what: str
    value: float
    unit: str = "µs"


class Measured(Protocol):
    """Anything that knows the CPU seconds of its cheapest operation."""

    name: str
    best: float


@dataclass(slots=True)
class Findings:
    """What one case found out."""

    readings: list[Reading] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)

    def ratio(self, key: str, over: Measured, under: Measured) -> None:
        note = f"{over.name} {rounded(over.best * 1e6)} µs, {under.name} {rounded(under.best * 1e6)} µs"
        self.readings.append(Reading(key, over.best / under.best, note))

    def list_costs(self, title: str, measured: Sequence[Measured]) -> None:
        self.costs += [Cost(f"{title}: {each.name}", each.best * 1e6) for each in measured]


@dataclass(slots=True)
class Timed:
    """A contender: `run(n)` performs the operation n times."""

    name: str
    run: Run
    best: float = math.inf
    per_block: int = 1

    async def block(self) -> None:
        # What ran before has left its traces in the processor's caches; they are not this contender's cost.
        await self.run(math.ceil(self.per_block / 10))
        cost = await self._cpu(self.per_block)
        self.best = min(self.best, cost / self.per_block)

    async def fit(self, seconds: float) -> None:
        """Warms up and finds how many operations fill one block."""
        await self.run(3)
        while (spent := await self._cpu(self.per_block)) < seconds:
            step = 2 if spent < seconds / 4 else max(1.1, seconds / spent)
            self.per_block = math.ceil(self.per_block * step)

    async def _cpu(self, count: int) -> float:
        start = process_time()
        await self.run(count)
        return process_time() - start


@contextmanager
def collector_off() -> Iterator[None]:
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


async def race(contenders: Sequence[Timed], plan: Plan) -> None:
    """Lets the contenders take turns and leaves in each the CPU seconds of its cheapest operation."""
    for contender in contenders:
        await contender.fit(plan.block)
    with collector_off():
        for _ in range(plan.rounds):
            for contender in contenders:
                await contender.block()
                gc.collect()
