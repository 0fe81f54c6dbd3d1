"""The content security policy of a view, as the MCP Apps specification builds it from what the resource declares.

Hosts differ; this is the strict reading. A view that works under it works under the laxer ones.
"""

from __future__ import annotations

import re
from typing import Any

MAX_SOURCES = 100
"""Entries of one list; a header has to end somewhere."""

NOBODY, ITSELF = "'none'", "'self'"
KINDS = ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_SOURCE = re.compile(
    rf"(?:(?:https?|wss?)://)?(?:(?:\*\.)?{_LABEL}(?:\.{_LABEL})+|{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\])(?::\d{{1,5}})?/?",
    re.IGNORECASE,
)

PERMISSIONS = {
    "camera": "camera",
    "microphone": "microphone",
    "geolocation": "geolocation",
    "clipboardWrite": "clipboard-write",
}
"""What a resource may ask for, and the browser's word for it."""


def build_policy(declared: Any, *, host: str) -> tuple[str, list[str]]:
    """The value of the policy header, and what of the declaration was left out and why."""
    problems: list[str] = []
    lists = {kind: _sources(declared, kind, problems) for kind in KINDS}
    resources = "".join(f" {source}" for source in lists["resourceDomains"])
    connect = " ".join([ITSELF, *lists["connectDomains"]]) if declared else NOBODY
    frames, bases = " ".join(lists["frameDomains"]), " ".join(lists["baseUriDomains"])
    directives = [
        "default-src 'none'",
        f"script-src 'self' 'unsafe-inline'{resources}",
        f"style-src 'self' 'unsafe-inline'{resources}",
        f"img-src 'self' data:{resources}",
        f"font-src 'self'{resources}",
        f"media-src 'self' data:{resources}",
        f"connect-src {connect}",
        f"frame-src {frames or NOBODY}",
        "object-src 'none'",
        f"base-uri {bases or ITSELF}",
        f"frame-ancestors {host}",
    ]
    return "; ".join(directives), problems


def _sources(declared: Any, kind: str, problems: list[str]) -> list[str]:
    if not isinstance(declared, dict) or declared.get(kind) is None:
        return []
    given = declared[kind]
    if not isinstance(given, list) or len(given) > MAX_SOURCES:
        problems.append(f"_meta.ui.csp.{kind} is no list of at most {MAX_SOURCES} origins")
        return []
    good = [item for item in given if isinstance(item, str) and _SOURCE.fullmatch(item)]
    problems += [f"_meta.ui.csp.{kind} has {item!r:.80}, which is no origin" for item in given if item not in good]
    return good


def build_allow(permissions: Any) -> str:
    """The `allow` attribute of the frames."""
    asked = permissions if isinstance(permissions, dict) else {}
    return "; ".join(word for name, word in PERMISSIONS.items() if asked.get(name) is not None)
