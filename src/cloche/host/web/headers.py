"""The policy of a sandbox, as response headers of the proxy page: the view inside inherits it and cannot take it off.

Everything in here is put together from parsed parts; nothing that a server sent gets into a header as it was (W03).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from cloche.wire.apps.csp import More, Sources, connection_allowlist, content_policy, permissions_policy

Headers = list[tuple[bytes, bytes]]

PLAIN: Headers = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
]
"""On every answer of ours that is made for one page."""

INERT = (b"content-security-policy", b"default-src 'none'; sandbox; frame-ancestors 'none'")
"""On what is never a document: opened as one, it does nothing."""

LASTING: Headers = [(b"cache-control", b"private, max-age=3600"), (b"vary", b"Sec-Fetch-Dest")]
"""On the proxy page of a view that a page is ready for, which loads it more than once: it is the same for all views."""

FRESH = (b"clear-site-data", b'"cookies"')
"""On the proxy page of a view with a permission: such a view has an origin, and so the one before may have left a
cookie for all names of the domain.
"""


def sandbox_headers(sources: Sources, granted: Iterable[str], page: str, more: More | None = None) -> Headers:
    """Every header of a proxy page."""
    return _written(
        {
            **_OF_PAGES,
            "content-security-policy": content_policy(sources, page, more),
            "connection-allowlist": connection_allowlist(sources, more),
            "permissions-policy": permissions_policy(granted),
        }
    )


def document_headers(policy: str) -> Headers:
    """The headers of a page of the host's own, which no other page may frame."""
    policy = f"default-src 'none'; {policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    kind = "text/html; charset=utf-8"
    return _written({"content-type": kind, "content-security-policy": policy, "x-robots-tag": "noindex"})


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
    policy = f"default-src 'none'; script-src 'unsafe-inline'; frame-src {own}; frame-ancestors {page} 'self'"
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
