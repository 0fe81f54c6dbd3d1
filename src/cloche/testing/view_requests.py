"""What a view gets when it asks: the real server's answers, and a host's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from cloche.client import Client
from cloche.client.conversation import ProgressHandler
from cloche.errors import InvalidParamsError, MethodNotFoundError, UnknownNameError, shorten
from cloche.host.limits import HostLimits
from cloche.host.profile import HostProfile
from cloche.testing.records import Call, Message, ModelContext, Record
from cloche.testing.set_answers import UNANSWERED, Answers, as_tool_result
from cloche.wire.apps.metadata import visibility
from cloche.wire.apps.methods import PROTOCOL_VERSION, TO_HOST
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

STATE_BYTES = HostLimits().state_bytes

PASSED_ON = ("resources/read", "resources/list", "resources/templates/list", "prompts/list")


class ViewServing:
    """Answers the requests of one view. `tools` is what the server listed; a view can call nothing else."""

    def __init__(
        self,
        client: Client,
        tools: list[Tool],
        record: Record,
        answers: Answers,
        capabilities: Json,
        context: Json,
        profile: HostProfile,
    ) -> None:
        self.context = context
        """The host's context as the view knows it."""
        self.on_state: Callable[[Any], None] = lambda _: None
        self.on_display_mode: Callable[[str], Awaitable[None]] | None = None
        self.on_progress: Callable[[Json], Awaitable[None]] = _ignore
        self.subscribed: set[str] = set()
        """The resources whose changes the view is told."""
        self._client = client
        self._tools = {tool.name: tool for tool in tools}
        self._record = record
        self._answers = answers
        self._capabilities = capabilities
        self._profile = profile
        self._own: dict[str, Callable[[Json], Awaitable[Json]]] = {
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
        if row is None or row.capability not in {None, *self._capabilities}:
            raise MethodNotFoundError(method)
        if method == "ping":
            return {}
        if method in self._own:
            result = await self._own[method](params)
        elif method in PASSED_ON:
            result = await self._client.request(method, params)
        else:
            raise MethodNotFoundError(method)
        if method == "tools/call":
            return result
        own = await self._answers.meet(method, params)
        return result if own is UNANSWERED else own

    async def _initialize(self, params: Json) -> Json:
        checked("ui/initialize", params, StrictInitialize)
        answer = {
            "protocolVersion": PROTOCOL_VERSION,
            "hostInfo": {"name": "cloche.testing", "version": "1.0.0"},
            "hostCapabilities": self._capabilities,
            "hostContext": self.context,
        }
        return self._profile.greeting(answer)

    async def _call(self, params: Json) -> Json:
        asked = checked("tools/call", params, ToolCallParams)
        call = Call(asked.name, asked.arguments)
        self._record.add("call", call)
        try:
            call.result = await self._result_of(asked)
        except Exception as error:
            to_wire = getattr(error, "to_json_rpc_error", None)
            call.error = to_wire() if to_wire else {"code": -32603, "message": str(error)}
            raise
        finally:
            self._record.add("answered", call)
        return call.result

    async def _result_of(self, asked: ToolCallParams) -> Json:
        tool = self._tools.get(asked.name)
        if tool is None:
            raise UnknownNameError("tool", asked.name)
        if "app" not in visibility({"_meta": tool.meta}):
            raise InvalidParamsError(f"The tool {shorten(tool.name)} is not for views: its visibility lacks 'app'")
        own = await self._answers.meet(asked.name, asked.arguments)
        if own is not UNANSWERED:
            return as_tool_result(own)
        params: Json = {"name": asked.name, "arguments": asked.arguments}
        progress = self._progress_for(asked.meta.get("progressToken"))
        return await self._client.request("tools/call", params, progress=progress)  # type: ignore[no-any-return]

    def _progress_for(self, token: Any) -> ProgressHandler | None:
        """Tells the view how far its call is, when it wants to know."""
        if token is None:
            return None

        async def tell(progress: float, total: float | None, message: str | None) -> None:
            told = {"progressToken": token, "progress": progress, "total": total, "message": message}
            await self.on_progress({key: value for key, value in told.items() if value is not None})

        return tell

    async def _subscribe(self, params: Json) -> Json:
        uri = checked("resources/subscribe", params, Read).uri
        await self._client.subscribe_resource(uri)
        self.subscribed.add(uri)
        return {}

    async def _unsubscribe(self, params: Json) -> Json:
        uri = checked("resources/unsubscribe", params, Read).uri
        self.subscribed.discard(uri)
        await self._client.unsubscribe_resource(uri)
        return {}

    async def _open_link(self, params: Json) -> Json:
        url = checked("ui/open-link", params, OpenLink).url
        if not url.lower().startswith(("https://", "http://")):
            raise InvalidParamsError(f"ui/open-link opens http and https only, not {shorten(url)}")
        self._record.add("link", url)
        return {}

    async def _download(self, params: Json) -> Json:
        contents = checked("ui/download-file", params, Download).contents
        wrong = [item for item in contents if item.get("type") not in ("resource", "resource_link")]
        if wrong:
            raise InvalidParamsError("ui/download-file: contents are of type 'resource' or 'resource_link'")
        for item in contents:
            self._record.add("download", item)
        return {}

    async def _message(self, params: Json) -> Json:
        said = checked("ui/message", params, UserMessage)
        self._record.add("message", Message(said.content, said.role))
        return {}

    async def _update_context(self, params: Json) -> Json:
        update = checked("ui/update-model-context", params, ContextUpdate)
        self._record.add("context", ModelContext(update.content, update.structured_content))
        return {}

    async def _set_state(self, params: Json) -> Json:
        state = checked("cloche/set-state", params, State)
        check_size("cloche/set-state", state.value, STATE_BYTES)
        self.on_state(state.value)
        self._record.add("state", state.value)
        if state.model:
            self._record.add("context", ModelContext([], {"state": state.value}))
        return {}

    async def _display_mode(self, params: Json) -> Json:
        mode = checked("ui/request-display-mode", params, DisplayMode).mode
        if mode in self.context["availableDisplayModes"] and self.on_display_mode is not None:
            await self.on_display_mode(mode)
        self._record.add("display_mode", mode)
        return {"mode": self.context["displayMode"]}


async def _ignore(_: Json) -> None:
    """Nobody is told."""
