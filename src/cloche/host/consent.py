"""Consent: asks the policy and, if it says `ask`, the user; every decision goes on the timeline.

One place decides and writes the decision down. The question goes to the policy's own `ask`, or into the page as a
dialog of the element; whoever does not answer in time has said no.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable

from cloche.errors import PolicyDeniedError, UserDeclinedError
from cloche.host.gestures import Gestures
from cloche.host.policy import OF_AGENTS, Policy, Question, Request
from cloche.host.questions import question_for
from cloche.host.timeline import Decision, DecisionBy, Timeline
from cloche.wire.types import Json

Send = Callable[[Json], None]

OF_THE_VIEW = ("tool", "link", "download", "sampling", "message", "context", "display-mode")
"""What a view asks for itself, whenever it likes: such a question needs a gesture, or is one of the few without."""

UNSEEN = 4
"""Times as long as an answer may take a question waits to be seen at all: it may be below the fold, or in a tab behind
another one. Silence is a no only from somebody who could have answered."""

SEEN = "seen"
"""What the page says instead of an answer when the person could first have given one."""

MAX_REFUSALS = 3
"""After so many times no to one kind of request the view's next ones are denied: nobody is worn down into a yes."""


class Consent:
    """Decides what one view may do: by the policy and, if it says `ask`, by the user."""

    def __init__(self, policy: Policy, timeline: Timeline, send: Send, open_questions: int) -> None:
        self._policy = policy
        self._timeline = timeline
        self._send = send
        self._limit = open_questions
        self._asked: dict[str, _Dialog] = {}
        self._was_seen = True
        """Whether the user could answer the question that was asked last; there is one at a time."""
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._refused: Counter[str] = Counter()
        self.gestures = Gestures()
        self._unprompted = policy.unprompted
        self._lasting: set[str] = set()
        """What the user allowed for as long as the page is open."""

    async def obtain(self, request: Request, gesture: int = 0) -> Decision:
        """Return "allowed", by the policy, or "approved", by the user; raise `PolicyDeniedError` or `UserDeclinedError`
        when it is neither. `gesture` is the number of the click, tap or key in the view that a question may come from,
        and 0 without one.
        """
        started = time.monotonic()
        decision, decided_by = await self._decide(request, gesture)
        self._timeline.note(
            user=request.user,
            server=request.server,
            tool=request.tool,
            view=request.view,
            action=request.kind,
            args=request.details,
            decision=decision,
            decision_by=decided_by,
            duration_ms=round((time.monotonic() - started) * 1000, 1),
        )
        if decision in ("allowed", "approved"):
            return decision
        if decided_by == "gesture":
            raise PolicyDeniedError(request.kind, "The host asks the user only right after they used the view")
        if decided_by == "policy":
            raise PolicyDeniedError(request.kind)
        raise UserDeclinedError(request.kind, timed_out=decision == "timeout")

    async def _decide(self, request: Request, gesture: int = 0) -> tuple[Decision, DecisionBy]:
        answer = await self._policy.decide(request)
        if answer == "allow":
            return "allowed", "policy"
        if answer != "ask" or self._waiting >= self._limit:
            return "denied", "policy"
        before = self._unprompted
        if not self._may_question(request, gesture):
            return "denied", "gesture"
        was_free = self._unprompted < before
        self._waiting += 1
        try:
            async with self._turn:  # one dialog at a time
                decision, decided_by = await self._decide_by_user(request, _subject(request))
        finally:
            self._waiting -= 1
        if decision == "approved":  # who says yes was not disturbed: they may go on clicking as fast as they like
            if was_free:
                self._unprompted += 1
            else:
                self.gestures.give_back("question", gesture)
        return decision, decided_by

    def _may_question(self, request: Request, gesture: int) -> bool:
        """Whether the person may be disturbed: after they used the view, and a few times without."""
        if request.kind not in OF_THE_VIEW or self.gestures.pays("question", gesture):
            return True
        if self._unprompted < 1:
            return False
        self._unprompted -= 1
        return True

    async def _decide_by_user(self, request: Request, subject: str) -> tuple[Decision, DecisionBy]:
        if subject in self._lasting:
            return "approved", "user"
        if self._refused[subject] >= MAX_REFUSALS:
            return "denied", "policy"
        question = question_for(request, self._policy.seconds)
        decision, decided_by, lasts = await self._question(question)
        if lasts:
            self._lasting.add(subject)
        if decision == "approved":
            self._refused[subject] = 0
        elif decided_by == "user" or (self._was_seen and request.kind not in OF_AGENTS):
            self._refused[subject] += 1  # nobody is worn down while away
        return decision, decided_by

    async def _question(self, question: Question) -> tuple[Decision, DecisionBy, bool]:
        ask = self._policy.ask
        try:
            if ask is None:
                said = await self._dialog(question)
            else:
                async with asyncio.timeout(question.seconds):
                    said = await ask(question)
        except TimeoutError:
            return "timeout", "timeout", False
        if said is None and ask is None:  # the page's own clock was a little faster
            return "timeout", "timeout", False
        lasts = question.lasting is not None and said == "page"
        return ("approved" if lasts or said is True else "denied"), "user", lasts

    async def _dialog(self, question: Question) -> object:
        number = secrets.token_urlsafe(12)
        self._was_seen = False
        try:
            async with asyncio.timeout(question.seconds * UNSEEN) as deadline:
                asked = self._asked[number] = _Dialog(question.seconds, deadline)
                self._send({"ask": number, "question": question.for_page()})
                return await asked.answer
        except (asyncio.CancelledError, TimeoutError):
            self._send({"unask": number})
            raise
        finally:
            del self._asked[number]

    def answered(self, number: object, value: object) -> None:
        """The page says what the user chose, or that they can see the question; only an open question takes it."""
        asked = self._asked.get(number) if isinstance(number, str) else None
        if asked is None or asked.answer.done():
            return
        if value == SEEN:
            self._was_seen = True
            asked.see()
        else:
            asked.answer.set_result(value)


class _Dialog:
    """One question in the page."""

    def __init__(self, seconds: float, deadline: asyncio.Timeout) -> None:
        self.answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._seconds = seconds
        self._deadline = deadline
        self._is_seen = False

    def see(self) -> None:
        """The user could answer from now on. The page says it once; more often, it gains no time."""
        if not self._is_seen and not self._deadline.expired():
            self._is_seen = True
            self._deadline.reschedule(asyncio.get_running_loop().time() + self._seconds)


def _subject(request: Request) -> str:
    """What an answer is about: a kind of request, or one tool as it was described when the user was asked."""
    if request.kind not in OF_AGENTS:
        return request.kind
    return " ".join([request.kind, request.server, request.tool, str(request.details.get("version", ""))])
