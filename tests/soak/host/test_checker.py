"""The checker finds what it is there for: each rule is broken once, in a history that is otherwise good."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.soak.host.checker import MODEL, violations
from tests.soak.host.history import Began, Ended, History


def entry(call_id: str, outcome: str, action: str = "tools/call") -> dict[str, Any]:
    arguments = {"id": call_id}
    args = {"name": "work", "arguments": arguments} if action == "tools/call" else arguments
    return {"action": action, "outcome": outcome, "args": json.dumps(args)}


def good() -> History:
    """A result, an error, a call whose view is gone, one of a killed host, and one of the model."""
    history = History(alive={"a"}, host_kills=[50.0])
    for call_id, life in (("a-1", "a"), ("a-2", "a"), ("b-1", "b"), ("a-3", "a"), ("model-0", MODEL)):
        history.began.append(Began(call_id, life, 10.0))
    for call_id, outcome in (("a-1", "result"), ("a-2", "error: gone"), ("a-3", "error: gone"), ("model-0", "result")):
        history.ended.append(Ended(call_id, outcome, 11.0))
    history.executed = [
        ("show-0", 1.0),
        ("show-1", 1.0),
        ("a-1", 10.1),
        ("b-1", 10.2),
        ("a-3", 49.9),
        ("model-0", 10.3),
    ]
    history.timeline = [
        entry("a-1", "done"),
        entry("a-2", "failed"),
        entry("b-1", "cancelled"),
        entry("model-0", "done", "call"),
    ]
    return history


def test_a_good_history_has_no_violations() -> None:
    assert violations(good()) == []


def ended_twice(history: History) -> None:
    history.ended.append(Ended("a-1", "result", 12.0))


def never_ended(history: History) -> None:
    del history.ended[1]


def the_model_waits_for_ever(history: History) -> None:
    del history.ended[3]


def late(history: History) -> None:
    history.ended[0].at = 100.0


def never_began(history: History) -> None:
    history.ended.append(Ended("c-1", "error: x", 12.0))


def done_twice(history: History) -> None:
    history.executed.append(("a-1", 12.0))


def result_of_another(history: History) -> None:
    history.ended[0].outcome = "the result of a-2"


def result_of_nothing(history: History) -> None:
    history.executed = [one for one in history.executed if one[0] != "a-1"]


def result_the_host_knows_nothing_of(history: History) -> None:
    history.timeline[0]["outcome"] = "cancelled"


def two_outcomes(history: History) -> None:
    history.timeline.append(entry("b-1", "done"))


def no_outcome(history: History) -> None:
    del history.timeline[2]
    history.host_kills = [500.0]


def shown_again(history: History) -> None:
    history.executed.append(("show-0-again", 1.0))


def waited_in_vain(history: History) -> None:
    history.troubles.append("the views do not work again")


@pytest.mark.parametrize(
    ("breaks", "said"),
    [
        (ended_twice, "a-1 ended 2 times"),
        (never_ended, "a-2 has no outcome"),
        (the_model_waits_for_ever, "model-0 has no outcome"),
        (late, "a-1 took 90 s"),
        (never_began, "c-1 ended and never began"),
        (done_twice, "a-1 was carried out 2 times"),
        (result_of_another, "a-1 got the result of a-2"),
        (result_of_nothing, "the server never carried it out"),
        (result_the_host_knows_nothing_of, "the timeline says ['cancelled']"),
        (two_outcomes, "b-1 has 2 outcomes on the timeline"),
        (no_outcome, "b-1 was carried out, and the timeline says nothing of it"),
        (shown_again, "the views' own tool was called 3 times"),
        (waited_in_vain, "the views do not work again"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_each_rule_is_noticed_when_it_is_broken(breaks: Callable[[History], None], said: str) -> None:
    history = good()
    breaks(history)
    assert any(said in sentence for sentence in violations(history)), violations(history)
