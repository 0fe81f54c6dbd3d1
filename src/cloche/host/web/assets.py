"""The files that pages get from a host: one bundled script, the modules as they are written, the sandbox's pages."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from importlib import resources

from cloche.host.web.headers import Headers
from cloche.web import bundled, read_web

TYPES = {
    "css": b"text/css; charset=utf-8",
    "html": b"text/html; charset=utf-8",
    "js": b"text/javascript; charset=utf-8",
    "json": b"application/json",
    "png": b"image/png",
    "svg": b"image/svg+xml",
}

ENTRY = "mcp-app.js"
"""What a page loads."""

OFFER = "offer.js"
"""The same for a page that offers a server of its own: two addresses, one module."""

APP_FRAME = "app-frame.js"
"""What it loads into the frame around an app by URL."""

WEBMCP = "webmcp.js"
"""What it loads where the browser has no `document.modelContext`."""

FRAMES = "frames.js"
"""What it loads to have servers by URL in frames."""

_SCRIPT_TAG = '<script type="module" src="proxy.js"></script>'


@dataclass(frozen=True)
class Asset:
    """One file, with what caches need to know."""

    body: bytes
    kind: bytes
    tag: bytes

    @cached_property
    def compressed(self) -> bytes:
        """The file as gzip, the same bytes each time."""
        return gzip.compress(self.body, mtime=0)

    def answer(self, asked: Mapping[bytes, bytes]) -> tuple[int, bytes, Headers]:
        """Status, body and headers for a request with these headers. The file's address does not change with it, so
        browsers ask each time whether theirs is the current one.
        """
        headers = [
            (b"content-type", self.kind),
            (b"etag", self.tag),
            (b"cache-control", b"no-cache"),
            (b"vary", b"accept-encoding"),
            (b"x-content-type-options", b"nosniff"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]
        if asked.get(b"if-none-match") == self.tag:
            return 304, b"", headers
        if b"gzip" in (coding.strip() for coding in asked.get(b"accept-encoding", b"").split(b",")):
            return 200, self.compressed, [*headers, (b"content-encoding", b"gzip")]
        return 200, self.body, headers


@cache
def assets() -> dict[str, Asset]:
    """Path below the host's address → file. What is not in here is not served: no path is ever looked up on disk."""
    entries = {name: bundled(name) for name in (ENTRY, APP_FRAME, WEBMCP, FRAMES)} | {
        OFFER: f'export * from "./{ENTRY}";\n'
    }
    return {name: _asset(name, text) for name, text in entries.items()} | {
        f"web/{name}": _asset(name, read_web(name)) for name in _names()
    }


def _names() -> list[str]:
    """The files that browsers may have."""
    root = resources.files("cloche.web")
    return sorted(
        f"{folder}{file.name}"
        for folder in ("", "host/", "sandbox/", "server/", "transports/", "webmcp/")
        for file in (root / folder if folder else root).iterdir()
        if file.name.rpartition(".")[2] in ("css", "js", "json")
    )


def _asset(name: str, text: str) -> Asset:
    body = text.encode()
    # Weak: it stands for the file, compressed or not.
    return Asset(body, TYPES[name.rpartition(".")[2]], b'W/"%s"' % hashlib.sha256(body).hexdigest()[:32].encode())


def sandbox_page(host: str, around: str = "") -> bytes:
    """The proxy page for a host page of this origin. It is one document: the sandbox's name serves nothing else.

    `around` is the origin of the page between the two, where there is one.
    """
    return fill_meta(_sandbox_template(), host=host, around=around)


def probe_page(host: str) -> bytes:
    """The page that tries whether the browser of a host page knows Connection-Allowlist."""
    return fill_meta(read_web("sandbox/probe.html"), host=host)


def around_page(inside: str, allow: str) -> bytes:
    """The page around a proxy page whose view has a permission."""
    return fill_meta(read_web("sandbox/around.html"), inside=inside, allow=allow)


def fill_meta(page: str, **values: str) -> bytes:
    """A page with values in its empty `<meta>` elements, in which nothing can end the attribute (W02)."""
    for name, content in values.items():
        before, after, rest = page.partition(f'<meta name="cloche-{name}" content="')
        if not after or not rest.startswith('">'):
            raise RuntimeError(f"the page has no empty place for {name}")
        page = f"{before}{after}{escape(content)}{rest}"
    return page.encode()


@cache
def _sandbox_template() -> str:
    before, tag, after = read_web("sandbox/proxy.html").partition(_SCRIPT_TAG)
    if not tag:
        raise RuntimeError("proxy.html has no script")
    return f"{before}<script>{bundled('sandbox-proxy.js')}</script>{after}"
