"""The message handler of the source documents: what a widget asks, checked and handed to the product's callbacks.

It knows no sockets and no frames: a JSON-RPC message goes in, the answer comes out. `Host` does far more around the
same questions (sandbox, consent, sessions); this class is for products that carry the messages themselves.

A request passes three gates, in this order: the method is known, the host announced the capability and has the
callback, and the parameters fit. Only then a callback runs. Widgets of the legacy dialects are understood by their
method names, and only they are answered with the codes -32001 to -32004; to current methods the answers are MCP's own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from cloche.errors import (
    EXT_APPS_ERROR_CODES,
    ExtAppsError,
    ExtAppsInvalidParamsError,
    ExtAppsMethodNotFoundError,
    ExtAppsNotSupportedError,
    ExtAppsToolNotFoundError,
    McpError,
    RequestCancelledError,
    ToolError,
    UnknownNameError,
    shorten,
)
from cloche.host.message_context import HandlerContext, HostCapabilities, Json, WidgetCapabilities
from cloche.host.message_params import id_of, is_web_address, method_and_params, optional, required, tool_name
from cloche.wire.apps.methods import DISPLAY_MODES, PROTOCOL_VERSION

NOTIFICATIONS = {
    "tool-input": "ui/notifications/tool-input",
    "tool-input-partial": "ui/notifications/tool-input-partial",
    "tool-result": "ui/notifications/tool-result",
    "host-context-changed": "ui/notifications/host-context-changed",
    "cancelled": "ui/notifications/tool-cancelled",
}
"""What a host tells a widget, by the source documents' short name."""

LOG_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "notice": logging.INFO,
    "warning": logging.WARNING,
    "warn": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "alert": logging.CRITICAL,
    "emergency": logging.CRITICAL,
}

LOG_LIMIT = 2000
"""Characters of a widget's log line that are kept."""

_own_log = logging.getLogger("cloche.host")


@dataclass(frozen=True)
class Route:
    """One method: the capability and callbacks it needs, and what it does."""

    run: Callable[[MessageHandler, Json], Awaitable[Any]]
    missing: str
    """What the widget is told when the host does not do this."""
    callback: str | None = None
    capability: str | None = None


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
        answered = not isinstance(request, dict) or "id" in request or "method" not in request
        identity = id_of(request)
        try:
            response: Json = {"result": await self._run(*method_and_params(request))}
        except McpError as error:
            response = {"error": error.to_json_rpc_error()}
        except Exception:
            _own_log.exception("A widget's request failed")
            response = {"error": {"code": EXT_APPS_ERROR_CODES["INTERNAL_ERROR"], "message": "Internal error"}}
        return {"jsonrpc": "2.0", "id": identity, **response} if answered else None

    def notification(self, kind: str, params: Json | None = None) -> Json:
        """The message that tells the widget about `kind`, a key of `NOTIFICATIONS`, in the widget's own dialect."""
        method = NOTIFICATIONS[kind]
        if self.legacy and kind == "cancelled":
            method = "ui/notifications/cancelled"
        return {"jsonrpc": "2.0", "method": method, "params": params or {}}

    async def _run(self, method: str, params: Json) -> Any:
        route = LEGACY.get(method)
        legacy = route is not None
        route = route or CURRENT.get(method)
        if route is None:
            raise ExtAppsMethodNotFoundError(f"Unknown method: {shorten(method)}")
        self.legacy = self.legacy or legacy
        try:
            self._admit(route)
            return await route.run(self, params)
        except McpError as error:
            raise error if legacy else _as_current_error(error) from None

    def _admit(self, route: Route) -> None:
        announced = route.capability is None or getattr(self.capabilities, route.capability)
        if not announced or (route.callback and getattr(self.context, route.callback) is None):
            raise ExtAppsNotSupportedError(route.missing)

    async def _initialize(self, params: Json) -> Json:
        info, said = required(params, "appInfo", dict), required(params, "appCapabilities", dict)
        version = required(params, "protocolVersion", str)
        required(info, "name", str)
        self.widget = WidgetCapabilities.from_wire(said)
        self.legacy = self.legacy or "supportsPartialInput" in said or version < "2025-11"
        announced = self.capabilities.as_flags() if self.legacy else self.capabilities.as_objects()
        return {
            "protocolVersion": PROTOCOL_VERSION,
            "hostInfo": self.host_info,
            "hostCapabilities": announced,
            "hostContext": self.host_context,
        }

    async def _call_tool(self, params: Json) -> Any:
        name = tool_name(params)
        arguments = optional(params, "arguments", dict, optional(params, "args", dict, {}))
        assert self.context.call_tool is not None
        try:
            return await self.context.call_tool(name, arguments)
        except UnknownNameError:
            raise ExtAppsToolNotFoundError(f"Tool not found: {shorten(name)}") from None
        except RequestCancelledError:
            raise _failure("CANCELLED", "The call was cancelled") from None
        except McpError:
            raise
        except ToolError as error:
            raise _failure("TOOL_EXECUTION_FAILED", str(error)) from None
        except asyncio.CancelledError:
            raise
        except Exception:
            _own_log.exception("The tool %s failed for a widget", shorten(name))
            raise _failure("TOOL_EXECUTION_FAILED", f"Tool execution failed: {shorten(name)}") from None

    async def _update_legacy_context(self, params: Json) -> Json:
        if "context" not in params:
            raise ExtAppsInvalidParamsError("Context is required")
        merge = optional(params, "merge", bool, False)
        assert self.context.update_model_context is not None
        await self.context.update_model_context(params["context"], merge)
        return {}

    async def _update_context(self, params: Json) -> Json:
        said = {
            "content": optional(params, "content", list),
            "structuredContent": optional(params, "structuredContent", dict),
        }
        assert self.context.update_model_context is not None
        await self.context.update_model_context({key: value for key, value in said.items() if value is not None}, False)
        return {}

    async def _open_link(self, params: Json) -> Json:
        url = required(params, "url", str)
        if not is_web_address(url):
            raise ExtAppsInvalidParamsError("Only http and https links can be opened")
        assert self.context.open_link is not None
        await self.context.open_link(url)
        return {}

    async def _set_display_mode(self, params: Json) -> Json:
        mode = required(params, "mode", str)
        if mode not in DISPLAY_MODES:
            raise ExtAppsInvalidParamsError(f"Display mode must be one of {', '.join(DISPLAY_MODES)}")
        if self.capabilities.display_modes and mode not in self.capabilities.display_modes:
            raise ExtAppsInvalidParamsError(f"Display mode not supported: {mode}")
        assert self.context.set_display_mode is not None
        await self.context.set_display_mode(mode)
        return {"mode": mode}

    async def _close(self, params: Json) -> Json:
        reason = optional(params, "reason", str)
        assert self.context.close is not None
        await self.context.close(reason if reason is None else shorten(reason, LOG_LIMIT))
        return {}

    async def _log(self, params: Json) -> Json:
        level = required(params, "level", str)
        if level not in LOG_LEVELS:
            raise ExtAppsInvalidParamsError(f"Log level must be one of {', '.join(LOG_LEVELS)}")
        said = {key: params[key] for key in ("message", "data") if key in params}
        if not said:
            raise ExtAppsInvalidParamsError("Log message is required")
        # As one quoted value: a line break in it must not look like a line of the product's own log.
        text = " ".join(shorten(repr(value), LOG_LIMIT) for value in said.values())
        assert self.context.logger is not None
        self.context.logger.log(LOG_LEVELS[level], "widget of session %s: %s", self.context.session_id, text)
        return {}

    async def _register_tool(self, params: Json) -> Json:
        name = tool_name(params)
        description = optional(params, "description", str, "")
        schema = optional(params, "inputSchema", dict, {"type": "object"})
        assert self.context.register_tool is not None
        await self.context.register_tool(name, description, schema)
        return {}

    async def _unregister_tool(self, params: Json) -> Json:
        name = tool_name(params)
        assert self.context.unregister_tool is not None
        await self.context.unregister_tool(name)
        return {}

    async def _nothing(self, _params: Json) -> Json:
        return {}


def create_message_handler(
    context: HandlerContext, host_capabilities: HostCapabilities | None = None
) -> MessageHandler:
    """The source documents' `createExtAppsMessageHandler({context, hostCapabilities})`."""
    return MessageHandler(context, host_capabilities)


LEGACY: dict[str, Route] = {
    "ui/callServerTool": Route(
        MessageHandler._call_tool, "Server tool proxy not supported", "call_tool", "server_tool_proxy"
    ),
    "ui/updateModelContext": Route(
        MessageHandler._update_legacy_context,
        "Model context update not supported",
        "update_model_context",
        "model_context_update",
    ),
    "ui/openLink": Route(MessageHandler._open_link, "Open link not supported", "open_link", "open_link"),
    "ui/setDisplayMode": Route(
        MessageHandler._set_display_mode, "Display mode change not supported", "set_display_mode"
    ),
    "ui/close": Route(MessageHandler._close, "Close not supported", "close"),
    "ui/log": Route(MessageHandler._log, "Logging not supported", "logger", "logging"),
    "ui/registerTool": Route(
        MessageHandler._register_tool, "Widget tools not supported", "register_tool", "widget_tools"
    ),
    "ui/unregisterTool": Route(
        MessageHandler._unregister_tool, "Widget tools not supported", "unregister_tool", "widget_tools"
    ),
    "ui/size-change": Route(MessageHandler._nothing, ""),
}
"""The methods of the legacy dialects."""

CURRENT: dict[str, Route] = {
    "ui/initialize": Route(MessageHandler._initialize, ""),
    "ping": Route(MessageHandler._nothing, ""),
    "tools/call": LEGACY["ui/callServerTool"],
    "ui/update-model-context": Route(
        MessageHandler._update_context,
        "Model context update not supported",
        "update_model_context",
        "model_context_update",
    ),
    "ui/open-link": LEGACY["ui/openLink"],
    "ui/request-display-mode": LEGACY["ui/setDisplayMode"],
    "ui/notifications/request-teardown": LEGACY["ui/close"],
    "notifications/message": LEGACY["ui/log"],
    "ui/notifications/initialized": Route(MessageHandler._nothing, ""),
    "ui/notifications/size-changed": Route(MessageHandler._nothing, ""),
}
"""The methods of MCP Apps 2026-01-26 that this handler answers, and `ui/initialize`, which all dialects share."""

_TODAY_CODES = {
    EXT_APPS_ERROR_CODES["TOOL_NOT_FOUND"]: EXT_APPS_ERROR_CODES["INVALID_PARAMS"],
    EXT_APPS_ERROR_CODES["TOOL_EXECUTION_FAILED"]: EXT_APPS_ERROR_CODES["INTERNAL_ERROR"],
    EXT_APPS_ERROR_CODES["NOT_SUPPORTED"]: EXT_APPS_ERROR_CODES["METHOD_NOT_FOUND"],
    EXT_APPS_ERROR_CODES["CANCELLED"]: RequestCancelledError.json_rpc_code,
}


def _as_current_error(error: McpError) -> McpError:
    """The same error with MCP's own code: to a current view -32001 means a time-out."""
    if not isinstance(error, ExtAppsError) or error.code not in _TODAY_CODES:
        return error
    return ExtAppsError(error.message, code=_TODAY_CODES[error.code], data=error.data)


def _failure(code: str, text: str) -> ExtAppsError:
    return ExtAppsError(text, code=EXT_APPS_ERROR_CODES[code])
