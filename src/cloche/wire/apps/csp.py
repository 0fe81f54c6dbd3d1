"""What a view may load and use: Content-Security-Policy, Permissions-Policy and `allow`, from what was parsed.

There is one policy, in the product, in `open_view`, in `cloche check` and in cassettes. It is the one that the
specification constructs from the declared origins, with three decisions of ours:

- No `'self'`: a view has no files beside it, and what stands at the sandbox's own name is not for it.
- Pictures and media may also be `blob:`, fonts `data:`: bytes that the view has already, which every known host shows.
- `form-action 'none'` and `base-uri 'none'`, which `default-src` does not cover: a form is a way out.

A host that allows more is described by a profile: `more` has its sources by directive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlsplit

import msgspec

from cloche.wire.apps.metadata import PERMISSIONS
from cloche.wire.apps.origins import CSP_LISTS, default_port, host_name, is_loopback, is_private

More = Mapping[str, Sequence[str]]
"""Sources that a policy has besides those of the specification, by directive."""

NOBODY = "'none'"
KEYWORDS = ("'self'", "'unsafe-eval'", "'wasm-unsafe-eval'", "blob:", "data:")
"""What may be added to a directive besides origins."""

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


class Sources(msgspec.Struct, frozen=True):
    """Where a view may connect to, by the wire's four lists, as parsed."""

    lists: dict[str, list[str]]
    problems: list[str] = []
    """What of the declaration was left out, and why."""

    def of(self, kind: str) -> list[str]:
        """One of the lists."""
        return self.lists.get(kind, [])

    @property
    def all(self) -> list[str]:
        """Every origin once."""
        return list(dict.fromkeys(source for kind in CSP_LISTS for source in self.of(kind)))


def admitted_sources(declared: Mapping[str, Iterable[str]], page: str, *, stranger: bool = False) -> Sources:
    """The origins that a resource declared, as parsed, without what is the page's own. The views of a stranger's server
    reach nothing of this machine and its network, not even on a page of this machine.
    """
    found = Sources({}, [])
    for kind in CSP_LISTS:
        found.lists[kind] = []
        for source in declared.get(kind, ()):
            if leads_home(source, page):
                found.problems.append(f"{kind}: {source} is the page's own or its visitor's: a view may not reach it")
            elif stranger and is_private(host_name(urlsplit(source).netloc.removeprefix("*."))):
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
    if name == home and (to.port or default_port(to.scheme)) == (host.port or default_port(host.scheme)):
        return True
    return not is_loopback(home) and is_private(name)


def content_policy(sources: Sources, page: str, more: More | None = None) -> str:
    """The policy of the proxy page and of the view in it, for a host's page of this origin."""
    resources = "".join(f" {source}" for source in sources.of("resourceDomains"))
    directives = {
        "default-src": NOBODY,
        "script-src": f"'unsafe-inline'{resources}",
        "style-src": f"'unsafe-inline'{resources}",
        "img-src": f"data: blob:{resources}",
        "media-src": f"data: blob:{resources}",
        "font-src": f"data:{resources}",
        "connect-src": _or_none(sources.of("connectDomains")),
        "frame-src": _or_none(sources.of("frameDomains")),
        "object-src": NOBODY,
        "base-uri": _or_none(sources.of("baseUriDomains")),
        "form-action": NOBODY,
        "frame-ancestors": page,
    }
    for name, added in (more or {}).items():
        before = [source for source in directives.get(name, "").split() if source != NOBODY]
        directives[name] = " ".join(dict.fromkeys([*before, *added]))
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def connection_allowlist(sources: Sources, more: More | None = None) -> str:
    """The same origins once more, for every kind of connection: WebRTC, prefetches and DNS obey no other header."""
    added = (source for given in (more or {}).values() for source in given if source not in KEYWORDS)
    every = [*sources.all, *added]
    secured = (source.replace("ws", "http", 1) if source.startswith("ws") else source for source in every)
    quoted = [f'"{source}"' for source in dict.fromkeys(secured)]
    return f"({' '.join(quoted)})"


def permissions_policy(granted: Iterable[str], whom: str = "self") -> str:
    """Everything closed but what was granted, which is for the sandbox's own origin, or for `whom`, only."""
    words = {PERMISSIONS[name] for name in granted if name in PERMISSIONS}
    known = sorted({*CLOSED, *PERMISSIONS.values()})
    return ", ".join(f"{word}=({whom if word in words else ''})" for word in known)


def allow_attribute(granted: Iterable[str]) -> str:
    """The `allow` attribute of the frames."""
    asked = set(granted)
    return "; ".join(word for name, word in PERMISSIONS.items() if name in asked)


def frame_sandbox(granted: Iterable[str]) -> str:
    """The `sandbox` attribute of a view's own frame: ours to say, never the server's (W05). Its origin is opaque, but
    a view with a permission needs an origin, and gets one that nothing else has: an opaque frame has no camera.
    """
    return "allow-scripts allow-forms allow-same-origin" if list(granted) else "allow-scripts allow-forms"


def _or_none(sources: list[str]) -> str:
    return " ".join(sources) or NOBODY
