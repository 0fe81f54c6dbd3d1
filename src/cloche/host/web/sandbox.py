"""Where the sandbox of a view lives: on another *site* than the page, so that it is another process with other storage.

On localhost every name under `.localhost` is a site of its own, and browsers resolve all of them to this machine: no
configuration. Anywhere else a name can only come from somebody who owns one, so it is configured; what cannot work
is refused with one sentence that names the setting.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from cloche.errors import ConfigurationError, shorten
from cloche.wire.apps.origins import address_of, host_name, is_loopback

SETTING = "Host(sandbox='https://{name}.usercontent.example')"
"""How the setting is written, in every sentence that asks for it."""

DIGEST = 12
"""Hexadecimal digits at the end of every sandbox name: they keep names of servers apart that read alike."""

MAX_AROUND = 10
"""Characters that may stand beside {name} in its label: a label has 63, and a name takes up to 53."""

_PATTERN = re.compile(
    r"(?P<scheme>https?)://(?P<before>[a-z0-9\-]*)\{name\}(?P<after>[a-z0-9\-]*)\."
    r"(?P<parent>[a-z0-9\-]+(?:\.[a-z0-9\-]+)*)(?::(?P<port>[0-9]{1,5}))?/?"
)
_DERIVED = re.compile(rf"[a-z0-9\-]+-[0-9a-f]{{{DIGEST}}}\.localhost")
_MADE = re.compile(rf"^[^.]*-[0-9a-f]{{{DIGEST}}}")

# Public suffixes of more than one label that products are often found under. Two names under one of these are two
# sites. The list may be short: a suffix that is missing makes us refuse two names that are different sites, never
# the other way round, because names of one site always share their last two labels.
SUFFIXES = frozenset((
    "ac.jp", "ac.uk", "app.github.dev", "azurewebsites.net", "co.id", "co.il", "co.in", "co.jp", "co.ke", "co.kr",
    "co.nz", "co.th", "co.uk", "co.za", "com.ar", "com.au", "com.br", "com.cn", "com.co", "com.hk", "com.mx",
    "com.my", "com.pl", "com.sg", "com.tr", "com.tw", "com.ua", "fly.dev", "github.io", "gov.uk", "herokuapp.com",
    "ne.jp", "net.au", "netlify.app", "onrender.com", "or.jp", "org.au", "org.nz", "org.uk", "pages.dev",
    "up.railway.app", "vercel.app", "web.app", "workers.dev",
))  # fmt: skip


class SandboxError(ConfigurationError):
    """No sandbox origin can be had for this page; the message names the setting."""

    word = "sandbox"


def same_site(one: str, other: str) -> bool:
    """Whether a browser may take two host names for one site. It errs towards yes."""
    return _site(one) == _site(other)


def _site(name: str) -> str:
    """The registrable domain of a name: the public suffix and one label more."""
    labels = name.rstrip(".").split(".")
    if address_of(name) is not None:
        return name
    size = next((count + 1 for count in (3, 2) if ".".join(labels[-count:]) in SUFFIXES), 2)
    return ".".join(labels[-size:])


def sandbox_name(server: str, view: str = "") -> str:
    """The label that stands for a server, or for one view of it that must be alone: readable, and unique."""
    slug = re.sub(r"[^a-z0-9]+", "-", server.lower()).strip("-")[:40].strip("-") or "view"
    digest = hashlib.sha256(f"{server}\0{view}".encode()).hexdigest()
    return f"{slug}-{digest[:DIGEST]}"


@dataclass(frozen=True)
class _Pattern:
    """The configured setting, taken apart."""

    scheme: str
    before: str
    after: str
    parent: str
    port: str

    @classmethod
    def parse(cls, text: str) -> _Pattern:
        found = _PATTERN.fullmatch(text.lower())
        if found is None:
            raise ConfigurationError(
                f"sandbox={shorten(text)!r} is not a pattern for origins: it has one {{name}} in its first label, "
                f"as in {SETTING}"
            )
        scheme, parent = found["scheme"], found["parent"]
        if scheme == "http" and not is_loopback(f"x.{parent}"):
            raise ConfigurationError(f"sandbox={shorten(text)!r} is not encrypted: write https, as in {SETTING}")
        if address_of(parent) is not None or (parent != "localhost" and "." not in parent):
            raise ConfigurationError(f"sandbox={shorten(text)!r} has no domain after {{name}}: write it like {SETTING}")
        if len(found["before"]) + len(found["after"]) > MAX_AROUND:
            raise ConfigurationError(f"sandbox={shorten(text)!r} leaves no room for {{name}}: write it like {SETTING}")
        default = {"https": "443", "http": "80"}[scheme]
        port = f":{int(found['port'])}" if found["port"] and found["port"] != default else ""
        return cls(scheme, found["before"], found["after"], parent, port)

    def origin(self, name: str) -> str:
        return f"{self.scheme}://{self.before}{name}{self.after}.{self.parent}{self.port}"

    def owns(self, name: str) -> bool:
        """Whether a host name is one that this pattern makes."""
        label, _, rest = name.partition(".")
        fits = label.startswith(self.before) and label.endswith(self.after)
        return rest == self.parent and fits and len(label) > len(self.before) + len(self.after)


class Sandboxes:
    """The sandbox origins of one host."""

    def __init__(self, pattern: str | None, origins: Iterable[str] = (), *, allow_same_site: bool = False) -> None:
        self._pattern = None if pattern is None else _Pattern.parse(pattern)
        self._pages = frozenset(host_name(urlsplit(origin).netloc) for origin in origins)
        self._allow_same_site = allow_same_site
        if self._pattern is not None:
            for origin in origins:
                self._check(self._pattern.origin("name"), origin)

    @property
    def owns_site(self) -> bool:
        """Whether the whole site belongs to views: its names stand directly below a domain that nothing else uses."""
        pattern = self._pattern
        return pattern is not None and not self._allow_same_site and _site(pattern.parent) == pattern.parent

    def is_sandbox(self, host: str) -> bool:
        """Whether a request for this host (the header's value) is one for a sandbox, and for nothing else."""
        name = host_name(host)
        if name in self._pages:
            return False
        if self._pattern is None:
            return _DERIVED.fullmatch(name) is not None
        # On the product's own site other names may be the product's; elsewhere all of them are the sandbox's.
        return self._pattern.owns(name) and (not self._allow_same_site or _MADE.search(name) is not None)

    def origin(self, server: str, *, page: str, address: str, view: str = "") -> str:
        """The origin for a server's views (with `view`: for that one alone) on a page with this origin.

        `address` is the origin at which the page reaches this host. Raises `SandboxError`.
        """
        name = sandbox_name(server, view)
        if self._pattern is not None:
            found = self._pattern.origin(name)
            if page.startswith("https:") and not found.startswith("https:"):
                raise SandboxError(f"A page with https cannot show a sandbox without it: set {SETTING}")
        else:
            found = _derived(name, page, address)
        self._check(found, page)
        return found

    def _check(self, sandbox: str, page: str) -> None:
        """Refuse a sandbox that shares its site with the page: they would share a process and storage."""
        if self._allow_same_site:
            return
        one, other = (host_name(urlsplit(origin).netloc) for origin in (sandbox, page))
        if same_site(one, other):
            raise SandboxError(
                f"The sandbox {shorten(one)!r} is the same site as the page {shorten(other)!r}, so views would share "
                f"its process: set {SETTING} with a domain used for nothing else, or Host(allow_same_site=True)"
            )


def _derived(name: str, page: str, address: str) -> str:
    """The name under `.localhost` at the same port, when both page and host are on this machine."""
    at = urlsplit(address)
    for origin in (page, address):
        if not is_loopback(host_name(urlsplit(origin).netloc)):
            raise SandboxError(
                f"Views are shown in a sandbox on another site than the page, and for {shorten(origin)!r} none can be "
                f"derived, as it can for localhost: set {SETTING}"
            )
    port = f":{at.port}" if at.port is not None else ""
    return f"{at.scheme}://{name}.localhost{port}"
