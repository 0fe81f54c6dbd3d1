"""What else happens when a server starts and stops."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hooks:
    """What else happens when a server starts and stops."""

    started: Callable[[], Awaitable[None]] | None = None
    """Awaited when connections are accepted."""
    stopping: Callable[[], None] | None = None
    """Called when the server has been told to stop."""
    stopped: Callable[[], None] | None = None
    """Called when requests and the app's lifespan have ended; the event loop has not."""
