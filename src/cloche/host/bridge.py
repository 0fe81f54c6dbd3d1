"""`MountedView`: the host's side of one view that is open in a page.

The page answers `ui/initialize`, `ping` and changes of size from the packet it was given and reports them here as
events; everything else the view says arrives as messages. What the host has to say goes out through `send`, in the
frames of the socket, without their numbers: those are the socket's.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cloche.errors import McpError, TransportError, shorten
from cloche.host import plain_text
from cloche.host.app_tools import ViewTools
from cloche.host.consent import Consent
from cloche.host.hooks import Hooks, HookTasks, ModelContext, ViewLog
from cloche.host.page_events import PageEvents
from cloche.host.policy import Request
from cloche.host.profile import with_openai
from cloche.host.timeline import Outcome
from cloche.host.traffic import Direction
from cloche.host.view_conversation import Conversation, Failure
from cloche.host.view_handshake import OFFERED_MODES, capabilities, checked_context, host_greeting
from cloche.host.view_requests import ViewRequests, merged_context
from cloche.host.view_resource import ViewSource, declared_csp
from cloche.problems import Problem
from cloche.transports.tasks import Tasks
from cloche.wire.apps import params as parameters
from cloche.wire.apps.csp import allow_attribute, frame_sandbox
from cloche.wire.apps.lifecycle import ViewPhase, ViewState
from cloche.wire.apps.methods import LEGACY, LEGACY_REQUESTS, TO_HOST
from cloche.wire.apps.params import checked
from cloche.wire.apps.peer import ViewPeer
from cloche.wire.apps.peer_events import Asked, Breach, OutOfOrder, Stray
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.call import Call
    from cloche.host.session import HostSession

Send = Callable[[Json], None]

QUIET = ("ping", "cloche/set-state")
"""Requests that the timeline does not need."""

CHATTER = {"log": 100, "violation": 100, "misbehaved": 100, "refused": 500}
"""So much of it is written down of one view: it must not push what others did off the timeline."""

logger = logging.getLogger("cloche.host.view")


class MountedView:
    """One view in one page. Made by `host.open_view`; `await ready()` before `packet()` settles its permissions."""

    def __init__(
        self,
        session: HostSession,
        call: Call,
        source: ViewSource,
        *,
        born: float,
        context: Json,
        page_origin: str,
        send: Send,
    ) -> None:
        self.id = secrets.token_urlsafe(12)
        self.key = secrets.token_urlsafe(18)
        """What a page must know to take this view up again after its socket was lost."""
        self.born = born
        """The birth of the ticket that opened it: one that is given for it is no younger."""
        self.session = session
        self.call = call
        self.source = source
        self.page_origin = page_origin
        self.user, self.server, self.tool = session.user, call.server, call.tool
        self.hooks: Hooks = session
        self.limits = session.host.limits
        self.profile = session.profile
        self._traffic = session.host.traffic
        self.state = ViewState(call=call.id, context=checked_context(context))
        self.attached = True
        self.consent = Consent(session.host.policy, session.timeline, self.send, self.limits.questions)
        self.tools = ViewTools(self)
        self._send = send
        peer = ViewPeer(
            secrets.token_hex(8),
            time.monotonic(),
            limits=self.limits.for_peer(),
            dialect=self.profile.dialect,
            greets_again=self.profile.openai,
            state=self.state,
        )
        self._talk = Conversation(self, lambda message: self.send({"message": message}), peer)
        self._requests = ViewRequests(self, session.upstream(call.server))
        self._mode_changed = asyncio.Event()
        self._tasks = Tasks()
        self._hook_tasks = HookTasks(self.hooks)
        self._events = PageEvents(self)
        self._stops: list[Callable[[], None]] = []
        self._shows_progress = False
        """Whether the page shows how far the call is."""
        self._settled = asyncio.Event()
        """Set when it is known which permissions the view has."""
        self._closing: asyncio.Task[None] | None = None
        self.closed: str | None = None
        """Why it is gone."""
        self.capabilities = self._offered({})

    # Opening

    async def ready(self) -> None:
        """Settle which permissions the view gets; this may ask the user, through `send` and `answered`."""
        if self.profile.openai and self.call.status == "running":
            await self.call.over()  # such a host shows a page when there is something to show
        if self.source.permissions:
            details = {"permissions": list(self.source.permissions)}
            try:
                await self.consent.obtain(Request("permission", self.user, self.server, self.tool, self.id, details))
                self.state.granted = self.source.permissions
            except McpError:
                self.state.granted = ()
        self.capabilities = self._offered({name: {} for name in self.granted})
        self._settled.set()

    def _offered(self, granted: Json) -> Json:
        return self.profile.offered(capabilities(self.hooks, self.session.host.policy, self.csp, granted))

    def packet(self) -> Json:
        """What the page needs to show the view and to answer its first words; the web side adds the addresses."""
        profile = self.profile.for_page()
        return {
            "id": self.id,
            "key": self.key,
            "server": self.server,
            "tool": self.tool,
            "title": self.title,
            "ticket": self.call.ticket_again(self.born),
            "frame": {"sandbox": frame_sandbox(self.granted), "allow": allow_attribute(self.granted)},
            "initialize": self.initialize_result(),
            "methods": self.methods,
            "limits": self.limits.for_page(),
            "displayModes": [mode for mode in OFFERED_MODES if mode in self.profile.display_modes],
            "border": self.source.border,
            "size": self.source.size,
            "first": self._talk.waiting,
            **({} if profile is None else {"profile": profile}),
        }

    @property
    def html(self) -> str:
        """The page itself."""
        if not self.profile.openai:
            return self.source.html
        context = {**self.state.context, "displayMode": self.display_mode}
        result = self.profile.seen_result(self.call.known_result or {})
        return with_openai(self.source.html, context, self.call.arguments, result, self.call.state, keeps_state=True)

    @property
    def csp(self) -> Json:
        """The origins that the page declares, checked, by the names of `_meta.ui.csp`."""
        return declared_csp(self.source, self.profile)

    @property
    def granted(self) -> tuple[str, ...]:
        """The permissions that policy or user gave."""
        return self.state.granted

    @property
    def display_mode(self) -> str:
        """How the page shows the view."""
        return self.state.mode

    @property
    def size(self) -> Json:
        """How large the view last said it is."""
        return self.state.size

    @property
    def app(self) -> Json:
        """What the view said of itself in `ui/initialize`."""
        return self.state.app

    @property
    def permissions(self) -> tuple[str, ...]:
        """The permissions that the view has, by the names of `_meta.ui.permissions`."""
        return self.granted

    @property
    def title(self) -> str:
        """What people read as the name of the tool."""
        entry = self.call.tool_entry
        annotations = entry.get("annotations")
        noted = annotations.get("title") if isinstance(annotations, dict) else None
        title = entry.get("title") or noted or self.tool
        return plain_text.name(title, 100)

    @property
    def methods(self) -> list[str]:
        """The methods that the view may ask for, by all their names, also those of the legacy dialects."""
        allowed = self._requests.allowed(self.capabilities)
        for legacy in LEGACY_REQUESTS:
            row = LEGACY[legacy]
            if not row.is_request:
                allowed += [legacy, row.name]
            elif row.is_legacy or row.name in allowed:
                allowed.append(legacy)
        return allowed

    def initialize_result(self) -> Json:
        """The answer to `ui/initialize`."""
        return host_greeting(
            self.session.host,
            self.profile,
            self.capabilities,
            {"id": self.call.id, "tool": self.call.tool_entry},
            context=self.state.context,
            mode=self.display_mode,
            state=self.call.state,
        )

    def start(self) -> None:
        """Begin: what happens to the call, and what changes at the server, goes to the view from now on."""
        self._stops.append(self.call.watch(self._call_changed))
        self._stops.append(self.session.upstream(self.server).on_change(self._server_changed))
        self._tasks.spawn(self._watch_for_silence())
        self.note("mounted", args={"uri": self.source.uri, "hash": self.source.hash})
        for problem in self.source.left_out[:20]:
            self.note("left-out", problem=problem)

    async def _watch_for_silence(self) -> None:
        await self._settled.wait()  # while the user thinks about its permissions there is no view
        await asyncio.sleep(self.limits.initialize_seconds)
        if self.state.phase is ViewPhase.LOADING:
            self.failed(Problem("view-silent", seconds=self.limits.initialize_seconds))

    # From the page

    def receive(self, message: object, gesture: int = 0) -> None:
        """A message of the view, and the number of the gesture in it just before; 0 without one. Never raises; what is
        to be said about it goes out through `send`.
        """
        recorder = self.session.host.recorder
        if recorder is not None and recorder.heard(self, message):
            return
        if self._traffic.is_watched:
            self._saw("in", message)
        self._talk.receive(message, gesture)

    def event(self, name: str, value: Json) -> None:
        """The page saw something happen. Never raises."""
        self._traffic.note("page", "in", self.server, name, value, view=self.id)
        if self.closed is None:
            self._events.take(name, value)

    def answered(self, number: object, value: object) -> None:
        """The user answered a question in the page: one of this view's, or of a server's."""
        if not self.session.questions.answered(number, value):
            self.consent.answered(number, value)

    def attach(self, send: Send) -> None:
        """The page is back on another socket."""
        self._send, self.attached = send, True
        self.note("attached")

    def detach(self) -> None:
        """The socket is gone; what there is to say is kept by whoever made `send`, and calls go on."""
        self.attached = False
        self.note("detached")

    def send(self, frame: Json) -> None:
        """Send a frame to the page."""
        if self._traffic.is_watched:
            if "message" in frame:
                self._saw("out", frame["message"])
            else:
                self._traffic.note("page", "out", self.server, next(iter(frame), ""), frame, view=self.id)
        self._send(frame)

    def _saw(self, direction: Direction, message: object) -> None:
        """Tell those who listen of a message of the view, or to it."""
        told = message if isinstance(message, dict) else {}
        method, number = told.get("method"), told.get("id")
        exchange = f"{self.id}/{number}" if isinstance(number, str | int) else None
        what = method if isinstance(method, str) else "answer"
        failed = method is None and "error" in told
        self._traffic.note(
            "view", direction, self.server, what, message, view=self.id, exchange=exchange, failed=failed
        )

    def greeted(self, app: Json, context: Json) -> None:
        """The view has its answer to `ui/initialize`."""
        if self.state.phase is not ViewPhase.LOADING:
            return
        self.state.context.update(context)
        self._talk.peer.greeted(app)
        self._tasks.spawn(self._arm())

    async def _arm(self) -> None:
        """Views of the legacy dialects do not say that they are initialized."""
        await asyncio.sleep(self.limits.grace_seconds)
        self.armed()

    def armed(self) -> None:
        """The view need not say that it is initialized: the page heard it, or it never will."""
        self._talk.arm()

    def initialized(self) -> None:
        """The view may be spoken to."""
        self.call.shown = True
        self.note("initialized")
        self.session.view_tools_changed()
        self._hook_tasks.tell("initialized", self, self.app)

    def resized(self, size: Json) -> None:
        """The view said how large it is, and the page has made room."""
        if size != self.size:
            self.state.size = size
            self._hook_tasks.tell_latest("size_change", self, size)

    def mode_changed(self, mode: str) -> None:
        """The page shows the view so from now on."""
        if mode != self.display_mode:
            self.state.mode = mode
            self._talk.notify("ui/notifications/host-context-changed", {"displayMode": mode})
        self._mode_changed.set()

    def context_changed(self, changed: Json) -> None:
        """The page looks different from now on."""
        self.state.context.update(changed)
        seen = self.profile.seen_changes(changed)
        if seen:
            self._talk.notify("ui/notifications/host-context-changed", seen)

    # What the view asks and says (`Owner` of the conversation)

    async def answer(self, asked: Asked) -> Json:
        """The result of a request of the view."""
        row = TO_HOST.get(asked.method)
        if asked.method == "ui/initialize":
            return self._greet(asked.params)
        if row is not None and row.is_legacy:
            return self.tools.legacy(asked.method, asked.params)
        if asked.is_notification:
            self.notified(asked.method, asked.params)
            return {}
        return await self._requests.answer(asked.method, asked.params, asked.gesture)

    def _greet(self, params: Json) -> Json:
        """For pages that let the host answer."""
        checked("ui/initialize", params, parameters.Initialize)
        self.greeted(params, {})
        return self.initialize_result()

    def notified(self, method: str, params: Json) -> None:
        """The view says something that wants no answer."""
        if method == "ui/notifications/size-changed":
            self._events.take("size", params)
        elif method == "notifications/message":
            self._log(params)
        elif method == "notifications/tools/list_changed":
            self.tools.changed()
        elif method == "ui/notifications/request-teardown":
            self._begin_to_close("The view asked to be closed")

    def _log(self, params: Json) -> None:
        try:
            line = checked("notifications/message", params, parameters.Log)
            parameters.check_size("notifications/message", params, self.limits.text_bytes)
        except McpError as error:
            self.misbehaved(str(error))
            return
        self.note("log", args=params)
        if self.hooks.find("log") is None:
            logger.info("%s.%s: %s %s", self.server, self.tool, line.level, shorten(repr(line.data), 500))
        else:
            self._hook_tasks.tell("log", self, ViewLog(line.level, line.data, line.logger))

    def finished(self, method: str, params: Json, outcome: Outcome, error: Failure | None, seconds: float) -> None:
        """A request of the view came to its end."""
        if method not in QUIET:
            problem, milliseconds = None if error is None else error.message, round(seconds * 1000, 1)
            self.note(method, args=params, outcome=outcome, problem=problem, duration_ms=milliseconds)

    def broke(self, rule: Breach | OutOfOrder | Stray) -> None:
        """The view broke a rule of the protocol."""
        self.misbehaved(rule.text, fatal=rule.fatal)

    def misbehaved(self, what: str, *, fatal: bool = False) -> None:
        """The view did something that it must not."""
        problem = Problem("view-misbehaved", did=what)
        self.note("misbehaved", problem=str(problem))
        if fatal:
            self.cut_off(problem)

    # To the view

    def _call_changed(self, what: str, value: Any) -> None:
        if what == "progress":
            # MCP Apps has no message for it: the element shows it around the view.
            self._shows_progress = True
            self.send({"do": "progress", **value.for_page()})
            return
        if self._shows_progress and what in ("result", "cancelled"):
            self._shows_progress = False
            self.send({"do": "progress", "over": True})
        if what == "result":
            value = self.profile.seen_result(value)
        method, params = {
            "partial": ("ui/notifications/tool-input-partial", {"arguments": value}),
            "input": ("ui/notifications/tool-input", {"arguments": value}),
            "result": ("ui/notifications/tool-result", value),
            "cancelled": ("ui/notifications/tool-cancelled", {"reason": value}),
        }[what]
        self._talk.deliver(method, params)

    def _server_changed(self, what: str) -> None:
        if what in ("tools", "resources", "prompts"):
            self._talk.notify(f"notifications/{what}/list_changed", {})

    def tell(self, method: str, params: Json) -> None:
        """Send the view a notification, once it is initialized."""
        self._talk.notify(method, params)

    def progressed(self, token: object, told: Json) -> None:
        """A call of the view got further."""
        if isinstance(token, str | int):
            self._talk.notify("notifications/progress", {**told, "progressToken": token})

    async def ask(self, method: str, params: Json, timeout: float) -> Any:
        """Ask the view something."""
        return await self._talk.request(method, params, timeout)

    def supports_mode(self, mode: str) -> bool:
        """Whether the view can be shown so; one that does not say can."""
        offered = self.app.get("appCapabilities")
        modes = offered.get("availableDisplayModes") if isinstance(offered, dict) else None
        return mode in modes if isinstance(modes, list) else True

    async def change_mode(self, mode: str) -> None:
        """Have the page show the view in this mode; `display_mode` says what came of it."""
        self._mode_changed.clear()
        self.send({"do": "display-mode", "mode": mode})
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.limits.display_seconds):
                await self._mode_changed.wait()

    async def store_model_context(self, content: list[Json], structured: Json | None, *, merge: bool) -> None:
        """Keep what the view wants the model to know; each time replaces the last."""
        update = ModelContext(self.id, self.server, self.tool, content, structured)
        before = self.session.contexts.get(self.id)
        self.session.store_model_context(merged_context(before, update) if merge else update)
        await self.product("model_context", self.session.contexts[self.id])

    # The end

    def failed(self, problem: Problem) -> None:
        """Tell the caller that the view is not what it should be."""
        self.session.view_failed(self.call, problem, self.id)

    def cut_off(self, problem: Problem) -> None:
        """The view is taken away without a goodbye, and the caller is told."""
        self.failed(problem)
        self._begin_to_close(str(problem), gone=True)

    async def close(self, reason: str = "The view was closed", *, gone: bool = False) -> None:
        """Let the view put its things away, for a moment, and take it out of the page; `gone` when it left already."""
        await asyncio.shield(self._begin_to_close(reason, gone=gone))

    def _begin_to_close(self, reason: str, *, gone: bool = False) -> asyncio.Task[None]:
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close(reason, gone=gone))
        return self._closing

    async def _close(self, reason: str, *, gone: bool) -> None:
        if not gone and self.attached and self.state.phase is ViewPhase.INITIALIZED:
            with contextlib.suppress(McpError, TransportError):  # no handler, or no answer in time: it had its chance
                await self.ask("ui/resource-teardown", {"reason": reason}, self.limits.teardown_seconds)
        self.closed = reason
        for stop in self._stops:
            stop()
        subscriptions = asyncio.create_task(self._requests.subscriptions.close())
        self.session.forget(self)
        await self._talk.close()
        self.send({"do": "remove", "reason": reason})
        await self._tasks.end()
        self.note("closed", problem=reason)
        self._hook_tasks.tell("close", self, reason)
        # The view is closed by now, however long the server takes to answer.
        await asyncio.wait([subscriptions], timeout=self.limits.teardown_seconds)
        subscriptions.cancel()
        await asyncio.gather(subscriptions, return_exceptions=True)
        await self._hook_tasks.finish(self.limits.hook_seconds)

    async def product(self, hook: str, value: Any) -> Any:
        """Have the product do something, to its end: also when the view goes away meanwhile."""
        task = self._hook_tasks.tell(hook, self, value)
        return None if task is None else await asyncio.shield(task)

    def note(self, action: str, **fields: Any) -> None:
        """Write down what happened to this view."""
        kind = "refused" if fields.get("outcome") == "refused" else action
        if kind in CHATTER and self.state.count(kind) > CHATTER[kind]:
            return
        self.call.note(action, view=self.id, **fields)
