"""Every fault once, shortly; `make soak-host` runs 200. A failure prints what is needed to run it again."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.soak.host.checker import violations
from tests.soak.host.driver import WEIGHTS, Plan, run

SEED = 20261116


def test_every_call_has_exactly_one_outcome_whatever_happens(tmp_path: Path) -> None:
    history = asyncio.run(run(Plan(SEED, len(WEIGHTS), dropped_seconds=1.0), tmp_path))
    said = f"seed {SEED}: {history.summary()}"
    wrong = violations(history)
    assert not wrong, "\n".join([said, *wrong[:20]])
    assert set(history.faults) == set(WEIGHTS)
    assert sum(one.outcome == "result" for one in history.ended) >= 20, said
