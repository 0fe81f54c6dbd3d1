"""`Upstream`: one MCP server as one user of the host has it.

Whatever era the server speaks and however it is reached, plain JSON dictionaries in the shape of 2025-11-25 go in and
come out. A call has one outcome: its result, the server's error (`McpError`), or `TransportError` when there is no
answer. Nothing is opened before the first use.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Literal, TypeAlias

from cloche.errors import (
    BudgetError,
    McpError,
    RemoteProtocolError,
    RequestTimeoutError,
    TransportClosedError,
    TransportError,
    UpstreamError,
    UrlElicitationRequiredError,
    shorten,
)
from cloche.host.limits import HostLimits
from cloche.host.traffic import Traffic
from cloche.host.upstreams.questions import Asker, Origin, Questions
from cloche.host.upstreams.required_urls import Visits
from cloche.transports.listeners import Listeners, call_safely
from cloche.wire.apps.mime import EXTENSION_ID, RESOURCE_MIME_TYPE
from cloche.wire.json import encode
from cloche.wire.token_bucket import TokenBucket
from cloche.wire.types import LOG_LEVELS, Json, LogLevel
from cloche.wire.versions import INPUT_METHODS

Status: TypeAlias = Literal["idle", "connecting", "ready", "failed", "closed"]
Change: TypeAlias = Literal["tools", "resources", "prompts", "status"]
ChangeHandler: TypeAlias = Callable[[Change], None]
ProgressHandler: TypeAlias = Callable[[Json], None]
UpdateHandler: TypeAlias = Callable[[str], object]
LogHandler: TypeAlias = Callable[["Upstream", Json], object]

UI_EXTENSIONS: Json = {EXTENSION_ID: {"mimeTypes": [RESOURCE_MIME_TYPE]}}
"""Tells a server that its views can be shown here."""

CALL_SECONDS = 300.0
"""What a call may take unless whoever waits for it gives up earlier."""

PERSON_SECONDS = 1800.0
"""What people may take to answer a server's questions, all of one call together: their time is not the server's."""

READ_SECONDS = 60.0
"""What reading or listing may take."""

REFETCHES = 3
"""How often a list is fetched again that changed while it was fetched; a server may say so all the time."""

CHANGE_METHODS: dict[str, Change] = {
    "notifications/tools/list_changed": "tools",
    "notifications/resources/list_changed": "resources",
    "notifications/prompts/list_changed": "prompts",
}

UPDATED = "notifications/resources/updated"
LOGGED = "notifications/message"

DEFAULT_LOG_LEVEL: LogLevel = "info"
"""What servers log from unless they are told otherwise."""

LOG_RATE, LOG_BURST = 20.0, 200
"""Lines of its log per second that a server may write for long, and at once; more are left out and counted."""


class Upstream(ABC):
    """One server of one user; what the kinds of connection have in common."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.status: Status = "idle"
        self.problem: str | None = None
        """Why there is no connection, in a sentence for people."""
        self.server_info: Json | None = None
        self.greeting: Json | None = None
        """`protocolVersion`, `capabilities` and `instructions` of the latest connection."""
        self.version: str | None = None
        """The protocol version that the next connection asks for; None leaves it to the kind of connection."""
        self.limits = HostLimits()
        """What the server may send."""
        self.on_budget: Callable[[str, BudgetError], object] | None = None
        """Told when it sends more."""
        self.questions = Questions(name)
        """What the server asks back."""
        self.visits = Visits()
        """Addresses that the server wants its users to visit before it answers."""
        self.on_log: LogHandler | None = None
        """Told every line of the server's log: the parameters of its notification."""
        self.log_level: LogLevel = DEFAULT_LOG_LEVEL
        """From which level on the server's log is wanted."""
        self._log_lines = TokenBucket(LOG_RATE, LOG_BURST, monotonic())
        self.lines_left_out = 0
        """Lines of its log over the rate."""
        self.traffic: Traffic | None = None
        """Where those listen who want to see every message."""
        self.url: str | None = None
        """Where the server is, if it is at a URL."""
        self.outlives_host = False
        """Whether the server goes on with its tasks when this process ends."""
        self.awaits_person = asyncio.Event()
        """Set while the connection waits for the user to sign in."""
        self.under_way = 0
        """Requests that have no answer yet."""
        self.last_used = monotonic()
        self._handlers = Listeners()
        self.subscribed: set[str] = set()
        """The resources that are followed, on this connection and on those that replace it."""
        self._followers: dict[str, list[UpdateHandler]] = {}
        self._following = asyncio.Lock()
        self._tools: list[Json] | None = None
        self._age = 0
        """Counts what makes a list out of date, so that one that was fetched meanwhile is not kept."""
        self._fetching = asyncio.Lock()
        self._told_at: dict[Change, float] = {}
        self._to_tell: dict[Change, asyncio.TimerHandle] = {}

    async def request(
        self,
        method: str,
        params: Json,
        *,
        timeout: float = READ_SECONDS,
        on_progress: ProgressHandler | None = None,
        by: Origin | None = None,
        seen: bool = True,
    ) -> Json:
        """Ask the server anything. Cancelling whoever waits cancels the request at the server. `by` is who asks: the
        server may ask them something before it answers. What is not `seen` is not told to those who listen to the
        traffic.
        """
        if self.status == "closed":
            raise TransportClosedError
        if by is None and self.user is not None:
            by = Origin(self.user)
        if by is not None and by.deadline is None and method in INPUT_METHODS:
            return await self._patient(method, params, timeout, on_progress, by, seen=seen)
        self.under_way += 1
        watched = self.traffic if self.traffic is not None and self.traffic.is_watched and seen else None
        try:
            with self.questions.about(by):
                try:
                    return await self._asked(watched, method, params, timeout, on_progress, by)
                except UrlElicitationRequiredError as error:
                    respondent = self.questions.respondent_of(self.user)
                    if by is None or not await self.visits.made(error, Asker(self.name, by), respondent):
                        raise
                    return await self._asked(watched, method, params, timeout, on_progress, by)
        finally:
            self.under_way -= 1
            self.last_used = monotonic()

    async def _patient(
        self,
        method: str,
        params: Json,
        timeout: float,
        on_progress: ProgressHandler | None,
        by: Origin,
        *,
        seen: bool,
    ) -> Json:
        """Ask what a server may answer with a question: the time that a person takes for the answer does not count."""
        try:
            async with asyncio.timeout(timeout) as deadline:
                patient, limit = replace(by, deadline=deadline), timeout + PERSON_SECONDS
                return await self.request(method, params, timeout=limit, on_progress=on_progress, by=patient, seen=seen)
        except TimeoutError:
            raise RequestTimeoutError(method) from None

    @property
    def user(self) -> str | None:
        """Whose connection it is; None when all users share it."""
        return self.questions.user

    async def _asked(
        self,
        traffic: Traffic | None,
        method: str,
        params: Json,
        timeout: float,
        on_progress: ProgressHandler | None,
        by: Origin | None,
    ) -> Json:
        """Ask, and tell those who listen, if there are any, what was asked and answered."""
        if traffic is None:
            return await self._ask(method, params, timeout, on_progress, by)
        exchange, started = traffic.exchange(), monotonic()
        traffic.note("server", "out", self.name, method, params, exchange=exchange)

        def told(progress: Json) -> None:
            traffic.note("server", "in", self.name, "notifications/progress", progress, exchange=exchange)
            if on_progress is not None:
                on_progress(progress)

        failure: str | None = "cancelled"
        result: Json = {}
        try:
            result = await self._ask(method, params, timeout, told if on_progress is not None else None, by)
            failure = None
            return result
        except Exception as error:
            failure = str(error)
            raise
        finally:
            body = result if failure is None else {"error": shorten(failure, 1000)}
            took = round((monotonic() - started) * 1000, 1)
            outcome = {"exchange": exchange, "failed": failure is not None, "milliseconds": took}
            traffic.note("server", "in", self.name, method, body, **outcome)

    async def rest(self) -> None:
        """Let go of the connection; the next request opens a new one."""
        if self.status != "closed":
            await self._disconnect()
            self.become("idle")

    async def close(self) -> None:
        """End the connection; what is under way fails. It cannot be used again."""
        self.become("closed")
        for timer in self._to_tell.values():
            timer.cancel()
        self._to_tell.clear()
        await self._disconnect()

    @abstractmethod
    async def _ask(
        self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None, by: Origin | None
    ) -> Json:
        """Make one request, on a connection that is opened when there is none."""

    @abstractmethod
    async def _disconnect(self) -> None:
        """End the connection, if there is one."""

    # What a host asks

    async def tools(self) -> list[Json]:
        """Every tool, from all pages; fetched once, and again when the server says that they changed."""
        if self._tools is not None:
            return self._tools
        async with self._fetching:
            return await self._fetched_tools()

    async def _fetched_tools(self) -> list[Json]:
        if self._tools is not None:  # somebody else was faster
            return self._tools
        found: list[Json] = []
        for _ in range(REFETCHES):
            age = self._age
            found = await self._all_tools()
            if age == self._age:
                self._tools = found
                break
        return found

    async def tools_without_waiting(self) -> list[Json]:
        """Every tool; `UpstreamError` while the user has to sign in first, which may take them minutes."""
        if self.status == "ready":
            return await self.tools()
        listing = asyncio.ensure_future(self.tools())
        asking = asyncio.ensure_future(self.awaits_person.wait())
        try:
            await asyncio.wait({listing, asking}, return_when=asyncio.FIRST_COMPLETED)
            if listing.done():
                return listing.result()
            raise UpstreamError(f"The server {self.name!r} waits for you to sign in")
        finally:
            for task in (listing, asking):
                task.cancel()
            await asyncio.gather(listing, asking, return_exceptions=True)

    async def call_tool(
        self,
        name: str,
        arguments: Json,
        *,
        meta: Json | None = None,
        on_progress: ProgressHandler | None = None,
        by: Origin | None = None,
        timeout: float = CALL_SECONDS,
        as_task: bool = False,
    ) -> Json:
        """Call a tool and return its `CallToolResult`. `by` is who calls it; `as_task` asks for a task, where a server
        leaves that to the client.
        """
        params: Json = {"name": name, "arguments": arguments, **({"task": {}} if as_task else {})}
        if meta:
            params["_meta"] = meta
        return await self.request("tools/call", params, timeout=timeout, on_progress=on_progress, by=by)

    async def list_page(self, method: str, cursor: str | None, timeout: float = READ_SECONDS) -> Json:
        """One page of a list of the server's, such as `tools/list`."""
        return await self.request(method, {} if cursor is None else {"cursor": cursor}, timeout=timeout)

    async def _all_tools(self) -> list[Json]:
        """What is kept for as long as the server says nothing else: so it is counted and weighed."""
        limits = self.limits
        tools: list[Json] = []
        room, cursor, until = getattr(limits, self._list_limit), None, 0.0
        for _ in range(limits.list_pages):
            seconds = max(until - monotonic(), 0.0) if until else READ_SECONDS
            page = await self.list_page("tools/list", cursor, seconds)
            until = until or monotonic() + READ_SECONDS  # before the first answer the user may have had to sign in
            found = page.get("tools")
            if not isinstance(found, list):
                raise RemoteProtocolError(f"The list of the tools of {self.name!r} is none")
            tools += [tool for tool in found if isinstance(tool, dict) and isinstance(tool.get("name"), str)]
            room -= len(encode(page))
            if room < 0 or len(tools) > limits.tools:
                break
            cursor = page.get("nextCursor")
            if not cursor:
                return tools
        limit = self._list_limit if room < 0 else "tools" if len(tools) > limits.tools else "list_pages"
        raise self._too_much(f"The server {self.name!r} lists more tools than a host can use", limit)

    _list_limit = "list_bytes"

    def _too_much(self, what: str, limit: str) -> BudgetError:
        """The error for a server that sends more than it may; the timeline has it as well."""
        error = BudgetError(what, limit, getattr(self.limits, limit))
        if self.on_budget is not None:
            self.on_budget(self.name, error)
        return error

    # Resources that are followed

    async def follow(self, uri: str, handler: UpdateHandler) -> None:
        """Call `handler` with the URI when this resource changes; all who follow it share one subscription."""
        async with self._following:
            if uri not in self.subscribed:
                if len(self.subscribed) >= self.limits.subscriptions:
                    raise self._too_much(f"Too many resources of {self.name!r} are subscribed to", "subscriptions")
                await self._subscribe(uri)
                self.subscribed.add(uri)
            self._followers.setdefault(uri, []).append(handler)

    async def unfollow(self, uri: str, handler: UpdateHandler) -> None:
        """Call it no longer; the last to leave ends the subscription."""
        async with self._following:
            followers = self._followers.get(uri, [])
            if handler not in followers:
                return
            followers.remove(handler)
            if followers:
                return
            del self._followers[uri]
            if uri in self.subscribed:
                self.subscribed.discard(uri)
                with contextlib.suppress(McpError, TransportError):  # gone, or it does not answer: nobody listens
                    await self._unsubscribe(uri)

    @abstractmethod
    async def _subscribe(self, uri: str) -> None:
        """Ask for it."""

    @abstractmethod
    async def _unsubscribe(self, uri: str) -> None:
        """Ask for it no more."""

    def updated(self, uri: str) -> None:
        """The server says that a resource changed."""
        if self.traffic is not None:
            self.traffic.note("server", "in", self.name, UPDATED, {"uri": shorten(uri, 2000)})
        for handler in tuple(self._followers.get(uri, ())):
            call_safely(handler, uri)

    async def set_log_level(self, level: LogLevel) -> None:
        """From which level on the server's log is wanted, on this connection and on those that replace it."""
        self.log_level = level
        with contextlib.suppress(McpError, TransportError):  # it decides itself, then
            await self._set_log_level(level)

    @abstractmethod
    async def _set_log_level(self, level: LogLevel) -> None:
        """Tell the server that is connected; one that is not hears of it in the beginning."""

    def logged(self, params: Json) -> None:
        """The server wrote a line of its log."""
        level = params.get("level")
        if level not in LOG_LEVELS or LOG_LEVELS.index(level) < LOG_LEVELS.index(self.log_level):
            return
        if not self._log_lines.take(monotonic()):
            self.lines_left_out += 1
            return
        if self.traffic is not None:
            self.traffic.note("server", "in", self.name, LOGGED, params)
        if self.on_log is not None:
            call_safely(self.on_log, self, params)

    # What changes

    @property
    def is_watched(self) -> bool:
        """Whether anybody wants to hear of changes."""
        return len(self._handlers) > 0

    def on_change(self, handler: ChangeHandler) -> Callable[[], None]:
        """Call `handler` with what changed, until the returned function is called."""
        return self._handlers.add(handler)

    def changed(self, what: Change) -> None:
        """Something is no longer what it was."""
        if what == "tools":
            self._age += 1
            self._tools = None
        if what == "status":
            self._tell(what)
        elif what not in self._to_tell:  # else it is about to be told: a server may say so all the time
            self._tell_soon(what)

    def _tell_soon(self, what: Change) -> None:
        """At once, and no more often than now and then."""
        pause = self._told_at.get(what, 0.0) + self.limits.change_seconds - monotonic()
        if pause <= 0:
            self._tell(what)
        else:
            self._to_tell[what] = asyncio.get_running_loop().call_later(pause, self._tell, what)

    def _tell(self, what: Change) -> None:
        self._to_tell.pop(what, None)
        self._told_at[what] = monotonic()
        if self.traffic is not None and what != "status":
            self.traffic.note("server", "in", self.name, f"notifications/{what}/list_changed")
        self._handlers.tell(what)

    def everything_changed(self) -> None:
        """After a new connection: something may have been missed."""
        for what in CHANGE_METHODS.values():
            self.changed(what)
        for uri in tuple(self._followers):
            self.updated(uri)

    def become(self, status: Status, problem: str | None = None) -> None:
        """Take a new status and say so."""
        if (status, problem) != (self.status, self.problem):
            self.status, self.problem = status, problem
            self.changed("status")
