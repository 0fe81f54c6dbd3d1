"""The message handler of the source documents: what a widget asks, checked and handed to the product's callbacks.

It knows no sockets and no frames: a JSON-RPC message goes in, the answer comes out. `Host` does far more around the
same questions (sandbox, consent, sessions); this class is for products that carry the messages themselves.

A request passes three gates, in this order: the method is known, the host announced the capability and has the
callback, and the parameters fit. Only then a callback runs. Widgets of the legacy dialects are understood by their
method names, and only they are answered with the codes -32001 to -32004; to current methods the answers are MCP's own.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from cloche.errors import (
    EXT_APPS_ERROR_CODES,
    ExtAppsError,
    ExtAppsInvalidParamsError,
    ExtAppsMethodNotFoundError,
    ExtAppsNotSupportedError,
    ExtAppsToolNotFoundError,
    InvalidParamsError,
    InvalidRequestError,
    McpError,
    RequestCancelledError,
    ToolError,
    UnknownNameError,
    shorten,
)
from cloche.host.message_context import HandlerContext, HostCapabilities, WidgetCapabilities
from cloche.host.policy import checked_link
from cloche.host.view_handshake import initialize_result
from cloche.wire.apps.lifecycle import CANCELLED
from cloche.wire.apps.methods import DISPLAY_MODES, LEGACY, TO_VIEW, current
from cloche.wire.apps.peer import is_id
from cloche.wire.types import Json

ROUTES: dict[str, tuple[str, str | None, str | None]] = {
    "ui/initialize": ("", None, None),
    "ping": ("", None, None),
    "tools/call": ("Server tool proxy", "call_tool", "server_tool_proxy"),
    "ui/update-model-context": ("Model context update", "update_model_context", "model_context_update"),
    "ui/open-link": ("Open link", "open_link", "open_link"),
    "ui/request-display-mode": ("Display mode change", "set_display_mode", None),
    "ui/notifications/request-teardown": ("Close", "close", None),
    "notifications/message": ("Logging", "logger", "logging"),
    "ui/registerTool": ("Widget tools", "register_tool", "widget_tools"),
    "ui/unregisterTool": ("Widget tools", "unregister_tool", "widget_tools"),
    "ui/notifications/initialized": ("", None, None),
    "ui/notifications/size-changed": ("", None, None),
}
"""What this handler does, by the current names (`wire.apps.methods` has the older ones): how a refusal calls it, and
the callback and the capability that it needs.
"""

LOG_LEVELS = {
    **{name.lower(): level for name, level in logging.getLevelNamesMapping().items() if level},
    "notice": logging.INFO,
    "alert": logging.CRITICAL,
    "emergency": logging.CRITICAL,
}

LOG_LIMIT = 2000
"""Characters of a widget's log line that are kept."""

_own_log = logging.getLogger("cloche.host")


class MessageHandler:
    """Answers the JSON-RPC requests of one widget."""

    def __init__(
        self,
        context: HandlerContext,
        capabilities: HostCapabilities | None = None,
        *,
        host_info: Json | None = None,
        host_context: Json | None = None,
    ) -> None:
        self.context = context
        self.capabilities = capabilities or HostCapabilities()
        self.host_info = host_info or {"name": "Cloche", "version": "1"}
        self.host_context = host_context or {}
        self.widget: WidgetCapabilities | None = None
        """What the widget said of itself, once it has sent `ui/initialize`."""
        self.legacy = False
        """Whether it speaks the legacy dialect, as far as its messages have shown."""

    async def handle_request(self, request: Any) -> Json | None:
        """The response to a widget's message: never raises for what the widget sent; None for a notification."""
        said: Json = request if isinstance(request, dict) else {}
        try:
            response: Json = {"result": await self._run(said)}
        except McpError as error:
            response = {"error": error.to_json_rpc_error()}
        except Exception:
            _own_log.exception("A widget's request failed")
            response = {"error": {"code": EXT_APPS_ERROR_CODES["INTERNAL_ERROR"], "message": "Internal error"}}
        if "method" in said and "id" not in said:
            return None
        return {"jsonrpc": "2.0", "id": said["id"] if is_id(said.get("id")) else None, **response}

    def notification(self, kind: str, params: Json | None = None) -> Json:
        """The message that tells the widget about `kind` in its own dialect: `tool-input`, `tool-input-partial`,
        `tool-result`, `host-context-changed` or `cancelled`.
        """
        row = TO_VIEW[CANCELLED if kind == "cancelled" else f"ui/notifications/{kind}"]
        method = row.legacy[0] if self.legacy and kind == "cancelled" else row.name
        return {"jsonrpc": "2.0", "method": method, "params": params or {}}

    async def _run(self, request: Json) -> Any:
        method, params = request.get("method"), request.get("params")
        if request.get("jsonrpc") != "2.0" or not isinstance(method, str) or not is_id(request.get("id", "")):
            raise InvalidRequestError("Not a JSON-RPC 2.0 request with a text or an integer as its id")
        if params is not None and not isinstance(params, dict):
            raise ExtAppsInvalidParamsError("params must be an object")
        is_legacy = method in LEGACY
        name, given = current(method, params or {})
        if name not in ROUTES:
            raise ExtAppsMethodNotFoundError(f"Unknown method: {shorten(method)}")
        self.legacy = self.legacy or is_legacy
        try:
            return await self._call(name, Params(given, is_legacy))
        except McpError as error:
            raise error if is_legacy else _as_current_error(error) from None

    async def _call(self, name: str, params: Params) -> Any:
        what, callback_name, capability = ROUTES[name]
        if callback_name is None:
            return self._initialize(params) if name == "ui/initialize" else {}
        callback = getattr(self.context, callback_name)
        if callback is None or (capability is not None and not getattr(self.capabilities, capability)):
            raise ExtAppsNotSupportedError(f"{what} not supported")
        values = self._arguments(name, params)
        if name == "tools/call":
            return await _call_tool(callback, *values)
        if name == "notifications/message":
            callback.log(*values)
        else:
            await callback(*values)
        return {"mode": values[0]} if name == "ui/request-display-mode" else {}

    def _initialize(self, params: Params) -> Json:
        info, said = params.required("appInfo", dict), params.required("appCapabilities", dict)
        version = params.required("protocolVersion", str)
        Params(info).required("name", str)
        self.widget = WidgetCapabilities.from_wire(said)
        self.legacy = self.legacy or "supportsPartialInput" in said or version < "2025-11"
        announced = self.capabilities.as_flags() if self.legacy else self.capabilities.as_objects()
        return initialize_result(self.host_info, announced, self.host_context)

    def _arguments(self, name: str, params: Params) -> tuple[Any, ...]:
        """What the callback is given, checked."""
        match name:
            case "tools/call":
                return params.tool_name(), params.optional("arguments", dict, {})
            case "ui/update-model-context":
                return params.model_context()
            case "ui/open-link":
                return (params.web_link(),)
            case "ui/request-display-mode":
                return (self._display_mode(params),)
            case "ui/notifications/request-teardown":
                reason = params.optional("reason", str)
                return (reason and shorten(reason, LOG_LIMIT),)
            case "notifications/message":
                level, text = params.log_line()
                return level, "widget of session %s: %s", self.context.session_id, text
            case "ui/registerTool":
                schema = params.optional("inputSchema", dict, {"type": "object"})
                return params.tool_name(), params.optional("description", str, ""), schema
            case _:
                return (params.tool_name(),)

    def _display_mode(self, params: Params) -> str:
        mode: str = params.required("mode", str)
        if mode not in DISPLAY_MODES:
            raise ExtAppsInvalidParamsError(f"Display mode must be one of {', '.join(DISPLAY_MODES)}")
        if self.capabilities.display_modes and mode not in self.capabilities.display_modes:
            raise ExtAppsInvalidParamsError(f"Display mode not supported: {mode}")
        return mode


class Params(NamedTuple):
    """The parameters of a request, by their current names; each is looked at before a callback runs."""

    given: Json
    is_legacy: bool = False

    def required(self, key: str, kind: type) -> Any:
        """A parameter that must be there and not be empty text."""
        value = self.given.get(key)
        if not isinstance(value, kind) or value == "":
            raise ExtAppsInvalidParamsError(f"{key} is required and must be {_KINDS[kind]}")
        return value

    def optional(self, key: str, kind: type, default: Any = None) -> Any:
        """A parameter that may be missing or null."""
        value = self.given.get(key)
        if value is not None and not isinstance(value, kind):
            raise ExtAppsInvalidParamsError(f"{key} must be {_KINDS[kind]}")
        return default if value is None else value

    def tool_name(self) -> str:
        """The name of a tool."""
        name = self.given.get("name")
        if not isinstance(name, str) or not name:
            raise ExtAppsInvalidParamsError("Tool name is required")
        return name

    def model_context(self) -> tuple[Any, bool]:
        """What the model shall know; only the legacy dialect can add to what was said before."""
        if not self.is_legacy:
            said = {
                "content": self.optional("content", list),
                "structuredContent": self.optional("structuredContent", dict),
            }
            return {name: value for name, value in said.items() if value is not None}, False
        if "structuredContent" not in self.given:
            raise ExtAppsInvalidParamsError("Context is required")
        return self.given["structuredContent"], self.optional("merge", bool, False)

    def web_link(self) -> str:
        """A link that a browser may open."""
        url: str = self.required("url", str)
        try:
            checked_link(url)
        except InvalidParamsError:
            raise ExtAppsInvalidParamsError("Only http and https links can be opened") from None
        return url

    def log_line(self) -> tuple[int, str]:
        """Level and text, as one quoted value: a line break in it must not look like a line of the product's log."""
        level = self.required("level", str)
        if level not in LOG_LEVELS:
            raise ExtAppsInvalidParamsError(f"Log level must be one of {', '.join(LOG_LEVELS)}")
        if "data" not in self.given:
            raise ExtAppsInvalidParamsError("Log message is required")
        return LOG_LEVELS[level], shorten(repr(self.given["data"]), LOG_LIMIT)


_KINDS: dict[type, str] = {dict: "an object", str: "a text", list: "a list", bool: "true or false"}


def create_message_handler(
    context: HandlerContext, host_capabilities: HostCapabilities | None = None
) -> MessageHandler:
    """The source documents' `createExtAppsMessageHandler({context, hostCapabilities})`."""
    return MessageHandler(context, host_capabilities)


async def _call_tool(call_tool: Callable[[str, Json], Awaitable[Any]], name: str, arguments: Json) -> Any:
    try:
        return await call_tool(name, arguments)
    except UnknownNameError:
        raise ExtAppsToolNotFoundError(f"Tool not found: {shorten(name)}") from None
    except RequestCancelledError:
        raise _failure("CANCELLED", "The call was cancelled") from None
    except McpError:
        raise
    except ToolError as error:
        raise _failure("TOOL_EXECUTION_FAILED", str(error)) from None
    except Exception:
        _own_log.exception("The tool %s failed for a widget", shorten(name))
        raise _failure("TOOL_EXECUTION_FAILED", f"Tool execution failed: {shorten(name)}") from None


_CURRENT_CODES = {
    EXT_APPS_ERROR_CODES["TOOL_NOT_FOUND"]: EXT_APPS_ERROR_CODES["INVALID_PARAMS"],
    EXT_APPS_ERROR_CODES["TOOL_EXECUTION_FAILED"]: EXT_APPS_ERROR_CODES["INTERNAL_ERROR"],
    EXT_APPS_ERROR_CODES["NOT_SUPPORTED"]: EXT_APPS_ERROR_CODES["METHOD_NOT_FOUND"],
    EXT_APPS_ERROR_CODES["CANCELLED"]: RequestCancelledError.json_rpc_code,
}


def _as_current_error(error: McpError) -> McpError:
    """The error with MCP's own code: to a current view -32001 means a time-out."""
    if not isinstance(error, ExtAppsError) or error.code not in _CURRENT_CODES:
        return error
    return ExtAppsError(error.message, code=_CURRENT_CODES[error.code], data=error.data)


def _failure(code: str, text: str) -> ExtAppsError:
    return ExtAppsError(text, code=EXT_APPS_ERROR_CODES[code])
