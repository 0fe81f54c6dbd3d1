"""The behaviour cases over the transports that need no I/O; outside the browser, tests/testing/behaviour runs them.

A module of its own, because tests/testing/behaviour also speaks through processes, sockets and the official client.
"""

from __future__ import annotations

from typing import Any

import pytest

from cloche.testing.behaviour import CASES, name_of, run_case
from cloche.testing.behaviour.cases import carries_any_json
from tests.browser.core.ports import port
from tests.support.behaviour.in_process import Way, event, memory

# An object with the key `__proto__` poisons what it is copied into: the page's transports carry none (contract.py).
WAYS: list[Way] = [memory, event, port]
PAIRS = [(case, way) for way in WAYS for case in CASES if (case, way) != (carries_any_json, port)]


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize(("case", "way"), PAIRS, ids=name_of)
async def test_our_client(case: Any, way: Way, version: str) -> None:
    await run_case(case, lambda: way(version))
