"""What a view gets when it asks: the real server's answers, and a host's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from cloche.client import Client
from cloche.client.conversation import ProgressHandler
from cloche.errors import InvalidParamsError, MethodNotFoundError, UnknownNameError, shorten
from cloche.host.limits import HostLimits
from cloche.host.profile import HostProfile
from cloche.host.view_handshake import initialize_result
from cloche.host.view_subscriptions import check_room, checked_uri
from cloche.testing.records import Call, Message, ModelContext, Record
from cloche.testing.set_answers import UNANSWERED, Answers, as_tool_result
from cloche.wire.apps.metadata import visibility
from cloche.wire.apps.methods import TO_HOST
from cloche.wire.apps.params import (
    ContextUpdate,
    DisplayMode,
    Download,
    OpenLink,
    Read,
    State,
    StrictInitialize,
    ToolCallParams,
    UserMessage,
    check_size,
    checked,
)
from cloche.wire.types import Json, Tool

LIMITS = HostLimits()

PASSED_ON = ("resources/read", "resources/list", "resources/templates/list", "prompts/list")


@dataclass
class ViewServing:
    """Answers the requests of one view."""

    client: Client
    tools: dict[str, Tool]
    """What the server listed, by name; a view can call nothing else."""
    record: Record
    answers: Answers
    capabilities: Json
    context: Json
    """The host's context as the view knows it."""
    profile: HostProfile
    on_state: Callable[[Any], None]
    on_display_mode: Callable[[str], Awaitable[None]]
    on_progress: Callable[[Json], Awaitable[None]]
    subscribed: set[str] = field(default_factory=set)
    """The resources whose changes the view is told."""

    def __post_init__(self) -> None:
        self._own: dict[str, Callable[[Any], Awaitable[Json]]] = {
            "ui/initialize": self._initialize,
            "tools/call": self._call,
            "resources/subscribe": self._subscribe,
            "resources/unsubscribe": self._unsubscribe,
            "ui/open-link": self._open_link,
            "ui/download-file": self._download,
            "ui/message": self._message,
            "ui/update-model-context": self._update_context,
            "ui/request-display-mode": self._display_mode,
            "cloche/set-state": self._set_state,
        }

    async def answer(self, method: str, params: Json) -> Any:
        """The result of a request; raises `McpError`."""
        row = TO_HOST.get(method)
        if row is None or row.capability not in {None, *self.capabilities}:
            raise MethodNotFoundError(method)
        if method == "ping":
            return {}
        if method in self._own:
            kind = row.strict_params or row.params
            result = await self._own[method](params if kind is None else checked(method, params, kind))
        elif method in PASSED_ON:
            result = await self.client.request(method, params)
        else:
            raise MethodNotFoundError(method)
        if method == "tools/call":
            return result
        own = await self.answers.meet(method, params)
        return result if own is UNANSWERED else own

    async def _initialize(self, _: StrictInitialize) -> Json:
        info = {"name": "cloche.testing", "version": "1.0.0"}
        return self.profile.greeting(initialize_result(info, self.capabilities, self.context))

    async def _call(self, asked: ToolCallParams) -> Json:
        call = Call(asked.name, asked.arguments)
        self.record.add("call", call)
        try:
            call.result = await self._result_of(asked)
        except Exception as error:
            to_wire = getattr(error, "to_json_rpc_error", None)
            call.error = to_wire() if to_wire else {"code": -32603, "message": str(error)}
            raise
        finally:
            self.record.add("answered", call)
        return call.result

    async def _result_of(self, asked: ToolCallParams) -> Json:
        tool = self.tools.get(asked.name)
        if tool is None:
            raise UnknownNameError("tool", asked.name)
        if "app" not in visibility({"_meta": tool.meta}):
            raise InvalidParamsError(f"The tool {shorten(tool.name)} is not for views: its visibility lacks 'app'")
        own = await self.answers.meet(asked.name, asked.arguments)
        if own is not UNANSWERED:
            return as_tool_result(own)
        params: Json = {"name": asked.name, "arguments": asked.arguments}
        progress = self._progress_for(asked.meta.get("progressToken"))
        return await self.client.request("tools/call", params, progress=progress)  # type: ignore[no-any-return]

    def _progress_for(self, token: Any) -> ProgressHandler | None:
        """Tells the view how far its call is, when it wants to know."""
        if token is None:
            return None

        async def tell(progress: float, total: float | None, message: str | None) -> None:
            told = {"progressToken": token, "progress": progress, "total": total, "message": message}
            await self.on_progress({key: value for key, value in told.items() if value is not None})

        return tell

    async def _subscribe(self, asked: Read) -> Json:
        uri = checked_uri("resources/subscribe", asked)
        if uri not in self.subscribed:
            check_room(len(self.subscribed), LIMITS.view_subscriptions)
            await self.client.subscribe_resource(uri)
            self.subscribed.add(uri)
        return {}

    async def _unsubscribe(self, asked: Read) -> Json:
        self.subscribed.discard(asked.uri)
        await self.client.unsubscribe_resource(asked.uri)
        return {}

    async def _open_link(self, asked: OpenLink) -> Json:
        if not asked.url.lower().startswith(("https://", "http://")):
            raise InvalidParamsError(f"ui/open-link opens http and https only, not {shorten(asked.url)}")
        self.record.add("link", asked.url)
        return {}

    async def _download(self, asked: Download) -> Json:
        contents = asked.contents
        wrong = [item for item in contents if item.get("type") not in ("resource", "resource_link")]
        if wrong:
            raise InvalidParamsError("ui/download-file: contents are of type 'resource' or 'resource_link'")
        for item in contents:
            self.record.add("download", item)
        return {}

    async def _message(self, said: UserMessage) -> Json:
        self.record.add("message", Message(said.content, said.role))
        return {}

    async def _update_context(self, update: ContextUpdate) -> Json:
        self.record.add("context", ModelContext(update.content, update.structured_content))
        return {}

    async def _set_state(self, state: State) -> Json:
        check_size("cloche/set-state", state.value, LIMITS.state_bytes)
        self.on_state(state.value)
        self.record.add("state", state.value)
        if state.model:
            self.record.add("context", ModelContext([], {"state": state.value}))
        return {}

    async def _display_mode(self, asked: DisplayMode) -> Json:
        mode = asked.mode
        if mode in self.context["availableDisplayModes"]:
            await self.on_display_mode(mode)
        self.record.add("display_mode", mode)
        return {"mode": self.context["displayMode"]}
