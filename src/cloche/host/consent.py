"""Leave to do something: the policy's answer, or the user's.

One place decides and writes the decision down. The question goes to the policy's own `ask`, or into the page as a
dialog of the element; whoever does not answer in time has said no.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable

import msgspec

from cloche.errors import PolicyDeniedError, UserDeclinedError, shorten
from cloche.host.policy import Policy, Question, Request, is_destructive, link_host
from cloche.host.timeline import Decision, DecisionBy, Timeline
from cloche.wire.types import Json

Send = Callable[[Json], None]

MAX_DETAILS = 4000
"""Characters of what it is about that a question shows."""


UNSEEN = 4
"""Times as long as an answer may take a question waits to be seen at all: it may be below the fold, or in a tab behind
another one. Silence is a no only from somebody who could have answered."""

SEEN = "seen"
"""What the page says instead of an answer when the person could first have given one."""

MAX_REFUSALS = 3
"""After so many times no to one kind of request the view's next ones are denied: nobody is worn down into a yes."""


class Consent:
    """Gets leave for what one view wants to do."""

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
        self._lasting: set[str] = set()
        """What the user allowed for as long as the page is open."""

    async def obtain(self, request: Request) -> None:
        """Return when it is allowed; raise `PolicyDeniedError` or `UserDeclinedError` when it is not."""
        started = time.monotonic()
        decision, decided_by = await self._decide(request)
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
            return
        if decided_by == "policy":
            raise PolicyDeniedError(request.kind)
        raise UserDeclinedError(request.kind, timed_out=decision == "timeout")

    async def _decide(self, request: Request) -> tuple[Decision, DecisionBy]:
        answer = await self._policy.decide(request)
        if answer == "allow":
            return "allowed", "policy"
        if answer != "ask" or self._waiting >= self._limit:
            return "denied", "policy"
        self._waiting += 1
        try:
            async with self._turn:  # one dialog at a time
                return await self._decide_by_user(request, _subject(request))
        finally:
            self._waiting -= 1

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
        elif decided_by == "user" or (self._was_seen and request.kind != "tab-tool"):
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
        """The page says what the user chose, or that they can see the question; an answer to a question that is not
        open says nothing.
        """
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
    """What an answer is about: a kind of request, and in a tab one tool."""
    return f"tab-tool {request.tool}" if request.kind == "tab-tool" else request.kind


def question_for(request: Request, seconds: float) -> Question:
    """What the user reads. Names come from the server: they are quoted and short."""
    details = request.details
    title, text, accept = {
        "tool": (
            "Run this tool?",
            f"The view of {_quoted(request.server)} wants to run {_quoted(details.get('name'))}.",
            "Run",
        ),
        "link": (
            "Open this link?",
            f"The view of {_quoted(request.server)} wants to open {link_host(str(details.get('url')))}.",
            "Open",
        ),
        "download": (
            "Save these files?",
            f"The view of {_quoted(request.server)} wants to save {_names(details.get('files'))}.",
            "Save",
        ),
        "permission": (
            "Give access?",
            f"The view of {_quoted(request.server)} wants to use: {_names(details.get('permissions'))}.",
            "Allow",
        ),
        "sampling": (
            "Ask the model?",
            f"The view of {_quoted(request.server)} wants to ask the model something.",
            "Allow",
        ),
        "message": (
            "Send this message?",
            f"The view of {_quoted(request.server)} wants to say something in your name.",
            "Send",
        ),
        "context": (
            "Tell the model?",
            f"The view of {_quoted(request.server)} wants to tell the model something.",
            "Allow",
        ),
        "display-mode": (
            "Change the size?",
            f"The view of {_quoted(request.server)} wants to be shown {_quoted(details.get('mode'))}.",
            "Allow",
        ),
        "sign-in": (
            "Sign in?",
            f"{_quoted(request.server)} wants you to sign in at {_quoted(details.get('site'))}.",
            "Sign in",
        ),
        "tab-tool": (
            "Run this tool in your browser?",
            f"The assistant wants to run {_quoted(details.get('name'))} of {_quoted(request.server)} in this tab.",
            "Allow once",
        ),
    }[request.kind]
    lasting = None
    if request.kind == "tab-tool":
        # What destroys something is asked about each time, whatever the user has allowed.
        if details.get("lasting") is True and not is_destructive(details.get("annotations")):
            lasting = "Allow on this page"
        details = details.get("arguments") or {}
    return Question(
        kind=request.kind,
        user=request.user,
        server=request.server,
        tool=request.tool,
        view=request.view,
        title=title,
        text=text,
        details=_shortened(details),
        accept=accept,
        seconds=seconds,
        lasting=lasting,
    )


def _shortened(details: Json) -> Json:
    text = msgspec.json.encode(details).decode()
    return details if len(text) <= MAX_DETAILS else {"text": shorten(text, MAX_DETAILS)}


def _quoted(name: object) -> str:
    """A name that somebody else chose, so that it cannot look like a part of our sentence."""
    plain = "".join(" " if not letter.isprintable() or letter in '“”"' else letter for letter in str(name))
    return f"“{shorten(plain, 60)}”"


def _names(given: object) -> str:
    return shorten(", ".join(_quoted(one) for one in given), 300) if isinstance(given, list) else _quoted(given)
