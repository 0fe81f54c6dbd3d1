"""The checker can fail: each violation, put into a history that is otherwise fine, is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.soak.transports.checker import OVERDUE_SECONDS, violations
from tests.soak.transports.history import (
    OUTCOMES,
    Began,
    ClosedForGood,
    Delivered,
    Ended,
    History,
    Left,
    Progressed,
    Published,
    Reconnected,
    Subscribed,
    Unsubscribed,
)

URI = "soak://state/0"


def good() -> History:
    """One of everything, and all is well."""
    history = History()
    for number, outcome in enumerate(OUTCOMES):
        nonce = f"1-{number}"
        history.add(Began(nonce, "echo", at=1.0))
        history.add(Ended(nonce, outcome, at=2.0, echo=nonce if outcome in ("result", "tool error") else None))
    history.effects += ["1-0", "1-1", "1-3"]
    history.add(Progressed("1-0", "1-0"))
    history.add(Subscribed("stays", URI))
    history.add(Subscribed("leaves", URI))
    history.add(Published(URI, 1))
    history.add(Delivered("leaves", URI, 1))
    history.add(Unsubscribed("leaves"))
    history.add(Reconnected())
    history.add(Published(URI, 2, final=True))
    history.add(Delivered("stays", URI, 2))
    return history


def remove(history: History, kind: type, **members: object) -> None:
    """Take out the one event of this kind that has these members."""
    (found,) = [e for e in history.of(kind) if all(getattr(e, name) == value for name, value in members.items())]
    history.events.remove(found)


def lose_the_outcome(history: History) -> None:
    remove(history, Ended, nonce="1-2")


def two_outcomes(history: History) -> None:
    history.add(Ended("1-0", "RequestTimeoutError", at=3.0))


def an_unstated_outcome(history: History) -> None:
    history.add(Began("2-0", "echo", at=1.0))
    history.add(Ended("2-0", "KeyError", at=2.0, detail="KeyError('id')"))


def stuck(history: History) -> None:
    history.add(Began("2-0", "echo", at=1.0))
    history.add(Ended("2-0", "TransportClosedError", at=2.0 + OVERDUE_SECONDS))


def an_outcome_of_nothing(history: History) -> None:
    history.add(Ended("9-9", "McpError", at=2.0))


def answer_of_another(history: History) -> None:
    remove(history, Ended, nonce="1-0")
    history.add(Ended("1-0", "result", at=2.0, echo="1-1"))


def error_of_another(history: History) -> None:
    remove(history, Ended, nonce="1-1")
    history.add(Ended("1-1", "tool error", at=2.0, echo="1-0"))


def progress_of_another(history: History) -> None:
    history.add(Progressed("1-0", "1-1"))


def effect_without_a_request(history: History) -> None:
    history.effects.append("7-7")


def effect_twice(history: History) -> None:
    history.effects.append("1-0")


def effect_three_times_for_one_duplicate(history: History) -> None:
    history.duplicated["1-0"] += 1
    history.effects += ["1-0", "1-0"]


def result_without_an_effect(history: History) -> None:
    history.effects.remove("1-0")


def lost_subscription(history: History) -> None:
    remove(history, Delivered, listener="stays")


def subscription_that_heard_only_of_earlier_states(history: History) -> None:
    remove(history, Delivered, listener="stays")
    history.add(Delivered("stays", URI, 1))


def nothing_published_at_the_end(history: History) -> None:
    remove(history, Published, final=True)
    history.add(Published(URI, 2))


def a_state_that_nobody_published(history: History) -> None:
    history.add(Delivered("stays", URI, 99))


def closed_for_good(history: History) -> None:
    history.add(ClosedForGood())


def left_over_task(history: History) -> None:
    history.add(Left("task", "<Task pending>"))


VIOLATIONS: list[tuple[Callable[[History], None], str]] = [
    (lose_the_outcome, "request 1-2 (echo) has no outcome"),
    (two_outcomes, "request 1-0 has 2 outcomes: result, RequestTimeoutError"),
    (an_unstated_outcome, "request 2-0 ended in a way that is not stated: KeyError KeyError('id')"),
    (stuck, f"request 2-0 (echo) was stuck for {1 + OVERDUE_SECONDS:.1f} s"),
    (an_outcome_of_nothing, "request 9-9 ended, but never began"),
    (answer_of_another, "request 1-0 got the answer of another: 1-1"),
    (error_of_another, "request 1-1 got the answer of another: 1-0"),
    (progress_of_another, "request 1-0 got the progress of another: 1-1"),
    (effect_without_a_request, "7-7 was carried out, but never requested"),
    (effect_twice, "request 1-0 was carried out 2 times, and sent 1 times"),
    (effect_three_times_for_one_duplicate, "request 1-0 was carried out 3 times, and sent 2 times"),
    (result_without_an_effect, "request 1-0 has a result, but was not carried out"),
    (lost_subscription, f"the subscription of stays to {URI} was lost: it did not hear of 2"),
    (
        subscription_that_heard_only_of_earlier_states,
        f"the subscription of stays to {URI} was lost: it did not hear of 2",
    ),
    (nothing_published_at_the_end, f"nothing was published for stays on {URI} at the end: what it hears is not known"),
    (a_state_that_nobody_published, f"stays heard of 99 on {URI}, which nobody published"),
    (closed_for_good, "the client closed for good although it may reconnect for ever"),
    (left_over_task, "left behind: task <Task pending>"),
]


def test_a_good_history_has_no_violations() -> None:
    assert violations(good()) == []


@pytest.mark.parametrize(("put_in", "sentence"), VIOLATIONS, ids=lambda value: getattr(value, "__name__", "is-named"))
def test_a_violation_is_named(put_in: Callable[[History], None], sentence: str) -> None:
    history = good()
    put_in(history)
    assert violations(history) == [sentence]


def test_an_effect_twice_is_fine_when_a_duplicate_was_injected() -> None:
    history = good()
    history.fault("duplicate", "out", b'{"method":"tools/call","params":{"arguments":{"nonce":"1-0"}}}')
    history.effects.append("1-0")
    assert violations(history) == []


def test_a_duplicated_answer_excuses_nothing() -> None:
    history = good()
    history.fault("duplicate", "in", b'{"result":{"nonce":"1-0"}}')
    history.effects.append("1-0")
    assert violations(history) == ["request 1-0 was carried out 2 times, and sent 1 times"]
