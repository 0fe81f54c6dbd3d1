"""Reading server-sent events: bytes in, events out, with a bound on everything that is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from cloche.errors import RemoteProtocolError
from cloche.transports.base import TooLong
from cloche.wire.messages import HEAD_BYTES

SLACK = 1024
"""What a line may have beyond the longest message: the field's name, and blanks."""

SKIPPED_EVENTS = 4
"""An event that is longer than this many of the longest messages ends its stream."""

MAX_NAME = 32
"""Characters of an event's name that are looked at."""

MAX_ID = 1024
"""A longer id of an event is not remembered: it would have to travel back in a header."""

_ID = re.compile(rb"[\x21-\x7e](?:[\x20-\x7e]{0,%d}[\x21-\x7e])?" % (MAX_ID - 2))
_RETRY = re.compile(rb"[0-9]{1,9}")


@dataclass(slots=True)
class Place:
    """How far a stream was read, for coming back to it."""

    last_id: str | None = None
    retry: float | None = None
    """Seconds that the server wants a client to wait before it comes back."""


class EventReader:
    """Feed it the bytes of one response as they come. `place` is kept up to date, and may outlive the response."""

    def __init__(self, limit: int, place: Place, on_endpoint: Callable[[bytes], None] | None = None) -> None:
        self._limit = limit
        self._place = place
        self._on_endpoint = on_endpoint
        """Told of the event `endpoint`, which servers of 2024-11-05 begin with."""
        self._line = bytearray()
        """A line that has not ended."""
        self._data: list[bytes] = []
        self._size = 0
        """Bytes of the present event, its unfinished line included."""
        self._head: bytes | None = None
        """The beginning of an event that is too long, while the rest of it is skipped."""
        self._name = b""
        self._id: str | None = None
        self._after_return = False
        self._at_start = True
        self.touched = False
        """Whether an event came, or at least its id."""

    def feed(self, chunk: bytes) -> list[bytes | TooLong]:
        """The messages that are complete with these bytes; raises `RemoteProtocolError` for an event without end."""
        found: list[bytes | TooLong] = []
        if self._after_return and chunk[:1] == b"\n":
            chunk = chunk[1:]
        if not chunk:
            return found
        self._after_return = chunk.endswith(b"\r")
        lines = chunk.splitlines()
        rest = b"" if chunk[-1] in b"\r\n" else lines.pop()
        for line in lines:
            whole = line
            if self._line:
                whole = bytes(self._line + line)
                self._line.clear()
            self._grow(len(line) + 1, whole)
            self._take(whole, found)
        if rest:
            self._line += rest
            self._grow(len(rest), self._line)
        return found

    def _grow(self, size: int, line: bytes | bytearray) -> None:
        """Count what is kept, and keep nothing of an event that is too long. `line` is the present one, so far."""
        self._size += size
        if self._size <= self._limit + SLACK:
            return
        if self._size > SKIPPED_EVENTS * self._limit + SLACK:
            raise RemoteProtocolError(f"The stream has an event without end: over {self._size} bytes")
        if self._head is None:
            begun = self._data[0] if self._data else _value(bytes(line[: HEAD_BYTES + SLACK]))
            self._head = begun[:HEAD_BYTES]
            self._data = []
        if self._line:
            self._line[:] = b":"  # the line goes on, and must not look like the empty one that ends an event

    def _take(self, line: bytes, found: list[bytes | TooLong]) -> None:
        if self._at_start:
            self._at_start = False
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line:
            self._end(found)
        elif line.startswith(b"data"):
            if self._head is None and line[4:5] in (b":", b""):
                self._data.append(_value(line))
        elif line.startswith(b"id:"):
            value = _value(line)
            if _ID.fullmatch(value):
                self._id = value.decode("ascii")
        elif line.startswith(b"event:"):
            self._name = _value(line)[:MAX_NAME]
        elif line.startswith(b"retry:"):
            value = _value(line)
            if _RETRY.fullmatch(value):
                self._place.retry = int(value) / 1000
        elif line.startswith(b":") and not self._data and self._head is None:
            self._size = 0  # a comment: nothing of it is kept

    def _end(self, found: list[bytes | TooLong]) -> None:
        if self._id is not None:
            self._place.last_id = self._id
            self.touched = True
        if self._head is not None:
            found.append(TooLong(self._head))
        elif self._name in (b"message", b"", b"endpoint") and self._data:
            data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
            if data and self._name != b"endpoint":
                self.touched = True
                found.append(data)
            elif data and self._on_endpoint is not None:
                self._on_endpoint(data)
        self._data = []
        self._size = 0
        self._head = self._id = None
        self._name = b""


def _value(line: bytes) -> bytes:
    """What stands behind the colon, without the one blank that may follow it."""
    value = line.partition(b":")[2]
    return value[1:] if value[:1] == b" " else value
