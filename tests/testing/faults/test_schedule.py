"""A schedule decides by its seed alone."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from cloche.errors import ConfigurationError
from cloche.testing.faults import KINDS, Fault, Schedule

RATES = {"drop": 0.05, "delay": 0.05, "duplicate": 0.05, "reorder": 0.05, "close": 0.05, "kill": 0.05}


def decisions(schedule: Schedule, count: int = 400) -> list[Fault | None]:
    return [schedule.decide(0, direction, index) for index in range(count) for direction in ("out", "in")]


def test_the_same_seed_decides_the_same() -> None:
    assert decisions(Schedule(7, **RATES)) == decisions(Schedule(7, **RATES))
    assert decisions(Schedule(7, **RATES)) != decisions(Schedule(8, **RATES))


def test_the_same_seed_decides_the_same_in_another_process() -> None:
    code = (
        "from cloche.testing.faults import Schedule\n"
        f"schedule = Schedule('seed', **{RATES!r})\n"
        "print([schedule.decide(3, 'in', index) for index in range(100)])\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    schedule = Schedule("seed", **RATES)
    assert said.strip() == str([schedule.decide(3, "in", index) for index in range(100)])


def test_a_decision_does_not_depend_on_what_was_asked_before() -> None:
    forwards, backwards = Schedule(7, **RATES), Schedule(7, **RATES)
    one = [forwards.decide(0, "out", index) for index in range(200)]
    two = [backwards.decide(0, "out", index) for index in reversed(range(200))]
    assert one == two[::-1]


def test_directions_and_connections_differ() -> None:
    schedule = Schedule(7, **RATES)
    lines = {
        tuple(
            None if fault is None else fault.kind
            for fault in (schedule.decide(connection, direction, index) for index in range(200))
        )
        for connection in (0, 1)
        for direction in ("out", "in")
    }
    assert len(lines) == 4
    assert [schedule.next_connection() for _ in range(3)] == [0, 1, 2]


def test_every_kind_comes_about_as_often_as_its_rate_says() -> None:
    found = Counter(fault.kind for fault in decisions(Schedule(7, **RATES), 5000) if fault is not None)
    assert found.keys() == set(KINDS)
    assert all(400 <= count <= 600 for count in found.values()), found


def test_only_what_waits_has_seconds() -> None:
    for fault in decisions(Schedule(7, **RATES, max_delay=0.5)):
        if fault is not None:
            assert 0 <= fault.seconds <= 0.5
            assert (fault.seconds > 0) == (fault.kind in ("delay", "reorder"))


@pytest.mark.parametrize(
    "rates",
    [
        pytest.param({"drop": -0.1}, id="negative"),
        pytest.param({"drop": 0.6, "close": 0.6}, id="more-than-all"),
        pytest.param({"max_delay": -1.0}, id="negative-delay"),
    ],
)
def test_rates_that_are_no_chances_are_refused(rates: dict[str, float]) -> None:
    with pytest.raises(ConfigurationError, match="chances between 0 and 1"):
        Schedule(1, **rates)


def test_it_shows_what_is_needed_to_repeat_it() -> None:
    assert repr(Schedule(7, drop=0.5, close=0.25)) == "Schedule(7, drop=0.5, close=0.25, max_delay=0.05)"
