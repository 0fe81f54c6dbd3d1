"""URLs of servers, whose hash says which phase it is, and ids of sessions: as `web/frames.js` has them."""

from __future__ import annotations

import uuid
from typing import Literal
from urllib.parse import urldefrag

SETUP = "setup"


def generate_session_id() -> str:
    """A session id that nobody can guess."""
    return f"mcp-{uuid.uuid4()}"


def server_phase(url: str) -> Literal["setup", "transport"]:
    """The phase that a page is loaded for: `setup` when its hash, a list with commas, says so."""
    return "setup" if SETUP in urldefrag(url).fragment.split(",") else "transport"


def setup_url(url: str) -> str:
    """Where a server is set up."""
    return f"{urldefrag(url).url}#{SETUP}"


def transport_url(url: str) -> str:
    """Where a server is connected to."""
    return urldefrag(url).url
