"""The content security policy of a view, as the MCP Apps specification builds it from what the resource declares.

Hosts differ; this is the strict reading. A view that works under it works under the laxer ones.
"""

from __future__ import annotations

from typing import Any

from cloche.errors import RegistrationError
from cloche.host.profile import NOBODY, PLAIN, HostProfile
from cloche.host.view_resource import CSP_LISTS, PERMISSIONS
from cloche.views.csp import MAX_ENTRIES, parse_source

ITSELF = "'self'"


def build_policy(declared: Any, *, host: str, profile: HostProfile = PLAIN) -> tuple[str, list[str]]:
    """The value of the policy header, and what of the declaration was left out and why."""
    problems: list[str] = []
    lists = {kind: profile.honoured(kind, _sources(declared, kind, problems)) for kind in CSP_LISTS}
    resources = "".join(f" {source}" for source in lists["resourceDomains"])
    connect = " ".join([ITSELF, *lists["connectDomains"]]) if declared else NOBODY
    frames, bases = " ".join(lists["frameDomains"]), " ".join(lists["baseUriDomains"])
    directives = {
        "default-src": NOBODY,
        "script-src": f"'self' 'unsafe-inline'{resources}",
        "style-src": f"'self' 'unsafe-inline'{resources}",
        "img-src": f"'self' data:{resources}",
        "font-src": f"'self'{resources}",
        "media-src": f"'self' data:{resources}",
        "connect-src": connect,
        "frame-src": frames or NOBODY,
        "object-src": NOBODY,
        "base-uri": bases or ITSELF,
        "frame-ancestors": host,
    }
    return profile.policy(directives), problems


def _sources(declared: Any, kind: str, problems: list[str]) -> list[str]:
    if not isinstance(declared, dict) or declared.get(kind) is None:
        return []
    given = declared[kind]
    what = f"_meta.ui.csp.{kind}"
    if not isinstance(given, list) or len(given) > MAX_ENTRIES:
        problems.append(f"{what} is no list of at most {MAX_ENTRIES} origins")
        return []
    good = []
    for entry in given:
        try:
            good.append(parse_source(entry, what))
        except RegistrationError as error:
            problems.append(str(error))
    return good


def build_allow(permissions: Any) -> str:
    """The `allow` attribute of the frames."""
    asked = permissions if isinstance(permissions, dict) else {}
    return "; ".join(word for name, word in PERMISSIONS.items() if asked.get(name) is not None)
