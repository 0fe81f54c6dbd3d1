"""The command line of a soak that runs one plan: what is asked for, and how it is told how that went."""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

SHOWN = 20


class History(Protocol):
    """What happened."""

    faults: Counter[Any]

    def summary(self) -> str:
        """In a line."""


@dataclass(frozen=True)
class Asked:
    """What the command line asks for."""

    faults: int
    seed: int
    kinds: tuple[str, ...]


def asked(prog: str, description: str | None, *, faults: int, kinds: Iterable[str]) -> Asked:
    """The words after the command; a seed that is not given is drawn."""
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("--faults", type=int, default=faults)
    parser.add_argument("--seed", type=int, default=None, help="the same seed gives the same faults")
    parser.add_argument("--kind", choices=[*kinds, "all"], default="all")
    given = parser.parse_args()
    seed = random.randrange(1_000_000) if given.seed is None else given.seed
    return Asked(given.faults, seed, tuple(kinds) if given.kind == "all" else (given.kind,))


def telling() -> Callable[[str], None]:
    """Prints lines, each with the seconds since now."""
    began = time.monotonic()
    return lambda line: print(f"{time.monotonic() - began:5.0f} s  {line}", flush=True)


def verdict(history: History, wrong: list[str], seed: int) -> int:
    """Say how it went; the exit code."""
    print(history.summary())
    for sentence in wrong[:SHOWN]:
        print(f"  WRONG: {sentence}")
    print(f"{history.faults.total()} faults with seed {seed}: {'NOT all is well' if wrong else 'all is well'}")
    return 1 if wrong else 0
