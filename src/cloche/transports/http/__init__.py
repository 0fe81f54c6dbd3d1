"""MCP over HTTP, both eras, as a raw ASGI app."""

from cloche.transports.http.app import HttpApp
from cloche.transports.http.guard import Guard

__all__ = ["Guard", "HttpApp"]
