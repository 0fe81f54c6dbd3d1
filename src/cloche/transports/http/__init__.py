"""MCP over HTTP, both eras: a server as a raw ASGI app, and a client's transport.

The names are loaded when they are first used: a client needs nothing of the server, and a server no HTTP client.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloche.transports.http.app import HttpApp
    from cloche.transports.http.client import HttpTransport
    from cloche.transports.http.guard import Guard

_HOMES = {"Guard": "guard", "HttpApp": "app", "HttpTransport": "client"}

__all__ = ["Guard", "HttpApp", "HttpTransport"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
