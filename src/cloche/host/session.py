"""`HostSession`: what one user has at a host. Nothing in it is ever another user's."""

from __future__ import annotations

import asyncio
import html
import secrets
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cloche.client.tasks import TaskUpdate
from cloche.errors import (
    BudgetError,
    InvalidParamsError,
    LocalProtocolError,
    McpError,
    TransportError,
    UnknownNameError,
    UpstreamError,
    shorten,
)
from cloche.host import records
from cloche.host.agent_tools import AgentPage, agent_tools_element
from cloche.host.app_tools import ViewTool, tools_in
from cloche.host.bridge import MountedView
from cloche.host.budgets import weight
from cloche.host.call import Call
from cloche.host.copilot_page import CopilotPage
from cloche.host.copilots import copilot_element
from cloche.host.declines import Declines
from cloche.host.hooks import Hooks, HookTasks, ModelContext, Progress, ServerLog
from cloche.host.page_questions import PageQuestions, QuestionPage, questions_element
from cloche.host.preloads import preload_element
from cloche.host.profile import HostProfile
from cloche.host.tickets import OfferTicket
from cloche.host.timeline import Timeline
from cloche.host.tool_names import Names, ToolFormat, for_model, meant
from cloche.host.upstreams.base import Upstream
from cloche.host.upstreams.questions import Origin
from cloche.host.upstreams.remote import InFrame
from cloche.host.user_tasks import UserTask, UserTasks
from cloche.host.users import is_anonymous
from cloche.host.view_pages import Pages
from cloche.problems import Problem
from cloche.transports.tasks import Tasks
from cloche.wire.apps.metadata import view_uri, visibility
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.host import Host
    from cloche.host.upstreams.tab import Tab

WITHDRAWN = "This ticket was withdrawn: load the page again to get a new one"


class HostSession(Hooks):
    """One user's tools, calls and views. `host.session(user)` gives it; its `on_…` come before the host's."""

    def __init__(self, host: Host, user: str) -> None:
        super().__init__(host)
        self.host = host
        self.user = user
        self.id = secrets.token_urlsafe(12)
        self.timeline = Timeline(host.limits.timeline // 10, user, host.timeline)
        self.views: dict[str, MountedView] = {}
        """The views that are open, by their ids."""
        self.tabs: dict[str, Tab] = {}
        """The pages that offer a server of their own, by their ids."""
        self.question_pages: dict[str, QuestionPage] = {}
        """The pages that have an element for questions, by their ids."""
        self.agent_pages: dict[str, AgentPage] = {}
        """The pages that offer tools to browser agents, by their ids."""
        self.copilot_pages: dict[str, CopilotPage] = {}
        """The pages that have a copilot in a frame, by their ids."""
        self.questions = PageQuestions(self)
        """What servers ask this user, over the page."""
        self.declines = Declines()
        """How this user answers the servers that ask."""
        self.contexts: dict[str, ModelContext] = {}
        self.problems: dict[str, str] = {}
        """Servers whose tools could not be listed the last time, and why."""
        self.preloaded: set[tuple[str, str]] = set()
        """Server and URI of the views that pages were told to get ready for."""
        self.own_profile: HostProfile | None = None
        """How this user's views see the host, when not as `Host(profile=…)` says; set it before any is opened."""
        self.closed = False
        self.revoked_at = 0.0
        """Tickets of this user that were made up to this moment open nothing."""
        self._hook_tasks = HookTasks(self)
        self._calls: dict[str, Call] = {}
        self.user_tasks = UserTasks(self, host.limits.calls)
        self.background = Tasks()
        """What runs for this user beside any call."""
        self.pages = Pages(self)
        self._names = Names(host.servers)

    @property
    def profile(self) -> HostProfile:
        """How this user's views see the host."""
        return self.own_profile or self.host.profile

    @property
    def calls(self) -> Mapping[str, Call]:
        """The calls that are remembered, by their ids, oldest first."""
        return self._calls

    def upstream(self, server: str) -> Upstream:
        """The user's own connection to a server."""
        return self.host.pool.get(server, self.user)

    # Tools

    async def tools(self, format: ToolFormat = "mcp") -> list[Json]:
        """The tools that a model may use, by unique names that `start` takes; `problems` says what is missing."""
        return [for_model(name, tool, format) for name, _, tool in await self.named_tools()]

    async def named_tools(self) -> list[tuple[str, str, Json]]:
        """The tools that a model may use: the name that each has here, its server, and what that says of it."""
        self.host._bind_loop()
        servers = self.host.servers
        lists = await asyncio.gather(*(self._tools_of(server) for server in servers))
        found: dict[str, tuple[str, str, Json]] = {}
        for server, tools in zip(servers, lists, strict=True):
            for tool in tools:
                if "model" in visibility(tool) and (name := self._name(server, tool["name"])) is not None:
                    found.setdefault(name, (name, server, tool))
        return list(found.values())

    def _name(self, server: str, tool: str) -> str | None:
        try:
            return self._names.assign(server, tool)
        except McpError as error:
            self.timeline.note(action="tools/list", server=server, tool=tool, problem=error.message)
            return None

    async def _tools_of(self, server: str) -> list[Json]:
        try:
            found = await self.upstream(server).tools_without_waiting()
        except (McpError, TransportError) as error:
            self.problems[server] = str(error)
            self.timeline.note(action="tools/list", server=server, problem=shorten(str(error), 300))
            return []
        self.problems.pop(server, None)
        return [tool for tool in found if isinstance(tool.get("name"), str)]

    async def _find(self, *names: str) -> list[tuple[str, Json]]:
        """Server and description of each tool, within the time that a call may take."""
        self.host._bind_loop()
        seconds = self.host.limits.call_seconds
        try:
            async with asyncio.timeout(seconds):
                if any(name not in self._names and "." not in name for name in names):
                    await self.tools()  # names are given when tools are listed
                return [await self._tool(name) for name in names]
        except TimeoutError:
            tools = shorten(", ".join(names))
            raise UpstreamError(f"{tools}: the server did not list its tools within {seconds:g} s") from None

    async def _tool(self, name: str) -> tuple[str, Json]:
        server, tool_name = self._names.find(name, self.host.servers)
        found = await self.upstream(server).tools()
        offered: dict[Any, Json] = {}
        for tool in found:
            if "model" in visibility(tool):
                offered.setdefault(tool.get("name"), tool)
        if tool_name in offered:
            return server, offered[tool_name]
        is_hidden = any(tool.get("name") == tool_name for tool in found)
        hint = "it is for views alone" if is_hidden else meant(name, [f"{server}.{one}" for one in offered])
        raise UnknownNameError("tool", name, hint)

    # Calls

    async def start(
        self, name: str, arguments: Json | None = None, *, streaming: bool = False, as_task: bool = False
    ) -> Call:
        """Call a tool, and return when the call is under way. No arguments means `{}`.

        `streaming=True` is for a model that is still writing the arguments: the tool is not called yet, the view is on
        screen. Give what there is so far to `call.partial(arguments)`, and all of them to `call.run(arguments)`.

        `as_task=True` asks a server of 2025-11-25 to run the call as a task, where the tool can; later servers decide
        themselves. `call.task` says what the task is.
        """
        if streaming and arguments is not None:
            raise LocalProtocolError(
                "start(streaming=True) takes no arguments: give them to call.partial and call.run as they are written"
            )
        self._check_open()
        ((server, tool),) = await self._find(name)
        call = Call(self, server, tool)
        call.as_task = as_task
        self._keep(call)
        if not streaming:
            call.begin(arguments or {})
        return call

    async def preload(self, *names: str) -> str:
        """Elements that get a page ready for the views of these tools, as HTML: put them on a page before the tools are
        called, and their views are on screen much sooner. They are not seen; tools without a view need none.
        """
        self._check_open()
        found = await self._find(*names)
        views = {(server, view_uri(tool, None, openai=self.profile.openai)) for server, tool in found}
        self.preloaded |= {(server, uri) for server, uri in views if uri is not None}
        return "".join(preload_element(self, server, uri) for server, uri in sorted(self.preloaded & views))

    async def run(self, name: str, arguments: Json | None = None) -> Json:
        """Call a tool and wait for its result."""
        return await (await self.start(name, arguments)).result()

    def task(self, task_id: str) -> UserTask:
        """Take up a task by the `id` of a `UserTask`, also one that was started before this process: the same
        `Host(secret=…, id=…)` made the id. Raises `InvalidParamsError` for an id that is not one of this user's.
        """
        self._check_open()
        return self.user_tasks.find(task_id)

    def tasks(self) -> list[UserTask]:
        """The tasks that calls of this user became here, or that were taken up with `task`, the oldest first."""
        return self.user_tasks.all()

    async def describe(self, call: Call) -> None:
        """Fill in what the server says of the tool of a record, when it still has it."""
        if "description" in call.tool_entry or "_meta" in call.tool_entry:
            return
        found = [tool for tool in await self._tools_of(call.server) if tool["name"] == call.tool]
        call.tool_entry = found[0] if found else call.tool_entry

    def embed(self, shown: Call | Json) -> str:
        """The element that shows a call, or a record without calling the tool again; empty without a view."""
        self._check_open()
        return (shown if isinstance(shown, Call) else self.call_of(records.from_json(shown))).embed()

    def call_of(self, record: records.Record) -> Call:
        """The call of a record, over from the start; one that is still running is itself."""
        if record.server not in self.host.servers:
            raise InvalidParamsError(
                f"There is no server {shorten(record.server)!r} any more, and this record is of it"
            )
        before = self._calls.get(record.id)
        if before is not None and not before.is_over:
            return before
        call = Call.of_record(self, record, {"name": record.tool, "inputSchema": {"type": "object"}})
        if before is not None and before.state is not None:
            call.state = before.state
        self._keep(call)
        return call

    def _keep(self, call: Call) -> None:
        if call.known_result is not None:
            self.keep_result(call, call.known_result)
        before = self._calls.pop(call.id, None)
        self._calls[call.id] = call
        if before is not None and before is not call:
            self._let_go(before)
        limits = self.host.limits
        most = limits.visitor_calls if self.is_anonymous else limits.calls
        self._forget_calls(lambda: len(self._calls) <= most)

    def keep_result(self, call: Call, result: Json) -> None:
        """Count what a call holds; older ones that are over and not shown go for it. Raises `BudgetError`."""
        results, size = self.host.budgets.results, weight(result)
        self._forget_calls(lambda: results.lacks(self.user, call, size) is None, keep=call)
        results.put(self.user, call, size)

    def _forget_calls(self, is_enough: Callable[[], bool], keep: Call | None = None) -> None:
        """Forget calls that are over and not shown, the oldest first, until it is enough."""
        if is_enough():
            return
        shown = {view.call.id for view in self.views.values()}
        for old in list(self._calls.values()):
            if old.is_over and old is not keep and old.id not in shown:
                del self._calls[old.id]
                self._let_go(old)
                if is_enough():
                    return

    def _let_go(self, call: Call) -> None:
        """A call is forgotten here; a view that shows it still holds it."""
        if not any(view.call is call for view in self.views.values()):
            self.host.budgets.results.take(self.user, call)

    # Questions of servers

    def questions_element(self) -> str:
        """The element that shows what servers ask this user, as HTML. Put one on a page that may have no view open; it
        is not seen until there is a question.
        """
        self._check_open()
        return questions_element(self)

    @property
    def questions_off(self) -> frozenset[str]:
        """Servers whose questions are not passed on, because the user declined three times in a row."""
        return self.declines.stopped

    def allow_questions(self, server: str) -> None:
        """Let a server ask this user again."""
        if self.declines.are_enough(server):
            self.timeline.note(action="questions-on", server=server)
        self.declines.allow(server)
        for view in self.views.values():
            if view.server == server:
                view.send({"do": "questions", "off": False})

    def show_questions_off(self, server: str) -> None:
        """A server's question was not passed on: its views say so, with a button that lets it ask again."""
        for view in self.views.values():
            if view.server == server:
                view.send({"do": "questions", "off": True})

    def patience(self, origin: Origin | None) -> float:
        """How long a question waits for a page: for a moment, when the call has a view that is about to be shown."""
        call = None if origin is None else origin.call
        return self.host.limits.page_seconds if call is not None and call.view_uri is not None else 0.0

    # Browser agents

    def agent_tools_element(self) -> str:
        """The element with which a page offers this user's tools (`Host(agent_tools=[…])`) to browser agents, as HTML:
        they are on the page's `document.modelContext`.
        """
        self._check_open()
        return agent_tools_element(self)

    def view_tools_changed(self) -> None:
        """A view came, went, or has other tools of its own."""
        for page in self.agent_pages.values():
            page.views_changed()

    # Copilots

    def copilot_element(self, name: str) -> str:
        """The element with which a page of this user has a copilot (`Host(copilots={…})`) in a frame, as HTML: it may
        use those of the user's tools that the host lets it have.
        """
        self._check_open()
        return copilot_element(self, name)

    # Servers in the user's browser

    def offer(self, server: str) -> str:
        """A ticket with which a page of this user offers the server that runs in it, for a while; `server` is declared
        as `InBrowser()`. The page gives it to `offerServer({ticket, transport})`.
        """
        self._check_open()
        spec = self.host.pool.in_browser(server, self.user)
        if isinstance(spec, InFrame):
            raise LocalProtocolError(f"{server!r} is a server by URL: use session.server_element({server!r})")
        if spec is None:
            raise LocalProtocolError(
                f"The server {shorten(server)!r} is none that a page offers: declare it with InBrowser()"
            )
        return self._offer_ticket(server)

    def server_element(self, server: str) -> str:
        """The element with which a page of this user has a server by URL, declared as `InFrame(url)`, in a frame, as
        HTML: it sets the server up, connects to it, and the user can show, reconnect and remove it there.
        """
        self._check_open()
        if not isinstance(self.host.pool.in_browser(server, self.user), InFrame):
            raise LocalProtocolError(f"The server {shorten(server)!r} is none by URL: declare it with InFrame(url)")
        return f'<mcp-server ticket="{html.escape(self._offer_ticket(server))}"></mcp-server>'

    def _offer_ticket(self, server: str) -> str:
        if self.is_anonymous:
            raise LocalProtocolError("A visitor without a name offers no server: get a session with host.session(user)")
        tickets = self.host.tickets
        born = tickets.moment()
        expires = tickets.expiry(self.host.limits.ticket_seconds, born)
        return tickets.make(OfferTicket(user=self.user, server=server, born=born, expires=expires))

    # Views

    def add(self, view: MountedView) -> None:
        """A view was opened."""
        self._check_open()
        self.check_ticket(view.born)  # it may have been withdrawn while the page of the view was read
        limit = self.host.limits.views
        if len(self.views) >= limit:
            raise self.host.budgets.exceeded(BudgetError("Too many views are open", "views", limit), self.user)
        self.views[view.id] = view
        self.questions.joined(view)

    def forget(self, view: MountedView) -> None:
        """A view is gone."""
        self.views.pop(view.id, None)
        self.questions.left()
        self.view_tools_changed()
        if self._calls.get(view.call.id) is not view.call:
            self._let_go(view.call)

    def view_failed(self, call: Call, problem: Problem, view: str | None = None) -> None:
        """The view of a call is not what it should be: say so to the product."""
        call.problem = problem
        call.note("view-failed", view=view, code=problem.code, problem=shorten(str(problem), 300))
        if self._hook_tasks.tell("error", call, problem) is None:
            # A text of the view's own may be in it: it stays on one line of the log.
            text = " ".join(shorten(str(problem), 300).split())
            self.host.logger.warning("The view of %s.%s: %s", call.server, shorten(call.tool), text)

    def tell_progress(self, call: Call, progress: Progress) -> None:
        """A call has come further: say so to the product."""
        self._hook_tasks.tell_latest("progress", call, progress)

    def tell_task(self, call: Call, task: TaskUpdate) -> None:
        """The task that a call became has changed: say so to the product."""
        self._hook_tasks.tell_latest("task", call, task)

    def server_logged(self, line: ServerLog) -> bool:
        """A server of this user's own wrote a line of its log; whether the product wants to know."""
        return self._hook_tasks.tell("server_log", self, line) is not None

    def store_model_context(self, context: ModelContext) -> None:
        """A view wants the model to know something."""
        self.contexts.pop(context.view, None)
        self.contexts[context.view] = context
        while len(self.contexts) > self.host.limits.views:
            del self.contexts[next(iter(self.contexts))]

    def model_context(self) -> list[ModelContext]:
        """What each view wants the model to know, since this was last asked; the last word of each."""
        found = list(self.contexts.values())
        self.contexts.clear()
        return found

    async def view_tools(self) -> list[ViewTool]:
        """The tools that the open views provide; a view that does not answer has none, nor one whose page is away."""
        lists = await asyncio.gather(*(tools_in(view) for view in self.views.values() if view.attached))
        return [tool for tools in lists for tool in tools]

    async def call_view_tool(self, view_id: str, name: str, arguments: Json | None = None) -> Json:
        """Have an open view run one of its own tools. Raises `McpError` or `TransportError`."""
        view = self.views.get(view_id)
        if view is None:
            raise UnknownNameError("view", view_id)
        return await view.tools.call(name, arguments or {})

    # The end

    @property
    def is_anonymous(self) -> bool:
        """Whether this is the session of a visitor whom the product has not named (`page_tools`)."""
        return is_anonymous(self.user)

    @property
    def is_connected(self) -> bool:
        """Whether a page of the user is open here."""
        return bool(self.views or self.tabs or self.question_pages or self.agent_pages or self.copilot_pages)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is open and nothing runs."""
        return not self.is_connected and not self.background and all(call.is_over for call in self._calls.values())

    def check_ticket(self, born: float) -> None:
        """Raise `InvalidParamsError` for a ticket of this birth that was withdrawn."""
        if self.closed or born <= self.revoked_at:
            raise InvalidParamsError(WITHDRAWN)

    async def revoke(self) -> None:
        """Withdraw every ticket that this user was given: none of them opens anything any more, and the views and
        servers in pages that they opened are closed, and so are the connections of those pages, which are told why.
        Calls go on, and tickets that are made from now on are good.
        """
        await self._withdraw("The session was revoked")

    async def _withdraw(self, reason: str) -> None:
        self.revoked_at = self.host.tickets.moment()
        try:
            await self.host.revocations.revoke(self.user, self.revoked_at)
        finally:  # what is open here ends, whatever the store says
            await self._leave_pages(reason, hangs_up=True)

    async def close(self, *, revoke: bool = True) -> None:
        """Close the user's views, cancel what runs, end the connections that are this user's own, and withdraw every
        ticket that the user was given. With `revoke=False` tickets stay good; that is for the end of a process, after
        which another one shows the views; tasks of servers that go on by themselves go on, too.
        """
        self.closed = True
        try:
            if revoke:
                await self._withdraw("The session was closed")
        finally:
            await self._end("The session was closed", leaves_tasks=not revoke)

    async def _leave_pages(self, reason: str, *, hangs_up: bool = False) -> None:
        closing = asyncio.gather(*(view.close(reason) for view in list(self.views.values())))
        # The views have said goodbye by then; what the product does about their end, no page waits for.
        await asyncio.wait([closing], timeout=self.host.limits.teardown_seconds)
        for page in list(self.question_pages.values()):
            await page.close(reason, gone=False)
        for tools in [*self.agent_pages.values(), *self.copilot_pages.values()]:
            await tools.close(reason, gone=False)
        for tab in list(self.tabs.values()):
            tab.end(reason)
            await tab.close(reason)
        if hangs_up:
            self.host.hang_up(self.user, reason)
        await closing

    async def _end(self, reason: str, *, leaves_tasks: bool = False) -> None:
        await self._leave_pages(reason)
        for call in self._calls.values():
            if leaves_tasks and not call.is_over and call.outlives_host:
                call.leave_task()
        await asyncio.gather(*(call.cancel(reason) for call in self._calls.values()))
        await self.background.end()
        await self.pages.close()
        await self._hook_tasks.finish(self.host.limits.hook_seconds)
        if self.host.known_session(self.user) is self:  # who came back meanwhile uses the same connections
            await self.host.pool.leave(self.user)
        self.drop()

    def drop(self) -> None:
        """Forget everything that needs no goodbye."""
        self.closed = True
        for call in self._calls.values():
            self._let_go(call)
        self._calls.clear()
        self.host.forget(self)

    def _check_open(self) -> None:
        if self.closed:
            raise LocalProtocolError("This session is closed: get a new one with host.session(user)")

    def __repr__(self) -> str:
        return f"<HostSession of {self.user!r}: {len(self._calls)} calls, {len(self.views)} views>"
