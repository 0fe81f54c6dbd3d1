"""Every method of MCP Apps, one row each: who sends it, its parameters, what it needs, and what it was called before.

The product's host, the testing host, `MessageHandler`, the emulated hosts and the view runtime (through
`web/dialects.js`, which `python -m tools.protocol_facts` writes) read this table; none of them has names of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from cloche.errors import (
    ExtAppsNotSupportedError,
    ExtAppsToolNotFoundError,
    McpError,
    MethodNotFoundError,
    PolicyDeniedError,
    UnknownNameError,
    UserDeclinedError,
)
from cloche.wire.apps import params
from cloche.wire.types import Json

PROTOCOL_VERSION = "2026-01-26"
"""The version of MCP Apps that we speak."""

SUPPORTED_VERSIONS = (PROTOCOL_VERSION, "2025-11-21")
"""The versions whose views speak the names of this table; views of earlier ones speak a legacy dialect."""

DISPLAY_MODES = ("inline", "fullscreen", "pip")
"""Every mode that a view can ask for; a host offers some of them."""

STATE_KEY = "cloche/state"
"""The experimental capability of hosts that keep a view's state, and where the view finds it in its context."""

SUBSCRIBE_KEY = "cloche/subscribe"
"""The experimental capability of hosts in which views subscribe to resources of their own server."""

Direction = Literal["to host", "to view", "proxy"]
"""Who gets it. `proxy`: between a host and its own sandbox page, never from or to a view."""


class Method(msgspec.Struct, frozen=True, kw_only=True):
    """One method."""

    name: str
    direction: Direction
    is_request: bool = False
    params: type | None = None
    """What its parameters must look like; None where they are checked elsewhere or not at all."""
    strict_params: type | None = None
    """What the specification wants of them, where hosts take less."""
    capability: str | None = None
    """The member of `hostCapabilities` without which the method does not exist for a view."""
    policy: str | None = None
    """The kind of request that a policy decides about; None when nobody has to be asked."""
    legacy: tuple[str, ...] = ()
    """What it was called before; to older peers it is still called by the first of these."""
    legacy_read: tuple[str, ...] = ()
    """Older names that are understood and never sent."""
    legacy_params: Mapping[str, str] = {}
    """Parameters and what they were called before."""
    legacy_params_read: Mapping[str, str] = {}
    """Older names of parameters that are understood and never sent, and the parameters that they are."""
    is_legacy: bool = False
    """Whether the method exists in the legacy dialect only."""


def _asked(name: str, **row: object) -> Method:
    return Method(name=name, direction="to host", is_request=True, **row)  # type: ignore[arg-type]


def _said(name: str, **row: object) -> Method:
    return Method(name=name, direction="to host", **row)  # type: ignore[arg-type]


def _told(name: str, *, is_request: bool = False, legacy: tuple[str, ...] = ()) -> Method:
    return Method(name=name, direction="to view", is_request=is_request, legacy=legacy)


ROWS: tuple[Method, ...] = (
    # What a view asks
    _asked("ui/initialize", params=params.Initialize, strict_params=params.StrictInitialize),
    _asked("ping"),
    _asked(
        "tools/call",
        params=params.ToolCallParams,
        capability="serverTools",
        policy="tool",
        legacy=("ui/callServerTool",),
        legacy_params_read={"args": "arguments"},
    ),
    _asked("tools/list", params=params.Cursor, capability="serverTools"),
    _asked("resources/read", params=params.Read, capability="serverResources"),
    _asked("resources/list", params=params.Cursor, capability="serverResources"),
    _asked("resources/templates/list", params=params.Cursor, capability="serverResources"),
    _asked("resources/subscribe", params=params.Read, capability="experimental"),
    _asked("resources/unsubscribe", params=params.Read, capability="experimental"),
    _asked("prompts/list", params=params.Cursor),
    _asked("ui/open-link", params=params.OpenLink, capability="openLinks", policy="link", legacy=("ui/openLink",)),
    _asked("ui/download-file", params=params.Download, capability="downloadFile", policy="download"),
    _asked("ui/message", params=params.UserMessage, capability="message", policy="message"),
    _asked(
        "ui/update-model-context",
        params=params.ContextUpdate,
        capability="updateModelContext",
        policy="context",
        legacy=("ui/updateModelContext",),
        legacy_params={"structuredContent": "context", "content": "context"},
    ),
    _asked("ui/request-display-mode", params=params.DisplayMode, policy="display-mode", legacy=("ui/setDisplayMode",)),
    _asked("sampling/createMessage", capability="sampling", policy="sampling"),
    _asked("cloche/set-state", params=params.State, capability="experimental"),
    _asked("ui/registerTool", params=params.ProvidedTool, is_legacy=True),
    _asked("ui/unregisterTool", is_legacy=True),
    # What a view says
    _said("ui/notifications/initialized"),
    _said("ui/notifications/size-changed", legacy_read=("ui/size-change",)),
    _said("ui/notifications/request-teardown", legacy=("ui/close",)),
    _said("notifications/message", params=params.Log, legacy=("ui/log",), legacy_params={"data": "message"}),
    _said("notifications/tools/list_changed"),
    _said("notifications/cancelled"),
    # What a host says and asks
    _told("ui/notifications/tool-input-partial"),
    _told("ui/notifications/tool-input", legacy=("ui/toolInput",)),
    _told("ui/notifications/tool-result", legacy=("ui/toolResult",)),
    _told("ui/notifications/tool-cancelled", legacy=("ui/notifications/cancelled", "ui/tool-cancelled")),
    _told("ui/notifications/host-context-changed", legacy=("ui/host-context-change",)),
    _told("ui/resource-teardown", is_request=True, legacy=("ui/teardown",)),
    _told("tools/list", is_request=True),
    _told("tools/call", is_request=True),
    _told("ping", is_request=True),
    _told("notifications/tools/list_changed"),
    _told("notifications/resources/list_changed"),
    _told("notifications/resources/updated"),
    _told("notifications/prompts/list_changed"),
    _told("notifications/progress"),
    _told("notifications/cancelled"),
    # Between a host and its sandbox
    Method(
        name="ui/notifications/sandbox-proxy-ready",
        direction="proxy",
        legacy_read=("ui/notifications/sandbox-ready", "sandbox-proxy-ready"),
    ),
    Method(name="ui/notifications/sandbox-resource-ready", direction="proxy", legacy_read=("sandbox-resource-ready",)),
)
"""The protocol."""

TO_HOST: Mapping[str, Method] = {row.name: row for row in ROWS if row.direction == "to host"}
"""What views send, by name."""

TO_VIEW: Mapping[str, Method] = {row.name: row for row in ROWS if row.direction == "to view"}
"""What hosts send, by name."""

LEGACY: Mapping[str, Method] = {
    **{legacy: row for row in ROWS if row.direction != "to view" for legacy in (*row.legacy, *row.legacy_read)},
    **{row.name: row for row in ROWS if row.is_legacy},
}
"""What a host reads under an older name, and what only the legacy dialect has."""

LEGACY_REQUESTS = tuple(legacy for row in TO_HOST.values() for legacy in (row.legacy or (row.name,) * row.is_legacy))
"""Requests of the legacy dialect; some of them are notifications today."""

LEGACY_CAPABILITIES: Mapping[str, str] = {
    "serverToolProxy": "serverTools",
    "openLink": "openLinks",
    "modelContextUpdate": "updateModelContext",
    "widgetTools": "appTools",
}
"""Flags in which older hosts say what they can do, and the capabilities that they are today."""


def current(method: str, params: Json) -> tuple[str, Json]:
    """A view's method and parameters as of `PROTOCOL_VERSION`; what is current, or unknown, stays as it is."""
    row = LEGACY.get(method)
    if row is None:
        return method, params
    renamed = dict(params)
    for legacy, name in row.legacy_params_read.items():
        if legacy in renamed and name not in renamed:
            renamed[name] = renamed[legacy]
    for name, legacy in row.legacy_params.items():
        if legacy in renamed:
            value = renamed.pop(legacy)
            # `ui/log` has a message and data; now both are data.
            renamed[name] = {legacy: value, name: renamed[name]} if name in renamed else value
    return row.name, renamed


def legacy_error(method: str, error: McpError) -> McpError:
    """The error with the code that the legacy dialect has for it; for current methods it stays as it is."""
    if method not in LEGACY_REQUESTS:
        return error
    if isinstance(error, UnknownNameError):
        return ExtAppsToolNotFoundError(error.message.replace("Unknown tool", "Tool not found", 1))
    if isinstance(error, MethodNotFoundError | PolicyDeniedError | UserDeclinedError):
        return ExtAppsNotSupportedError(error.message)
    return error


def dialects() -> Json:
    """The older names for the browser's side: what `web/dialects.js` holds."""
    written = [row for row in TO_HOST.values() if row.legacy]
    return {
        "toView": {legacy: row.name for row in TO_VIEW.values() for legacy in row.legacy},
        "toHost": {row.name: row.legacy[0] for row in written},
        "params": {name: legacy for row in written for name, legacy in row.legacy_params.items()},
        "capabilities": dict(LEGACY_CAPABILITIES),
        "hostReads": {legacy: row.name for row in ROWS for legacy in row.legacy_read},
    }


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """The names that a host uses: the current ones, or those of hosts before MCP Apps 2026-01-26."""

    version: str = PROTOCOL_VERSION
    """What it answers to `ui/initialize` as its version."""
    sends: Mapping[str, str] = field(default_factory=dict)
    """Current methods that it calls otherwise."""
    takes: frozenset[str] | None = None
    """The only requests that it understands; None for all current ones."""
    omits: tuple[str, ...] = ()
    """Members that its answer to `ui/initialize` does not have."""
    capabilities: Mapping[str, Any] | None = None
    """What it offers, in its own words; None for the current ones."""
    waits: bool = True
    """Whether a view must say that it is initialized before it is spoken to."""

    def worded(self, message: Json) -> Json:
        """A current message under the name that this host uses."""
        method = self.sends.get(message.get("method", ""))
        return message if method is None else {**message, "method": method}

    def check(self, method: str) -> None:
        """Raise `MethodNotFoundError` for a request that this host does not understand."""
        if self.takes is not None and method not in self.takes:
            raise MethodNotFoundError(method)

    def understood(self, method: str, params: Json) -> tuple[str, Json]:
        """A view's request in current terms; raises `MethodNotFoundError` for what this host does not understand."""
        self.check(method)
        return (method, params) if self.takes is None else current(method, params)
