"""Hosts that are emulated: how known hosts differ from the specification, as far as it was reported or read.

An emulation is made from what stands in `cloche.views.hosts` with its source and date; the host itself
may have changed since. `strict` is no emulation: it is the specification.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from cloche.host.profile import PLAIN, HostProfile
from cloche.views.hosts import known_hosts
from cloche.wire.apps.dialect import Dialect
from cloche.wire.apps.methods import LEGACY_CAPABILITIES, LEGACY_REQUESTS


@dataclass(frozen=True)
class Deviation:
    """One way in which a host differs from the specification."""

    what: str
    source: str
    dated: str
    """When it was reported, or seen: an ISO date."""


@dataclass(frozen=True)
class EmulatedHost:
    """A host to try a view in."""

    name: str
    title: str
    about: str
    """One sentence, which says that it is an emulation."""
    dated: str
    """When its newest deviation was reported or seen: an ISO date."""
    deviations: tuple[Deviation, ...]
    profile: HostProfile
    """What `Host(profile=…)` takes."""


CLAUDE = HostProfile(
    host_info={"name": "Claude", "version": "1.0.0", "title": "Claude-like (emulated)"},
    capabilities={"message": {"text": {}}, "updateModelContext": {"text": {}, "image": {}}},
    csp={
        "script-src": ("'unsafe-eval'", "blob:", "data:", "https://assets.claude.ai"),
        "worker-src": ("'self'", "blob:", "https://assets.claude.ai"),
        "frame-src": ("'self'", "blob:", "data:"),
    },
    ignores_csp=("frameDomains", "baseUriDomains"),
    without=("experimental",),
)

CLAUDE_DESKTOP = replace(
    CLAUDE,
    host_info={"name": "Claude", "version": "1.0.0", "title": "Claude Desktop-like (emulated)"},
    without_result=("structuredContent", "_meta"),
)

CHATGPT = HostProfile(
    host_info={"name": "chatgpt", "version": "0.0.1", "title": "ChatGPT-like (emulated)"},
    without=("downloadFile",),
    unannounced=("experimental",),
    capabilities={"message": {}, "updateModelContext": {}},
    context={"userAgent": "chatgpt", "platform": "desktop"},
    without_context=("styles",),
    display_modes=("inline", "fullscreen", "pip"),
    widget_csp=True,
    openai=True,
)

VSCODE = HostProfile(
    host_info={"name": "Visual Studio Code", "version": "1.133.0", "title": "VS Code-like (emulated)"},
    without=("experimental",),
    unannounced=("message",),
    capabilities={
        "updateModelContext": {"audio": {}, "image": {}, "resourceLink": {}, "resource": {}, "structuredContent": {}}
    },
    context={"platform": "desktop"},
    without_context=("toolInfo", "timeZone", "userAgent", "safeAreaInsets"),
    display_modes=("inline",),
)

LEGACY = HostProfile(
    host_info={"name": "older host", "version": "1.0.0"},
    without=("experimental",),
    dialect=Dialect(
        version="2025-11-21",
        sends={"ui/notifications/tool-cancelled": "ui/notifications/cancelled"},
        takes=frozenset(["ui/initialize", "ping", *LEGACY_REQUESTS]),
        omits=("hostInfo",),
        capabilities={
            **dict.fromkeys(LEGACY_CAPABILITIES, True),
            "displayModes": ["inline", "fullscreen"],
            "logging": True,
        },
        waits=False,
    ),
)

LEGACY_GUIDE = HostProfile(
    host_info={"name": "older host", "version": "1.0.0", "title": "Host of the early guide (emulated)"},
    without=("experimental",),
    dialect=Dialect(
        version="2025-01-01",
        sends={
            "ui/notifications/tool-input": "ui/toolInput",
            "ui/notifications/tool-result": "ui/toolResult",
            "ui/resource-teardown": "ui/teardown",
        },
        takes=frozenset(["ui/initialize", "ping", "tools/call", "ui/open-link", "ui/message"]),
        omits=("hostContext",),
        capabilities={"tools": {}, "resources": {}},
    ),
)


def _emulated(name: str, title: str, like: str, profile: HostProfile, *hosts: str) -> EmulatedHost:
    """An emulation of what is known of these hosts."""
    quirks = [quirk for host in known_hosts().hosts if host.id in hosts for quirk in host.quirks if quirk.emulated]
    found = tuple(Deviation(quirk.what, quirk.source, quirk.dated or known_hosts().as_of) for quirk in quirks)
    dated = max(deviation.dated for deviation in found)
    about = f"{title}: an emulation by Cloche of {like} as known on {dated}; it is not that host."
    return EmulatedHost(name, title, about, dated, found, profile)


def _all() -> dict[str, EmulatedHost]:
    strict = EmulatedHost(
        "strict",
        "Strict",
        "The MCP Apps specification of 2026-01-26 to the letter: an emulation of no host, and as strict as any.",
        known_hosts().as_of,
        (),
        PLAIN,
    )
    emulated: list[tuple[Any, ...]] = [
        ("claude", "Claude-like (emulated)", "Claude", CLAUDE, "claude"),
        (
            "claude-desktop",
            "Claude Desktop-like (emulated)",
            "Claude Desktop with a local server",
            CLAUDE_DESKTOP,
            "claude",
            "claude-desktop",
        ),
        ("chatgpt", "ChatGPT-like (emulated)", "ChatGPT", CHATGPT, "chatgpt"),
        ("vscode", "VS Code-like (emulated)", "VS Code", VSCODE, "vscode"),
        ("older", "Legacy dialect, FrontMCP's (emulated)", "hosts of FrontMCP's dialect", LEGACY, "frontmcp"),
        (
            "older-guide",
            "Legacy dialect, the early guide's (emulated)",
            "hosts written after the early guide to ext-apps",
            LEGACY_GUIDE,
            "early-guide",
        ),
    ]
    return {one.name: one for one in [strict, *(_emulated(*given) for given in emulated)]}


PROFILES: dict[str, EmulatedHost] = _all()
"""Every host that can be emulated, by name."""
