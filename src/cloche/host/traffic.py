"""Every message between host and servers, and between host and views, for those who want to see them.

Nobody listens by default, and then it costs one look. The timeline says what was decided; this says what was said.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from cloche.transports.listeners import Listeners

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView


Lane = Literal["server", "view", "page"]
"""With whom: a server, a view, or the page around it."""

Direction = Literal["out", "in"]
"""From the host, or to it."""


class Message(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One message, or one answer."""

    number: int
    time: float
    """Seconds since the epoch."""
    lane: Lane
    direction: Direction
    server: str
    view: str | None = None
    exchange: int | str | None = None
    """The same for a request and its answer."""
    what: str
    """The method, or what the page reports."""
    body: Any = None
    failed: bool = False
    milliseconds: float | None = None
    """From the request to this answer."""


class Traffic:
    """Whoever listens hears every message."""

    def __init__(self) -> None:
        self._handlers = Listeners()
        self._numbers = itertools.count(1)
        self._exchanges = itertools.count(1)

    @property
    def is_watched(self) -> bool:
        """Whether anybody listens."""
        return len(self._handlers) > 0

    def listen(self, handler: Callable[[Message], None]) -> Callable[[], None]:
        """Call `handler` with every message, until the returned function is called."""
        return self._handlers.add(handler)

    def exchange(self) -> int:
        """A number for a request and its answer."""
        return next(self._exchanges)

    def note(self, lane: Lane, direction: Direction, server: str, what: str, body: Any = None, **rest: Any) -> None:
        """Tell whoever listens."""
        if not self.is_watched:
            return
        message = Message(
            number=next(self._numbers),
            time=time.time(),
            lane=lane,
            direction=direction,
            server=server,
            what=what,
            body=body,
            **rest,
        )
        self._handlers.tell(message)


class ViewRecorder(Protocol):
    """What `host.recorder` can be set to, before views are opened."""

    def prepare(self, view: MountedView, html: str) -> str:
        """The page to show instead of this one."""

    def heard(self, view: MountedView, message: Any) -> bool:
        """Whether a message came from what `prepare` put into the page, and not from the view."""
