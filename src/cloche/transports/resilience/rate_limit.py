"""Rate limits: a sliding window, and a transport that lets no more through than it allows.

Only what the other side starts is limited: requests and notifications. Answers to our own requests always pass, there
are no more of them than we asked for. The cost is bounded however much arrives: as many times as the window may have
messages, and a fixed number of refusals that wait to be sent.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from msgspec import UNSET

from cloche.errors import ConfigurationError, McpError, RateLimitError, TransportError
from cloche.transports.base import Transport
from cloche.transports.listeners import call_safely
from cloche.transports.requests import RequestTransport
from cloche.wire import messages
from cloche.wire.messages import RequestId, encode_error

MAX_REQUESTS = 100
"""Messages in one window."""

RATE_WINDOW = 1.0
"""Seconds of one window."""

RATES = {"MAIN_THREAD": 100, "WORKER": 500, "STORE": 50, "RENDER": 10}
"""What the source documents recommend for each place, in messages per second."""

REFUSALS_WAITING = 1000
"""Refusals that wait to be sent; when a peer does not read even those, it gets no more of them."""


class RateLimiter:
    """At most `max_requests` in any `window` seconds. Refused ones do not count, so trying again does no harm."""

    def __init__(
        self,
        max_requests: int = MAX_REQUESTS,
        window: float = RATE_WINDOW,
        on_limit_exceeded: Callable[[], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if max_requests < 1 or window <= 0:
            raise ConfigurationError("A rate limit allows 1 or more requests in a window of more than 0 seconds")
        self.max_requests = max_requests
        self.window = window
        self._on_limit_exceeded = on_limit_exceeded
        self._clock = clock
        self._times: deque[float] = deque(maxlen=max_requests)

    def allow(self, count: int = 1) -> bool:
        """Whether one more may pass now, or `count` more together; those that may are counted."""
        now = self._clock()
        if self._wait(now, count) > 0:
            call_safely(self._on_limit_exceeded)
            return False
        self._times.extend([now] * count)
        return True

    def retry_after(self, count: int = 1) -> float:
        """Seconds until so many may pass."""
        return self._wait(self._clock(), count)

    def _wait(self, now: float, count: int) -> float:
        """Until enough of those that were counted have left the window; more than fit into one never pass."""
        if count > self.max_requests:
            return self.window
        leaving = len(self._times) + count - self.max_requests
        if leaving <= 0:
            return 0.0
        return max(0.0, self._times[leaving - 1] + self.window - now)


class RateLimited(RequestTransport):
    """`transport`, from which no more than `max_requests` messages in `window` seconds come through.

    A request over the limit is answered with an error that says when to try again; a notification over it is dropped.
    """

    def __init__(
        self,
        transport: Transport,
        max_requests: int = MAX_REQUESTS,
        window: float = RATE_WINDOW,
        on_limit_exceeded: Callable[[], object] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(limit=transport.limit)
        self.limiter = RateLimiter(max_requests, window, on_limit_exceeded, clock)
        """What decides."""
        self.refused = 0
        """Requests that were not delivered; notifications over the limit are in `dropped`."""
        self._transport = transport
        self._refusals: deque[bytes] = deque()
        self._refusing: asyncio.Task[None] | None = None
        self._stop = transport.on_message(self._heard)
        transport.on_close(self._over)

    @property
    def is_connected(self) -> bool:
        """Whether messages can be sent."""
        return self._connected and self._transport.is_connected

    async def send(self, data: bytes) -> None:
        """Send one message; what this side sends is not limited."""
        await self._transport.send(data)

    async def close(self) -> None:
        """End the connection."""
        self._over()
        await self._transport.close()
        if self._refusing is not None:
            await asyncio.gather(self._refusing, return_exceptions=True)

    def _over(self) -> None:
        self._stop()
        if self._refusing is not None:
            self._refusing.cancel()
        self._refusals.clear()
        self.ended()

    def _heard(self, data: bytes) -> None:
        requests, others = started(data)
        count = len(requests) + others
        if count == 0 or self.limiter.allow(count):
            self.deliver(data)
            return
        self.dropped += others
        self.refused += len(requests)
        if requests:
            self._refuse_later(requests, messages.is_batch(data))

    def _refuse_later(self, requests: list[RequestId], as_batch: bool) -> None:
        if len(self._refusals) >= REFUSALS_WAITING:
            return
        error = RateLimitError(self.limiter.retry_after(len(requests)))
        answers = b",".join(encode_error(request_id, error) for request_id in requests)
        self._refusals.append(b"[" + answers + b"]" if as_batch else answers)
        if self._refusing is None:
            self._refusing = asyncio.get_running_loop().create_task(self._send_refusals())

    async def _send_refusals(self) -> None:
        try:
            while self._refusals:
                await self._transport.send(self._refusals.popleft())
        except (TransportError, OSError):
            self._refusals.clear()
        finally:
            self._refusing = None


def started(data: bytes) -> tuple[list[RequestId], int]:
    """What the other side starts with `data`: the ids of its requests, and how many other messages that are no answers.

    What cannot be read counts as one message: somebody has to look at it.
    """
    try:
        parts = messages.split_batch(data) if messages.is_batch(data) else [data]
    except McpError:
        return [], 1
    requests: list[RequestId] = []
    others = 0
    for part in parts:
        try:
            message = messages.parse(part)
        except McpError:
            others += 1
            continue
        if message.method is UNSET:
            continue
        if message.id is UNSET:
            others += 1
        else:
            requests.append(message.id)
    return requests, others
