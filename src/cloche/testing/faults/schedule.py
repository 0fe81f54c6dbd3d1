"""`Schedule`: which message meets which fault, decided by a seed alone."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import dataclass
from typing import Literal, get_args

from cloche.errors import ConfigurationError

Direction = Literal["out", "in"]
"""Seen from the end that is wrapped: what it sends, and what it gets."""

Kind = Literal["drop", "delay", "duplicate", "reorder", "close", "kill"]

KINDS: tuple[Kind, ...] = get_args(Kind)
"""Every kind of fault:

- `drop`: the message is lost;
- `delay`: it waits, and all that follows it waits behind it;
- `duplicate`: it arrives twice;
- `reorder`: it waits until another has overtaken it;
- `close`: it is lost, and the connection closes;
- `kill`: the function `kill` of the transport is called, and the message goes its way.
"""


@dataclass(frozen=True)
class Fault:
    """What happens to one message."""

    kind: Kind
    connection: int
    direction: Direction
    index: int
    seconds: float = 0.0
    """How long the message waits at most, where it waits."""


class Schedule:
    """Decides for every message of every connection. Rates are chances per message, between 0 and 1.

    A decision depends on the seed, the number of the connection, the direction and the number of the message in it, and
    on nothing else: neither on time nor on what was decided before.
    """

    def __init__(
        self,
        seed: int | str,
        *,
        drop: float = 0.0,
        delay: float = 0.0,
        duplicate: float = 0.0,
        reorder: float = 0.0,
        close: float = 0.0,
        kill: float = 0.0,
        max_delay: float = 0.05,
    ) -> None:
        self.seed = seed
        self.rates: dict[Kind, float] = {
            "drop": drop,
            "delay": delay,
            "duplicate": duplicate,
            "reorder": reorder,
            "close": close,
            "kill": kill,
        }
        if min(self.rates.values()) < 0 or sum(self.rates.values()) > 1 or max_delay < 0:
            raise ConfigurationError("The rates of faults are chances between 0 and 1, and at most 1 together")
        self.max_delay = max_delay
        self.enabled = True
        """While this is False every message goes its way; it is counted nevertheless."""
        self.injected: Counter[Kind] = Counter()
        """How many faults of each kind were injected."""
        self._connections = itertools.count()

    def __repr__(self) -> str:
        rates = "".join(f", {kind}={rate:g}" for kind, rate in self.rates.items() if rate)
        return f"Schedule({self.seed!r}{rates}, max_delay={self.max_delay:g})"

    def next_connection(self) -> int:
        """The number of a new connection."""
        return next(self._connections)

    def decide(self, connection: int, direction: Direction, index: int) -> Fault | None:
        """What happens to this message; None when nothing does."""
        chance = random.Random(f"{self.seed}/{connection}/{direction}/{index}")
        drawn = chance.random()
        for kind, rate in self.rates.items():
            if drawn < rate:
                seconds = chance.uniform(0, self.max_delay) if kind in ("delay", "reorder") else 0.0
                return Fault(kind, connection, direction, index, seconds)
            drawn -= rate
        return None
