"""What pages of the product offer to browser agents, as tools of `document.modelContext` (WebMCP).

The host decides what a page lists, and runs every call itself: the tools of servers that `Host(agent_tools=[…])` names,
as this user has them, and, where the policy lets it be, the tools of the views that are open on the same page. A name
belongs to one tool for good (M02). A call says which description its agent has read, and a tool that has changed since
is not called (M03).
"""

from __future__ import annotations

import asyncio
import hashlib
import html
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from cloche.errors import (
    BudgetError,
    ClocheError,
    ConfigurationError,
    InternalError,
    InvalidParamsError,
    LocalProtocolError,
    McpError,
    UnknownNameError,
    shorten,
)
from cloche.host.app_tools import MAX_DESCRIPTION, ViewTool, tools_in
from cloche.host.budgets import Bucket
from cloche.host.consent import Consent
from cloche.host.policy import Kind, Request
from cloche.host.tickets import AgentTicket
from cloche.transports.tasks import Tasks
from cloche.wire.apps.metadata import visibility
from cloche.wire.json import encode
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView
    from cloche.host.session import HostSession

Send = Callable[[Json], None]

QUESTIONS = 20
"""Questions that may wait for the person at a page: an agent calls several tools at once."""

MAX_NAME = 128
"""Characters of a name in WebMCP."""

_PATTERN = re.compile(r"[A-Za-z0-9*][A-Za-z0-9_*-]{0,39}\.\S+")


def checked_agent_tools(given: Sequence[str], servers: Sequence[str]) -> tuple[str, ...]:
    """The patterns of `Host(agent_tools=[…])`; raises `ConfigurationError`."""
    if isinstance(given, str):
        raise ConfigurationError(f"agent_tools is one text: give a list, such as [{shorten(given)!r}]")
    for pattern in given:
        server = pattern.partition(".")[0]
        if not _PATTERN.fullmatch(pattern) or not any(fnmatchcase(name, server) for name in servers):
            raise ConfigurationError(
                f"agent_tools names {shorten(pattern)!r}: it is 'server.tool' of a server of this host, or 'server.*'"
            )
    return tuple(given)


@dataclass(frozen=True)
class Offered:
    """One tool as a page lists it."""

    kind: Kind
    server: str
    name: str
    """What its server or its view calls it."""
    entry: Json
    """What the page is told."""
    view: str | None = None

    @property
    def version(self) -> str:
        """Stands for everything that an agent reads of it."""
        version: str = self.entry["version"]
        return version


class AgentPage:
    """One `<mcp-tools>` element on a page of a user. Made by the host when the page connects."""

    def __init__(
        self,
        session: HostSession,
        *,
        page_origin: str,
        send: Send,
        views: Callable[[], list[MountedView]] = list,
    ) -> None:
        limits = session.host.limits
        if len(session.agent_pages) >= limits.agent_pages:
            error = BudgetError("Too many pages offer tools to agents", "agent_pages", limits.agent_pages)
            raise session.host.budgets.exceeded(error, session.user)
        self.id = secrets.token_urlsafe(12)
        self.key = secrets.token_urlsafe(18)
        self.session = session
        self.page_origin = page_origin
        self.attached = True
        host = session.host
        self.consent = Consent(host.policy, session.timeline, self.send, QUESTIONS)
        self._limits = limits
        self._send = send
        self._views = views
        """The views on the same page."""
        self._numbers: dict[str, int] = {}
        """What each view was called when its tools were first listed."""
        self._offered: dict[str, Offered] = {}
        self._told: list[Json] | None = None
        self._calls: dict[object, asyncio.Task[None]] = {}
        self._bucket = Bucket(limits.rate, limits.burst)
        self._tasks = Tasks()
        self._stops: list[Callable[[], None]] = []
        self._changed = asyncio.Event()
        self._is_over = False

    # For the page (as a mounted view, see `web/mounts.py`)

    def packet(self) -> Json:
        """What the page needs to know."""
        return {"id": self.id, "key": self.key}

    def start(self) -> None:
        """From now on the page lists tools, and hears when there are others."""
        self.session.agent_pages[self.id] = self
        self.session.questions.joined(self)
        for server in self.session.host.servers:
            if any(fnmatchcase(server, pattern.partition(".")[0]) for pattern in self.session.host.agent_tools):
                self._stops.append(self.session.upstream(server).on_change(self._server_changed))
        self._changed.set()
        self._tasks.spawn(self._keep_listing())

    def receive(self, message: Json, gesture: int = 0) -> None:
        """An agent calls a tool, or gives a call up. Never raises."""
        number, method, params = message.get("id"), message.get("method"), message.get("params")
        params = params if isinstance(params, dict) else {}
        if method == "notifications/cancelled":
            if isinstance(asked := params.get("requestId"), int) and (task := self._calls.get(asked)) is not None:
                task.cancel()
        elif method != "tools/call" or not isinstance(number, int) or number in self._calls:
            self.note("misbehaved", problem="The page sent something that is no call of a tool")
        elif not self._bucket.take() or len(self._calls) >= self._limits.agent_calls:
            error = BudgetError("Agents call too many tools at once", "agent_calls", self._limits.agent_calls)
            refusal = self.session.host.budgets.exceeded(error, self.session.user)
            self.send({"message": {"jsonrpc": "2.0", "id": number, "error": refusal.to_json_rpc_error()}})
        else:
            task = self._calls[number] = self._tasks.spawn(self._answer(number, params))
            task.add_done_callback(lambda done: self._ended(number, done))

    def event(self, name: str, value: Json) -> None:
        """Nothing happens here that the host needs to know."""

    def answered(self, number: object, value: object) -> None:
        """The person answered a question in the page: whether a tool may run, or one of a server's."""
        if not self.session.questions.answered(number, value):
            self.consent.answered(number, value)

    def attach(self, send: Send) -> None:
        """The page is back on another socket."""
        self._send, self.attached = send, True
        self.views_changed()

    def detach(self) -> None:
        """The socket is gone; what there is to say is kept by whoever made `send`, and calls go on."""
        self.attached = False

    def send(self, frame: Json) -> None:
        """Send a frame to the page."""
        self._send(frame)

    async def close(self, reason: str, *, gone: bool = True) -> None:
        """The page is gone, or the session is over: what agents called is given up."""
        if self._is_over:
            return
        self._is_over = True
        self.session.agent_pages.pop(self.id, None)
        for stop in self._stops:
            stop()
        if not gone:
            self._send({"error": {"code": "closed", "message": shorten(reason, 300)}})
        self.session.questions.left()
        await self._tasks.end()

    # What it lists

    def views_changed(self) -> None:
        """A view of the page came, went, or has other tools."""
        self._changed.set()

    def _server_changed(self, what: str) -> None:
        if what == "tools":
            self._changed.set()

    async def _keep_listing(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                await self._list()
            except ClocheError as error:  # the servers' own failures are on the timeline already
                self.note("tools/list", problem=shorten(str(error), 300))

    async def _list(self) -> None:
        self._offered = await self._find()
        told = [offered.entry for offered in self._offered.values()]
        if told != self._told:
            self._told = told
            self.send({"do": "tools", "tools": told})

    async def _find(self) -> dict[str, Offered]:
        session = self.session
        found = [
            _of_server(name, server, tool)
            for name, server, tool in await session.named_tools()
            if "model" in visibility(tool) and self._is_listed(f"{server}.{tool['name']}")
        ]
        if session.host.policy.rules["agent-view-tool"] != "deny":
            for view in self._views():
                number = self._numbers.setdefault(view.id, len(self._numbers) + 1)
                found += [_of_view(number, view, tool) for tool in await tools_in(view)]
        offered: dict[str, Offered] = {}
        for one in found:
            if len(one.entry["name"]) <= MAX_NAME:
                offered.setdefault(one.entry["name"], one)
        return offered

    def _is_listed(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.session.host.agent_tools)

    # Calls

    async def _answer(self, number: int, params: Json) -> None:
        try:
            answer: Json = {"result": await self._run(params)}
        except ClocheError as error:
            given = error if isinstance(error, McpError) else InternalError(str(error))
            answer = {"error": given.to_json_rpc_error()}
        except Exception:
            self.session.host.logger.exception("A tool that a browser agent called failed")
            answer = {"error": InternalError("The host could not run the tool; its log says why").to_json_rpc_error()}
        self._calls.pop(number, None)
        self.send({"message": {"jsonrpc": "2.0", "id": number, **answer}})

    def _ended(self, number: int, task: asyncio.Task[None]) -> None:
        if self._calls.get(number) is task:
            del self._calls[number]

    async def _run(self, params: Json) -> Json:
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise InvalidParamsError("A call names a tool, and its arguments are an object")
        offered = await self._current(name, params.get("version"))
        await self._allow(offered, arguments)
        # It may have changed while the person was asked.
        await self._current(name, offered.version)
        if offered.view is not None:
            return await self.session.call_view_tool(offered.view, offered.name, arguments)
        call = await self.session.start(f"{offered.server}.{offered.name}", arguments)
        try:
            return await call.result()
        except asyncio.CancelledError:
            await asyncio.shield(call.cancel("The agent gave the call up"))
            raise

    async def _current(self, name: str, version: object) -> Offered:
        """The tool as it is now, when it is still what the agent has read."""
        offered = (await self._find()).get(name)
        if offered is None:
            raise UnknownNameError("tool", name, "this page does not offer it to agents")
        if offered.version != version:
            self.views_changed()
            raise InvalidParamsError(
                f"The tool {shorten(name)} has changed since the page listed it: read its description again"
            )
        return offered

    async def _allow(self, offered: Offered, arguments: Json) -> None:
        details = {
            "name": offered.name,
            "arguments": arguments,
            "annotations": offered.entry.get("annotations"),
            "version": offered.version,
        }
        request = Request(offered.kind, self.session.user, offered.server, offered.name, self.id, details)
        await self.consent.obtain(request)

    def note(self, action: str, **fields: Any) -> None:
        """Write down what happened to this page."""
        self.session.timeline.note(action=action, view=self.id, **fields)


def agent_tools_element(session: HostSession) -> str:
    """The element with which a page offers this user's tools to browser agents, as HTML."""
    host = session.host
    if not host.agent_tools and host.policy.rules["agent-view-tool"] == "deny":
        raise LocalProtocolError(
            "This host offers nothing to browser agents: list tools in Host(agent_tools=['server.*'])"
        )
    born = host.tickets.moment()
    expires = host.tickets.expiry(host.limits.ticket_seconds, born)
    ticket = host.tickets.make(AgentTicket(user=session.user, server="", born=born, expires=expires))
    return f'<mcp-tools ticket="{html.escape(ticket)}"></mcp-tools>'


def _of_server(name: str, server: str, tool: Json) -> Offered:
    annotations = tool.get("annotations")
    given = annotations if isinstance(annotations, dict) else {}
    return Offered("agent-tool", server, tool["name"], _entry(name, tool, tool.get("description"), given))


def _of_view(number: int, view: MountedView, tool: ViewTool) -> Offered:
    # Names of servers' tools have no dot: so a view takes the place of none.
    given = {"description": tool.description, "inputSchema": tool.input_schema}
    description = f"Of the app {view.server!r} on this page: {tool.description or tool.name}"
    # What a view says of its own tools is no reason to trust them.
    entry = _entry(f"{view.server}.{number}.{tool.name}", given, description, {})
    return Offered("agent-view-tool", view.server, tool.name, entry, view.id)


def _entry(name: str, tool: Json, description: object, annotations: Json) -> Json:
    title, schema = tool.get("title"), tool.get("inputSchema")
    said = description if isinstance(description, str) and description.strip() else title or name
    entry: Json = {
        "name": name,
        **({"title": shorten(title)} if isinstance(title, str) else {}),
        "description": shorten(str(said), MAX_DESCRIPTION),
        "inputSchema": schema if isinstance(schema, dict) else {"type": "object"},
        "annotations": {key: value for key, value in annotations.items() if isinstance(value, bool)},
    }
    # What the agent is not shown counts as well: a description may change behind its first thousand characters.
    version = hashlib.sha256(encode([entry, str(said)])).hexdigest()[:32]
    return {**entry, "version": version}
