"""How the work grows with the length of a text: the exponent, measured in CPU time of this thread.

A busy machine slows both lengths alike, and the best of several runs counts. What takes too little time to be measured
cannot hurt anybody.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

TOO_FAST = 0.002
"""Seconds that are not worth a measurement."""

ENOUGH = 0.02
"""Seconds after which a longer text says nothing new."""

LINEAR = 1.6
"""Above it the work grows faster than the text: linear work has 1, with caches and a garbage collector up to 1.3."""


def growth(work: Callable[[int], object], *, longest: int = 65_536, shortest: int = 64) -> float:
    """The exponent with which `work(length)` grows; 0 when even `longest` is done in no time."""
    length = shortest
    best = _best(work, length, 1)
    while length * 4 <= longest and best < ENOUGH:
        length *= 4
        best = _best(work, length, 1)
    if best < TOO_FAST or length == shortest:
        return 0.0 if best < TOO_FAST else math.inf
    found = math.inf
    for _ in range(4):
        found = min(found, math.log(_best(work, length, 3) / _best(work, length // 4, 3), 4))
        if found <= LINEAR:
            break
    return found


def _best(work: Callable[[int], object], length: int, runs: int) -> float:
    return max(1e-7, min(_once(work, length) for _ in range(runs)))


def _once(work: Callable[[int], object], length: int) -> float:
    started = time.thread_time()
    work(length)
    return time.thread_time() - started
