"""A minute of the soak; `make soak` runs all of it. A failure prints what is needed to run it again."""

from __future__ import annotations

import pytest

from tests.soak.soak import Plan, plans, run

SEED = 20261116
SECONDS = {"memory": 3.5, "stdio": 6.5, "websocket": 6.5}
PLANS = plans(["memory", "stdio", "websocket"], ["handshake", "stateless"], SEED, faults=100_000)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name.replace(" ", "-"))
def test_soak(plan: Plan) -> None:
    plan.seconds = SECONDS[plan.way]
    history, wrong = run(plan)
    said = f"{plan.name}: {history.summary()}"
    assert not wrong, "\n".join([said, *wrong[:20]])
    assert sum(history.faults.values()) >= 40, said
    assert history.faults["close"] + history.faults["kill"] >= 2, said
