"""What a server asks back while a request is under way (elicitation, sampling, roots), and whom it is for.

In the stateless era a question is the answer to one request, so it is known whose it is. In the handshake era a server
asks on its connection. Where that is one user's own, it is theirs; where all users share it, the question is for the
user who has a request under way, as long as that is one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from cloche.client.server_requests import Answers, ElicitRequest, SampleRequest
from cloche.client.tasks import TaskHandler
from cloche.wire.types import ElicitResult

if TYPE_CHECKING:
    from cloche.host.call import Call


@dataclass(eq=False)
class Origin:
    """Who made a request about which a server may ask something."""

    user: str
    call: Call | None = None
    """The call that it is, of the product; None for what a view or the host itself asks."""
    tool: str | None = None
    deadline: asyncio.Timeout | None = None
    """When the request ends: time that a person takes to answer does not count."""
    on_task: TaskHandler | None = None
    """Told when the request becomes a task of the server, and whenever the task changed."""

    @contextmanager
    def paused(self) -> Iterator[None]:
        """A person is asked: meanwhile the request's own time stands still."""
        deadline, when = self.deadline, None if self.deadline is None else self.deadline.when()
        if deadline is None or when is None or deadline.expired():
            yield
            return
        now = asyncio.get_running_loop().time
        left = when - now()
        deadline.reschedule(None)
        try:
            yield
        finally:
            with suppress(RuntimeError):  # the request was given up meanwhile, and its deadline is over with it
                deadline.reschedule(now() + left)


@dataclass(frozen=True)
class Asker:
    """The server that asks, and on whose behalf; `origin` is None where nobody knows."""

    server: str
    origin: Origin | None
    also: tuple[Origin, ...] = ()
    """Other requests of the same user that wait meanwhile."""
    is_shared: bool = False
    """Whether the question is about a connection that all users share."""

    @property
    def place(self) -> tuple[str | None, str | None]:
        """The tool, and the id of the call, that it is about, as far as that is known."""
        if self.origin is None:
            return None, None
        return self.origin.tool, None if self.origin.call is None else self.origin.call.id

    @contextmanager
    def paused(self) -> Iterator[None]:
        """A person is asked."""
        with ExitStack() as stack:
            for origin in (self.origin, *self.also):
                if origin is not None:
                    stack.enter_context(origin.paused())
            yield


class Respondent(Protocol):
    """Who answers what servers ask."""

    @property
    def has_one_person(self) -> bool:
        """Whether all users are one person."""

    def offers(self, user: str | None) -> Sequence[str]:
        """Which of "elicitation", "sampling" and "roots" servers may ask for: of this user, or on a connection that all
        users share.
        """

    async def elicit(self, asker: Asker, request: ElicitRequest) -> ElicitResult:
        """What the user says; raises `McpError`."""

    async def visit(self, asker: Asker, request: ElicitRequest, done: asyncio.Event) -> bool:
        """Have the user visit an address; whether they are done there, which the server may say by setting `done`."""

    async def sample(self, asker: Asker, request: SampleRequest) -> Any:
        """What the product's model says; raises `McpError`."""

    async def roots(self, asker: Asker) -> Sequence[Any]:
        """The folders that the server may use."""


class Questions:
    """The questions of one server on one connection; `user` is whose it is, and None when all users share it."""

    def __init__(self, server: str) -> None:
        self.user: str | None = None
        self.respondent: Respondent | None = None
        self._server = server
        self._under_way: list[Origin] = []

    @contextmanager
    def about(self, origin: Origin | None) -> Iterator[None]:
        """A request is under way, about which the server may ask."""
        if origin is None:
            yield
            return
        self._under_way.append(origin)
        try:
            yield
        finally:
            self._under_way.remove(origin)

    def respondent_of(self, user: str | None) -> Respondent | None:
        """Who shows this user what the server asks; None where it may not ask."""
        respondent = self.respondent
        return respondent if respondent is not None and "elicitation" in respondent.offers(user) else None

    def functions(self) -> dict[str, Any]:
        """What answers on a connection of the handshake era, as `Client` takes it; empty when nobody answers."""
        return self._functions(self._on_connection, self._roots_of_connection)

    def answers(self, origin: Origin | None) -> Answers:
        """What answers in the stateless era, where the question is about one request."""
        found = self._functions(lambda: Asker(self._server, origin), lambda: Asker(self._server, origin))
        return Answers(found.get("roots"), found.get("sampling"), found.get("elicitation"))

    def _functions(self, asker: Callable[[], Asker], of_roots: Callable[[], Asker]) -> dict[str, Callable[..., Any]]:
        respondent = self.respondent
        if respondent is None:
            return {}
        functions: dict[str, Callable[..., Any]] = {
            "elicitation": lambda request: respondent.elicit(asker(), request),
            "sampling": lambda request: respondent.sample(asker(), request),
            "roots": lambda: respondent.roots(of_roots()),
        }
        return {name: functions[name] for name in respondent.offers(self.user)}

    def _on_connection(self) -> Asker:
        """Whom a question on the connection is for: the one user with a request under way."""
        found = self._under_way
        is_one = self.respondent is not None and self.respondent.has_one_person
        if not found or (len({origin.user for origin in found}) > 1 and not is_one):
            return Asker(self._server, None, is_shared=self.user is None)
        # Tools ask, and what the host reads beside them does not. Of several, nobody knows which one it is about.
        tools = [origin for origin in found if origin.tool is not None] or found
        origin = tools[0] if len(tools) == 1 else Origin(found[-1].user)
        return Asker(self._server, origin, tuple(found))

    def _roots_of_connection(self) -> Asker:
        """Roots are the connection's: with all users on it, they are nobody's in particular."""
        origin = None if self.user is None else Origin(self.user)
        return Asker(self._server, origin, is_shared=self.user is None)
