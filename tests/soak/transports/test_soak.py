"""Some faults of every kind; `make soak` has many more. A failure prints what is needed to run it again."""

from __future__ import annotations

import pytest

from tests.soak.transports.soak import Plan, plans, run

SEED = 20261116
FAULTS = 120
"""How many a plan has, a dozen of them ends of connections; a busy machine takes longer for them, and has no fewer."""
PLANS = plans(["memory", "stdio", "websocket"], ["handshake", "stateless"], SEED, faults=0)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name.replace(" ", "-"))
def test_soak(plan: Plan) -> None:
    plan.faults, plan.seconds = FAULTS, 120
    history, wrong = run(plan)
    said = f"{plan.name}: {history.summary()}"
    assert not wrong, "\n".join([said, *wrong[:20]])
    assert sum(history.faults.values()) >= plan.faults, said
    assert history.faults["close"] + history.faults["kill"] >= 2, said
