"""What the playground keeps of what it told: for a page that is opened later, and the whole of what was too large to
tell. Both are bounded by bytes. Messages are numbered without gaps, so a page knows how many it has not got.
"""

from __future__ import annotations

import secrets
from collections import deque
from typing import Any

import msgspec

from cloche.errors import InvalidParamsError
from cloche.wire.types import Json

KEPT = 1000
"""Events that a page which comes late is told of."""

KEPT_BYTES = 16 << 20
"""Bytes of them, about."""

MAX_BODY = 64 * 1024
"""Bytes of a message that the page gets; of larger ones it gets the beginning, and can ask for the rest."""

BEGINNING = 2000
"""Characters of the beginning."""

WHOLE_BYTES = 64 << 20
"""Bytes of larger messages that the page can still ask for."""

SMALL_EVENT = 500
"""What an event without a message weighs."""

TELLING = ("name", "uri", "isError")
"""What a row of the page needs of a message that is cut."""


class History:
    """The latest events, oldest first. Each has a number, so that a page which comes back gets what it has missed."""

    def __init__(self) -> None:
        self.run = secrets.token_urlsafe(6)
        """Which history it is: numbers of another one say nothing."""
        self._events: deque[tuple[int, Json]] = deque()
        self._bytes = 0
        self._count = 0

    def after(self, run: str, number: int) -> list[Json]:
        """What came after the event with this number; everything for a page that has seen another run, or none."""
        seen = number if run == self.run else 0
        return [event for _, event in self._events if event["seq"] > seen]

    def add(self, event: Json) -> None:
        """Keep this one under a number, and forget the oldest where there are too many."""
        self._count += 1
        event["seq"] = self._count
        weight = SMALL_EVENT + (BEGINNING if "cut" in event else event.get("size", 0))
        self._events.append((weight, event))
        self._bytes += weight
        while len(self._events) > KEPT or self._bytes > KEPT_BYTES:
            self._bytes -= self._events.popleft()[0]


class WholeBodies:
    """Messages that were too large to tell, as JSON."""

    def __init__(self) -> None:
        self._kept: dict[int, bytes] = {}
        self._bytes = 0

    def told(self, number: int, body: Any) -> Json:
        """What the page is told of a message: all of it, or its beginning (`cut`) with what a row shows."""
        try:
            data = msgspec.json.encode(body)
        except (TypeError, ValueError, msgspec.MsgspecError, RecursionError):
            return {"size": 0, "body": "this cannot be shown"}
        if len(data) <= MAX_BODY:
            return {"size": len(data), "body": body}
        self._keep(number, data)
        telling = {key: body[key] for key in TELLING if key in body} if isinstance(body, dict) else {}
        rows = {key: value for key, value in telling.items() if isinstance(value, bool) or _is_short(value)}
        return {"size": len(data), "body": rows, "cut": data[:BEGINNING].decode("utf-8", "replace")}

    def _keep(self, number: int, data: bytes) -> None:
        if len(data) > WHOLE_BYTES:
            return
        self._kept[number] = data
        self._bytes += len(data)
        while self._bytes > WHOLE_BYTES:
            self._bytes -= len(self._kept.pop(next(iter(self._kept))))

    async def whole(self, number: int) -> Json:
        """A message that was cut, as JSON text."""
        if number not in self._kept:
            raise InvalidParamsError("This message is not kept any more: there were too many large ones after it")
        return {"json": self._kept[number].decode()}


def _is_short(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= BEGINNING
