"""Waiting for what another thread does."""

from __future__ import annotations

import time
from collections.abc import Callable

DEADLINE = 10.0


def wait_until(happened: Callable[[], bool]) -> None:
    """Return when it happened; fail when it does not."""
    end = time.monotonic() + DEADLINE
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)
