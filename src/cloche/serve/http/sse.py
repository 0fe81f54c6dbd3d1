"""Server-sent events: frames, and streams with a bounded queue whose slow readers are cut off (H25)."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cloche.server.subscriptions import Stream

if TYPE_CHECKING:
    from cloche.asgi import Headers, Receive, Send

logger = logging.getLogger("cloche.http")

SSE_HEADERS: Headers = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]
KEEPALIVE = b": \n\n"
RETRY_MILLISECONDS = 1000
"""After this long a client that lost a stream asks for the rest of it."""


def frame(data: bytes, event_id: bytes | None = None) -> bytes:
    """One message as an event. JSON has no line breaks of its own, so one data line does."""
    if event_id is None:
        return b"event: message\ndata: " + data + b"\n\n"
    return b"event: message\nid: " + event_id + b"\ndata: " + data + b"\n\n"


def priming(event_id: bytes) -> bytes:
    """The first event of a stream that can be resumed: a place to resume from, before there is anything to say."""
    return b"id: %b\nretry: %d\ndata:\n\n" % (event_id, RETRY_MILLISECONDS)


class Ticker:
    """One timer that keeps every silent stream open, instead of one per stream."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._streams: set[SseStream] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def add(self, stream: SseStream) -> None:
        """Look after a stream."""
        loop = asyncio.get_running_loop()
        self._streams.add(stream)
        if self._timer is None or self._loop is not loop:
            self._loop = loop
            self._timer = loop.call_later(self._seconds, self._tick)

    def remove(self, stream: SseStream) -> None:
        """The stream is over."""
        self._streams.discard(stream)
        if not self._streams and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tick(self) -> None:
        for stream in self._streams:
            stream.keep_alive()
        assert self._loop is not None
        self._timer = self._loop.call_later(self._seconds, self._tick)


@dataclass(slots=True, eq=False)
class SseStream(Stream):
    """A response that stays open: what is pushed is written by the request's own task."""

    _send: Send
    _receive: Receive
    headers: Headers
    _limit: int
    _ticker: Ticker
    source: Callable[[deque[bytes]], Awaitable[None]] | None = None
    """Adds what is to be written next, for a stream whose messages are kept elsewhere until then."""
    guard: Callable[[], Coroutine[object, object, object]] | None = None
    """Returns when the stream must end because nobody may read it any more."""
    cut: bool = False
    """The reader was too slow."""
    gone: bool = False
    """The client hung up."""
    _queue: deque[bytes] = field(default_factory=deque)
    _waiter: asyncio.Future[None] | None = None
    _task: asyncio.Task[object] | None = None
    _finished: bool = False

    def push(self, data: bytes) -> None:
        """Write a message soon; when the queue is full the reader is cut off."""
        self.put(frame(data))

    def put(self, chunk: bytes) -> None:
        """Write bytes soon."""
        if len(self._queue) >= self._limit:
            if not self.cut:
                self.cut = True
                logger.warning("a stream's reader is too slow: cut off with %d messages waiting", len(self._queue))
                if self._task is not None:
                    self._task.cancel()
            return
        self._queue.append(chunk)
        self.wake()

    def keep_alive(self) -> None:
        """Say something when there is nothing to say."""
        if not self._queue:
            self._queue.append(KEEPALIVE)
            self.wake()

    def finish(self) -> None:
        """Let `run` return when everything is written."""
        self._finished = True
        self.wake()

    def wake(self) -> None:
        """There is something to do."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def run(self, first: bytes) -> None:
        """Send `first`, then what is pushed, until finished; the client hanging up cancels."""
        await self.write_until_finished(frame(first))

    async def write_until_finished(self, first: bytes) -> None:
        """The loop behind `run`."""
        self._task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        await self._send({"type": "http.response.start", "status": 200, "headers": [*SSE_HEADERS, *self.headers]})
        await self._send({"type": "http.response.body", "body": first, "more_body": True})
        watcher = loop.create_task(self._watch())
        guarding = None if self.guard is None else loop.create_task(self.guard())
        if guarding is not None:
            guarding.add_done_callback(lambda _: self.wake())
        self._ticker.add(self)
        try:
            while not (self.gone or self.cut or (guarding is not None and guarding.done())):
                if self.source is not None:
                    await self.source(self._queue)
                if self._queue:
                    chunk = self._queue.popleft() if len(self._queue) == 1 else self._take_all()
                    await self._send({"type": "http.response.body", "body": chunk, "more_body": True})
                elif self._finished:
                    return
                else:
                    self._waiter = loop.create_future()
                    await self._waiter
        except asyncio.CancelledError:
            if not self.cut:
                raise
            if self._task is not None:
                self._task.uncancel()
        finally:
            self._ticker.remove(self)
            watcher.cancel()
            if guarding is not None:
                guarding.cancel()
            self._waiter = None
            self._task = None

    def _take_all(self) -> bytes:
        chunk = b"".join(self._queue)
        self._queue.clear()
        return chunk

    async def _watch(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.gone = True
        self.wake()

    async def end(self, last: bytes = b"") -> None:
        """Write the last bytes, unless there is nobody to read them."""
        if not self.gone and not self.cut:
            await self._send({"type": "http.response.body", "body": last, "more_body": False})
