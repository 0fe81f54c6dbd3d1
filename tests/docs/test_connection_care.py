"""docs/connection-care.md: its code and output are run by test_snippets.py and test_shown.py; here is the rest."""

from __future__ import annotations

import re

import pytest

from cloche.transports import resilience as care
from tests.support.snippets import ROOT

TEXT = (ROOT / "docs/connection-care.md").read_text(encoding="utf-8")


@pytest.mark.requirement(188)
def test_the_table_of_defaults_is_true_and_complete() -> None:
    shown = {name: float(value) for name, value in re.findall(r"^\| `([A-Z_]+)` \| ([\d.]+) \|", TEXT, re.MULTILINE)}
    numbers = {name: getattr(care, name) for name in care.__all__ if isinstance(getattr(care, name), int | float)}
    assert shown == numbers


def test_the_first_table_says_the_defaults() -> None:
    delays = [care.Reconnecting(None).delay(attempt) for attempt in range(1, care.MAX_ATTEMPTS + 1)]  # type: ignore[arg-type]
    said = re.search(r"opens a new one: after ([\d, and]+) s", TEXT)
    assert said is not None
    assert [float(number) for number in re.findall(r"\d+", said[1])] == delays
    assert f"asks every {care.HEARTBEAT_INTERVAL:g} s, " in TEXT
    assert f"when no answer comes within {care.HEARTBEAT_TIMEOUT:g} s" in TEXT
    assert f"lets {care.MAX_REQUESTS} messages a second through" in TEXT


def test_every_class_and_function_of_the_package_is_mentioned() -> None:
    assert [name for name in care.__all__ if name not in TEXT and name not in ("RATES", "CancellableRequest")] == []
