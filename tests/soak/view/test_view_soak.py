"""Everything that the person does, once, beside hostile views; `make soak-view` goes on for minutes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time

from tests.soak.view.driver import KINDS, Plan, run
from tests.soak.view.history import History, Stall, violations
from tests.soak.view.waiting import Waiting

SEED = 20261118


def test_nothing_that_is_typed_or_clicked_is_lost_or_misused() -> None:
    history = asyncio.run(run(Plan(SEED, 0.1)))
    # How long the page stood still is only measured: other tests run beside this one.
    assert violations(history, timed=False) == [], f"seed {SEED}: {history.summary()}"
    assert set(history.faults) == set(KINDS)
    assert len(history.typed["secret"]) >= 4


def test_the_checker_sees_what_must_not_happen() -> None:
    history = History(minutes=1.0, presses=2, counted=1, consents=["evil.erase"], read="n")
    history.typed, history.arrived = {"text": "abcdefgh", "secret": "nn"}, {"text": "abdcefgh", "secret": "n"}
    stalls = [Stall(1000.0, 300.0, 0.0), Stall(5000.0, 300.0, 250.0), Stall(9000.0, 150.0, 20.0)]
    history.stalls = {"timers": stalls}
    assert len(violations(history)) == 5
    for count, kind in enumerate(("frames", "tasks", "events"), 6):
        history.stalls[kind] = stalls
        assert history.blamed(kind) == [300.0, 130.0]
        assert len(violations(history)) == count
    assert len(violations(history, timed=False)) == 5
    assert violations(History()) == []


async def test_a_page_that_works_is_told_from_one_that_waits_for_a_processor() -> None:
    """A process of ours that spins beside as many others as there are processors, and more, waits."""
    spin = [sys.executable, "-c", "while True: pass"]
    allowed = min(os.sched_getaffinity(0))
    processes = [subprocess.Popen(spin, preexec_fn=lambda: os.sched_setaffinity(0, {allowed})) for _ in range(2)]  # noqa: PLW1509, ASYNC220
    try:
        with Waiting(processes[0].pid) as waiting:
            start = time.time() * 1000
            await asyncio.sleep(1.0)
            crowded = waiting.between(start, time.time() * 1000)
        with Waiting(os.getpid()) as waiting:
            start = time.time() * 1000
            await asyncio.sleep(0.3)
            idle = waiting.between(start, time.time() * 1000)
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert crowded > 200, "two processes that share a processor wait for half of the time"
    assert idle < crowded
