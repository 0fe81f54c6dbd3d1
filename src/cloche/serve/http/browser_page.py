"""What a person sees who opens the address of a server in a browser: a page that says what this is."""

from __future__ import annotations

from functools import cache
from html import escape

from cloche.asgi import Headers, Scope
from cloche.errors import shorten
from cloche.web import read_web

HEADERS: Headers = [
    (b"content-type", b"text/html; charset=utf-8"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"vary", b"accept"),
]

WANTS_TOKEN = "<p>It asks for a token: set <code>CLOCHE_TOKEN</code> before these commands.</p>"


def is_for_people(method: str, headers: dict[bytes, bytes]) -> bool:
    """Whether a browser asks for a page. A client that opens a stream asks for events, and never for HTML."""
    accept = headers.get(b"accept", b"")
    return method == "GET" and b"text/html" in accept and b"text/event-stream" not in accept


def page(scope: Scope, headers: dict[bytes, bytes], name: str | None) -> bytes:
    """The page for the address that was opened; without a name, which a server with authentication tells nobody."""
    host = headers.get(b"host", b"").decode("latin-1")
    url = f"{scope.get('scheme', 'http')}://{host}{scope['path']}"
    filled = _template()
    for place, text in (
        ("__TITLE__", escape(shorten(name, 100)) if name is not None else "MCP server"),
        ("__URL__", escape(shorten(url, 500))),
        ("__TOKEN__", WANTS_TOKEN if name is None else ""),
    ):
        filled = filled.replace(place, text)
    return filled.encode("utf-8", "replace")


@cache
def _template() -> str:
    style = f"{read_web('theme.css')}\n{read_web('endpoint/endpoint.css')}"
    return read_web("endpoint/index.html").replace("__STYLE__", style)
