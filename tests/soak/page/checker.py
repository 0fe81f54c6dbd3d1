"""What is wrong with a history: every call has one outcome, lines come back in time, and nothing is left behind."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.soak.page.history import History

PATIENCE = 20_000.0
"""Milliseconds within which a call must have its outcome."""

OPENING = 5_000.0
"""Milliseconds that opening a connection may take beyond the delay before it, on a busy machine."""


def violations(history: History) -> list[str]:
    """Sentences; none when all is well."""
    return [
        *history.troubles,
        *_one_outcome_each(history),
        *_nothing_twice(history),
        *_the_schedule_is_kept(history),
        *_nothing_is_left(history),
    ]


def _one_outcome_each(history: History) -> list[str]:
    ends: dict[str, list[tuple[str, float]]] = {}
    for call, outcome, at in history.ended:
        ends.setdefault(call, []).append((outcome, at))
    wrong = []
    for call, _, at in history.began:
        found = ends.pop(call, [])
        if len(found) != 1:
            wrong.append(f"{call} has {len(found)} outcomes")
        elif found[0][1] - at > PATIENCE:
            wrong.append(f"{call} took {(found[0][1] - at) / 1000:.0f} s")
        elif found[0][0].startswith("the result of"):
            wrong.append(f"{call} got {found[0][0]}")
    return [*wrong, *(f"{call} ended and never began" for call in ends)]


def _nothing_twice(history: History) -> list[str]:
    return [f"{call} was carried out {times} times" for call, times in Counter(history.executed).items() if times > 1]


def _the_schedule_is_kept(history: History) -> list[str]:
    """Attempts are numbered from 1, each comes after its delay and not long after, and one of them succeeds."""
    wrong = []
    for line in {one[0] for one in history.schedule}:
        number, since = 0, 0.0
        for _, what, at in (one for one in history.schedule if one[0] == line):
            waited = at - since
            if number and not _delay(history, number) - 5 <= waited <= _delay(history, number) + OPENING:
                wrong.append(f"{line}: {waited:.0f} ms after attempt {number} was told of")
            if what == "failed" or (isinstance(what, int) and what not in {1, number + 1}):
                wrong.append(f"{line}: {what} after attempt {number}")
            number, since = (what, at) if isinstance(what, int) else (0, at)
        if number:
            wrong.append(f"{line}: nothing came of attempt {number}")
    return wrong


def _delay(history: History, attempt: int) -> float:
    grown = history.delays["baseDelay"] * history.delays["backoffMultiplier"] ** (attempt - 1)
    return float(min(grown, history.delays["maxDelay"]))


def _nothing_is_left(history: History) -> list[str]:
    return [
        *_grown(history.steady, history.rested, "while the lines were the same"),
        *_grown(history.before, history.after, "when all were closed"),
    ]


def _grown(before: dict[str, Any], after: dict[str, Any], when: str) -> list[str]:
    wrong = []
    for name, count in after.items():
        if isinstance(count, dict):
            wrong += _grown(before.get(name, {}), count, f"{when}, {name}")
        elif count > before.get(name, 0):
            wrong.append(f"{count} {name} instead of {before.get(name, 0)} {when}")
    return wrong
