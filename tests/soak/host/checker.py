"""What is wrong with a history: every call must have exactly one outcome, whatever was done to it."""

from __future__ import annotations

from collections import Counter

from tests.soak.host.history import History

MODEL = "model"
"""The life in whose name the model's calls are made."""

PATIENCE = 60.0
"""Seconds within which a call must have its outcome."""


def violations(history: History) -> list[str]:
    """Sentences; none when all is well."""
    return [
        *history.troubles,
        *_views_see_one_outcome(history),
        *_nothing_is_done_twice(history),
        *_results_are_true(history),
        *_the_timeline_has_one_outcome(history),
        *_past_views_call_nothing(history),
    ]


def _views_see_one_outcome(history: History) -> list[str]:
    """Whoever made a call and is still there knows what became of it, once, and soon."""
    wrong = []
    ends: dict[str, list[float]] = {}
    for one in history.ended:
        ends.setdefault(one.id, []).append(one.at)
    for call in history.began:
        found = ends.get(call.id, [])
        if len(found) > 1:
            wrong.append(f"{call.id} ended {len(found)} times")
        elif not found and call.life in history.alive | {MODEL}:
            wrong.append(f"{call.id} has no outcome, and whoever made it is still there")
        elif found and found[0] - call.at > PATIENCE:
            wrong.append(f"{call.id} took {found[0] - call.at:.0f} s")
    unknown = ends.keys() - {call.id for call in history.began}
    return wrong + [f"{one} ended and never began" for one in sorted(unknown)]


def _nothing_is_done_twice(history: History) -> list[str]:
    times = Counter(call_id for call_id, _ in history.executed)
    return [f"{call_id} was carried out {count} times" for call_id, count in times.items() if count > 1]


def _results_are_true(history: History) -> list[str]:
    """A result is of this very call, which the server carried out, and the host knows of it."""
    executed, on_timeline = {call_id for call_id, _ in history.executed}, history.outcomes()
    wrong = []
    for one in history.ended:
        if one.outcome.startswith("the result of"):
            wrong.append(f"{one.id} got {one.outcome}")
        elif one.outcome == "result":
            if one.id not in executed:
                wrong.append(f"{one.id} has a result, and the server never carried it out")
            if "done" not in on_timeline.get(one.id, []):
                wrong.append(f"{one.id} has a result, and the timeline says {on_timeline.get(one.id)}")
    return wrong


def _the_timeline_has_one_outcome(history: History) -> list[str]:
    """The host says once what became of a call; never only when it was killed while the call ran."""
    on_timeline = history.outcomes()
    wrong = [f"{one} has {len(said)} outcomes on the timeline" for one, said in on_timeline.items() if len(said) > 1]
    for call_id, at in history.executed:
        excused = any(at - 1 < killed < at + PATIENCE for killed in history.host_kills)
        if call_id not in on_timeline and not call_id.startswith("show-") and not excused:
            wrong.append(f"{call_id} was carried out, and the timeline says nothing of it")
    return wrong


def _past_views_call_nothing(history: History) -> list[str]:
    """The tool of a view is called when it is first shown, and never again."""
    shown = [call_id for call_id, _ in history.executed if call_id.startswith("show-")]
    return [f"the views' own tool was called {len(shown)} times"] if len(shown) > 2 else []
