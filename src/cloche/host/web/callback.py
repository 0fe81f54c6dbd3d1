"""`{at}/oauth/callback`: where an authorization server sends a user's browser back to.

The page hands its query to a page of the product in the same browser and is done; see `upstreams/oauth.py` for why.
"""

from __future__ import annotations

from cloche.host.web.headers import Headers, document_headers
from cloche.web import read_web

CALLBACK = "oauth/callback"


def callback_answer() -> tuple[bytes, Headers]:
    """The page, and its headers."""
    return read_web("host/signed-in.html").encode(), document_headers("script-src 'self'")
