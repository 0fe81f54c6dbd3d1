"""What a `MessageHandler` is made of: the product's callbacks, and what host and widget say of themselves."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from cloche.errors import ConfigurationError, ExtAppsInvalidParamsError, shorten
from cloche.wire.apps.methods import DISPLAY_MODES, LEGACY_CAPABILITIES
from cloche.wire.types import Json

DisplayMode = Literal["inline", "fullscreen", "pip"]


@dataclass(frozen=True, kw_only=True)
class HandlerContext:
    """Where a widget's requests go. A callback that is missing is a thing the host does not do."""

    session_id: str
    call_tool: Callable[[str, Json], Awaitable[Any]] | None = None
    """`(name, arguments)`; raise `ExtAppsToolNotFoundError` or `UnknownNameError` when there is no such tool."""
    update_model_context: Callable[[Any, bool], Awaitable[None]] | None = None
    """`(context, merge)`: what the widget wants the model to know, and whether it adds to what was said before."""
    open_link: Callable[[str], Awaitable[None]] | None = None
    set_display_mode: Callable[[str], Awaitable[None]] | None = None
    close: Callable[[str | None], Awaitable[None]] | None = None
    register_tool: Callable[[str, str, Json], Awaitable[None]] | None = None
    """`(name, description, input_schema)` of a tool that the widget itself offers."""
    unregister_tool: Callable[[str], Awaitable[None]] | None = None
    logger: logging.Logger | None = None
    """Takes what widgets log; without one, widgets cannot."""


class HostCapabilities(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The six things a host may announce. What is not announced is refused, callback or not."""

    server_tool_proxy: bool = False
    open_link: bool = False
    model_context_update: bool = False
    widget_tools: bool = False
    display_modes: tuple[DisplayMode, ...] = ()
    """The modes that widgets may ask for; empty: whatever the callback accepts."""
    logging: bool = False

    def __post_init__(self) -> None:
        unknown = [mode for mode in self.display_modes if mode not in DISPLAY_MODES]
        if unknown:
            raise ConfigurationError(f"{unknown[0]!r} is not a display mode: {', '.join(DISPLAY_MODES)} are")

    def as_flags(self) -> Json:
        """The legacy dialect's form; `displayModes` only where there are any."""
        flags = msgspec.json.decode(msgspec.json.encode(self))
        return {name: value for name, value in flags.items() if value != []}

    def as_objects(self) -> Json:
        """The current form: the official App refuses to connect when one of these is a boolean."""
        current = {**LEGACY_CAPABILITIES, "logging": "logging"}
        del current["widgetTools"]  # a capability of views today
        return {current[name]: {} for name, on in self.as_flags().items() if on and name in current}


@dataclass(frozen=True, kw_only=True)
class WidgetCapabilities:
    """What a widget said of itself in `ui/initialize`."""

    tools: bool = False
    """Whether it offers tools of its own."""
    tools_list_changed: bool = False
    supports_partial_input: bool = False
    """Whether it wants its arguments while they are still streaming."""

    @classmethod
    def from_wire(cls, value: Mapping[str, Any]) -> WidgetCapabilities:
        """Read `appCapabilities`; unknown keys are left alone."""
        tools = value.get("tools")
        partial = value.get("supportsPartialInput", False)
        if tools is not None and not isinstance(tools, dict):
            raise ExtAppsInvalidParamsError(f"appCapabilities.tools must be an object, not {shorten(repr(tools), 40)}")
        changed = (tools or {}).get("listChanged", False)
        if not isinstance(partial, bool) or not isinstance(changed, bool):
            raise ExtAppsInvalidParamsError("listChanged and supportsPartialInput in appCapabilities must be booleans")
        return cls(tools=tools is not None, tools_list_changed=changed, supports_partial_input=partial)
