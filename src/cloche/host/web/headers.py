"""The policy of a sandbox, as response headers of the proxy page: the view inside inherits it and cannot take it off.

Everything in here is put together from parsed parts; nothing that a server sent gets into a header as it was (W03).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from cloche.host.profile import PLAIN as OWN_PROFILE
from cloche.host.profile import HostProfile
from cloche.host.view_resource import CSP_LISTS as KINDS
from cloche.host.view_resource import PERMISSIONS
from cloche.host.web.sandbox import host_name, is_loopback

Headers = list[tuple[bytes, bytes]]

# What Chromium knows and has no word in `PERMISSIONS`; unknown words would only fill the console. Of the focus it says
# there that it does not enforce the word yet: it is sent for the day when it does.
CLOSED = (
    "accelerometer", "autoplay", "browsing-topics", "captured-surface-control", "clipboard-read", "compute-pressure",
    "cross-origin-isolated", "deferred-fetch", "digital-credentials-get", "display-capture", "encrypted-media",
    "focus-without-user-activation", "fullscreen", "gamepad", "gyroscope", "hid", "identity-credentials-get",
    "idle-detection", "keyboard-map", "local-fonts", "magnetometer", "midi", "otp-credentials", "payment",
    "picture-in-picture", "publickey-credentials-create", "publickey-credentials-get", "screen-wake-lock", "serial",
    "storage-access", "sync-xhr", "usb", "window-management", "xr-spatial-tracking",
)  # fmt: skip

PLAIN: Headers = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
]
"""On every answer of ours that is made for one page."""

INERT = (b"content-security-policy", b"default-src 'none'; sandbox; frame-ancestors 'none'")
"""On what is never a document: opened as one, it does nothing."""

FRESH = (b"clear-site-data", b'"cookies"')
"""On the proxy page of a view with a permission: such a view has an origin, and so the one before may have left a
cookie for all names of the domain.
"""


@dataclass(frozen=True)
class Sources:
    """Where a view may connect to, by the wire's four lists, as parsed."""

    lists: dict[str, list[str]]
    problems: list[str] = field(default_factory=list)
    """What of the declaration was left out, and why."""

    def of(self, kind: str) -> list[str]:
        return self.lists.get(kind, [])

    @property
    def all(self) -> list[str]:
        """Every origin once."""
        return list(dict.fromkeys(source for kind in KINDS for source in self.of(kind)))


def admitted_sources(declared: Mapping[str, Iterable[str]], page: str, *, stranger: bool = False) -> Sources:
    """The origins that a resource declared, as parsed, without what is the page's own. The views of a stranger's server
    reach nothing of this machine and its network, not even on a page of this machine.
    """
    found = Sources({}, [])
    for kind in KINDS:
        found.lists[kind] = []
        for source in declared.get(kind, ()):
            if leads_home(source, page):
                found.problems.append(f"{kind}: {source} is the page's own or its visitor's: a view may not reach it")
            elif stranger and _is_private(host_name(urlsplit(source).netloc.removeprefix("*."))):
                found.problems.append(
                    f"{kind}: {source} is on this machine or its network, and the server is not: to let its views "
                    "reach it, start cloche dev with --allow-local"
                )
            else:
                found.lists[kind].append(source)
    return found


def leads_home(source: str, page: str) -> bool:
    """Whether a source is the page itself, or a machine that only the page's visitor can reach.

    On a page of this machine other ports of this machine are fair: that is where a view is developed.
    """
    to, host = urlsplit(source), urlsplit(page)
    name, home = host_name(to.netloc.removeprefix("*.")), host_name(host.netloc)
    if to.netloc.startswith("*."):
        return home == name or home.endswith(f".{name}")
    if name == home and _port(to.scheme, to.port) == _port(host.scheme, host.port):
        return True
    return not is_loopback(home) and _is_private(name)


def _port(scheme: str, port: int | None) -> int:
    return port or (443 if scheme in ("https", "wss") else 80)


def _is_private(name: str) -> bool:
    if is_loopback(name):
        return True
    try:
        return not ipaddress.ip_address(name).is_global
    except ValueError:
        return False


def content_policy(sources: Sources, page: str, profile: HostProfile = OWN_PROFILE) -> str:
    """The policy of the proxy page and of the view in it. No `'self'`: the sandbox's own name serves nothing."""
    resources = "".join(f" {source}" for source in sources.of("resourceDomains"))
    return profile.policy(
        {
            "default-src": "'none'",
            "script-src": f"'unsafe-inline'{resources}",
            "style-src": f"'unsafe-inline'{resources}",
            "img-src": f"data: blob:{resources}",
            "media-src": f"data: blob:{resources}",
            "font-src": f"data:{resources}",
            "connect-src": _or_none(sources.of("connectDomains")),
            "frame-src": _or_none(sources.of("frameDomains")),
            "object-src": "'none'",
            "base-uri": _or_none(sources.of("baseUriDomains")),
            "form-action": "'none'",
            "frame-ancestors": page,
        }
    )


def connection_allowlist(sources: Sources, profile: HostProfile = OWN_PROFILE) -> str:
    """The same origins once more, for every kind of connection: WebRTC, prefetches and DNS obey no other header."""
    every = [*sources.all, *profile.origins]
    secured = (source.replace("ws", "http", 1) if source.startswith("ws") else source for source in every)
    quoted = [f'"{source}"' for source in dict.fromkeys(secured)]
    return f"({' '.join(quoted)})"


def permissions_policy(granted: Iterable[str], whom: str = "self") -> str:
    """Everything closed but what was granted, which is for the sandbox's own origin, or for `whom`, only."""
    words = {PERMISSIONS[name] for name in granted if name in PERMISSIONS}
    known = sorted({*CLOSED, *PERMISSIONS.values()})
    return ", ".join(f"{word}=({whom if word in words else ''})" for word in known)


def sandbox_headers(sources: Sources, granted: Iterable[str], page: str, profile: HostProfile = OWN_PROFILE) -> Headers:
    """Every header of a proxy page."""
    return _written(
        {
            **_OF_PAGES,
            "content-security-policy": content_policy(sources, page, profile),
            "connection-allowlist": connection_allowlist(sources, profile),
            "permissions-policy": permissions_policy(granted),
        }
    )


_OF_PAGES = {
    "content-type": "text/html; charset=utf-8",
    # The page may demand of its frames that they say so.
    "cross-origin-resource-policy": "cross-origin",
    "origin-agent-cluster": "?1",
    "x-dns-prefetch-control": "off",
    "x-robots-tag": "noindex",
}
"""On every page that a sandbox's name serves."""


def _written(headers: Mapping[str, str]) -> Headers:
    return [*((name.encode(), value.encode("ascii")) for name, value in headers.items()), *PLAIN]


def probe_headers(own: str, page: str) -> Headers:
    """The headers of the page that tries whether a browser knows Connection-Allowlist, which alone forbids `own`."""
    policy = f"default-src 'none'; script-src 'unsafe-inline'; connect-src {own}; frame-ancestors {page}"
    return _written({**_OF_PAGES, "content-security-policy": policy, "connection-allowlist": "()"})


def around_headers(inside: str, granted: Iterable[str], page: str) -> Headers:
    """The headers of the page around a proxy page: `inside` is the only address that its frame may go to."""
    parts = urlsplit(inside)
    origin = f"{parts.scheme}://{parts.netloc}"
    policy = (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; form-action 'none'; "
        f"base-uri 'none'; frame-src {origin}{parts.path}; frame-ancestors {page}"
    )
    return _written(
        {
            **_OF_PAGES,
            "content-security-policy": policy,
            "connection-allowlist": f'("{origin}")',
            "permissions-policy": permissions_policy(granted, f'self "{origin}"'),
        }
    )


def allow_attribute(granted: Iterable[str]) -> str:
    """The `allow` attribute of the frames."""
    asked = set(granted)
    return "; ".join(word for name, word in PERMISSIONS.items() if name in asked)


def _or_none(sources: list[str]) -> str:
    return " ".join(sources) or "'none'"
