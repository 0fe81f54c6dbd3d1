"""`ServerQuestions`: what servers ask the users of a host (elicitation), its model (sampling) and the product (roots).

The product's own hook comes first (`on_elicit`); without one a form appears over the user's page. The model is the
product's (`on_sample`), and the user is asked before. What a server asks has limits, goes through the policy, and is on
the timeline; what the user entered is not.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from cloche.client.server_requests import ElicitRequest, SampleRequest
from cloche.errors import (
    BudgetError,
    InternalError,
    InvalidParamsError,
    McpError,
    PolicyDeniedError,
    UserDeclinedError,
)
from cloche.host.declines import MAX_DECLINES
from cloche.host.elicitation_form import MAX_MESSAGE, Form
from cloche.host.hooks import Elicitation, Sampling
from cloche.host.inside_addresses import is_led_inside
from cloche.host.page_questions import GONE, NobodyToAskError
from cloche.host.plain_text import middle_cut, quoted, visible
from cloche.host.policy import Request, checked_link, link_host
from cloche.host.questions import question_for
from cloche.host.timeline import Decision, DecisionBy
from cloche.host.upstreams.questions import Asker
from cloche.wire.json import encode
from cloche.wire.types import ElicitResult, Json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cloche.host.host import Host
    from cloche.host.session import HostSession

ATTEMPTS = 3
"""How often a form is shown again whose content does not fit."""

UNKNOWN_USER = (
    "Nobody knows which user the server means: several share this connection, or none has a call under way. Give each "
    "user a connection of their own, as Host(servers={…: lambda user: …})"
)
NOBODY = "Nobody could be asked: no page of this user is connected"
STOPPED = (
    f"The user declined {MAX_DECLINES} times in a row, so this server's questions are off: session.allow_questions"
)

CANCEL = ElicitResult("cancel")
DECLINE = ElicitResult("decline")


class _Unasked(Exception):
    """The user was not asked; why, and what the server is told."""

    def __init__(self, problem: str, answer: ElicitResult = CANCEL) -> None:
        super().__init__(problem)
        self.answer = answer


class ServerQuestions:
    """Answers what the servers of a host ask (`Respondent` of the upstreams)."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @property
    def has_one_person(self) -> bool:
        """Whether all users are one person."""
        return self._host.has_one_person

    def offers(self, user: str | None) -> Sequence[str]:
        """What servers may ask for: what the policy lets them, and the product has a hook for."""
        rules = self._host.policy.rules
        hooks = (None if user is None else self._host.known_session(user)) or self._host
        offered = {
            "elicitation": rules["elicitation"] != "deny",
            "sampling": rules["server-sampling"] != "deny" and hooks.find("sample") is not None,
            "roots": hooks.find("roots") is not None,
        }
        return [name for name, is_offered in offered.items() if is_offered]

    # Sampling and roots

    async def sample(self, asker: Asker, request: SampleRequest) -> Any:
        """What the product's model says, when the user agrees; raises `McpError`."""
        started, session = time.monotonic(), self._session(asker)
        tool, call = asker.place
        about = {"messages": len(request.messages), "maxTokens": request.max_tokens, "tools": len(request.tools or ())}
        decision: Decision = "denied"
        by: DecisionBy = "policy"
        problem: str | None = None
        try:
            if session is None:
                raise PolicyDeniedError("server-sampling", UNKNOWN_USER)
            with asker.paused():
                self._check_budget(session, request)
                decision, by = await self._allowed(session, asker, request)
                if decision not in ("allowed", "approved"):
                    raise _refusal(decision, by)
                return await self._sampled(session, Sampling(asker.server, request, tool, call))
        except McpError as error:
            problem = error.message
            raise
        finally:
            timeline = self._host.timeline if session is None else session.timeline
            timeline.note(
                action="server-sampling",
                server=asker.server,
                tool=tool,
                call=call,
                args=about,
                decision=decision,
                decision_by=by,
                problem=problem,
                duration_ms=round((time.monotonic() - started) * 1000, 1),
            )

    def _check_budget(self, session: HostSession, request: SampleRequest) -> None:
        """Raise `McpError` for what is too long or too much; a server gets no more tokens than it may have."""
        limits, budgets, user = self._host.limits, self._host.budgets, session.user
        size = len(encode(request))
        if size > limits.sample_bytes:
            raise InvalidParamsError(
                f"sampling/createMessage: {size} bytes, and {limits.sample_bytes} are the most: "
                "HostLimits(sample_bytes=…)"
            )
        budgets.samplings.take(user, user)
        request.max_tokens = max(1, min(request.max_tokens, limits.sample_tokens))
        budgets.sample_tokens.take(user, request.max_tokens, user)

    async def _allowed(self, session: HostSession, asker: Asker, request: SampleRequest) -> tuple[Decision, DecisionBy]:
        """Whether policy and user let this server use the model."""
        tools = [str(tool.get("name")) for tool in request.tools or ()]
        details: Json = {
            "messages": [message.get("content") for message in request.messages],
            **({} if request.system_prompt is None else {"system prompt": request.system_prompt}),
            **({"tools": tools} if tools else {}),
        }
        wanted = Request("server-sampling", session.user, asker.server, asker.place[0] or "", "", details)
        policy = self._host.policy
        answer = await policy.decide(wanted)
        if answer != "ask":
            return ("allowed" if answer == "allow" else "denied"), "policy"
        if session.declines.are_enough(asker.server):
            session.show_questions_off(asker.server)
            return "denied", "policy"
        question = question_for(wanted, policy.seconds)
        try:
            if policy.ask is not None:
                async with asyncio.timeout(question.seconds):
                    said: object = await policy.ask(question)
            else:
                patience = session.patience(asker.origin)
                said = await session.questions.ask(question.for_page(), question.seconds, patience)
        except TimeoutError:
            return "timeout", "timeout"
        except NobodyToAskError:
            raise PolicyDeniedError("server-sampling", NOBODY) from None
        if said is None or said == GONE:
            return "timeout", "timeout"
        session.declines.count(asker.server, declined=said is not True)
        return ("approved" if said is True else "denied"), "user"

    async def _sampled(self, session: HostSession, wanted: Sampling) -> Any:
        try:
            async with asyncio.timeout(self._host.limits.call_seconds):
                said = await session.call("sample", session, wanted)
        except TimeoutError:
            raise InternalError("The product's model did not answer in time") from None
        if said is None:
            raise UserDeclinedError("server-sampling")
        return said

    async def roots(self, asker: Asker) -> Sequence[Any]:
        """The folders that the product gives to a server."""
        session = self._session(asker)
        hooks = self._host if session is None else session
        found = list(await hooks.call("roots", session, asker.server) or ())
        timeline = self._host.timeline if session is None else session.timeline
        timeline.note(action="roots", server=asker.server, args=[str(getattr(one, "uri", one)) for one in found])
        return found

    # Elicitation

    async def elicit(self, asker: Asker, request: ElicitRequest) -> ElicitResult:
        """What the user says to a server's question. Raises `InvalidParamsError` for one that must not be asked."""
        started = time.monotonic()
        session = self._session(asker)
        asked = _Asked(asker, request)
        try:
            answer, by, problem = *await self._answered(session, asked), None
        except _Unasked as refusal:
            answer, by, problem = refusal.answer, "policy", str(refusal)
        except McpError as error:
            self._note(session, asked, started, "denied", "policy", error.message)
            raise
        decision: Decision = {"accept": "approved", "decline": "denied", "cancel": "denied"}[answer.action]  # type: ignore[assignment]
        self._note(session, asked, started, "timeout" if by == "timeout" else decision, by, problem, answer.action)
        if session is not None and by == "user":
            session.declines.count(asker.server, declined=answer.action != "accept")
        return answer

    async def visit(self, asker: Asker, request: ElicitRequest, done: asyncio.Event) -> bool:
        """Have the user visit an address; whether they are done there, which the server may say by setting `done`."""
        answer = await self.elicit(asker, request)
        session = self._session(asker)
        if answer.action != "accept" or session is None:
            return False
        if session.find("elicit") is not None:  # the product's interface says yes when the user is done
            return True
        with asker.paused():
            return await self._done_there(session, asker, request, done)

    async def _done_there(
        self, session: HostSession, asker: Asker, request: ElicitRequest, done: asyncio.Event
    ) -> bool:
        """The address is open in another tab: go on when the user says so, or the server."""
        seconds, url = self._host.limits.elicit_seconds, str(request.url)
        what = "" if asker.place[0] is None else f" with {quoted(asker.place[0])}"
        question: Json = {
            "kind": "elicitation-done",
            "title": f"Done at {link_host(url)}?",
            "text": f"The server {quoted(asker.server)} goes on{what} when you are done there.",
            "details": {"address": url},
            "accept": "Continue",
            "refuse": "Cancel",
            "seconds": seconds,
        }
        asking = asyncio.ensure_future(session.questions.ask(question, seconds))
        waiting = asyncio.ensure_future(done.wait())
        try:
            await asyncio.wait({asking, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in (asking, waiting):
                one.cancel()
            said, _ = await asyncio.gather(asking, waiting, return_exceptions=True)
        return done.is_set() or said is True

    def _session(self, asker: Asker) -> HostSession | None:
        user = None if asker.origin is None else asker.origin.user
        return None if user is None or self._host.closed else self._host.session_of(user)

    def _note(
        self,
        session: HostSession | None,
        asked: _Asked,
        started: float,
        decision: Decision,
        by: DecisionBy,
        problem: str | None,
        said: str | None = None,
    ) -> None:
        timeline = self._host.timeline if session is None else session.timeline
        timeline.note(
            action="elicitation",
            server=asked.asker.server,
            tool=asked.tool,
            call=asked.call,
            args={**asked.about, **({} if said is None else {"answer": said})},
            decision=decision,
            decision_by=by,
            problem=problem,
            duration_ms=round((time.monotonic() - started) * 1000, 1),
        )

    async def _answered(self, session: HostSession | None, asked: _Asked) -> tuple[ElicitResult, DecisionBy]:
        """The answer, and who gave it; raises `_Unasked` when nobody was asked."""
        if session is None:
            raise _Unasked(UNKNOWN_USER)
        server = asked.asker.server
        asked.check(session.upstream(server).url)
        request = Request("elicitation", session.user, server, asked.tool or "", "", asked.about)
        if await self._host.policy.decide(request) == "deny":
            raise _Unasked("The policy does not let this server ask", DECLINE)
        if session.declines.are_enough(server):
            session.show_questions_off(server)
            raise _Unasked(STOPPED, DECLINE)
        with session.declines.one_more(server, self._host.limits.server_questions) as is_room, asked.asker.paused():
            if not is_room:
                limit = self._host.limits.server_questions
                error = BudgetError("The server asks too much at once", "server_questions", limit)
                raise _Unasked(self._host.budgets.exceeded(error, session.user, server).message)
            try:
                self._host.budgets.questions.take((session.user, server), session.user)
            except BudgetError as error:
                raise _Unasked(error.message) from None
            if session.find("elicit") is not None:
                return await self._by_product(session, asked)
            return await self._on_page(session, asked)

    async def _by_product(self, session: HostSession, asked: _Asked) -> tuple[ElicitResult, DecisionBy]:
        """The product asks with an interface of its own."""
        try:
            async with asyncio.timeout(self._host.limits.elicit_seconds):
                said = await session.call("elicit", session, asked.for_product(session))
        except TimeoutError:
            return CANCEL, "timeout"
        except Exception:
            self._host.logger.exception("the hook on_elicit failed")
            raise _Unasked("The product's hook on_elicit failed: the host's log says why") from None
        if isinstance(said, ElicitResult) and said.action != "accept":
            return said, "user"
        content = said.content if isinstance(said, ElicitResult) else said
        if content is None or content is False:
            return DECLINE, "user"
        try:
            return asked.accepted(content), "user"
        except ValueError as error:
            self._host.logger.error("what the hook on_elicit returned does not fit: %s", error)
            raise _Unasked(f"What the product's hook on_elicit returned does not fit: {error}") from None

    async def _on_page(self, session: HostSession, asked: _Asked) -> tuple[ElicitResult, DecisionBy]:
        """A form, or an address, over the user's page."""
        seconds = self._host.limits.elicit_seconds
        last = session.declines.of(asked.asker.server) == MAX_DECLINES - 1
        question = asked.for_page(seconds, last=last)
        for _ in range(ATTEMPTS):
            try:
                said = await session.questions.ask(question, seconds, session.patience(asked.asker.origin))
            except NobodyToAskError:
                raise _Unasked(NOBODY) from None
            if said is None:
                return CANCEL, "timeout"
            if said == GONE:
                raise _Unasked("The page was closed before the user answered")
            if said is False or said == "cancel":
                return (DECLINE if said is False else CANCEL), "user"
            content = said.get("content") if isinstance(said, dict) else said
            try:
                return asked.accepted(content), "user"
            except ValueError as error:  # the page was not as strict as we are
                question = {**question, "problem": str(error), "values": content}
        raise _Unasked("What the page sent does not fit the form")


def _refusal(decision: Decision, by: DecisionBy) -> McpError:
    """The error that a server gets which may not use the model."""
    if by == "policy":
        return PolicyDeniedError("server-sampling")
    return UserDeclinedError("server-sampling", timed_out=decision == "timeout")


class _Asked:
    """One elicitation of a server."""

    def __init__(self, asker: Asker, request: ElicitRequest) -> None:
        self.asker = asker
        self.tool, self.call = asker.place
        self._request = request
        self._form: Form | None = None
        self._url = ""

    @property
    def about(self) -> Json:
        """What the timeline says of it."""
        message = middle_cut(visible(self._request.message), 200)
        if self._request.mode == "url":
            return {"mode": "url", "message": message, "url": middle_cut(str(self._request.url), 200)}
        schema = self._request.requested_schema
        fields = schema.get("properties") if isinstance(schema, dict) else None
        return {"mode": "form", "message": message, "fields": list(fields)[:20] if isinstance(fields, dict) else []}

    def check(self, server_url: str | None) -> None:
        """Raise `InvalidParamsError` for what no user must be asked; `server_url` is where the server is, if it is at a
        URL.
        """
        if self._request.mode == "url":
            self._url = checked_link(self._request.url, "elicitation/create")
            if is_led_inside(self._url, server_url):
                raise InvalidParamsError(
                    f"elicitation/create: {link_host(self._url)} is an address of the reader's own machine or network, "
                    "and the server is not"
                )
        elif self._request.mode == "form":
            self._form = Form(self._request.message, self._request.requested_schema)
        else:
            raise InvalidParamsError("elicitation/create: the mode is 'form' or 'url'")

    @property
    def message(self) -> str:
        """The server's own words, readable."""
        return middle_cut(visible(self._request.message), MAX_MESSAGE)

    def for_product(self, session: HostSession) -> Elicitation:
        """What the product's hook gets."""
        return Elicitation(
            server=self.asker.server,
            message=self.message,
            mode="url" if self._form is None else "form",
            schema=None if self._form is None else self._form.schema,
            url=self._url or None,
            tool=self.tool,
            call=self.call,
        )

    def for_page(self, seconds: float, *, last: bool) -> Json:
        """The question as the page shows it."""
        server = quoted(self.asker.server)
        about = "" if self.tool is None else f" to go on with {quoted(self.tool)}"
        warning = " If you decline once more, it is not asked about any more." if last else ""
        common: Json = {"details": {"message": self.message}, "refuse": "Decline", "seconds": seconds}
        if self._form is None:
            return {
                **common,
                "kind": "elicitation-url",
                "title": f"Open {link_host(self._url)}?",
                "text": f"The server {server} wants you to visit this address{about}. It opens in a new tab.{warning}",
                "details": {"message": self.message, "address": self._url},
                "link": self._url,
                "accept": "Open",
            }
        text = f"The server {server} asks for this{about}, and gets what you send. Never enter a password.{warning}"
        return {
            **common,
            "kind": "elicitation",
            "title": f"{server} asks",
            "text": text,
            "form": self._form.schema,
            "accept": "Send",
        }

    def accepted(self, content: object) -> ElicitResult:
        """A yes, with what was entered; raises `ValueError` when that does not fit."""
        if self._form is None:
            if content is not True:
                raise ValueError("The answer to an address is yes or no")
            return ElicitResult("accept")
        return ElicitResult("accept", self._form.checked(content))
