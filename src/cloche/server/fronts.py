"""What serves a server to the outside, by name. `cloche.serve` is a layer above this one and loaded when it is first
used: `from cloche import Server` needs neither an event loop nor a web server, and a server in a browser has none.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

FRONTS = {
    "run_stdio": "cloche.serve.stdio",
    "run_server": "cloche.serve.uvicorn.run",
    "HttpApp": "cloche.serve.http.app",
    "WebSocketApp": "cloche.serve.websocket",
}
"""The module of each front."""


def load(front: str) -> Any:
    """A front, from its module."""
    return getattr(import_module(FRONTS[front]), front)
