"""A view that is open: the server's client, the conversation with the view, and the page, held together.

Everything here runs on the event loop of the browser; `cloche.testing.OpenView` is what tests see.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from cloche.client import Client
from cloche.client.targets import Target
from cloche.errors import ConfigurationError, McpError, MethodNotFoundError, RequestTimeoutError, shorten
from cloche.host.profile import with_openai
from cloche.host.view_handshake import OFFERED
from cloche.host.view_resource import ViewSource, declared_csp
from cloche.testing.browser_page import HOST, SETTLE, Frame, Stage, Theme
from cloche.testing.diagnosis import explain, reason
from cloche.testing.profiles import PROFILES, EmulatedHost
from cloche.testing.protocol import ViewConversation
from cloche.testing.records import Event, Record, Size
from cloche.testing.set_answers import UNANSWERED, Answers, as_tool_result
from cloche.testing.tool_view import EXTENSION, ViewError, as_json, find_tool, find_view, leads_to_view
from cloche.testing.view_requests import ViewServing
from cloche.transports.tasks import Tasks
from cloche.wire.apps.csp import admitted_sources, allow_attribute, content_policy
from cloche.wire.apps.lifecycle import ViewPhase
from cloche.wire.apps.methods import STATE_KEY
from cloche.wire.types import Json, Tool

if TYPE_CHECKING:
    from playwright.async_api import Browser

CLIENT_VERSION = "2025-11-25"
"""The era with a connection of its own, in which a server can also ask back."""

SANDBOX_DEADLINE = 20.0
"""Seconds for our own two pages, which hang on nothing but the browser."""

VARIABLES: Json = {
    "--color-background-primary": "light-dark(#ffffff, #1e1e1e)",
    "--color-text-primary": "light-dark(#1a1a1a, #f2f2f2)",
    "--color-border-primary": "light-dark(#d0d0d0, #4a4a4a)",
    "--font-sans": "system-ui, sans-serif",
}
"""The style variables that the host gives, unless the test gives others."""


@dataclass(frozen=True)
class ViewOptions:
    """How a view is opened; `open_view` describes them."""

    theme: Theme = "light"
    width: int = 800
    height: int = 600
    display_mode: str = "inline"
    locale: str = "en-US"
    time_zone: str = "UTC"
    styles: Json | None = None
    context: Json = field(default_factory=dict)
    without: tuple[str, ...] = ()
    answers: Json = field(default_factory=dict)
    responses: Json = field(default_factory=dict)
    state: Any = None
    stream: bool = False
    timeout: float = 3.0
    client_options: Json = field(default_factory=dict)
    profile: str = "strict"

    @property
    def emulated(self) -> EmulatedHost:
        """The host that is emulated."""
        return PROFILES[self.profile]

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            choices = ", ".join(PROFILES)
            raise ConfigurationError(f"There is no profile {shorten(str(self.profile))!r}; there are {choices}")
        if self.theme not in get_args(Theme):
            raise ConfigurationError(f"There is no theme {self.theme!r}: it is 'light' or 'dark'")
        unknown = set(self.without) - set(OFFERED)
        if unknown:
            raise ConfigurationError(
                f"The host has no {sorted(unknown)[0]!r} to go without; it has {', '.join(OFFERED)}"
            )


class ViewSession:
    """One tool, its view, and everything between."""

    def __init__(self, tool_name: str, arguments: Json, options: ViewOptions) -> None:
        self.record = Record()
        self.answers = Answers()
        self.arguments = arguments
        self.stage = Stage(self.record, self._arrived, options.responses)
        self._tool_name = tool_name
        self._options = options
        self._profile = options.emulated.profile
        self._client: Client | None = None
        self._tools: list[Tool] = []
        self._tool: Tool | None = None
        self._source: ViewSource | None = None
        self.talk = ViewConversation(self.record, self.stage.post, self._refuse)
        """What is said between host and view; each time the view is shown begins a new one."""
        self._serving: ViewServing | None = None
        self._sandbox_ready = asyncio.Event()
        self._tasks = Tasks()
        self._result: Json | None = None
        self.state: Any = options.state
        """What the view had the host keep; None when that is nothing."""
        for name, value in options.answers.items():
            self.answers.set(name, value)

    # Opening

    async def open(self, server: Target, browser: Browser) -> None:
        """Read the view, show it, and go through the life of a tool call up to its result."""
        options = self._options
        extra = {"version": CLIENT_VERSION, **options.client_options}
        client = Client(server, capabilities=EXTENSION, **extra)
        await client.connect()
        self._client = client
        client.on_notification("notifications/resources/updated", self._updated)
        self._tools = await client.list_tools()
        try:
            await self._find_view()
        except ViewError as error:
            raise ViewError(self._as_emulated(str(error)), error.reason) from None
        await self.stage.open(
            browser,
            theme=options.theme,
            width=options.width,
            height=options.height,
            locale=options.locale,
            timezone_id=options.time_zone,
        )
        await self.show()

    async def _find_view(self) -> None:
        """The page to show: the tool's own, or the one that its result leads to; then it is called first."""
        self._tool = find_tool(self._tools, self._tool_name)
        if self._result is None and not self._options.stream and not leads_to_view(self._tool, None, self._profile):
            self._result = await self._call_tool(UNANSWERED)
        self._source = await find_view(self.client, self._tool, self._result, self._profile)

    async def show(self) -> None:
        """Show the view from the beginning; again with the result it had, as a host does when a chat is reloaded."""
        source, options = self.source, self._options
        profile = self._profile
        sources = admitted_sources(declared_csp(source, profile), HOST)
        allow = allow_attribute(source.permissions)
        for problem in (*source.left_out, *sources.problems):
            self.record.add("problem", f"_meta.ui: {problem}")
        await self.talk.close()
        capabilities = {name: value for name, value in profile.offered(OFFERED).items() if name not in options.without}
        context = self._context()
        self._serving = ViewServing(
            self.client,
            {tool.name: tool for tool in self._tools},
            self.record,
            self.answers,
            capabilities,
            context,
            profile,
            on_state=self._keep,
            on_display_mode=lambda mode: self.change_context({"displayMode": mode}),
            on_progress=lambda told: self.talk.tell("notifications/progress", told),
        )
        self.talk = ViewConversation(self.record, self.stage.post, self._serving.answer, profile)
        self._sandbox_ready.clear()
        await self.stage.show(Frame(content_policy(sources, HOST, profile.csp), allow, options.width, options.height))
        async with asyncio.timeout(SANDBOX_DEADLINE):
            await self._sandbox_ready.wait()
        resource = {"html": await self._page(context), "allow": allow}
        await self.stage.post(_notification("ui/notifications/sandbox-resource-ready", resource))
        await self._initialized()
        if not options.stream:
            await self.send_input(None)
            await (self.send_result(UNANSWERED) if self._result is None else self._send(self._result))

    def _keep(self, state: Any) -> None:
        self.state = state

    async def _page(self, context: Json) -> str:
        """The view's page, with what this host puts into it."""
        if not self._profile.openai:
            return self.source.html
        if not self._options.stream and self._result is None:
            self._result = await self._call_tool(UNANSWERED)  # such a host shows a page when there is something to show
        return with_openai(self.source.html, context, self.arguments, self._result, self.state, keeps_state=True)

    async def _initialized(self) -> None:
        """Wait for the view; the time counts from when it has its page."""
        timeout = self._options.timeout
        try:
            await self.talk.wait_initialized(timeout)
        except TimeoutError:
            await self.stage.settle()
            raise self.failure(
                f"The view of tool {self._tool_name!r} ({self.source.uri}) was not initialized within {timeout:g} s."
            ) from None

    def _context(self) -> Json:
        options = self._options
        base: Json = {
            "toolInfo": {"tool": as_json(self.tool)},
            "theme": options.theme,
            "styles": {"variables": VARIABLES},
            "displayMode": options.display_mode,
            "availableDisplayModes": list(self._profile.display_modes),
            "containerDimensions": {"width": options.width, "maxHeight": options.height},
            "locale": options.locale,
            "timeZone": options.time_zone,
            "userAgent": "cloche.testing",
            "platform": "web",
        }
        if self.state is not None and self._profile.keeps_state:
            base[STATE_KEY] = self.state
        styles = {} if options.styles is None else {"styles": {"variables": options.styles}}
        return {**self._profile.seen_context(base), **styles, **options.context}

    @property
    def tool(self) -> Tool:
        """The tool that is shown."""
        assert self._tool is not None
        return self._tool

    @property
    def source(self) -> ViewSource:
        """The view's page and what it declares."""
        assert self._source is not None
        return self._source

    @property
    def client(self) -> Client:
        """The client that the view's calls go through."""
        assert self._client is not None
        return self._client

    @property
    def emulation(self) -> str | None:
        """Which host is emulated, for those who read why something failed; None when none is."""
        emulated = self._options.emulated
        return f"The host: {emulated.about}" if emulated.deviations else None

    @property
    def host_context(self) -> Json:
        """The context as the view knows it now."""
        return self._serving.context if self._serving is not None else {}

    # What arrives

    def _arrived(self, message: Any) -> None:
        method = message.get("method") if isinstance(message, dict) else None
        if method == "ui/notifications/sandbox-proxy-ready":
            self._sandbox_ready.set()
        elif method == "ui/notifications/sandbox-view-loaded":
            self._loaded(message["params"]["loads"])
        else:
            self.talk.receive(message)
            if method == "ui/notifications/size-changed":
                self._spawn(self._follow_size())

    def _updated(self, params: Json) -> None:
        """The server says that a resource changed: the view is told, if it subscribed."""
        subscribed = self._serving.subscribed if self._serving is not None else ()
        if self.talk.phase is ViewPhase.INITIALIZED and params.get("uri") in subscribed:
            self._spawn(self.talk.tell("notifications/resources/updated", {"uri": params["uri"]}))

    def _loaded(self, loads: int) -> None:
        self.record.add("loaded", loads)
        if loads > 1:
            self.record.add("problem", "the view went to another page, or loaded itself again")

    async def _follow_size(self) -> None:
        size: Size | None = self.record.last("size")
        if size is not None and size.height:
            await self.stage.resize(self._options.width, min(size.height, self._options.height))

    async def _refuse(self, method: str, _: Json) -> Any:
        raise MethodNotFoundError(method)

    def _spawn(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._tasks.spawn(coroutine).add_done_callback(self._spawned)

    def _spawned(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.record.add("problem", f"the host's page failed: {error}")

    # What is sent

    async def send_input(self, arguments: Json | None) -> None:
        """The tool's arguments: those of the call, unless others are given."""
        if arguments is not None:
            self.arguments = arguments
        await self.talk.send_input(self.arguments)

    async def send_result(self, value: Any) -> None:
        """The tool's result: the test's, or what the server's tool returns."""
        self._result = await self._call_tool(value)
        await self._send(self._result)

    async def _call_tool(self, value: Any) -> Json:
        if value is UNANSWERED:
            value = await self.answers.meet(self._tool_name, self.arguments)
        if value is not UNANSWERED:
            return as_tool_result(value)
        params = {"name": self._tool_name, "arguments": self.arguments}
        return await self.client.request("tools/call", params)  # type: ignore[no-any-return]

    async def _send(self, result: Json) -> None:
        await self.talk.send_result(self._profile.seen_result(result))

    async def change_context(self, changes: Json) -> None:
        """Change the host's context, for the host and for the view."""
        assert self._serving is not None
        self._serving.context.update(changes)
        seen = self._profile.seen_changes(changes)
        if seen or not changes:
            await self.talk.tell("ui/notifications/host-context-changed", seen)

    async def set_theme(self, theme: Theme) -> None:
        """Change the theme, in the browser and in the context."""
        await self.stage.page.emulate_media(color_scheme=theme)
        await self.change_context({"theme": theme})

    async def teardown(self, reason: str, timeout: float) -> None:
        """Let the view end: ask, wait for its answer, take it away."""
        try:
            await self.talk.request("ui/resource-teardown", {"reason": reason}, timeout)
        except McpError as error:
            if error.code != MethodNotFoundError.code:  # a view need not handle it
                self.record.add("problem", f"ui/resource-teardown was answered with an error: {error}")
        except RequestTimeoutError:
            raise self.failure(f"The view did not answer ui/resource-teardown within {timeout:g} s.") from None
        await self.talk.close()
        await self.stage.remove()

    # Waiting and ending

    async def wait_for(self, event: Event, timeout: float) -> Any:
        """The next event of this kind."""
        try:
            return await self.record.next(event, timeout)
        except TimeoutError:
            await self.stage.settle()
            raise self.failure(f"No {event!r} came from the view within {timeout:g} s.") from None

    async def settle(self) -> None:
        """Wait until the view has worked on what it was sent, and the browser has told what came of it."""
        if self.talk.phase is ViewPhase.INITIALIZED:
            with contextlib.suppress(McpError, RequestTimeoutError):  # a view may be stuck, or answer no ping
                await self.talk.request("ping", {}, SETTLE)
        await self.stage.settle()

    def failure(self, what: str) -> ViewError:
        """An error that says `what`, and everything that is known about it."""
        why = "" if self.talk.phase is ViewPhase.INITIALIZED else reason(self.source.html, self.talk, self.record)
        return ViewError(self._as_emulated(explain(what, why, self.talk, self.record)), why)

    def _as_emulated(self, said: str) -> str:
        """What went wrong, and in which host."""
        return said if self.emulation is None else f"{said}\n{self.emulation}"

    async def close(self) -> None:
        """End everything."""
        await self.talk.close()
        await self._tasks.end()
        try:
            await self.stage.close()
        finally:
            if self._client is not None:
                await self._client.close()


def _notification(method: str, params: Json) -> Json:
    return {"jsonrpc": "2.0", "method": method, "params": params}
