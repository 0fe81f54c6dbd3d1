"""GET streams: the one for what a server says on its own, and coming back to an answer whose stream broke."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import TYPE_CHECKING

import httpx2

from cloche.errors import ConnectionBrokenError, McpError
from cloche.transports.base import TooLong
from cloche.transports.http.bounded_answers import EVENTS
from cloche.transports.http.failures import of_status
from cloche.transports.http.sse_reader import EventReader, Place

if TYPE_CHECKING:
    from cloche.transports.http.client import HttpTransport

RETRY_SECONDS = 1.0
"""The wait before a stream is opened again, when the server names none. Doubled with each failure."""

SHORTEST_RETRY, LONGEST_RETRY = 0.05, 30.0
"""What a server may ask for, and the longest wait between two attempts."""

MAX_FAILURES = 5
"""Attempts in a row that may fail before a stream is given up."""

MAX_EMPTY = 60
"""Streams in a row that may bring nothing before an answer is given up."""

_WORTH_ANOTHER_TRY = (408, 409, 425, 429, 500, 502, 503, 504)


def content_type(response: httpx2.Response) -> str:
    """What the response says its body is, without parameters."""
    return str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()


def delay(place: Place, failures: int) -> float:
    """How long to wait before the next attempt."""
    base = RETRY_SECONDS if place.retry is None else place.retry
    return float(min(max(base, SHORTEST_RETRY) * 2**failures, LONGEST_RETRY))


async def read_events(
    transport: HttpTransport, response: httpx2.Response, place: Place, take: Callable[[bytes | TooLong], None]
) -> bool:
    """Give every event to `take` until the stream ends; whether there was one. A stream that breaks just ends."""
    reader = EventReader(transport.limit, place)
    try:
        async with aclosing(response.aiter_bytes()) as chunks:
            async for chunk in chunks:
                events = reader.feed(chunk)
                for event in events:
                    take(event)
                await transport.answers_have_room()
                # One of them may be the answer, of which there cannot be too many.
                pause = transport.pace.spend(max(len(events) - 1, 0))
                if pause > 0:
                    await asyncio.sleep(pause)
    except httpx2.TransportError:
        pass  # whoever reads looks at what is missing
    return reader.touched


async def follow(
    transport: HttpTransport,
    place: Place,
    take: Callable[[bytes | TooLong], None],
    is_done: Callable[[], bool],
    max_empty: int | None = MAX_EMPTY,
) -> McpError | ConnectionBrokenError | None:
    """Open a session's stream, again and again, until it is done. Returns why it was given up."""
    failures = empty = 0
    is_first = place.last_id is None
    while not is_done():
        if not is_first:
            await asyncio.sleep(delay(place, failures))
        is_first = False
        try:
            response = await transport.open_events(place)
        except httpx2.TransportError:
            failures += 1
        else:
            async with aclosing(response):
                if transport.is_session_gone(response):
                    await transport.lost()
                    return None
                if response.status_code in _WORTH_ANOTHER_TRY:
                    failures += 1
                elif response.status_code != 200 or content_type(response) != EVENTS:
                    return of_status(response.status_code, response.headers, None, transport.shown)
                else:
                    failures = 0
                    empty = 0 if await read_events(transport, response, place, take) else empty + 1
        if failures > transport.max_failures or (max_empty is not None and empty > max_empty):
            return ConnectionBrokenError(f"The stream from {transport.shown} broke and could not be resumed")
    return None
