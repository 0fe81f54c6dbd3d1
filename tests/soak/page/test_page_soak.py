"""Every fault a few times, shortly; `make soak-page` runs 500. A failure prints what is needed to run it again."""

from __future__ import annotations

from tests.soak.page.checker import violations
from tests.soak.page.driver import KINDS, Plan, run

SEED = 20261116
FAULTS = 20
HERE = tuple(kind for kind in KINDS if kind != "extension stopped")
"""Extensions need the whole browser, which takes its time: `make soak-page` has them too."""


def test_every_call_has_exactly_one_outcome_and_nothing_is_left_behind() -> None:
    history = run(Plan(SEED, FAULTS, HERE))
    said = f"python -m tests.soak.page --faults {FAULTS} --seed {SEED}: {history.summary()}"
    wrong = violations(history)
    assert not wrong, "\n".join([said, *wrong[:20]])
    assert set(history.faults) == set(HERE)
    assert history.faults.total() == FAULTS
    results = {call.split("-")[0] for call, outcome, _ in history.ended if outcome == "result"}
    assert results == {KINDS[kind] for kind in HERE}, said
    assert any("The server is gone" in outcome for _, outcome, _ in history.ended), "no fault met a call"
    assert history.steady["channels"] > history.before["channels"], "nothing was counted"
    assert history.steady["ports"] > 0
    assert history.steady["workers"] > 0
