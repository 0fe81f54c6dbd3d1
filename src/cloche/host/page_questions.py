"""Questions of servers to one user, over the page and not in a view: on every page of the user that is connected.

One question at a time. The first answer counts, and the other pages put theirs away. A page that connects while a
question is open gets it as well. `QuestionPage` is a page that has an `<mcp-questions>` element for them; any
`<mcp-app>` and any page that offers a server will do, too.
"""

from __future__ import annotations

import asyncio
import html
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from cloche.errors import BudgetError, shorten
from cloche.host.consent import SEEN
from cloche.host.tickets import QuestionsTicket
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.session import HostSession

MAX_PAGES = 50
"""Views and elements on which one question is shown; several on one page show it once."""

LONGEST = 4
"""Times as long as an answer may take a person may go on writing one."""

GONE = "gone"
"""What comes instead of an answer when the last page was closed."""


class NobodyToAskError(Exception):
    """No page of the user is connected."""


class ConnectedPage(Protocol):
    """What questions are shown on: a view that is open, a page that offers a server, or an element for questions."""

    attached: bool

    def send(self, frame: Json) -> None:
        """Send a frame to the page."""


class PageQuestions:
    """The questions to one user."""

    def __init__(self, session: HostSession) -> None:
        self._session = session
        self._turn = asyncio.Lock()
        self._open: _OpenQuestion | None = None
        self._page_came = asyncio.Event()

    @property
    def pages(self) -> list[ConnectedPage]:
        """Where the user can be asked, newest first."""
        session = self._session
        found: list[ConnectedPage] = [
            *session.tabs.values(),
            *session.agent_pages.values(),
            *session.copilot_pages.values(),
        ]
        found += [*session.views.values(), *session.question_pages.values()]
        return [page for page in reversed(found) if page.attached][:MAX_PAGES]

    async def ask(self, question: Json, seconds: float, patience: float = 0.0) -> object:
        """What the user said: a value of the page's dialog, None when time ran out, `GONE` when the page went away.
        Raises `NobodyToAskError` when no page is connected, or comes within `patience` seconds.
        """
        async with self._turn:
            if not self.pages:
                await self._page_within(patience)
            number = secrets.token_urlsafe(12)
            try:
                async with asyncio.timeout(seconds) as deadline:
                    self._open = _OpenQuestion(number, {**question, "over": "page"}, seconds, deadline)
                    for page in self.pages:
                        page.send(self._open.frame)
                    return await self._open.answer
            except TimeoutError:
                return None
            finally:
                self._open = None
                for page in self.pages:
                    page.send({"unask": number})

    async def _page_within(self, seconds: float) -> None:
        self._page_came.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._page_came.wait()
        except TimeoutError:
            raise NobodyToAskError from None

    def joined(self, page: ConnectedPage) -> None:
        """The user has one more page."""
        self._page_came.set()
        if self._open is not None:
            page.send(self._open.frame)

    def left(self) -> None:
        """A page of the user is gone for good."""
        if self._open is not None and not self._session.is_connected:
            self._open.settle(GONE)

    def answered(self, number: object, value: object) -> bool:
        """A page says what the user chose, or that they see the question; whether it is one of these questions."""
        if self._open is None or number != self._open.number:
            return False
        if value == SEEN:
            self._open.see()
        else:
            self._open.settle(value)
        return True


class _OpenQuestion:
    """One question on the user's pages."""

    def __init__(self, number: str, question: Json, seconds: float, deadline: asyncio.Timeout) -> None:
        self.number = number
        self.frame: Json = {"ask": number, "question": question}
        self.answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._seconds = seconds
        self._deadline = deadline
        self._ends = asyncio.get_running_loop().time() + seconds * LONGEST

    def settle(self, value: object) -> None:
        if not self.answer.done():
            self.answer.set_result(value)

    def see(self) -> None:
        """The user sees it, or goes on writing: the time for an answer begins again, though not for ever."""
        if not self.answer.done() and not self._deadline.expired():
            self._deadline.reschedule(min(asyncio.get_running_loop().time() + self._seconds, self._ends))


class QuestionPage:
    """One `<mcp-questions>` element on a page of a user. Made by the host when the page connects."""

    def __init__(self, session: HostSession, *, page_origin: str, send: Callable[[Json], None]) -> None:
        limits = session.host.limits
        if len(session.question_pages) >= limits.question_pages:
            error = BudgetError("Too many pages wait for questions", "question_pages", limits.question_pages)
            raise session.host.budgets.exceeded(error, session.user)
        self.id = secrets.token_urlsafe(12)
        self.key = secrets.token_urlsafe(18)
        self.session = session
        self.page_origin = page_origin
        self.attached = True
        self._send = send

    def packet(self) -> Json:
        """What the page needs to know."""
        return {"id": self.id, "key": self.key}

    def start(self) -> None:
        """From now on questions are shown there."""
        self.session.question_pages[self.id] = self
        self.session.questions.joined(self)

    def receive(self, message: Json, gesture: int = 0) -> None:
        """There is no view that could say anything."""

    def event(self, name: str, value: Json) -> None:
        """Nothing happens here that the host needs to know."""

    def answered(self, number: object, value: object) -> None:
        """The user answered a question."""
        self.session.questions.answered(number, value)

    def attach(self, send: Callable[[Json], None]) -> None:
        """The page is back on another socket."""
        self._send, self.attached = send, True

    def detach(self) -> None:
        """The socket is gone; what there is to say is kept by whoever made `send`."""
        self.attached = False

    def send(self, frame: Json) -> None:
        """Send a frame to the page."""
        self._send(frame)

    async def close(self, reason: str, *, gone: bool = True) -> None:
        """The page is gone, or the session is over."""
        if self.session.question_pages.pop(self.id, None) is not None:
            if not gone:
                self._send({"error": {"code": "closed", "message": shorten(reason, 300)}})
            self.session.questions.left()


def questions_ticket(session: HostSession) -> str:
    """A ticket with which a page shows this user's questions, for a while."""
    tickets, limits = session.host.tickets, session.host.limits
    born = tickets.moment()
    ticket: Any = QuestionsTicket(
        user=session.user, server="", born=born, expires=tickets.expiry(limits.ticket_seconds, born)
    )
    return tickets.make(ticket)


def questions_element(session: HostSession) -> str:
    """The element that shows this user's questions on a page, as HTML."""
    return f'<mcp-questions ticket="{html.escape(questions_ticket(session))}"></mcp-questions>'
