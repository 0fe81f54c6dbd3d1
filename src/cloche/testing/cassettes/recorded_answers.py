"""Which recorded answer belongs to which request of the view that is played."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict, deque
from typing import Any

from cloche.testing.cassettes.cassette import RecordedView
from cloche.testing.cassettes.lines import Got
from cloche.testing.cassettes.server import NOT_RECORDED, described, key_of
from cloche.wire.types import Json

Key = tuple[str, bytes]


class Slot:
    """One recorded answer: the view asks for it, and the player says when it comes."""

    def __init__(self, got: Got) -> None:
        self.outcome: Json = {name: got.message[name] for name in ("result", "error") if name in got.message}
        self.is_asked = False
        self.is_due = asyncio.Event()


class RecordedAnswers:
    """All answers that a view got. A request is found by method and parameters, in the order of the recording. What the
    page answered by itself is recorded without its request, and goes to requests that nobody else answers.
    """

    def __init__(self, view: RecordedView) -> None:
        self.unknown: list[str] = []
        """What the view asked and the recording does not know."""
        self.is_over = False
        """Whether everything was played: from then on known requests get their last answer again, at once."""
        self._slots: dict[int, Slot] = {}
        self._known: dict[Key, deque[Slot]] = defaultdict(deque)
        self._others: deque[Slot] = deque()
        self._last: dict[Key, Slot] = {}
        answered: Counter[Key] = Counter()
        for step in view.steps:
            if isinstance(step, Got) and "method" not in step.message:
                slot = self._slots[id(step)] = Slot(step)
                if step.question is None:
                    self._others.append(slot)
                else:
                    key = key_of(step.question.method, step.question.params)
                    self._known[key].append(slot)
                    answered[key] += 1
        self._never = _asked(view) - answered

    def slot(self, got: Got) -> Slot | None:
        """The place of a recorded answer; None for what is not an answer."""
        return self._slots.get(id(got))

    def take(self, method: str, params: Any) -> Slot | None:
        """The answer that a request will get; None when the recorded view never got one."""
        key = key_of(method, params)
        if self._known[key]:
            slot = self._last[key] = self._known[key].popleft()
        elif self.is_over and key in self._last:
            slot = self._last[key]
        elif self._never[key] > 0:
            self._never[key] -= 1
            return None
        elif self._others:
            slot = self._last[key] = self._others.popleft()
        else:
            slot = self._unknown(method, params)
        slot.is_asked = True
        if self.is_over:
            slot.is_due.set()
        return slot

    def _unknown(self, method: str, params: Any) -> Slot:
        text = described(method, params)
        self.unknown.append(text)
        error = {"code": NOT_RECORDED, "message": f"Not in the recording: {text}"}
        slot = Slot(Got(view=0, message={"error": error}))
        slot.is_due.set()
        return slot

    def finish(self) -> None:
        """Everything was played."""
        self.is_over = True


def _asked(view: RecordedView) -> Counter[Key]:
    """What the recorded view asked, and how often."""
    found: Counter[Key] = Counter()
    for line in view.said:
        message = line.message
        if isinstance(message, dict) and isinstance(message.get("method"), str) and "id" in message:
            found[key_of(message["method"], message.get("params"))] += 1
    return found
