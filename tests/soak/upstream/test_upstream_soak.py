"""Hostile upstreams of every kind for a few seconds; `make soak-upstream` runs minutes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.soak.upstream.product import Report, Schedule, Watch
from tests.soak.upstream.soak import MAX_BYTES, MAX_STOP, soak, summary, wrong

SEED = 20261118
SECONDS = 6.0


def test_the_product_goes_on_beside_hostile_servers(tmp_path: Path) -> None:
    report = soak(SEED, SECONDS, tmp_path)
    assert wrong(report) == [], f"seed {SEED}: {summary(report)}"


def test_a_loop_that_is_blocked_stands_still_and_one_that_others_keep_waiting_does_not() -> None:
    report = Report()
    watch = Watch(report)
    watch.add(late=0.4, worked=0.1, waited=0.3)  # the kernel ran another process for 0.3 s
    assert (report.stop, report.late, report.stops) == (pytest.approx(0.1), 0.4, 1)
    watch.doing = "waiting for a lock"
    watch.add(late=0.3, worked=0.0, waited=0.0)
    assert (report.stop, report.worked, report.doing) == (0.3, 0.0, "waiting for a lock")


def test_the_kernel_counts_what_the_loop_does_itself() -> None:
    schedule = Schedule()
    worked, _ = schedule.read()
    before, used = time.thread_time(), 0.0
    while used < 0.05:
        used = time.thread_time() - before
    assert schedule.read()[0] - worked >= 0.9 * used


def test_what_is_wrong_is_found() -> None:
    """The control of the one above."""
    kinds = {"url call answered": 1, "program call answered": 1, "tab call answered": 1}
    good = {"asked": 5, "answered": 5, "outcomes": kinds}
    assert wrong(Report(**good)) == []
    for bad in (
        {"stop": 2 * MAX_STOP},
        {"peak_bytes": 2 * MAX_BYTES},
        {"answered": 4},
        {"asked": 0, "answered": 0},
        {"problems": ["something"]},
        {"outcomes": {"url call answered": 1}},
    ):
        assert len(wrong(Report(**{**good, **bad}))) == 1
