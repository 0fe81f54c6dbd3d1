"""`Host`: other people's MCP Apps in your own product, under glass."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cloche.errors import ConfigurationError, InvalidParamsError, LocalProtocolError, ViewUnavailableError, shorten
from cloche.host import records
from cloche.host.agent_tools import AgentPage
from cloche.host.bridge import MountedView
from cloche.host.budgets import Budgets, Visitor
from cloche.host.call import Call
from cloche.host.copilot_page import CopilotPage
from cloche.host.copilots import Copilot, checked_copilots
from cloche.host.hooks import Hooks, HookTasks, ServerLog
from cloche.host.limits import HostLimits
from cloche.host.missing_page import MissingPageWarning
from cloche.host.offered_tools import checked_patterns
from cloche.host.page_questions import QuestionPage
from cloche.host.policy import Policy
from cloche.host.preloads import PreloadedView
from cloche.host.profile import PLAIN, HostProfile
from cloche.host.records import Records
from cloche.host.revocations import MemoryRevocations, Revocations
from cloche.host.server_questions import ServerQuestions
from cloche.host.session import WITHDRAWN, HostSession
from cloche.host.sign_in import SignInPrompt
from cloche.host.tickets import (
    AgentTicket,
    BaseTicket,
    CopilotTicket,
    OfferTicket,
    PreloadTicket,
    QuestionsTicket,
    Ticket,
    Tickets,
)
from cloche.host.timeline import Timeline
from cloche.host.tool_names import checked_server_name
from cloche.host.traffic import Traffic, ViewRecorder
from cloche.host.upstreams.base import DEFAULT_LOG_LEVEL
from cloche.host.upstreams.oauth import TokenStore
from cloche.host.upstreams.pool import Pool
from cloche.host.users import checked_user, is_anonymous, new_visitor
from cloche.host.view_pages import Sources
from cloche.problems import Problem
from cloche.wire.apps.metadata import view_uri
from cloche.wire.signing import Signer
from cloche.wire.types import LOG_LEVELS, Json, LogLevel

if TYPE_CHECKING:
    from cloche.host.upstreams.base import Upstream
    from cloche.host.upstreams.tab import Tab

MIN_SECRET = 16

PYTHON_LEVELS: dict[str, int] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "notice": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "alert": logging.CRITICAL,
    "emergency": logging.CRITICAL,
}
"""What MCP's levels are in Python's logging."""

_server_logger = logging.getLogger("cloche.host.server")


class Host(Hooks):
    """A host of MCP Apps.

    `servers` maps names to servers: a Cloche, `mcp` or `fastmcp` object, a command as a list, a URL, a `Remote`,
    `InBrowser()` for one that runs in the visitor's own page, `InFrame(url)` for one that is a web page, or a function
    of the user that returns one of these.
    `secret` signs tickets; without one they end with the process. `id` tells this host from others with the same
    secret: its tickets are good at hosts of the same id. Without one it is made of the host's name, its path and the
    names of its servers. `revocations` keeps which tickets were withdrawn, for all processes of the product.
    `policy` decides what views may do. `sandbox` is where views live in production, such as
    `"https://{name}.usercontent.example"`; on localhost none is needed. `origins` are the origins of pages that may
    embed views besides the product's own. `page_tools` names the tools that a page may open by itself, as
    `"server.tool"`; `agent_tools` those that pages of users offer to browser agents (WebMCP), with `*` for anything.
    `copilots` are assistants of somebody else that pages of users have in a frame, by name, each with the tools that it
    may use.
    `url` is the product's own address, to which servers that want users to sign in send them back, and `tokens` keeps
    what they get for it. `server_log_level` is the level from which servers send their logs. `profile` shows views as
    another host would, to try them; a product has none.
    The `on_…` decorators say what the product does when a view asks something of it.
    """

    def __init__(
        self,
        servers: Mapping[str, Any],
        *,
        secret: str | bytes | None = None,
        id: str | None = None,
        revocations: Revocations | None = None,
        policy: Policy | None = None,
        sandbox: str | None = None,
        origins: Sequence[str] = (),
        page_tools: Sequence[str] = (),
        agent_tools: Sequence[str] = (),
        copilots: Mapping[str, Copilot] | None = None,
        name: str = "Cloche",
        version: str = "0.1.0",
        allow_same_site: bool = False,
        url: str | None = None,
        tokens: TokenStore | None = None,
        limits: HostLimits | None = None,
        server_log_level: LogLevel = DEFAULT_LOG_LEVEL,
        profile: HostProfile = PLAIN,
        manner: HostProfile | None = None,
    ) -> None:
        super().__init__()
        if manner is not None:
            warnings.warn("Host(manner=…) is now called Host(profile=…)", DeprecationWarning, stacklevel=2)
            profile = manner
        self.servers = tuple(checked_server_name(server) for server in servers)
        self.policy = policy or Policy()
        self.sandbox = sandbox
        self.origins = tuple(origins)
        self.page_tools = _checked_page_tools(page_tools, self.servers)
        self.agent_tools = checked_patterns(agent_tools, self.servers, "agent_tools")
        self.copilots = checked_copilots(copilots, self.servers)
        self.name, self.version = name, version
        self.allow_same_site = allow_same_site
        self.limits = limits or HostLimits()
        self.profile = profile
        """How views see this host; those that are opened after a change follow it."""
        self._id = _checked_id(id)
        self._secret = Signer(_checked_secret(secret))
        self.at = "/cloche"
        self._sign()
        self.revocations: Revocations = revocations or MemoryRevocations(self.limits.ticket_life_seconds)
        """Which tickets were withdrawn."""
        self.timeline = Timeline(self.limits.timeline)
        self.budgets = Budgets(self.limits, self._over_budget)
        """What is held and what happens, counted."""
        self.records = Records(self.limits.records, self.budgets.records)
        self.sources = Sources()
        """The pages of views that are open, each once."""
        self._sign_in_prompt = SignInPrompt(self, url, tokens)
        self.sign_ins = self._sign_in_prompt.sign_ins
        """Sign-ins at servers that are under way."""
        self.traffic = Traffic()
        """Every message, for those who listen."""
        self.strangers: frozenset[str] = frozenset()
        """Servers whose views may reach nothing of this machine, though their page is of this machine."""
        self.has_one_person = False
        """Whether all its users are one person, as in the playground, so that no question is for somebody else."""
        self.recorder: ViewRecorder | None = None
        """Who records the views, if anybody does."""
        self.pool = Pool(
            dict(servers),
            sign_ins=self.sign_ins,
            traffic=self.traffic,
            limits=self.limits,
            on_budget=lambda server, error: self.budgets.exceeded(error, server=server),
            on_log=self._server_logged,
            log_level=_checked_log_level(server_log_level),
            respondent=ServerQuestions(self),
        )
        self.logger = logging.getLogger("cloche.host")
        self.missing_page = MissingPageWarning(self.logger)
        self._hook_tasks = HookTasks(self)
        self.closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sessions: OrderedDict[str, HostSession] = OrderedDict()
        self._visitors: OrderedDict[str, HostSession] = OrderedDict()
        """The sessions of those whom the product has not named."""
        self._hang_ups: list[Callable[[str, str], None]] = []

    def wrap(self, app: Any, at: str = "/cloche") -> Any:
        """An ASGI app around yours: it serves views under `at` and on the sandbox's names, and leaves you the rest."""
        from cloche.host.web.wrapper import wrap

        self.at = self.missing_page.at = at
        self._sign()
        self._sign_in_prompt.mounted(at)
        return wrap(self, app, at)

    def _sign(self) -> None:
        """Derive the key of this host from the secret: hosts that share one do not take each other's tickets."""
        own = ["id", self._id] if self._id is not None else ["host", self.name, self.at, *sorted(self.servers)]
        self.signer = self._secret.derived(f"host {json.dumps(own)}")
        self.tickets = Tickets(self.signer, life=self.limits.ticket_life_seconds)

    def session(self, user: str) -> HostSession:
        """What this user has here; the same object for the same user."""
        return self.session_of(checked_user(user))

    def session_of(self, user: str) -> HostSession:
        """The session of a user, or of a visitor whom the product has not named."""
        if self.closed:
            raise LocalProtocolError("This host is closed")
        sessions = self._visitors if is_anonymous(user) else self._sessions
        found = sessions.get(user)
        if found is None:
            self._make_room(sessions, self.limits.visitors if is_anonymous(user) else self.limits.sessions)
            found = sessions[user] = HostSession(self, user)
        sessions.move_to_end(user)
        return found

    def known_session(self, user: str) -> HostSession | None:
        """The session of a user who has one."""
        return (self._visitors if is_anonymous(user) else self._sessions).get(user)

    def _make_room(self, sessions: OrderedDict[str, HostSession], limit: int) -> None:
        """Forget the session that lay idle longest, when there are too many."""
        if len(sessions) < limit:
            return
        idle = next((session for session in sessions.values() if session.is_idle), None)
        if idle is None:
            who = "visitors" if sessions is self._visitors else "users"
            raise LocalProtocolError(f"{limit} {who} have something open, and that is the limit")
        idle.drop()
        self.hang_up(idle.user, "The session was forgotten: too many users are here")

    def on_hang_up(self, hang_up: Callable[[str, str], None]) -> None:
        """Call `hang_up(user, reason)` when the pages of a user must not stay connected."""
        self._hang_ups.append(hang_up)

    def hang_up(self, user: str, reason: str) -> None:
        """End the connections of the user's pages, at once: they are told why."""
        for hang_up in self._hang_ups:
            hang_up(user, reason)

    def forget(self, session: HostSession) -> None:
        """A session is closed."""
        for sessions in (self._sessions, self._visitors):
            if sessions.get(session.user) is session:
                del sessions[session.user]

    def reached_at(self, address: str) -> None:
        """A request reached the product at this address."""
        self._sign_in_prompt.seen_at(address, by_page=False)

    def _over_budget(self, holder: str, server: str | None, problem: str) -> None:
        """Somebody went beyond a limit: `holder` is a user, or the address of somebody without a name."""
        session = self.known_session(holder)
        timeline = self.timeline if session is None else session.timeline
        timeline.note(action="budget", user=holder, server=server, problem=problem)

    def _server_logged(self, upstream: Upstream, params: Json) -> None:
        """A server wrote a line of its log: it goes to the product, or into Python's logging."""
        logger = params.get("logger")
        line = ServerLog(
            upstream.name, params["level"], params.get("data"), shorten(logger) if isinstance(logger, str) else None
        )
        session = None if upstream.user is None else self.known_session(upstream.user)
        timeline = self.timeline if session is None else session.timeline
        timeline.note(action="server-log", server=line.server, args=params)
        wanted = self._hook_tasks.tell("server_log", None, line) if session is None else session.server_logged(line)
        if not wanted:
            text = " ".join(shorten(str(line.data), 500).split())
            _server_logger.log(PYTHON_LEVELS[line.level], "%s: %s", line.server, text)

    def _bind_loop(self) -> None:
        """This is the loop that the connections to the servers belong to."""
        self._loop = asyncio.get_running_loop()

    @property
    def _is_at_home(self) -> bool:
        """Whether whoever asks runs on that loop."""
        try:
            return asyncio.get_running_loop() is self._loop
        except RuntimeError:
            return False

    # For the page

    async def open_view(
        self,
        ticket: object,
        *,
        context: Json,
        page_origin: str,
        at_url: str = "",
        send: Callable[[Json], None],
        admitted: Callable[[], None] = lambda: None,
    ) -> MountedView:
        """Open the view that a ticket is for. Raises `InvalidParamsError` for a ticket that opens nothing,
        `ViewUnavailableError` when there is no page to show, and `BudgetError` when too much is open. `admitted` is
        called when the ticket is known to be good.
        """
        opened = self.tickets.open(ticket)
        self.budgets.openings.take(opened.user, opened.user)
        await self._check_revoked(opened.user, opened.born)
        call = self._call_of(opened)
        self.missing_page.opened(call.id)
        admitted()
        self._sign_in_prompt.seen_at(at_url)
        return await self._mount(call, opened.born, context, page_origin, send)

    async def open_page_tool(
        self,
        server: object,
        tool: object,
        arguments: object,
        *,
        context: Json,
        page_origin: str,
        at_url: str = "",
        visitor: Visitor | None = None,
        send: Callable[[Json], None],
    ) -> MountedView:
        """Call a tool that pages may call themselves, and open its view. `visitor` is who asks; without one it is a
        new visitor, who shares nothing with any other. Raises `BudgetError` when that is too fast.
        """
        name = f"{server}.{tool}"
        if name not in self.page_tools or not isinstance(arguments, dict):
            raise InvalidParamsError(
                f"A page cannot open {shorten(name)!r} by itself: give it a ticket, or list it in Host(page_tools=[…])"
            )
        visitor = visitor or Visitor(new_visitor())
        self.budgets.admit(visitor)
        born = self.tickets.moment()
        call = await self.session_of(visitor.user).start(name, arguments)
        self._sign_in_prompt.seen_at(at_url)
        return await self._mount(call, born, context, page_origin, send)

    async def _preload_view(self, ticket: object, *, admitted: Callable[[], None]) -> PreloadedView:
        """What a page needs to get ready for a view of `session.preload`. Raises what `open_view` raises."""
        opened = self.tickets.open_as(PreloadTicket, ticket)
        session = await self._session_of_ticket(opened)
        admitted()
        source = await session.pages.read(opened.server, opened.uri)
        tools = await session.upstream(opened.server).tools()
        shown = [tool for tool in tools if view_uri(tool, None, openai=session.profile.openai) == opened.uri]
        session.check_ticket(opened.born)  # it may have been withdrawn meanwhile
        return PreloadedView(session, opened.server, self.sources.shared(source), shown)

    async def _open_questions(
        self, ticket: object, *, page_origin: str, send: Callable[[Json], None], admitted: Callable[[], None]
    ) -> QuestionPage:
        """Show what servers ask a user on the page with this ticket. Raises what `open_view` raises."""
        session = await self._session_of_ticket(self.tickets.open_as(QuestionsTicket, ticket))
        admitted()
        return QuestionPage(session, page_origin=page_origin, send=send)

    async def _open_agents(
        self,
        ticket: object,
        *,
        page_origin: str,
        send: Callable[[Json], None],
        admitted: Callable[[], None],
        views: Callable[[], list[MountedView]],
    ) -> AgentPage:
        """Offer a user's tools to browser agents on the page with this ticket. Raises what `open_view` raises."""
        session = await self._session_of_ticket(self.tickets.open_as(AgentTicket, ticket))
        admitted()
        return AgentPage(
            session, page_origin=page_origin, send=send, views=lambda: [v for v in views() if v.session is session]
        )

    async def _open_copilot(
        self, ticket: object, *, page_origin: str, send: Callable[[Json], None], admitted: Callable[[], None]
    ) -> CopilotPage:
        """Give a user's tools to the copilot on the page with this ticket. Raises what `open_view` raises."""
        opened = self.tickets.open_as(CopilotTicket, ticket)
        session = await self._session_of_ticket(opened)
        copilot = self.copilots.get(opened.copilot)
        if copilot is None:
            raise InvalidParamsError("The copilot of this ticket is none of the host's any more")
        admitted()
        return CopilotPage(session, opened.copilot, copilot, page_origin=page_origin, send=send)

    async def _session_of_ticket(self, opened: BaseTicket) -> HostSession:
        self.budgets.openings.take(opened.user, opened.user)
        self._bind_loop()
        await self._check_revoked(opened.user, opened.born)
        session = self.session_of(opened.user)
        session.check_ticket(opened.born)
        return session

    async def _open_tab(self, ticket: object, *, page_origin: str, send: Callable[[Json], None]) -> Tab:
        """Take up the server that a page offers with a ticket of `session.offer`. Raises `InvalidParamsError`."""
        from cloche.host.upstreams.in_browser import TabUpstream

        opened = self.tickets.open_as(OfferTicket, ticket)
        self._bind_loop()
        await self._check_revoked(opened.user, opened.born)
        session = self.session_of(opened.user)
        session.check_ticket(opened.born)
        upstream = session.upstream(opened.server)
        if not isinstance(upstream, TabUpstream):
            raise InvalidParamsError("The server of this ticket is not one of the page's any more")
        self.budgets.offers.take((opened.user, opened.server), opened.user)
        upstream.make_room(self.limits.tabs)
        return await upstream.opened(session, page_origin=page_origin, send=send)

    async def _check_revoked(self, user: str, born: float) -> None:
        moment = await self.revocations.revoked(user)
        if moment is not None and born <= moment:
            raise InvalidParamsError(WITHDRAWN)

    def _call_of(self, ticket: Ticket) -> Call:
        session = self.session_of(ticket.user)
        if ticket.kind == "call":
            call = session.calls.get(ticket.call) if session.id == ticket.session else None
            if call is None or (call.server, call.tool) != (ticket.server, ticket.tool):
                raise InvalidParamsError("The call of this ticket is over and forgotten: show its record instead")
            return call
        record = self.records.find(ticket.user, ticket.digest)
        if record is None and ticket.record is not None:
            record = records.from_json(ticket.record)
        if record is None:
            raise InvalidParamsError("The record of this ticket is no longer here: load the page again")
        known = session.calls.get(record.id)
        return known if known is not None and known.is_over else session.call_of(record)

    async def _mount(
        self, call: Call, born: float, context: Json, page_origin: str, send: Callable[[Json], None]
    ) -> MountedView:
        self._bind_loop()
        session = call.session
        await session.describe(call)
        try:
            source = self.sources.shared(await call.source())
        except ViewUnavailableError as error:
            session.view_failed(call, Problem("view-unavailable", reason=error.message))
            raise
        view = MountedView(session, call, source, born=born, context=context, page_origin=page_origin, send=send)
        session.add(view)
        view.start()
        return view

    # The end

    async def close(self) -> None:
        """Close every session, and the connections to the servers. Tickets stay good: another process may take them."""
        self.closed = True
        sessions = [*self._sessions.values(), *self._visitors.values()]
        await asyncio.gather(*(session.close(revoke=False) for session in sessions))
        await self.pool.close()
        await self._hook_tasks.finish(self.limits.hook_seconds)


def _checked_secret(secret: str | bytes | None) -> bytes:
    if secret is None:
        warnings.warn(
            "Host(secret=…) is missing: tickets and record tickets end with this process. Give every process of the "
            "product the same secret of at least 16 bytes",
            stacklevel=3,
        )
        return secrets.token_bytes(32)
    given = secret.encode() if isinstance(secret, str) else secret
    if len(given) < MIN_SECRET:
        raise ConfigurationError(f"Host(secret=…) has {len(given)} bytes: use at least {MIN_SECRET}, chosen at random")
    return given


def _checked_log_level(level: LogLevel) -> LogLevel:
    if level not in LOG_LEVELS:
        levels = ", ".join(LOG_LEVELS)
        raise ConfigurationError(f"Host(server_log_level={shorten(repr(level), 40)}): it is one of {levels}")
    return level


def _checked_id(given: str | None) -> str | None:
    if given is not None and (not given or type(given) is not str):
        raise ConfigurationError("Host(id=…) is a text, such as 'shop-production'; leave it away for a derived one")
    return given


def _checked_page_tools(names: Sequence[str], servers: tuple[str, ...]) -> frozenset[str]:
    if isinstance(names, str):
        raise ConfigurationError(f"page_tools is one text: give a list, such as [{shorten(names)!r}]")
    for name in names:
        if name.partition(".")[0] not in servers or not name.partition(".")[2]:
            raise ConfigurationError(
                f"page_tools names {shorten(name)!r}: it is 'server.tool', of a server of this host"
            )
    return frozenset(names)
