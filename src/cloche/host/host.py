"""`Host`: other people's MCP Apps in your own product, under glass."""

from __future__ import annotations

import asyncio
import logging
import secrets
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cloche.errors import (
    BudgetError,
    ConfigurationError,
    InvalidParamsError,
    LocalProtocolError,
    ViewUnavailableError,
    shorten,
)
from cloche.host import records
from cloche.host.bridge import MountedView
from cloche.host.budgets import Budgets, Visitor
from cloche.host.call import Call
from cloche.host.first_page import FirstPage
from cloche.host.hooks import Hooks
from cloche.host.limits import HostLimits
from cloche.host.manner import PLAIN, Manner
from cloche.host.naming import checked_server_name
from cloche.host.pages import Sources
from cloche.host.policy import Policy
from cloche.host.recording import ViewRecorder
from cloche.host.records import Records
from cloche.host.session import PAGE_USER, HostSession
from cloche.host.signing_in import Doorman
from cloche.host.tickets import Ticket, Tickets
from cloche.host.timeline import Timeline
from cloche.host.traffic import Traffic
from cloche.host.upstreams.oauth import TokenStore
from cloche.host.upstreams.pool import Pool
from cloche.wire.signing import Signer
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.upstreams.tab import Tab

MIN_SECRET = 16

SOMEBODY = Visitor()


class Host(Hooks):
    """A host of MCP Apps.

    `servers` maps names to servers: a Cloche, `mcp` or `fastmcp` object, a command as a list, a URL, a `Remote`,
    `InBrowser()` for one that runs in the visitor's own page, or a function of the user that returns one of these.
    `secret` signs tickets; without one they end with the process.
    `policy` decides what views may do. `sandbox` is where views live in production, such as
    `"https://{name}.usercontent.example"`; on localhost none is needed. `origins` are the origins of pages that may
    embed views besides the product's own. `page_tools` names the tools that a page may open by itself, as
    `"server.tool"`. `url` is the product's own address, to which servers that want users to sign in send them back, and
    `tokens` keeps what they get for it. `manner` shows views as another host would, to try them; a product has none.
    The `on_…` decorators say what the product does when a view asks something of it.
    """

    def __init__(
        self,
        servers: Mapping[str, Any],
        *,
        secret: str | bytes | None = None,
        policy: Policy | None = None,
        sandbox: str | None = None,
        origins: Sequence[str] = (),
        page_tools: Sequence[str] = (),
        name: str = "Cloche",
        version: str = "0.1.0",
        allow_same_site: bool = False,
        url: str | None = None,
        tokens: TokenStore | None = None,
        limits: HostLimits | None = None,
        manner: Manner = PLAIN,
    ) -> None:
        super().__init__()
        self.servers = tuple(checked_server_name(server) for server in servers)
        self.policy = policy or Policy()
        self.sandbox = sandbox
        self.origins = tuple(origins)
        self.page_tools = _checked_page_tools(page_tools, self.servers)
        self.name, self.version = name, version
        self.allow_same_site = allow_same_site
        self.limits = limits or HostLimits()
        self.manner = manner
        """How views see this host; those that are opened after a change follow it."""
        self.signer = Signer(_checked_secret(secret))
        self.tickets = Tickets(self.signer)
        self.timeline = Timeline(self.limits.timeline)
        self.budgets = Budgets(self.limits, self._over_budget)
        """What is held and what happens, counted."""
        self.records = Records(self.limits.records, self.budgets.records)
        self.sources = Sources()
        """The pages of views that are open, each once."""
        self.at = "/cloche"
        self._doorman = Doorman(self, url, tokens)
        self.sign_ins = self._doorman.sign_ins
        """Sign-ins at servers that are under way."""
        self.traffic = Traffic()
        """Every message, for those who listen."""
        self.recorder: ViewRecorder | None = None
        """Who records the views, if anybody does."""
        self.pool = Pool(
            dict(servers),
            sign_ins=self.sign_ins,
            traffic=self.traffic,
            limits=self.limits,
            on_budget=self._server_over_budget,
        )
        self.logger = logging.getLogger("cloche.host")
        self.first_page = FirstPage(self.logger)
        self.closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sessions: OrderedDict[str, HostSession] = OrderedDict()

    def wrap(self, app: Any, at: str = "/cloche") -> Any:
        """An ASGI app around yours: it serves views under `at` and on the sandbox's names, and leaves you the rest."""
        from cloche.host.web.wrapper import wrap

        self.at = self.first_page.at = at
        self._doorman.mounted(at)
        return wrap(self, app, at)

    def session(self, user: str) -> HostSession:
        """What this user has here; the same object for the same user."""
        if not user or type(user) is not str:
            raise LocalProtocolError("A user is named by a text: host.session(str(user.id))")
        if self.closed:
            raise LocalProtocolError("This host is closed")
        found = self._sessions.get(user)
        if found is None:
            self._make_room()
            found = self._sessions[user] = HostSession(self, user)
        self._sessions.move_to_end(user)
        return found

    def _make_room(self) -> None:
        """Forget the session that lay idle longest, when there are too many."""
        if len(self._sessions) < self.limits.sessions:
            return
        idle = next((session for session in self._sessions.values() if session.is_idle), None)
        if idle is None:
            raise LocalProtocolError(f"{self.limits.sessions} users have something open, and that is the limit")
        idle.drop()

    def forget(self, session: HostSession) -> None:
        """A session is closed."""
        if self._sessions.get(session.user) is session:
            del self._sessions[session.user]

    def _over_budget(self, holder: str, server: str | None, problem: str) -> None:
        """Somebody went beyond a limit: `holder` is a user, or the address of somebody without a name."""
        session = self._sessions.get(holder)
        timeline = self.timeline if session is None else session.timeline
        timeline.note(action="budget", user=holder, server=server, problem=problem)

    def _server_over_budget(self, server: str, error: BudgetError) -> None:
        self.budgets.exceeded(error, server=server)

    def come_home(self) -> None:
        """This is the loop that the connections to the servers belong to."""
        self._loop = asyncio.get_running_loop()

    @property
    def is_at_home(self) -> bool:
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
        self.budgets.openings.take(opened.u, opened.u)
        call = self._call_of(opened)
        admitted()
        self._doorman.seen_at(at_url)
        return await self._mount(call, context, page_origin, send)

    async def open_page_tool(
        self,
        server: object,
        tool: object,
        arguments: object,
        *,
        context: Json,
        page_origin: str,
        at_url: str = "",
        send: Callable[[Json], None],
        visitor: Visitor = SOMEBODY,
    ) -> MountedView:
        """Call a tool that pages may call themselves, and open its view. Raises `BudgetError` when that is too fast."""
        name = f"{server}.{tool}"
        if name not in self.page_tools or not isinstance(arguments, dict):
            raise InvalidParamsError(
                f"A page cannot open {shorten(name)!r} by itself: give it a ticket, or list it in Host(page_tools=[…])"
            )
        self.budgets.admit(visitor)
        call = await self.session(PAGE_USER).start(name, arguments)
        return await self._mount(call, context, page_origin, send)

    def open_tab(self, ticket: object, *, page_origin: str, send: Callable[[Json], None]) -> Tab:
        """Take up the server that a page offers with a ticket of `session.offer`. Raises `InvalidParamsError`."""
        from cloche.host.upstreams.in_browser import TabUpstream
        from cloche.host.upstreams.tab import Tab

        opened = self.tickets.open_offer(ticket)
        self.come_home()
        session = self.session(opened.u)
        upstream = session.upstream(opened.n)
        if not isinstance(upstream, TabUpstream):
            raise InvalidParamsError("The server of this ticket is not one of the page's any more")
        self.budgets.offers.take((opened.u, opened.n), opened.u)
        if len(upstream.tabs) >= self.limits.tabs:
            upstream.tabs[0].end(f"{self.limits.tabs} other pages offer the same server", "limit")
        return Tab(session, upstream, page_origin=page_origin, send=send)

    def _call_of(self, ticket: Ticket) -> Call:
        session = self.session(ticket.u)
        if ticket.k == "call":
            call = session.calls.get(ticket.c) if session.id == ticket.s else None
            if call is None or (call.server, call.tool) != (ticket.n, ticket.t):
                raise InvalidParamsError("The call of this ticket is over and forgotten: show its record instead")
            return call
        record = self.records.find(ticket.u, ticket.r)
        if record is None and ticket.d is not None:
            record = records.from_json(ticket.d)
        if record is None:
            raise InvalidParamsError("The record of this ticket is no longer here: load the page again")
        known = session.calls.get(record.id)
        return known if known is not None and known.is_over else session.call_of(record)

    async def _mount(self, call: Call, context: Json, page_origin: str, send: Callable[[Json], None]) -> MountedView:
        self.come_home()
        session = call.session
        await session.describe(call)
        try:
            source = self.sources.shared(await call.source())
        except ViewUnavailableError as error:
            session.view_failed(call, error.message)
            raise
        view = MountedView(session, call, source, context=context, page_origin=page_origin, send=send)
        session.add(view)
        view.start()
        return view

    # The end

    async def close(self) -> None:
        """Close every session, and the connections to the servers."""
        self.closed = True
        await asyncio.gather(*(session.close() for session in list(self._sessions.values())))
        await self.pool.close()


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


def _checked_page_tools(names: Sequence[str], servers: tuple[str, ...]) -> frozenset[str]:
    if isinstance(names, str):
        raise ConfigurationError(f"page_tools is one text: give a list, such as [{shorten(names)!r}]")
    for name in names:
        if name.partition(".")[0] not in servers or not name.partition(".")[2]:
            raise ConfigurationError(
                f"page_tools names {shorten(name)!r}: it is 'server.tool', of a server of this host"
            )
    return frozenset(names)
