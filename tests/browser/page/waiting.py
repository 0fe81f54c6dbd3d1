"""Waiting for what another thread or a page does, and never for ever."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

DEADLINE = 10.0
PAGE_DEADLINE = 60_000
"""Milliseconds for what a page does, while a machine may be busy with other tests."""


def wait_until(happened: Callable[[], bool]) -> None:
    """Return when it happened; fail when it does not."""
    end = time.monotonic() + DEADLINE
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def answer_of(page: Page, script: str, argument: Any = None) -> Any:
    """What an async function gives in a page. `page.evaluate` would wait for ever for one that does not end."""
    once = f"async (argument) => [await ({script})(argument)]"
    (answer,) = page.wait_for_function(once, arg=argument, timeout=PAGE_DEADLINE).json_value()
    return answer
