"""One message a line: how both sides of stdio cut what they read."""

from __future__ import annotations

from cloche.transports.base import TooLong
from cloche.wire.messages import HEAD_BYTES


class Lines:
    """Cuts what was read into lines, without keeping one that is too long."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping = False

    def feed(self, chunk: bytes) -> list[bytes | TooLong]:
        """The lines that are complete now, without blank ones."""
        *complete, rest = chunk.split(b"\n")
        found: list[bytes | TooLong] = []
        for piece in complete:
            if self._skipping:
                self._skipping = False
                continue
            line = self._joined(piece) if self._parts else piece
            if len(line) > self._limit:
                found.append(TooLong(line[:HEAD_BYTES]))
            elif line and not line.isspace():
                found.append(line)
        if rest and not self._skipping:
            self._parts.append(rest)
            self._size += len(rest)
            if self._size > self._limit:
                found.append(TooLong(self._joined(b"")[:HEAD_BYTES]))
                self._skipping = True
        return found

    def _joined(self, last: bytes) -> bytes:
        """What was kept of the line, and its last piece."""
        line = b"".join([*self._parts, last])
        self._parts.clear()
        self._size = 0
        return line
