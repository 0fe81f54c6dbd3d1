"""What a view gets when it asks: its own server's answers, and the host's, after the policy has had its say."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from cloche.errors import (
    DeadlineError,
    InvalidParamsError,
    MethodNotFoundError,
    PolicyDeniedError,
    UnknownNameError,
    UserDeclinedError,
    shorten,
)
from cloche.host.budgets import Bucket
from cloche.host.gestures import current_gesture
from cloche.host.hooks import ModelContext, ViewMessage
from cloche.host.plain_text import visible
from cloche.host.policy import Kind, Request, checked_link, is_own_link
from cloche.host.upstreams.base import CALL_SECONDS, PERSON_SECONDS, Upstream
from cloche.host.upstreams.questions import Origin
from cloche.host.view_handshake import OFFERED_MODES
from cloche.host.view_subscriptions import ViewSubscriptions, checked_uri
from cloche.wire.apps import params as parameters
from cloche.wire.apps.metadata import visibility
from cloche.wire.apps.methods import TO_HOST
from cloche.wire.apps.params import check_content, check_size, checked
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView

Handler = Callable[[Any], Awaitable[Json]]
"""Gets the parameters as the table of methods has them."""

MAX_FILES = 20
_FILE_NAME = re.compile(r"[^\w.,()+@ -]+")


class ViewRequests:
    """Answers the requests of one view. It knows one server: the view's own (W15)."""

    def __init__(self, view: MountedView, upstream: Upstream) -> None:
        self._view = view
        self._upstream = upstream
        self.subscriptions = ViewSubscriptions(view, upstream)
        self._mode_changes = Bucket(rate=0.5, burst=5)  # a view that flickers is not for people (W19)
        # Whoever plays or types in a view makes gestures all the time, and does not mean each of them to be a message.
        self._messages = Bucket(view.limits.message_rate, view.limits.messages)
        self._handlers: dict[str, Handler] = {
            "ping": self._ping,
            "tools/call": self._call,
            "tools/list": self._tools,
            "resources/read": self._read,
            "resources/list": lambda asked: upstream.list_page("resources/list", asked.cursor),
            "resources/templates/list": lambda asked: upstream.list_page("resources/templates/list", asked.cursor),
            "resources/subscribe": self.subscriptions.subscribe,
            "resources/unsubscribe": self.subscriptions.unsubscribe,
            "prompts/list": lambda asked: upstream.list_page("prompts/list", asked.cursor),
            "ui/open-link": self._open_link,
            "ui/download-file": self._download,
            "ui/message": self._message,
            "ui/update-model-context": self._update_context,
            "ui/request-display-mode": self._display_mode,
            "sampling/createMessage": self._sample,
            "cloche/set-state": self._set_state,
        }

    def allowed(self, capabilities: Json) -> list[str]:
        """The methods that a view with these capabilities may use (W16)."""
        return [method for method in self._handlers if TO_HOST[method].capability in {None, *capabilities}]

    async def answer(self, method: str, params: Json, gesture: int = 0) -> Json:
        """The result of one request; raises `McpError` or `TransportError`. `gesture` is the number of the click, tap
        or key in the view that it may come from, or 0.
        """
        current_gesture.set(gesture)
        if method not in self.allowed(self._view.capabilities):
            raise MethodNotFoundError(method)
        kind = TO_HOST[method].params
        if method == "ui/update-model-context":
            params = _legacy_context(params)
        return await self._handlers[method](params if kind is None else checked(method, params, kind))

    async def _require_consent(self, method: str, details: Json) -> bool:
        """Whether the user approved; raises `PolicyDeniedError` or `UserDeclinedError` when policy or user say no."""
        view, gesture, kind = self._view, current_gesture.get(), cast("Kind", TO_HOST[method].policy)
        paid = view.consent.gestures.pays(kind, gesture) and (kind != "message" or self._messages.take())
        request = Request(kind, view.user, view.server, view.tool, view.id, details, paid)
        return await view.consent.obtain(request, gesture) == "approved"

    async def _ping(self, _: Json) -> Json:
        return {}

    # The view's own server

    async def _call(self, asked: parameters.ToolCallParams) -> Json:
        tool = await self._tool_for_views(asked.name)
        details = {
            "name": asked.name,
            "arguments": asked.arguments,
            "annotations": tool.get("annotations"),
            "visibility": list(visibility(tool)),
        }
        await self._require_consent("tools/call", details)
        meta = {name: value for name, value in asked.meta.items() if name != "progressToken"}
        token = asked.meta.get("progressToken")
        try:
            async with asyncio.timeout(self._view.limits.call_seconds) as deadline:
                return await self._upstream.call_tool(
                    asked.name,
                    asked.arguments,
                    by=Origin(self._view.user, None, asked.name, deadline),
                    timeout=CALL_SECONDS + PERSON_SECONDS,
                    meta=meta or None,
                    on_progress=None if token is None else lambda told: self._view.progressed(token, told),
                )
        except TimeoutError:
            raise DeadlineError(asked.name) from None

    async def _tool_for_views(self, name: str) -> Json:
        for tool in await self._upstream.tools():
            if tool.get("name") == name:
                if "app" not in visibility(tool):
                    raise InvalidParamsError(f"The tool {shorten(name)} is not for views: its visibility lacks 'app'")
                return tool
        raise UnknownNameError("tool", name)

    async def _tools(self, _: parameters.Cursor) -> Json:
        return {"tools": [tool for tool in await self._upstream.tools() if "app" in visibility(tool)]}

    async def _read(self, asked: parameters.Read) -> Json:
        return await self._upstream.request("resources/read", {"uri": checked_uri("resources/read", asked)})

    # The product and its user

    async def _open_link(self, asked: parameters.OpenLink) -> Json:
        url = checked_link(asked.url)
        if not await self._is_allowed("ui/open-link", self._link(url)):
            return {"isError": True}
        return await self._do("open_link", url, {"do": "open-link", "url": url})

    def _link(self, url: str) -> Json:
        return {"url": url, **({"own": True} if is_own_link(url, self._view.page_origin) else {})}

    async def _download(self, asked: parameters.Download) -> Json:
        contents = asked.contents
        files = [_file(content, self._view.limits.download_bytes) for content in contents[:MAX_FILES]]
        if not files or len(contents) > MAX_FILES:
            raise InvalidParamsError(f"ui/download-file: 1 to {MAX_FILES} files can be saved at once")
        own = [file for file in files if "uri" not in file]
        links = [file["uri"] for file in files if "uri" in file]
        for url in links:  # the browser goes there: that is a link, whatever the view calls it
            if not await self._is_allowed("ui/open-link", self._link(url)):
                return {"isError": True}
        if own and not await self._is_allowed("ui/download-file", {"files": [file["name"] for file in own]}):
            return {"isError": True}
        opening = [{"do": "open-link", "url": url} for url in links]
        return await self._do("download", files, *([{"do": "download", "files": own}] if own else []), *opening)

    async def _is_allowed(self, method: str, details: Json) -> bool:
        """Whether the policy or the user allows it: for methods whose refusal is a result and not an error."""
        try:
            await self._require_consent(method, details)
        except (PolicyDeniedError, UserDeclinedError):
            return False
        return True

    async def _do(self, hook: str, value: object, *frames: Json) -> Json:
        """Have the product do what was allowed, or the page."""
        if self._view.hooks.find(hook) is None:
            for frame in frames:
                self._view.send(frame)
            return {}
        said = await self._view.product(hook, value)
        return {"isError": True} if said is False else {}

    async def _message(self, said: parameters.UserMessage) -> Json:
        view = self._view
        self._check_content("ui/message", said.content, None)
        try:
            approved = await self._require_consent("ui/message", {"content": said.content})
        except (PolicyDeniedError, UserDeclinedError):
            return {"isError": True}
        message = ViewMessage(said.content, view=view.id, server=view.server, tool=view.tool, approved=approved)
        taken = await view.product("message", message)
        return {"isError": True} if taken is False else {}

    async def _update_context(self, update: parameters.ContextUpdate) -> Json:
        self._check_content("ui/update-model-context", update.content, update.structured_content)
        details = {"content": update.content, "structuredContent": update.structured_content}
        await self._require_consent("ui/update-model-context", details)
        await self._view.store_model_context(update.content, update.structured_content, merge=update.merge)
        return {}

    def _check_content(self, method: str, content: list[Json], rest: object) -> None:
        limits = self._view.limits
        check_content(method, content, rest, text_bytes=limits.text_bytes, image_bytes=limits.image_bytes)

    async def _display_mode(self, asked: parameters.DisplayMode) -> Json:
        mode, view = asked.mode, self._view
        offered = mode in OFFERED_MODES and mode in view.profile.display_modes
        changes = mode != view.display_mode and offered and view.supports_mode(mode)
        if changes and self._mode_changes.take():
            allowed = await self._is_allowed("ui/request-display-mode", {"mode": mode})
            if allowed and await view.product("display_mode", mode) is not False:
                await view.change_mode(mode)
        return {"mode": view.display_mode}

    async def _sample(self, params: Json) -> Json:
        check_size("sampling/createMessage", params, self._view.limits.text_bytes)
        await self._require_consent("sampling/createMessage", params)
        result = await self._view.product("sampling", params)
        return result if isinstance(result, dict) else {}

    async def _set_state(self, state: parameters.State) -> Json:
        check_size("cloche/set-state", state.value, self._view.limits.state_bytes)
        self._view.call.state = state.value
        if state.model:
            await self._require_consent("ui/update-model-context", {"structuredContent": {"state": state.value}})
            await self._view.store_model_context([], {"state": state.value}, merge=True)
        return {}


def _legacy_context(params: Json) -> Json:
    """In the legacy dialect a context may be a text."""
    text = params.get("structuredContent")
    if not isinstance(text, str):
        return params
    rest = {name: value for name, value in params.items() if name != "structuredContent"}
    return {**rest, "content": [{"type": "text", "text": text}]}


def _file(content: Json, limit: int) -> Json:
    """A file for the page to save: with a name that is only a name."""
    kind = content.get("type")
    if kind == "resource_link":
        uri = checked("ui/download-file", content, parameters.Read).uri
        return {"name": file_name(uri), "mimeType": _mime(content), "uri": checked_link(uri)}
    resource = content.get("resource")
    if kind != "resource" or not isinstance(resource, dict) or not isinstance(resource.get("uri"), str):
        raise InvalidParamsError("ui/download-file: contents are of type 'resource' or 'resource_link'")
    data = next((key for key in ("text", "blob") if isinstance(resource.get(key), str)), None)
    if data is None or len(resource[data]) > limit:
        raise InvalidParamsError(f"ui/download-file: a file has text or a blob of at most {limit} characters")
    return {"name": file_name(resource["uri"]), "mimeType": _mime(resource), data: resource[data]}


def file_name(uri: str) -> str:
    """The last part of a URI as the name of a file: no folders, no hidden file, not too long."""
    path = re.sub(r"^[A-Za-z][\w+.-]*:", "", uri.partition("?")[0].partition("#")[0])
    last = unquote(path.rstrip("/").rpartition("/")[2])
    # What a question would not show is not in the name either: blank letters, an ending behind a hundred spaces.
    plain = " ".join(visible(last).split())
    name = _FILE_NAME.sub("_", plain).strip(" .")
    return name[-100:].lstrip(" .") or "download"


def _mime(content: Json) -> str:
    given = content.get("mimeType")
    plain = isinstance(given, str) and re.fullmatch(r"[\w.+-]{1,60}/[\w.+-]{1,60}(?:;[\w=\"'.+ -]{0,60})?", given)
    return str(given) if plain else "application/octet-stream"


def merged_context(before: ModelContext | None, now: ModelContext) -> ModelContext:
    """The legacy dialect's `merge`: keys of this one over those of the last."""
    if before is None:
        return now
    structured = {**(before.structured_content or {}), **(now.structured_content or {})} or None
    return ModelContext(now.view, now.server, now.tool, now.content or before.content, structured)
