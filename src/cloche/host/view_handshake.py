"""What a view is told when it says hello: who the host is, what it offers, and where the view stands.

The official `App` refuses to start when a known value is of the wrong kind or a style variable is unknown. So what the
page says of itself is checked here, key by key, and what does not fit is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cloche.host.hooks import Hooks
from cloche.host.policy import Policy
from cloche.wire.apps.methods import PROTOCOL_VERSION, STATE_KEY, SUBSCRIBE_KEY, TO_HOST
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.host import Host
    from cloche.host.profile import HostProfile

OFFERED_MODES = ("inline", "fullscreen")
"""The display modes that this host has; a profile may offer more, or fewer."""

MODALITIES: Json = {"text": {}, "image": {}, "audio": {}, "resource": {}, "resourceLink": {}, "structuredContent": {}}

OFFERED: Json = {
    "serverTools": {},
    "serverResources": {},
    "openLinks": {},
    "downloadFile": {},
    "logging": {},
    "message": MODALITIES,
    "updateModelContext": MODALITIES,
    "experimental": {STATE_KEY: {}, SUBSCRIBE_KEY: {}},
}
"""What a host offers whose product takes everything and whose policy denies nothing."""

NEEDS_HOOK = ("message", "sampling")
"""Capabilities that exist only where the product has a hook of this name."""

ALWAYS = {"serverTools"}
"""What is offered also where a policy denies it: one tool may be denied and the next not."""

_TONES = ["primary", "secondary", "tertiary", "inverse", "ghost", "info", "danger", "success", "warning", "disabled"]
STYLE_VARIABLES = frozenset(
    [f"--color-{part}-{tone}" for part in ("background", "text", "border") for tone in _TONES]
    + [f"--color-ring-{tone}" for tone in ("primary", "secondary", "inverse", "info", "danger", "success", "warning")]
    + ["--font-sans", "--font-mono"]
    + [f"--font-weight-{weight}" for weight in ("normal", "medium", "semibold", "bold")]
    + [f"--font-text-{size}-{what}" for size in ("xs", "sm", "md", "lg") for what in ("size", "line-height")]
    + [
        f"--font-heading-{size}-{what}"
        for size in ("xs", "sm", "md", "lg", "xl", "2xl", "3xl")
        for what in ("size", "line-height")
    ]
    + [f"--border-radius-{size}" for size in ("xs", "sm", "md", "lg", "xl", "full")]
    + ["--border-width-regular"]
    + [f"--shadow-{size}" for size in ("hairline", "sm", "md", "lg")]
)
"""The 76 that MCP Apps knows."""

MAX_VALUE = 500
MAX_FONTS = 20_000
MAX_PIXELS = 100_000


def checked_context(given: object) -> Json:
    """What of a page's context may be passed on to a view."""
    offered = given if isinstance(given, dict) else {}
    found = {}
    for name, check in _CHECKS.items():
        if name in offered and (value := check(offered[name])) is not None:
            found[name] = value
    return found


def _one_of(*words: str) -> Callable[[Any], Any]:
    return lambda value: value if value in words else None


def _text(pattern: str) -> Callable[[Any], Any]:
    return lambda value: value if isinstance(value, str) and re.fullmatch(pattern, value) else None


def _members(fits: Callable[[Any], bool], *names: str) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        given = value if isinstance(value, dict) else {}
        return {name: given[name] for name in names if fits(given.get(name))} or None

    return check


def _is_length(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MAX_PIXELS


def _styles(value: Any) -> Any:
    given = value if isinstance(value, dict) else {}
    variables = given.get("variables")
    variables = variables if isinstance(variables, dict) else {}
    found: Json = {
        "variables": {
            name: text
            for name, text in variables.items()
            if name in STYLE_VARIABLES and isinstance(text, str) and len(text) <= MAX_VALUE
        }
    }
    css = given.get("css")
    fonts = css.get("fonts") if isinstance(css, dict) else None
    if isinstance(fonts, str) and len(fonts) <= MAX_FONTS:
        found["css"] = {"fonts": fonts}
    return found


def _insets(value: Any) -> Any:
    found = _members(_is_length, "top", "right", "bottom", "left")(value) or {}
    return found if len(found) == 4 else None


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "theme": _one_of("light", "dark"),
    "styles": _styles,
    "locale": _text(r"[A-Za-z0-9-]{1,64}"),
    "timeZone": _text(r"[A-Za-z0-9_+/-]{1,64}"),
    "userAgent": _text(r"[ -~]{1,300}"),
    "platform": _one_of("web", "desktop", "mobile"),
    "containerDimensions": _members(_is_length, "width", "height", "maxWidth", "maxHeight"),
    "deviceCapabilities": _members(lambda value: isinstance(value, bool), "touch", "hover"),
    "safeAreaInsets": _insets,
}


def capabilities(hooks: Hooks, policy: Policy, csp: Json, permissions: Json) -> Json:
    """What the host offers. What the product has no use for, or the policy always denies, is not offered."""
    denied = {row.capability for row in TO_HOST.values() if policy.rules.get(row.policy or "") == "deny"}
    missing = {name for name in NEEDS_HOOK if hooks.find(name) is None}
    declared = {name: list(value) for name, value in csp.items() if value}
    offered: Json = {
        **OFFERED,
        "serverTools": {"listChanged": True},
        "serverResources": {"listChanged": True},
        "sandbox": {"permissions": permissions, "csp": declared},
        "sampling": {},
    }
    return {name: value for name, value in offered.items() if name not in (denied - ALWAYS) | missing}


def initialize_result(info: Json, offered: Json, context: Json) -> Json:
    """The answer to `ui/initialize`: all four members, or the official `App` does not start."""
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "hostInfo": info,
        "hostCapabilities": offered,
        "hostContext": context,
    }


def host_greeting(
    host: Host,
    profile: HostProfile,
    offered: Json,
    tool_info: Json,
    *,
    context: Json,
    mode: str = "inline",
    state: object = None,
) -> Json:
    """What a product's host answers to `ui/initialize`, in this profile.

    `tool_info` names the call and its tool, `context` is what the page said of itself, `state` what the view has kept.
    """
    seen: Json = {
        **context,
        "toolInfo": tool_info,
        "displayMode": mode,
        "availableDisplayModes": list(profile.display_modes),
    }
    if state is not None and profile.keeps_state:
        seen[STATE_KEY] = state
    info = {"name": host.name, "version": host.version}
    return profile.greeting(initialize_result(info, offered, profile.seen_context(seen)))
