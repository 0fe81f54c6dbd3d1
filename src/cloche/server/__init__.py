"""The server role: what a person registers, and what answers requests."""

from cloche.server.run_guard import loading_guard
from cloche.server.server import Server

__all__ = ["Server", "loading_guard"]
