"""Hosts that are emulated: how known hosts differ from the specification, as far as it was reported or read.

An emulation is made from what stands in `cloche.views.hosts` with its source and date; the host itself
may have changed since. `strict` is not an emulation: it is the specification.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cloche.host.profile import PLAIN, HostProfile
from cloche.views.hosts import known_hosts
from cloche.wire.apps.methods import LEGACY_CAPABILITIES, LEGACY_REQUESTS, Dialect


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
    csp={"img-src": ("-blob:",), "media-src": ("-blob:",), "font-src": ("-data:",)},
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
    title, dated = f"{title} (emulated)", max(deviation.dated for deviation in found)
    about = f"{title}: an emulation by Cloche of {like} as known on {dated}; it is not that host."
    return EmulatedHost(name, title, about, dated, found, profile)


_SPECIFIED = "The MCP Apps specification of 2026-01-26 to the letter: an emulation of no host, and as strict as any."
_AT_HOME, _BY_GUIDE = "Claude Desktop with a local server", "hosts written after the early guide to ext-apps"
_EMULATED = [
    EmulatedHost("strict", "Strict", _SPECIFIED, known_hosts().as_of, (), PLAIN),
    _emulated("claude", "Claude-like", "Claude", CLAUDE, "claude"),
    _emulated("claude-desktop", "Claude Desktop-like", _AT_HOME, CLAUDE_DESKTOP, "claude", "claude-desktop"),
    _emulated("chatgpt", "ChatGPT-like", "ChatGPT", CHATGPT, "chatgpt"),
    _emulated("vscode", "VS Code-like", "VS Code", VSCODE, "vscode"),
    _emulated("older", "Legacy dialect, FrontMCP's", "hosts of FrontMCP's dialect", LEGACY, "frontmcp"),
    _emulated("older-guide", "Legacy dialect, the early guide's", _BY_GUIDE, LEGACY_GUIDE, "early-guide"),
]

PROFILES: dict[str, EmulatedHost] = {one.name: one for one in _EMULATED}
"""Every host that can be emulated, by name."""
