"""The scripts that pages get, as written, and the sandbox's page, put together from its modules."""

from __future__ import annotations

import hashlib
import posixpath
import re
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from importlib import resources

from cloche.host.web.headers import Headers
from cloche.views.scripts import MODULE_LINES

TYPES = {
    "css": b"text/css; charset=utf-8",
    "html": b"text/html; charset=utf-8",
    "js": b"text/javascript; charset=utf-8",
    "json": b"application/json",
}

SANDBOX_MODULES = ("storage.js", "limits.js", "prelude.js", "proxy.js")
"""In the order in which they need each other."""

ENTRY = "mcp-app.js"
"""What a page loads: one name, wherever the files behind it are."""

ENTRIES = (ENTRY, "offer.js")
"""The same for a page that offers a server of its own."""

_VERSION = re.compile(r"^web-[0-9a-f]{16}/")
_AS_JSON = ' with { type: "json" }'
_IMPORT = re.compile(r'^(?:import|export) [^;]*?from "(\.[^"]+)"', re.MULTILINE)
_SCRIPT_TAG = re.compile(r'<script type="module" src="proxy\.js"></script>')
_EXPORT = re.compile(r"^export (?!\{)", re.MULTILINE)
_BREAKS_OUT = re.compile(r"<(?=!--|/?script)", re.IGNORECASE)


@dataclass(frozen=True)
class Asset:
    """One file, with what caches need to know."""

    body: bytes
    kind: bytes
    tag: bytes
    lasts: bool = False
    """Whether its address changes with it."""

    def headers(self) -> Headers:
        """What it is served with. What has no version in its address is looked up again each time."""
        return [
            (b"content-type", self.kind),
            (b"etag", self.tag),
            (b"cache-control", b"public, max-age=31536000, immutable" if self.lasts else b"no-cache"),
            (b"x-content-type-options", b"nosniff"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]


def read_asset(path: str) -> str:
    """A file of `cloche.web`, by its path in there."""
    return resources.files("cloche.web").joinpath(path).read_text(encoding="utf-8")


@cache
def assets() -> dict[str, Asset]:
    """Path below the host's address → file. What is not in here is not served: no path is ever looked up on disk.

    Everything stands below `web/`, and once more below a name that changes with the contents and is cached for good.
    """
    files = {name: _asset(name, read_asset(name)) for name in _names()}
    version = hashlib.sha256(b"".join(file.tag for file in files.values())).hexdigest()[:16]
    lasting = {f"web-{version}/{name}": replace(file, lasts=True) for name, file in files.items()}
    entries = {name: _asset(name, _entry(version, f"host/{name}")) for name in ENTRIES}
    return {**entries, **{f"web/{name}": file for name, file in files.items()}, **lasting}


def find_asset(path: str) -> Asset | None:
    """What is served at a path. A version that another process of the product has is answered with ours."""
    found = assets()
    return found.get(path) or found.get(_VERSION.sub("web/", path))


def _names() -> list[str]:
    """The files that browsers may have."""
    root = resources.files("cloche.web")
    return sorted(
        f"{folder}{file.name}"
        for folder in ("", "host/", "sandbox/", "server/", "transports/")
        for file in (root / folder if folder else root).iterdir()
        if file.name.rpartition(".")[2] in ("css", "js", "json")
    )


def _entry(version: str, module: str) -> str:
    """The one script that a page names. It imports every module behind it, so that they are all fetched at once and
    not one layer after the other.
    """
    kinds = {name: _AS_JSON if name.endswith(".json") else "" for name in _needed(module)}
    lines = [f'import "./web-{version}/{name}"{kind};' for name, kind in kinds.items()]
    return "\n".join([*lines, f'export * from "./web-{version}/{module}";', ""])


def _needed(first: str) -> list[str]:
    """A module of `cloche.web` and all that it imports, itself first."""
    found = [first]
    for name in found:
        for path in _IMPORT.findall(read_asset(name)) if name.endswith(".js") else ():
            other = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            if other not in found:
                found.append(other)
    return found


def _asset(name: str, text: str) -> Asset:
    body = text.encode()
    return Asset(body, TYPES[name.rpartition(".")[2]], b'"%s"' % hashlib.sha256(body).hexdigest()[:32].encode())


def sandbox_page(host: str, around: str = "") -> bytes:
    """The proxy page for a host page of this origin. It is one document: the sandbox's name serves nothing else.

    `around` is the origin of the page between the two, where there is one.
    """
    page = fill_meta(_sandbox_template(), "cloche-host", host)
    return fill_meta(page, "cloche-around", around).encode()


def probe_page(host: str) -> bytes:
    """The page that tries whether the browser of a host page knows Connection-Allowlist."""
    return fill_meta(read_asset("sandbox/probe.html"), "cloche-host", host).encode()


def around_page(inside: str, allow: str) -> bytes:
    """The page around a proxy page whose view has a permission."""
    page = fill_meta(read_asset("sandbox/around.html"), "cloche-inside", inside)
    return fill_meta(page, "cloche-allow", allow).encode()


def fill_meta(page: str, name: str, content: str) -> str:
    """A page with a value in one of its empty `<meta>` elements, in which nothing can end the attribute (W02)."""
    before, after, rest = page.partition(f'<meta name="{name}" content="')
    if not after or not rest.startswith('">'):
        raise RuntimeError(f"the page has no empty place for {name}")
    return f"{before}{after}{escape(content)}{rest}"


@cache
def _sandbox_template() -> str:
    code = "\n".join(_EXPORT.sub("", MODULE_LINES.sub("", read_asset(f"sandbox/{name}"))) for name in SANDBOX_MODULES)
    # As \x3c it means the same in strings, templates and patterns, and ends no script.
    harmless = _BREAKS_OUT.sub(lambda _: "\\x3c", code)
    inline = f'<script>(() => {{"use strict";\n{harmless}}})();</script>'
    page, count = _SCRIPT_TAG.subn(lambda _: inline, read_asset("sandbox/proxy.html"))
    if count != 1:
        raise RuntimeError("proxy.html has not exactly one script")
    return page
