"""`ResumableChannel`: frames between host and page, none of which is lost or delivered twice when a socket breaks.

Each side numbers what it sends, keeps it until the other has acknowledged it, and says after a break what it has. There
is no I/O here and no clock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from cloche.errors import InvalidRequestError

MAX_KEPT = 2000
"""Frames that wait for the page's acknowledgement."""

MAX_KEPT_BYTES = 32 * 1024 * 1024
"""Their size together, bodies included."""

ACKNOWLEDGE_EVERY = 32
"""Frames that are taken before the page is told so at once, not with the next tick."""


class ChannelFullError(InvalidRequestError):
    """The page acknowledges nothing, and the host keeps no more frames for it."""

    def __init__(self) -> None:
        super().__init__("The page does not take what the view is sent: the view was closed")


@dataclass(frozen=True)
class Kept:
    """A frame that the page may not have yet."""

    number: int
    payload: bytes
    size: int
    body: str | None = None
    """The name of the body that it points to."""


class ResumableChannel:
    """The channel of one view: numbers frames in both directions, keeps those that the page has not acknowledged."""

    def __init__(self) -> None:
        self.received = 0
        """The number of the last frame that came from the page."""
        self._sent = 0
        self._told = 0
        self._kept: deque[Kept] = deque()
        self._bytes = 0

    def number(self, payload: bytes, *, size: int | None = None, body: str | None = None) -> Kept:
        """Number a frame and keep it; `size` is what it takes in memory with its body. Raises `ChannelFullError`."""
        taken = len(payload) if size is None else size
        if len(self._kept) >= MAX_KEPT or (self._kept and self._bytes + taken > MAX_KEPT_BYTES):
            raise ChannelFullError
        self._sent += 1
        kept = Kept(self._sent, payload, taken, body)
        self._kept.append(kept)
        self._bytes += taken
        return kept

    def acknowledged(self, number: int) -> Iterator[Kept]:
        """The page has everything up to this number: forget it. Yields what was forgotten."""
        if number > self._sent:
            raise InvalidRequestError("A frame was acknowledged that was never sent")
        while self._kept and self._kept[0].number <= number:
            kept = self._kept.popleft()
            self._bytes -= kept.size
            yield kept

    @property
    def kept(self) -> tuple[Kept, ...]:
        """What was sent and not acknowledged, in order: after a break it is sent again."""
        return tuple(self._kept)

    def take(self, number: int) -> bool:
        """Whether a frame of the page is new; False for one that came before the break. A gap is an error."""
        if number <= self.received:
            return False
        if number != self.received + 1:
            raise InvalidRequestError(f"Frame {self.received + 1} is missing")
        self.received = number
        return True

    @property
    def must_tell(self) -> bool:
        """Whether enough frames came that the page should get an acknowledgement now."""
        return self.received - self._told >= ACKNOWLEDGE_EVERY

    def told(self) -> int | None:
        """What to acknowledge; None when the page knows already."""
        if self._told == self.received:
            return None
        self._told = self.received
        return self.received
