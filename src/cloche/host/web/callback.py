"""`{at}/oauth/callback`: where an authorization server sends a user's browser back to.

The page hands its query to a page of the product in the same browser and is done; see `upstreams/oauth.py` for why.
"""

from __future__ import annotations

from cloche.host.web.headers import PLAIN, Headers
from cloche.web import read_web

CALLBACK = "oauth/callback"

POLICY = b"default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def callback_answer() -> tuple[bytes, Headers]:
    """The page, and its headers."""
    headers: Headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-security-policy", POLICY),
        (b"x-robots-tag", b"noindex"),
        *PLAIN,
    ]
    return read_web("host/signed-in.html").encode(), headers
