"""How the work grows with the length of a text: the exponent, measured in CPU time of this thread.

A busy machine slows both lengths alike, and the best of several runs counts. What takes too little time to be measured
cannot hurt anybody.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

TOO_FAST = 0.004
"""Seconds that are not worth a measurement."""

ENOUGH = 0.02
"""Seconds after which a longer text says nothing new."""

LINEAR = 1.6
"""Above it the work grows faster than the text: linear work has 1, with caches and a garbage collector up to 1.3."""


def growth(work: Callable[[int], object], *, longest: int = 65_536, unit: int = 1) -> float:
    """The exponent with which `work(length)` grows; 0 when even `longest` is done in no time, infinite when already a
    short text takes long. `unit` is the length of what the text repeats.
    """
    if any(_once(work, count * unit) > ENOUGH for count in (8, 12, 16, 18, 20, 22, 24, 26, 28, 30)):
        return math.inf
    length = max(128, 32 * unit)
    taken = _once(work, length)
    while length * 2 <= longest and taken < ENOUGH:
        length *= 2
        taken = _once(work, length)
    if taken < TOO_FAST:
        return 0.0
    found = math.inf
    for _ in range(3):
        found = min(found, math.log(_best(work, length) / _best(work, length // 4), 4))
        if found <= LINEAR:
            break
    return found


def _best(work: Callable[[int], object], length: int) -> float:
    return max(1e-7, min(_once(work, length) for _ in range(2)))


def _once(work: Callable[[int], object], length: int) -> float:
    started = time.thread_time()
    work(length)
    return time.thread_time() - started
