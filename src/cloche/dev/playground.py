"""The playground: a host around the servers, with one user, and everything that its pages are told."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from cloche.check.findings import Finding
from cloche.client.tasks import TaskUpdate
from cloche.dev.calls import USER, Calls
from cloche.dev.chat import Chat
from cloche.dev.comparison import Comparison
from cloche.dev.explanations import Explainer
from cloche.dev.history import History, WholeBodies
from cloche.dev.output import Output
from cloche.dev.played_model import play_model
from cloche.dev.running_servers import RunningServers
from cloche.dev.servers import DevServer
from cloche.dev.sharing import Sharing
from cloche.dev.sign_in import PersonTokens, SignIns
from cloche.dev.stories import Stories
from cloche.dev.task_list import TaskList
from cloche.errors import (
    ConfigurationError,
    InvalidParamsError,
    shorten,
)
from cloche.host import Host
from cloche.host.bridge import MountedView
from cloche.host.call import Call
from cloche.host.hooks import ModelContext, Progress, Sampling, ServerLog, ViewLog, ViewMessage
from cloche.host.limits import HostLimits
from cloche.host.page_questions import questions_ticket
from cloche.host.policy import Policy
from cloche.host.session import HostSession
from cloche.host.traffic import Message
from cloche.problems import Problem
from cloche.testing.profiles import PROFILES
from cloche.transports.tasks import Tasks
from cloche.wire.types import Json

BROWSER = "browser"
"""The logger of what a view's runtime knows from the browser; the sandbox tells it too, with the line and the fix."""

SILENCE_SECONDS = 3.0
"""What a view may take to say hello before the page says that it is silent."""

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
        self.history = History()
        """What was told so far, for a page that is opened later."""
        self.bodies = WholeBodies()
        self._profile = "strict"
        self._tellers: set[Tell] = set()
        self._silent: set[str] = set()
        """Calls whose views have been called silent."""
        self._tasks = Tasks()
        self.calls = Calls(self, self._tasks.spawn)
        self.running = RunningServers(self, self._tasks.spawn)
        self._stops = [self.host.traffic.listen(self._heard), self.sharing.close]
        self._hook()

    def start(self, complain: Callable[[str], None] = lambda _: None) -> None:
        """Start the servers and listen to what they write; needs a running loop. `complain` is told when one does not
        run, and why: whoever looks at the terminal must not have to look at the page.
        """
        self.running.complain = complain
        for name in self.servers:
            self._tasks.spawn(self.running.try_out(name))
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
        self.history.add(told)
        for tell in tuple(self._tellers):
            tell(told)

    def tell_now(self, event: str, **facts: Any) -> None:
        """Tell the pages that are open; one that is opened later asks for what it needs."""
        for tell in tuple(self._tellers):
            tell({"event": event, **facts})

    def _heard(self, message: Message) -> None:
        plain = msgspec.to_builtins(msgspec.structs.replace(message, body=None))
        plain |= self.bodies.told(message.number, message.body)
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
            self.progressed(call.id, update)

        @self.host.on_task
        def task(call: Call, update: TaskUpdate) -> None:
            self.task_list.changed(call.id, call.server, call.tool, call.task_id, update)

        @self.host.on_server_log
        def server_log(_: object, line: ServerLog) -> None:
            self.tell("server-log", server=line.server, level=line.level, logger=line.logger, data=line.data)

        @self.host.on_sample
        async def sample(_: object, wanted: Sampling) -> str | None:
            return await play_model(self.session, wanted)

        @self.host.on_roots
        def roots(_: object, server: str) -> list[str]:
            known = self.servers[server]
            if known.is_stranger:  # what is on this machine is none of its business
                return []
            return [(known.file.parent if known.file else Path.cwd()).absolute().as_uri()]

        @self.host.on_error
        def error(call: Any, problem: Problem) -> None:
            told = self.explainer.failure(problem, call.tool, self.running.findings_of(call.server, call.tool))
            if told is not None:
                if problem.code == "view-silent":
                    self._silent.add(call.id)
                self._problem(call.server, call.tool, call.id, told)

    def progressed(self, call: str, update: Progress) -> None:
        """A call has come further."""
        self.tell_now("progress", call=call, progress=update.progress, total=update.total, message=update.message)

    async def questions(self) -> Json:
        """Tickets with which the page shows what servers ask: about calls of its own, and about those of the chat."""
        return {"tickets": [questions_ticket(session) for session in (self.session, self.chat.session)]}

    def _raised(self, server: str, tool: str, finding: Finding) -> None:
        """A tool raised an exception: the latest call of it is the one."""
        self._problem(server, tool, self.calls.latest(server, tool), finding.as_json())

    def _problem(self, server: str, tool: str, call: str | None, problem: Json) -> None:
        """Something is wrong; `known` when the same fix stands beside the tool already."""
        known = any(one["fix"] == problem["fix"] for one in self.running.findings_of(server, tool))
        self.tell("problem", call=call, tool=tool, known=known, **problem)

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

    def session_as(self, profile: str) -> HostSession:
        """The session whose views see this emulated host. Its calls and records are shown beside those of others."""
        if profile not in PROFILES:
            raise InvalidParamsError(f"There is no host {shorten(profile)!r}; there are {', '.join(PROFILES)}")
        session = self._emulated[profile] = self.host.session(f"{USER}-{profile}")
        session.own_profile = PROFILES[profile].profile
        return session

    async def close(self) -> None:
        """End everything that is under way; the host is closed by whoever wraps it."""
        for stop in (*self._stops, *self.running.stops):
            stop()
        await self.chat.close()
        await self._tasks.end()
