"""The checker finds what it is there for: each rule is broken once, in a history that is otherwise good."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.soak.page.checker import violations
from tests.soak.page.history import History


def good() -> History:
    """Two calls with their outcomes, a connection that came back with the second attempt, and nothing left."""
    return History(
        began=[("worker-1", "worker", 0.0), ("worker-2", "worker", 5.0)],
        ended=[("worker-1", "result", 20.0), ("worker-2", "error: The server is gone", 30.0)],
        executed=["worker-1"],
        schedule=[("worker", 1, 30.0), ("worker", 2, 41.0), ("worker", "again", 70.0)],
        delays={"baseDelay": 10, "backoffMultiplier": 2, "maxDelay": 100},
        before={"listeners": {}, "ports": 0},
        steady={"listeners": {"message": 1}, "ports": 2},
        rested={"listeners": {"message": 1}, "ports": 2},
        after={"listeners": {}, "ports": 0},
    )


def test_a_good_history_has_no_violations() -> None:
    assert violations(good()) == []


def never_ended(history: History) -> None:
    history.ended.pop()


def ended_twice(history: History) -> None:
    history.ended.append(history.ended[0])


def late(history: History) -> None:
    history.ended[0] = ("worker-1", "result", 30_000.0)


def never_began(history: History) -> None:
    history.ended.append(("worker-3", "result", 1.0))


def result_of_another(history: History) -> None:
    history.ended[0] = ("worker-1", "the result of worker-2", 20.0)


def done_twice(history: History) -> None:
    history.executed.append("worker-1")


def too_soon(history: History) -> None:
    history.schedule[2] = ("worker", "again", 42.0)


def too_late(history: History) -> None:
    history.schedule[2] = ("worker", "again", 9000.0)


def gave_up(history: History) -> None:
    history.schedule[2] = ("worker", "failed", 70.0)


def left_out(history: History) -> None:
    history.schedule[1] = ("worker", 3, 41.0)


def never_came_back(history: History) -> None:
    history.schedule.pop()


def a_listener_more(history: History) -> None:
    history.rested["listeners"] = {"message": 2}


def a_listener_left(history: History) -> None:
    history.after["listeners"] = {"pagehide": 1}


def a_port_left(history: History) -> None:
    history.after["ports"] = 1


def waited_in_vain(history: History) -> None:
    history.troubles.append("worker does not work again")


@pytest.mark.parametrize(
    ("breaks", "said"),
    [
        (never_ended, "worker-2 has 0 outcomes"),
        (ended_twice, "worker-1 has 2 outcomes"),
        (late, "worker-1 took 30 s"),
        (never_began, "worker-3 ended and never began"),
        (result_of_another, "worker-1 got the result of worker-2"),
        (done_twice, "worker-1 was carried out 2 times"),
        (too_soon, "worker: 1 ms after attempt 2"),
        (too_late, "worker: 8959 ms after attempt 2"),
        (gave_up, "worker: failed after attempt 2"),
        (left_out, "worker: 3 after attempt 1"),
        (never_came_back, "worker: nothing came of attempt 2"),
        (a_listener_more, "2 message instead of 1 while the lines were the same, listeners"),
        (a_listener_left, "1 pagehide instead of 0 when all were closed, listeners"),
        (a_port_left, "1 ports instead of 0 when all were closed"),
        (waited_in_vain, "worker does not work again"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_each_rule_is_noticed_when_it_is_broken(breaks: Callable[[History], None], said: str) -> None:
    history = good()
    breaks(history)
    assert any(said in sentence for sentence in violations(history)), violations(history)
