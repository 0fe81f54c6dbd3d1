"""The servers of a playground while they run: what each has, why one does not, and what of it the page follows."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from cloche.check.findings import place_of
from cloche.check.server_survey import read_list, survey
from cloche.check.source_lines import Sources
from cloche.check.tool_rules import check_tools
from cloche.check.view_rules import check_views
from cloche.dev.calls import USER
from cloche.dev.server_facts import SPOKEN, connection_facts
from cloche.dev.servers import DevServer
from cloche.errors import ClocheError, InvalidParamsError, TransportError, shorten
from cloche.host.upstreams import Upstream
from cloche.host.upstreams.base import UpdateHandler
from cloche.host.upstreams.questions import Origin
from cloche.host.upstreams.remote import Remote
from cloche.wire.apps.metadata import view_uri, visibility
from cloche.wire.types import LOG_LEVELS, Json, LogLevel

if TYPE_CHECKING:
    from cloche.dev.playground import Playground

MAX_METHOD = 200
HANDSHAKE = ("initialize", "server/discover")
"""Requests that only a connection itself makes."""


class RunningServers:
    """Starts, lists, asks and restarts the servers, and tells the pages what changes."""

    def __init__(self, playground: Playground, spawn: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._playground = playground
        self._servers = playground.servers
        self._spawn = spawn
        self.findings: dict[str, dict[str, list[Json]]] = {}
        """What the rules of `cloche check` say of each tool of each server, as far as reading tells."""
        self.complain: Callable[[str], None] = lambda _: None
        """Told when a server does not run, and why."""
        self.stops: list[Callable[[], None]] = []
        """What ends with the playground."""
        self._complaints: dict[str, str] = {}
        """Servers that do not run, and why."""
        self._followed: set[str] = set()
        """Servers whose changes are heard of."""
        self._watched: dict[str, dict[str, UpdateHandler]] = {}
        """The resources of each server that the page wants to hear of."""

    def names(self) -> list[Json]:
        """The servers, whatever state they are in."""
        return [_about(server) for server in self._servers.values()]

    async def listing(self, name: str) -> Json:
        """A server with everything it has; one that fails says why."""
        upstream = self.upstream(name)
        found = _about(self._servers[name])
        try:
            found["tools"] = [self._listed(tool) for tool in await upstream.tools()]
        except ClocheError as error:
            problem = upstream.problem or shorten(str(error), 2000)
            self._failed(name, problem)
            self._playground.sign_ins.over(name)
            facts = self._facts(name, upstream)
            return {**found, **facts, "tools": [], "problem": problem}
        self._complaints.pop(name, None)
        self._playground.sign_ins.over(name)
        for key, method in (
            ("resources", "resources/list"),
            ("resourceTemplates", "resources/templates/list"),
            ("prompts", "prompts/list"),
        ):
            found[key] = []
            with contextlib.suppress(TransportError):  # a server may end at a list that it does not have
                found[key] = await read_list(upstream.request, method, key)
        self._spawn(self._examine(name, upstream))
        return {**found, **self._facts(name, upstream), "followed": self._followed_of(name)}

    def _facts(self, name: str, upstream: Upstream) -> Json:
        server = self._servers[name]
        is_signed_in = isinstance(server.spec, Remote) and self._playground.tokens.has(server.spec.url)
        return connection_facts(server, upstream, is_signed_in=is_signed_in)

    def _listed(self, tool: Json) -> Json:
        """A tool with what the page need not find out by itself: every spelling of a view's URI is known here."""
        has_view = view_uri(tool, None, openai=self._playground.session.profile.openai) is not None
        return {**tool, "visibility": sorted(visibility(tool)), "hasView": has_view}

    async def try_out(self, name: str) -> None:
        """Start a server, to see whether it runs."""
        upstream = self.upstream(name)
        try:
            await upstream.tools()
        except ClocheError as error:
            self._failed(name, upstream.problem or shorten(str(error), 2000))

    def _failed(self, name: str, problem: str) -> None:
        if self._complaints.get(name) != problem:
            self._complaints[name] = problem
            self.complain(problem)

    def upstream(self, name: str) -> Upstream:
        """A server, whose changes are told from now on."""
        upstream = self._playground.session.upstream(name)
        if name not in self._followed:
            self._followed.add(name)
            self.stops.append(upstream.on_change(lambda what: self._changed(name, what)))
        return upstream

    def _changed(self, server: str, what: str) -> None:
        if what != "status":
            self._playground.tell("lists-changed", server=server)

    async def _examine(self, name: str, upstream: Upstream) -> None:
        """Look for mistakes that can be read, as `cloche check` does; a page that is open is told."""
        try:
            found = await survey(partial(upstream.request, seen=False))  # it is nobody's message
        except ClocheError:
            return
        sources = Sources(file.parent if (file := self._servers[name].file) else None)
        # A bundle of some megabytes takes a second to read, in which people go on.
        findings = await asyncio.to_thread(lambda: [*check_views(found, sources), *check_tools(found)])
        tools = [str(tool.get("name")) for tool in found.tools]
        by_tool = {tool: [one.as_json() for one in findings if one.where == place_of(tool)] for tool in tools}
        if findings or self.findings.get(name):
            self.findings[name] = by_tool
            self._playground.tell("findings", server=name, tools=by_tool)

    async def ask(self, server: str, method: str, params: Json) -> Json:
        """Make a request of any method at a server, as the host does."""
        if not method or len(method) > MAX_METHOD or method in HANDSHAKE or method.startswith("notifications/"):
            raise InvalidParamsError("This method is not a request that the page can make")
        return await self.upstream(server).request(method, params, by=Origin(USER))

    async def follow(self, server: str, uri: str, on: bool) -> Json:
        """Tell when a resource changes, and what it is then; or no longer."""
        upstream = self.upstream(server)
        watched = self._watched.setdefault(server, {})
        if on and uri not in watched:
            handler = watched[uri] = lambda changed: self._spawn(self._updated(server, changed))
            try:
                await upstream.follow(uri, handler)
            except BaseException:
                watched.pop(uri, None)
                raise
        elif not on and uri in watched:
            await upstream.unfollow(uri, watched.pop(uri))
        return {"followed": self._followed_of(server)}

    def _followed_of(self, server: str) -> list[str]:
        return sorted(self._watched.get(server, ()))

    async def _updated(self, server: str, uri: str) -> None:
        try:
            value = await self.upstream(server).request("resources/read", {"uri": uri})
            self._playground.tell_now("updated", server=server, uri=uri, value=value)
        except ClocheError as error:
            self._playground.tell_now("updated", server=server, uri=uri, error=shorten(str(error), 2000))

    async def restart(self, server: str, files: Sequence[str] = ()) -> Json:
        """Start a server anew, because of these files or because a person wants it; the page is told."""
        if server not in self._servers:
            raise InvalidParamsError(f"There is no server {shorten(server)!r}")
        self._playground.session.pages.forget(server)
        await self._playground.session.upstream(server).rest()
        self._playground.session.upstream(server).everything_changed()
        self._spawn(self.try_out(server))
        self._playground.tell("restarted", server=server, files=list(files))
        return {}

    async def speak(self, server: str, version: str) -> Json:
        """Connect to a server again, in this version of the protocol; empty for the one that fits best."""
        if server not in self._servers:
            raise InvalidParamsError(f"There is no server {shorten(server)!r}")
        if version and version not in SPOKEN:
            raise InvalidParamsError(f"There is no version {shorten(version)!r}; there are {', '.join(SPOKEN)}")
        self.upstream(server).version = version or None
        return await self.restart(server)

    async def log_level(self, server: str, level: str) -> Json:
        """Have a server log from this level on; the page is told."""
        if server not in self._servers:
            raise InvalidParamsError(f"There is no server {shorten(server)!r}")
        if level not in LOG_LEVELS:
            raise InvalidParamsError(f"There is no log level {shorten(level)!r}; there are {', '.join(LOG_LEVELS)}")
        await self.upstream(server).set_log_level(cast(LogLevel, level))
        self._playground.tell_now("lists-changed", server=server)
        return {}

    def findings_of(self, server: str, tool: str) -> list[Json]:
        """What is wrong with one tool, as far as reading tells."""
        return self.findings.get(server, {}).get(tool, [])


def _about(server: DevServer) -> Json:
    """What is known of a server before it runs."""
    file = None if server.file is None else server.file.name
    about = {"about": server.about, "picture": server.picture}
    return {"name": server.name, "file": file, "own": server.is_own, "target": server.target, **about}
