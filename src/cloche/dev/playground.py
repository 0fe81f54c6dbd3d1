"""What the page can have done: list, call, read, and hear what views say. One user, everything of the host."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import msgspec

from cloche.check.findings import Finding, place_of
from cloche.check.server_survey import read_list, survey
from cloche.check.source_lines import Sources
from cloche.check.tool_rules import check_tools
from cloche.check.view_rules import check_views
from cloche.client.tasks import TaskUpdate
from cloche.dev.chat import Chat
from cloche.dev.comparison import Comparison
from cloche.dev.explanations import Explainer
from cloche.dev.output import Output
from cloche.dev.server_facts import SPOKEN, connection_facts
from cloche.dev.servers import DevServer
from cloche.dev.sharing import Sharing
from cloche.dev.sign_in import PersonTokens, SignIns
from cloche.dev.stories import Stories
from cloche.dev.task_list import TaskList
from cloche.errors import (
    ClocheError,
    ConfigurationError,
    InvalidParamsError,
    RequestCancelledError,
    TransportError,
    shorten,
)
from cloche.host import Host, records
from cloche.host.bridge import MountedView
from cloche.host.call import Call
from cloche.host.call_task import CallTask
from cloche.host.hooks import ModelContext, Progress, Sampling, ServerLog, ViewLog, ViewMessage
from cloche.host.limits import HostLimits
from cloche.host.page_questions import NobodyToAskError, questions_ticket
from cloche.host.plain_text import middle_cut, quoted, visible
from cloche.host.policy import Policy
from cloche.host.progress import CallProgress
from cloche.host.session import HostSession
from cloche.host.traffic import Message
from cloche.host.upstreams import Upstream
from cloche.host.upstreams.base import CALL_SECONDS, UpdateHandler
from cloche.host.upstreams.questions import Origin
from cloche.host.upstreams.remote import Remote
from cloche.problems import Problem
from cloche.testing.profiles import PROFILES
from cloche.transports.tasks import Tasks
from cloche.wire.apps.metadata import view_uri, visibility
from cloche.wire.types import LOG_LEVELS, Json, LogLevel

USER = "dev"
KEPT = 1000
"""Messages that a page which comes late is told of."""

MAX_BODY = 64 * 1024
"""Bytes of a message that the page gets; of larger ones it gets the beginning."""

BROWSER = "browser"
"""The logger of what a view's runtime knows from the browser; the sandbox tells it too, with the line and the fix."""

MAX_METHOD = 200
HANDSHAKE = ("initialize", "server/discover")
"""Requests that only a connection itself makes."""

MAX_OUTCOMES = 50
"""Results that a page which is loaded again can have again."""

SILENCE_SECONDS = 3.0
"""What a view may take to say hello before the page says that it is silent."""

MAX_ASKED = 4000
"""Characters of what a server asks the model that are shown."""

MODEL_ANSWER = {"type": "string", "title": "Answer of the model"}

Tell = Callable[[Json], None]


class Playground:
    """The servers, and a host around them."""

    def __init__(self, servers: Sequence[DevServer], *, allow_local: bool = False) -> None:
        if not servers:
            raise ConfigurationError("there is nothing to play with: name a file, a URL or a command")
        self.servers = {server.name: server for server in servers}
        self.tokens = PersonTokens()
        self.host = Host(
            {server.name: server.spec for server in servers},
            tokens=self.tokens,
            secret=secrets.token_bytes(32),
            name="Cloche dev",
            limits=HostLimits(initialize_seconds=SILENCE_SECONDS),
            policy=Policy(server_sampling="allow"),  # whoever answers for the model sees what it is asked
        )
        self.host.has_one_person = True
        if not allow_local:
            self.host.strangers = frozenset(server.name for server in servers if server.is_stranger)
        self.session = self.host.session(USER)
        self._emulated: dict[str, HostSession] = {}
        """Sessions whose views see another host than the chosen one."""
        self.stories = Stories(self)
        self.chat = Chat(self)
        self.comparison = Comparison(self)
        self.sign_ins = SignIns(self)
        self.task_list = TaskList(self.tell_now)
        self.sharing = Sharing(self)
        self.explainer = Explainer({server.name: server.file.parent for server in servers if server.file})
        self.findings: dict[str, dict[str, list[Json]]] = {}
        """What the rules of `cloche check` say of each tool of each server, as far as reading tells."""
        self.history: list[Json] = []
        """What was told so far, for a page that is opened later."""
        self._profile = "strict"
        self._tellers: set[Tell] = set()
        self._calls: dict[str, Call] = {}
        self._running: dict[str, asyncio.Future[Json]] = {}
        """Calls of tools that only views may call, which are not over."""
        self._outcomes: dict[str, Json] = {}
        self._silent: set[str] = set()
        """Calls whose views have been called silent."""
        self._followed: set[str] = set()
        """Servers whose changes are heard of."""
        self._watched: dict[str, dict[str, UpdateHandler]] = {}
        """The resources of each server that the page wants to hear of."""
        self._tasks = Tasks()
        self._complain: Callable[[str], None] = lambda _: None
        self._complaints: dict[str, str] = {}
        """Servers that do not run, and why."""
        self._stops = [self.host.traffic.listen(self._heard), self.sharing.close]
        self._hook()

    def start(self, complain: Callable[[str], None] = lambda _: None) -> None:
        """Start the servers and listen to what they write; needs a running loop. `complain` is told when one does not
        run, and why: whoever looks at the terminal must not have to look at the page.
        """
        self._complain = complain
        for name in self.servers:
            self._tasks.spawn(self._try(name))
        folders = {name: server.file.parent if server.file else None for name, server in self.servers.items()}
        output = Output(folders, lambda server, line: self.tell("output", server=server, line=line), self._raised)
        self._stops.append(output.stop)

    # Telling

    def listen(self, tell: Tell) -> Callable[[], None]:
        """Tell a page everything from now on."""
        self._tellers.add(tell)
        return lambda: self._tellers.discard(tell)

    def tell(self, event: str, **facts: Any) -> None:
        """Tell every page."""
        told = {"event": event, "time": time.time(), **facts}
        self.history.append(told)
        if len(self.history) > KEPT:
            del self.history[: KEPT // 4]
        for tell in tuple(self._tellers):
            tell(told)

    def tell_now(self, event: str, **facts: Any) -> None:
        """Tell the pages that are open; one that is opened later asks for what it needs."""
        for tell in tuple(self._tellers):
            tell({"event": event, **facts})

    def _heard(self, message: Message) -> None:
        size, body = _sized(message.body)
        plain = {**msgspec.to_builtins(msgspec.structs.replace(message, body=None)), "size": size, "body": body}
        plain.pop("time")
        self.tell("traffic", at=message.time, **plain)
        view = self._view(message.view or "")
        if message.lane == "page" and message.direction == "in" and view is not None:
            if message.what == "initialized" and view.call.id in self._silent:  # it was only slow
                self._silent.discard(view.call.id)
                self.tell("spoke", call=view.call.id)
            problem = self.explainer.event(message.what, message.body, view)
            if problem is not None:
                self._problem(view.server, view.tool, view.call.id, problem)

    def _view(self, number: str) -> MountedView | None:
        """An open view, of whichever session."""
        sessions = (self.session, self.chat.session, *self._emulated.values())
        return next((session.views[number] for session in sessions if number in session.views), None)

    def _hook(self) -> None:
        @self.host.on_message
        def message(view: Any, said: ViewMessage) -> None:
            self.tell("message", view=view.id, tool=view.tool, content=said.content)

        @self.host.on_model_context
        def context(view: Any, left: ModelContext) -> None:
            self.tell("context", view=view.id, tool=view.tool, content=left.content, structured=left.structured_content)

        @self.host.on_log
        def log(view: Any, line: ViewLog) -> None:
            if line.logger != BROWSER:
                self.tell("log", view=view.id, tool=view.tool, level=line.level, data=line.data)

        @self.host.on_progress
        def progress(call: Call, update: Progress) -> None:
            self._progressed(call.id, update)

        @self.host.on_task
        def task(call: Call, update: TaskUpdate) -> None:
            self.task_list.changed(call.id, call.server, call.tool, call.task_id, update)

        @self.host.on_server_log
        def server_log(_: object, line: ServerLog) -> None:
            self.tell("server-log", server=line.server, level=line.level, logger=line.logger, data=line.data)

        @self.host.on_sample
        async def sample(_: object, wanted: Sampling) -> str | None:
            return await self._play_model(wanted)

        @self.host.on_roots
        def roots(_: object, server: str) -> list[str]:
            known = self.servers[server]
            if known.is_stranger:  # what is on this machine is none of its business
                return []
            return [(known.file.parent if known.file else Path.cwd()).absolute().as_uri()]

        @self.host.on_error
        def error(call: Any, problem: Problem) -> None:
            told = self.explainer.failure(problem, call.tool, self._findings_of(call.server, call.tool))
            if told is not None:
                if problem.code == "view-silent":
                    self._silent.add(call.id)
                self._problem(call.server, call.tool, call.id, told)

    def _progressed(self, call: str, update: Progress) -> None:
        self.tell("progress", call=call, progress=update.progress, total=update.total, message=update.message)

    async def _play_model(self, wanted: Sampling) -> str | None:
        """There is no model here: whoever is at the page writes what it would answer, or declines."""
        limits = self.host.limits
        question = {
            "kind": "sampling",
            "title": f"{quoted(wanted.server)} asks the model",
            "text": "There is no model in the playground: write what it should answer, or decline.",
            "details": {"asked": middle_cut(visible(wanted.text), MAX_ASKED)},
            "form": {"type": "object", "properties": {"answer": MODEL_ANSWER}, "required": ["answer"]},
            "accept": "Answer",
            "refuse": "Decline",
            "seconds": limits.elicit_seconds,
        }
        try:
            said = await self.session.questions.ask(question, limits.elicit_seconds)
        except NobodyToAskError:
            return None
        content = said.get("content") if isinstance(said, dict) else None
        answer = content.get("answer") if isinstance(content, dict) else None
        return answer if isinstance(answer, str) else None

    async def questions(self) -> Json:
        """Tickets with which the page shows what servers ask: about calls of its own, and about those of the chat."""
        return {"tickets": [questions_ticket(session) for session in (self.session, self.chat.session)]}

    def _raised(self, server: str, tool: str, finding: Finding) -> None:
        """A tool raised an exception: the latest call of it is the one."""
        latest = [call for call in self._calls.values() if call.tool == tool and server in ("", call.server)]
        self._problem(server, tool, latest[-1].id if latest else None, finding.as_json())

    def _problem(self, server: str, tool: str, call: str | None, problem: Json) -> None:
        """Something is wrong; `known` when the same fix stands beside the tool already."""
        known = any(one["fix"] == problem["fix"] for one in self._findings_of(server, tool))
        self.tell("problem", call=call, tool=tool, known=known, **problem)

    def _findings_of(self, server: str, tool: str) -> list[Json]:
        return self.findings.get(server, {}).get(tool, [])

    # The host that is emulated

    def hosts(self) -> Json:
        """The hosts that are emulated, and the one that is."""
        about = [{"name": one.name, "title": one.title, "about": one.about} for one in PROFILES.values()]
        return {"all": about, "chosen": self._profile}

    async def become(self, name: str) -> Json:
        """Show views from now on as this host would."""
        if name not in PROFILES:
            raise InvalidParamsError(f"There is no host {shorten(name)!r}; there are {', '.join(PROFILES)}")
        self._profile = name
        self.host.profile = PROFILES[name].profile
        return self.hosts()

    # Doing

    def names(self) -> list[Json]:
        """The servers, whatever state they are in."""
        return [_about(server) for server in self.servers.values()]

    async def listing(self, name: str) -> Json:
        """A server with everything it has; one that fails says why."""
        upstream = self._upstream(name)
        found = _about(self.servers[name])
        try:
            found["tools"] = [self._listed(tool) for tool in await upstream.tools()]
        except ClocheError as error:
            problem = upstream.problem or shorten(str(error), 2000)
            self._failed(name, problem)
            self.sign_ins.over(name)
            facts = self._facts(name, upstream)
            return {**found, **facts, "tools": [], "problem": problem}
        self._complaints.pop(name, None)
        self.sign_ins.over(name)
        for key, method in (
            ("resources", "resources/list"),
            ("resourceTemplates", "resources/templates/list"),
            ("prompts", "prompts/list"),
        ):
            found[key] = []
            with contextlib.suppress(TransportError):  # a server may end at a list that it does not have
                found[key] = await read_list(upstream.request, method, key)
        self._tasks.spawn(self._examine(name, upstream))
        return {**found, **self._facts(name, upstream), "followed": self._followed_of(name)}

    def _facts(self, name: str, upstream: Upstream) -> Json:
        server = self.servers[name]
        is_signed_in = isinstance(server.spec, Remote) and self.tokens.has(server.spec.url)
        return connection_facts(server, upstream, is_signed_in=is_signed_in)

    def _listed(self, tool: Json) -> Json:
        """A tool with what the page need not find out by itself: every spelling of a view's URI is known here."""
        has_view = view_uri(tool, None, openai=self.session.profile.openai) is not None
        return {**tool, "visibility": sorted(visibility(tool)), "hasView": has_view}

    async def _try(self, name: str) -> None:
        """Start a server, to see whether it runs."""
        upstream = self._upstream(name)
        try:
            await upstream.tools()
        except ClocheError as error:
            self._failed(name, upstream.problem or shorten(str(error), 2000))

    def _failed(self, name: str, problem: str) -> None:
        if self._complaints.get(name) != problem:
            self._complaints[name] = problem
            self._complain(problem)

    def _upstream(self, name: str) -> Upstream:
        """A server, whose changes are told from now on."""
        upstream = self.session.upstream(name)
        if name not in self._followed:
            self._followed.add(name)
            self._stops.append(upstream.on_change(lambda what: self._changed(name, what)))
        return upstream

    def _changed(self, server: str, what: str) -> None:
        if what != "status":
            self.tell("lists-changed", server=server)

    async def _examine(self, name: str, upstream: Upstream) -> None:
        """Look for mistakes that can be read, as `cloche check` does; a page that is open is told."""
        try:
            found = await survey(partial(upstream.request, seen=False))  # it is nobody's message
        except ClocheError:
            return
        sources = Sources(file.parent if (file := self.servers[name].file) else None)
        # A bundle of some megabytes takes a second to read, in which people go on.
        findings = await asyncio.to_thread(lambda: [*check_views(found, sources), *check_tools(found)])
        tools = [str(tool.get("name")) for tool in found.tools]
        by_tool = {tool: [one.as_json() for one in findings if one.where == place_of(tool)] for tool in tools}
        if findings or self.findings.get(name):
            self.findings[name] = by_tool
            self.tell("findings", server=name, tools=by_tool)

    def session_as(self, profile: str) -> HostSession:
        """The session whose views see this emulated host. Its calls and records are shown beside those of others."""
        if profile not in PROFILES:
            raise InvalidParamsError(f"There is no host {shorten(profile)!r}; there are {', '.join(PROFILES)}")
        session = self._emulated[profile] = self.host.session(f"{USER}-{profile}")
        session.own_profile = PROFILES[profile].profile
        return session

    async def call(
        self, server: str, tool: str, arguments: Json, session: HostSession | None = None, *, as_task: bool = False
    ) -> Json:
        """Call a tool; its result is told later. A tool that only views may call has no view of its own."""
        entry = await self.tool_entry(server, tool)
        if "model" not in visibility(entry):
            number = secrets.token_urlsafe(6)
            running = asyncio.ensure_future(self._called(number, server, tool, arguments, as_task))
            self._running[number] = running
            self._tasks.spawn(self._finish(number, self._given_up_or_over(number, running)))
            return {"call": number, "ticket": None}
        call = await (session or self.session).start(f"{server}.{tool}", arguments, as_task=as_task)
        self._keep(call)
        self._tasks.spawn(self._finish(call.id, self._outcome(call)))
        return {"call": call.id, "ticket": call.ticket() if call.view_uri is not None else None}

    async def show(self, record: records.Record, session: HostSession) -> Json:
        """Show a call that is over, as if it had been made now."""
        call = session.call_of(record)
        self._keep(call)
        ticket = call.ticket() if call.view_uri is not None else None
        return {"call": call.id, "ticket": ticket, "result": record.result}

    def _keep(self, call: Call) -> None:
        self._calls[call.id] = call
        while len(self._calls) > MAX_OUTCOMES:
            del self._calls[next(iter(self._calls))]

    async def tool_entry(self, server: str, tool: str) -> Json:
        """A tool as its server lists it."""
        for entry in await self.session.upstream(server).tools():
            if entry.get("name") == tool:
                return entry
        raise InvalidParamsError(f"The server {shorten(server)!r} has no tool {shorten(tool)!r}")

    async def _outcome(self, call: Call) -> Json:
        """What came of a call, as the server gave it, with what only the view sees."""
        await call.result()
        return {"result": call.record()["result"], "ticket": call.ticket() if call.view_uri is not None else None}

    async def _called(self, number: str, server: str, tool: str, arguments: Json, as_task: bool) -> Json:
        upstream, limits = self.session.upstream(server), self.host.limits
        reports = CallProgress(lambda update: self._progressed(number, update))
        task = CallTask(lambda update, _: self.task_list.changed(number, server, tool, task.id, update))
        follow = partial(task.take, deadline=None, limits=limits)
        by = Origin(USER, None, tool, on_task=follow)
        seconds = max(CALL_SECONDS, limits.task_seconds)
        try:
            result = await upstream.call_tool(
                tool, arguments, on_progress=reports.take, by=by, timeout=seconds, as_task=as_task
            )
        finally:
            reports.end()
        return {"result": result}

    async def _given_up_or_over(self, number: str, running: asyncio.Future[Json]) -> Json:
        """What came of a call that has no `Call`."""
        try:
            await asyncio.wait([running])
            if running.cancelled():
                raise RequestCancelledError(number)
            return running.result()
        finally:
            running.cancel()
            del self._running[number]

    async def _finish(self, call: str, ending: Awaitable[Json]) -> None:
        started = time.monotonic()
        try:
            outcome = await ending
        except RequestCancelledError as error:
            outcome = {"error": shorten(str(error), 2000), "cancelled": True}
        except ClocheError as error:
            outcome = {"error": shorten(str(error), 2000)}
        milliseconds = round((time.monotonic() - started) * 1000, 1)
        self._outcomes[call] = told = {"call": call, **outcome, "milliseconds": milliseconds}
        while len(self._outcomes) > MAX_OUTCOMES:
            del self._outcomes[next(iter(self._outcomes))]
        self.tell("result", **told)

    def finished(self, call: str) -> Call | None:
        """A call that is over and known."""
        known = self._calls.get(call)
        return known if known is not None and known.is_over else None

    def outcome(self, call: str) -> Json:
        """What came of a call, with its whole result; empty when it is not known any more."""
        return self._outcomes.get(call, {})

    async def recall(self, call: str) -> Json:
        """What came of a call, for a page that was loaded again; empty when it is not known any more."""
        outcome = self._outcomes.get(call)
        known = self._calls.get(call)
        if outcome is None and known is not None and not known.is_over:
            ticket = known.ticket() if known.view_uri is not None else None
            return {"call": call, "pending": True, "ticket": ticket, "progress": known.latest_progress}
        if outcome is None or outcome.get("ticket") is None:
            return outcome or {}
        return {**outcome, **await self.again(call)}

    async def cancel(self, call: str) -> Json:
        """Give a call up."""
        if call in self._calls:
            await self._calls[call].cancel("Cancelled in the playground")
        elif call in self._running:
            self._running[call].cancel()
        return {}

    async def again(self, call: str) -> Json:
        """A ticket that shows a finished call anew, with the page as it is now, without calling the tool."""
        known = self._calls.get(call)
        if known is None or not known.is_over:
            raise InvalidParamsError("There is no finished call to show again")
        shown = known.session.call_of(records.from_json(known.record()))
        return {"ticket": shown.ticket() if shown.view_uri is not None else None}

    async def ask(self, server: str, method: str, params: Json) -> Json:
        """Make a request of any method at a server, as the host does."""
        if not method or len(method) > MAX_METHOD or method in HANDSHAKE or method.startswith("notifications/"):
            raise InvalidParamsError("This method is no request that the page can make")
        return await self._upstream(server).request(method, params, by=Origin(USER))

    async def follow(self, server: str, uri: str, on: bool) -> Json:
        """Tell when a resource changes, and what it is then; or no longer."""
        upstream = self._upstream(server)
        watched = self._watched.setdefault(server, {})
        if on and uri not in watched:
            handler = watched[uri] = lambda changed: self._tasks.spawn(self._updated(server, changed))
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
            value = await self._upstream(server).request("resources/read", {"uri": uri})
            self.tell("updated", server=server, uri=uri, value=value)
        except ClocheError as error:
            self.tell("updated", server=server, uri=uri, error=shorten(str(error), 2000))

    async def restart(self, server: str, files: Sequence[str] = ()) -> Json:
        """Start a server anew, because of these files or because a person wants it; the page is told."""
        if server not in self.servers:
            raise InvalidParamsError(f"There is no server {shorten(server)!r}")
        self.session.pages.forget(server)
        await self.session.upstream(server).rest()
        self.session.upstream(server).everything_changed()
        self._tasks.spawn(self._try(server))
        self.tell("restarted", server=server, files=list(files))
        return {}

    async def speak(self, server: str, version: str) -> Json:
        """Connect to a server again, in this version of the protocol; empty for the one that fits best."""
        if server not in self.servers:
            raise InvalidParamsError(f"There is no server {shorten(server)!r}")
        if version and version not in SPOKEN:
            raise InvalidParamsError(f"There is no version {shorten(version)!r}; there are {', '.join(SPOKEN)}")
        self._upstream(server).version = version or None
        return await self.restart(server)

    async def log_level(self, server: str, level: str) -> Json:
        """Have a server log from this level on; the page is told."""
        if server not in self.servers:
            raise InvalidParamsError(f"There is no server {shorten(server)!r}")
        if level not in LOG_LEVELS:
            raise InvalidParamsError(f"There is no log level {shorten(level)!r}; there are {', '.join(LOG_LEVELS)}")
        await self._upstream(server).set_log_level(cast(LogLevel, level))
        self.tell_now("lists-changed", server=server)
        return {}

    async def close(self) -> None:
        """End everything that is under way; the host is closed by whoever wraps it."""
        for stop in self._stops:
            stop()
        await self.chat.close()
        await self._tasks.end()


def _about(server: DevServer) -> Json:
    """What is known of a server before it runs."""
    file = None if server.file is None else server.file.name
    about = {"about": server.about, "picture": server.picture}
    return {"name": server.name, "file": file, "own": server.is_own, "target": server.target, **about}


def _sized(body: Any) -> tuple[int, Any]:
    """How many bytes a body has, and as much of it as the page gets."""
    try:
        data = msgspec.json.encode(body)
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError):
        return 0, "this cannot be shown"
    if len(data) <= MAX_BODY:
        return len(data), body
    return len(data), {"truncated": data[:2000].decode("utf-8", "replace")}
