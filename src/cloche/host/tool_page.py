"""`ToolPage`: an element on a page of a user, through which others than the product's model use the user's tools.

Browser agents (`agent_tools.py`) and copilots in frames (`copilot_page.py`) differ in what they speak. What they are
offered, who is asked before a tool runs, and that it is still the tool that was described: that is decided here, for
both.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, ClassVar

from cloche.errors import BudgetError, ClocheError, InvalidParamsError, UnknownNameError, shorten
from cloche.host.budgets import Bucket
from cloche.host.consent import Consent
from cloche.host.offered_tools import MAX_NAME, Offered, of_server
from cloche.host.policy import Kind, Request
from cloche.transports.tasks import Tasks
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.call import Call
    from cloche.host.session import HostSession

Send = Callable[[Json], None]

QUESTIONS = 20
"""Questions that may wait for the person at a page: an agent calls several tools at once."""


class ToolPage:
    """Base of both. Made by the host when a page connects."""

    kind: ClassVar[Kind]
    """What the policy is asked about."""
    who: ClassVar[str]
    """Whom the page gives tools to, in a sentence."""
    pages: ClassVar[str]
    """Where the session has pages of this kind; the limit of how many there may be has the same name."""

    def __init__(self, session: HostSession, patterns: tuple[str, ...], *, page_origin: str, send: Send) -> None:
        host = session.host
        most: int = getattr(host.limits, self.pages)
        if len(self._beside(session)) >= most:
            error = BudgetError(f"Too many pages offer tools to {self.who}", self.pages, most)
            raise host.budgets.exceeded(error, session.user)
        self.id = secrets.token_urlsafe(12)
        self.key = secrets.token_urlsafe(18)
        """What the page must know to go on after its socket was lost."""
        self.session = session
        self.patterns = patterns
        """The tools that it offers, of those that the user has."""
        self.page_origin = page_origin
        self.attached = True
        self.consent = Consent(host.policy, session.timeline, self.send, QUESTIONS)
        self._limits = host.limits
        self._send = send
        self._told: list[Json] | None = None
        self._bucket = Bucket(host.limits.rate, host.limits.burst)
        self._tasks = Tasks()
        self._stops: list[Callable[[], None]] = []
        self._changed = asyncio.Event()
        self._is_over = False

    def _beside(self, session: HostSession) -> dict[str, Any]:
        pages: dict[str, Any] = getattr(session, self.pages)
        return pages

    # For the page (as a mounted view, see `web/mounts.py`)

    def packet(self) -> Json:
        """What the page needs to know."""
        return {"id": self.id, "key": self.key}

    def start(self) -> None:
        """From now on the page lists tools, and hears when there are others."""
        self._beside(self.session)[self.id] = self
        self.session.questions.joined(self)
        for server in self.session.host.servers:
            if any(fnmatchcase(server, pattern.partition(".")[0]) for pattern in self.patterns):
                self._stops.append(self.session.upstream(server).on_change(self._server_changed))
        self._changed.set()
        self._tasks.spawn(self._keep_listing())

    def receive(self, message: Json, gesture: int = 0) -> None:
        """Whoever uses the tools says something. Never raises."""
        raise NotImplementedError

    def event(self, name: str, value: Json) -> None:
        """Something happened in the page. Never raises."""

    def answered(self, number: object, value: object) -> None:
        """The person answered a question in the page: whether a tool may run, or one of a server's."""
        if not self.session.questions.answered(number, value):
            self.consent.answered(number, value)

    def attach(self, send: Send) -> None:
        """The page is back on another socket."""
        self._send, self.attached = send, True
        self._changed.set()

    def detach(self) -> None:
        """The socket is gone; what there is to say is kept by whoever made `send`, and calls go on."""
        self.attached = False

    def send(self, frame: Json) -> None:
        """Send a frame to the page."""
        self._send(frame)

    async def close(self, reason: str, *, gone: bool = True) -> None:
        """The page is gone, or the session is over: what was called is given up."""
        if self._is_over:
            return
        self._is_over = True
        self._beside(self.session).pop(self.id, None)
        for stop in self._stops:
            stop()
        if not gone:
            self._send({"error": {"code": "closed", "message": shorten(reason, 300)}})
        self.session.questions.left()
        await self._tasks.end()

    # What it lists

    def _server_changed(self, what: str) -> None:
        if what == "tools":
            self._changed.set()

    async def _keep_listing(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                told = [offered.entry for offered in (await self._find()).values()]
            except ClocheError as error:  # the servers' own failures are on the timeline already
                self.note("tools/list", problem=shorten(str(error), 300))
                continue
            if told != self._told:
                self._told = told
                self._tell(told)

    def _tell(self, tools: list[Json]) -> None:
        """These are the tools from now on."""
        raise NotImplementedError

    async def _find(self) -> dict[str, Offered]:
        found = [
            of_server(self.kind, self._name(name, tool["name"]), server, tool)
            for name, server, tool in await self.session.named_tools()
            if self._is_listed(f"{server}.{tool['name']}")
        ]
        offered: dict[str, Offered] = {}
        for one in [*found, *await self._more()]:
            if len(one.entry["name"]) <= MAX_NAME:
                offered.setdefault(one.entry["name"], one)
        return offered

    def _name(self, name: str, own: str) -> str:
        """What a tool is called here, of its name among all servers' and the one that its server has for it."""
        return name

    async def _more(self) -> list[Offered]:
        """What there is beside tools of servers."""
        return []

    def _is_listed(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.patterns)

    # Calls

    async def _run(
        self, name: object, version: object, arguments: object, started: Callable[[Call], None] = lambda call: None
    ) -> Json:
        """The result of a tool that whoever calls has read about in this version; `started` gets the call of it."""
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise InvalidParamsError("A call names a tool, and its arguments are an object")
        offered = await self._current(name, version)
        await self._allow(offered, arguments)
        # It may have changed while the person was asked.
        await self._current(name, offered.version)
        if offered.view is not None:
            return await self.session.call_view_tool(offered.view, offered.name, arguments)
        call = await self.session.start(f"{offered.server}.{offered.name}", arguments)
        started(call)
        try:
            return await call.result()
        except asyncio.CancelledError:
            await asyncio.shield(call.cancel("Whoever called it gave the call up"))
            raise

    async def _current(self, name: str, version: object) -> Offered:
        """The tool as it is now, when it is still what was read about it."""
        offered = (await self._find()).get(name)
        if offered is None:
            raise UnknownNameError("tool", name, f"this page does not offer it to {self.who}")
        if offered.version != version:
            self._changed.set()
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
            **self._asker(),
        }
        request = Request(offered.kind, self.session.user, offered.server, offered.name, self.id, details)
        await self.consent.obtain(request)

    def _asker(self) -> Json:
        """What is to be known of whoever calls."""
        return {}

    def note(self, action: str, **fields: Any) -> None:
        """Write down what happened to this page."""
        self.session.timeline.note(action=action, view=self.id, **fields)
