"""Everything that the person does, once, beside hostile views; `make soak-view` goes on for minutes."""

from __future__ import annotations

import asyncio

from tests.soak.view.driver import KINDS, Plan, run
from tests.soak.view.history import History, violations

SEED = 20261118


def test_nothing_that_is_typed_or_clicked_is_lost_or_misused() -> None:
    history = asyncio.run(run(Plan(SEED, 0.1)))
    # How long the page stood still is only measured: other tests run beside this one.
    assert violations(history, timed=False) == [], f"seed {SEED}: {history.summary()}"
    assert set(history.faults) == set(KINDS)
    assert len(history.typed["secret"]) >= 4


def test_the_checker_sees_what_must_not_happen() -> None:
    history = History(minutes=1.0, presses=2, counted=1, consents=["evil.erase"], read="n")
    history.typed, history.arrived = {"text": "abcdefgh", "secret": "nn"}, {"text": "a", "secret": "n"}
    history.stalls = [(1000.0, 300.0), (5000.0, 300.0), (9000.0, 150.0), (10.0, 90.0)]
    history.quiet = [(5100.0, 160.0)]
    assert history.blamed == [300.0, 150.0]
    assert len(violations(history)) == 5
    assert len(violations(history, timed=False)) == 4
    assert violations(History()) == []
    history.quiet += [(20_000.0, 400.0)]
    assert not history.is_measured  # a machine that stops a page without views says nothing of the other
    assert len(violations(history)) == 4
