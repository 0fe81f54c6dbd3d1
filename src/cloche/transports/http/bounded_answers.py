"""HTTP answers that others read, such as who signs in, none of which costs more than its limit.

A compressed answer may be a thousand times what it weighs: so answers are asked for plainly, and one that comes
compressed all the same is refused. Streams of events have no end and are limited by whoever reads them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from cloche.errors import RemoteProtocolError, shorten

PLAINLY = {"accept-encoding": "identity"}
"""The header that asks for an answer as it is."""

EVENTS = "text/event-stream"


async def bound(response: httpx2.Response, limit: int) -> None:
    """Let nobody read more than `limit` bytes of an answer that has not been read yet; raises `RemoteProtocolError`
    for one that is compressed, and so does reading one that is too long.
    """
    packed = str(response.headers.get("content-encoding", "")).strip().lower()
    if packed not in ("", "identity"):
        await response.aclose()
        raise RemoteProtocolError(
            f"The answer is compressed ({shorten(packed, 40)}), though it was asked for as it is: that is refused"
        )
    if not str(response.headers.get("content-type", "")).strip().lower().startswith(EVENTS):
        response.stream = _Counted(response.stream, limit)


class _Counted(httpx2.AsyncByteStream):
    """A body that breaks off when it is too long."""

    def __init__(self, stream: object, limit: int) -> None:
        assert isinstance(stream, httpx2.AsyncByteStream)
        self._stream = stream
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._limit
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise RemoteProtocolError(f"The answer is over {self._limit} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
