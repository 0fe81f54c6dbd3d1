"""`Reconnecting`: a transport that opens a new connection when the present one ends.

::

    connect()          lost, drop()                         open() worked
    ─────────► connected ─────────► wait 1 s, open() ─────────────────────► connected
                   │                   │        ▲ failed: 2 s, 4 s, 8 s, 16 s
                   │ close()           │ close(), or the last attempt failed
                   └─────────► ended ◄─┘

To whoever uses it, it is one transport: handlers stay, `send` and `request` wait while there is no connection, and
`on_close` is called once, at the very end. Requests under way when a connection is lost fail at once with
`TransportClosedError`: whether the other side did what they asked, nobody knows. Nothing is sent twice.

A server of the handshake era knows nothing of the old connection. `Client` greets it again by itself; without a
client, let `open` do the handshake before it returns.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Any

from cloche.errors import ConfigurationError, LocalProtocolError, TransportClosedError
from cloche.transports.base import Transport, Unsubscribe
from cloche.transports.listeners import Listeners, call_safely
from cloche.transports.requests import RequestTransport
from cloche.transports.tasks import Tasks
from cloche.wire.json import MAX_ANSWER_BYTES

MAX_ATTEMPTS = 5
"""Attempts to get a new connection before giving up."""

BASE_DELAY = 1.0
"""Seconds before the first attempt."""

MAX_DELAY = 30.0
"""Seconds before any attempt, at most."""

BACKOFF_MULTIPLIER = 2.0
"""How much longer each delay is than the one before."""

OPEN_TIMEOUT = 30.0
"""Seconds one attempt may take."""

CLOSE_TIMEOUT = 5.0
"""Seconds an abandoned connection may take to close."""

Open = Callable[[], Awaitable[Transport]]

logger = logging.getLogger("cloche.transports")


class Reconnecting(RequestTransport):
    """Made of `open`, which makes a connection: `transport = Reconnecting(open)`, then `await transport.connect()`.

    `on_reconnecting(attempt)`, `on_reconnected()` and `on_reconnect_failed()` are plain functions that are told how
    it goes. `max_attempts=math.inf` never gives up. `jitter=0.5` shortens each delay by chance, by up to a half, so
    that many clients of one server do not come back at the same moment.
    """

    def __init__(
        self,
        open: Open,
        *,
        max_attempts: float = MAX_ATTEMPTS,
        base_delay: float = BASE_DELAY,
        max_delay: float = MAX_DELAY,
        backoff_multiplier: float = BACKOFF_MULTIPLIER,
        jitter: float = 0.0,
        open_timeout: float | None = OPEN_TIMEOUT,
        on_reconnecting: Callable[[int], object] | None = None,
        on_reconnected: Callable[[], object] | None = None,
        on_reconnect_failed: Callable[[], object] | None = None,
        limit: int = MAX_ANSWER_BYTES,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(limit=limit)
        if max_attempts < 0 or base_delay < 0 or max_delay < 0 or backoff_multiplier < 1 or not 0 <= jitter <= 1:
            raise ConfigurationError(
                "Reconnecting takes attempts and delays of 0 or more, a backoff_multiplier of 1 or more, "
                "and a jitter between 0 and 1"
            )
        self.max_attempts = max_attempts
        self.base_delay = base_delay
        self.max_delay = max_delay
        self.backoff_multiplier = backoff_multiplier
        self.jitter = jitter
        self.attempts = 0
        """Attempts since the connection was lost; 0 while there is one."""
        self._open = open
        self._open_timeout = open_timeout
        self._on_reconnecting = on_reconnecting
        self._on_reconnected = on_reconnected
        self._on_reconnect_failed = on_reconnect_failed
        self._sleep = sleep
        self._chance = chance
        self._present: Transport | None = None
        self._stop_hearing: Unsubscribe | None = None
        self._worker: asyncio.Task[None] | None = None
        self._closing = Tasks()
        self._settled = asyncio.Event()  # there is a connection, or there will be none
        self._lost = Listeners()
        self._restored = Listeners()

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection now."""
        return self._present is not None

    def _is_over(self) -> bool:
        return not self._connected

    def delay(self, attempt: int) -> float:
        """Seconds to wait before this attempt (1, 2, …), before `jitter` shortens them."""
        try:
            grown = self.base_delay * self.backoff_multiplier ** (attempt - 1)
        except OverflowError:
            return self.max_delay
        return min(grown, self.max_delay)

    def on_lost(self, handler: Callable[[], object]) -> Unsubscribe:
        """Call `handler` whenever a connection was lost and a new one is tried for."""
        return self._lost.add(handler)

    def on_restored(self, handler: Callable[[], object]) -> Unsubscribe:
        """Call `handler` whenever there is a new connection after a lost one."""
        return self._restored.add(handler)

    async def connect(self) -> None:
        """Open the first connection, with a single attempt; raises what `open` raises. Later: wait for a connection."""
        if self._worker is not None or self._is_over():
            await self._connection()
            return
        self._worker = asyncio.get_running_loop().create_task(self._first())
        try:
            await self._worker
        except asyncio.CancelledError:
            task: Any = asyncio.current_task()
            if not self._is_over() or task.cancelling():
                raise
            raise TransportClosedError from None  # close() ended it

    async def send(self, data: bytes) -> None:
        """Send one message over the present connection; without one, wait until there is one again."""
        transport = await self._connection()
        await transport.send(data)

    async def _until_connected(self) -> None:
        """Before a request is in the table: the loss of a connection fails what was sent over it, nothing else."""
        await self._connection()

    def drop(self) -> None:
        """Abandon the present connection, which may be dead without having ended, and try for a new one."""
        if self._present is not None:
            self._was_lost(self._present)

    async def close(self) -> None:
        """End it for good, whatever it is doing; when this returns, nothing is left of it."""
        worker, transport = self._worker, self._forget()
        if worker is not None and worker is not asyncio.current_task():
            worker.cancel()
        self.ended()
        try:
            if transport is not None:
                await transport.close()
        finally:
            if worker is not None and worker is not asyncio.current_task():
                await asyncio.gather(worker, return_exceptions=True)
            await asyncio.gather(*self._closing, return_exceptions=True)

    def ended(self) -> None:
        """It is over: tell everybody, and let go whoever waits for a connection."""
        super().ended()
        self._settled.set()

    # A connection comes

    async def _connection(self) -> Transport:
        while self._present is None:
            if self._is_over():
                raise TransportClosedError
            if self._worker is None:
                raise LocalProtocolError("There is no connection yet: await transport.connect() first")
            await self._settled.wait()
        return self._present

    async def _first(self) -> None:
        try:
            await self._establish()
        except BaseException:
            self._worker = None  # connect() may be called again
            if not self._is_over():
                self._settled.set()  # whoever waits for it looks, and is told
                self._settled.clear()
            raise

    async def _establish(self) -> None:
        async with asyncio.timeout(self._open_timeout):
            transport = await self._open()
        if self._is_over() or not transport.is_connected:  # `open` may have gone on although it was cancelled
            self._closing.spawn(_close(transport))
            raise TransportClosedError
        self.attempts = 0
        self.limit = max(self.limit, transport.limit)  # it has checked with its own limit already
        self._present = transport
        self._settled.set()
        self._stop_hearing = transport.on_message(lambda data: self._heard(transport, data))
        transport.on_close(lambda: self._was_lost(transport))

    def _heard(self, transport: Transport, data: bytes) -> None:
        if transport is self._present:
            self.deliver(data)
        else:
            self.dropped += 1

    # A connection goes

    def _was_lost(self, transport: Transport) -> None:
        if transport is not self._present:
            return
        self._forget()
        self._settled.clear()
        self._closing.spawn(_close(transport))
        if self._pending_requests is not None:
            self._pending_requests.close()
        # Before the handlers: one of them may send, and must find that a connection is being tried for.
        self._worker = asyncio.get_running_loop().create_task(self._reconnect())
        self._lost.tell()

    def _forget(self) -> Transport | None:
        transport, self._present = self._present, None
        if self._stop_hearing is not None:
            self._stop_hearing()
            self._stop_hearing = None
        return transport

    async def _reconnect(self) -> None:
        attempt = 0
        while attempt < self.max_attempts:
            attempt += 1
            self.attempts = attempt
            call_safely(self._on_reconnecting, attempt)
            await self._sleep(self.delay(attempt) * (1 - self.jitter * self._chance()))
            if await self._attempt():
                self._tell_restored()
                return
            if self._is_over():
                return
        call_safely(self._on_reconnect_failed)
        self.ended()

    def _tell_restored(self) -> None:
        """Tell everybody, unless one of them, or the first message, made it drop the connection again."""
        if self._worker is asyncio.current_task():
            call_safely(self._on_reconnected)
        if self._worker is asyncio.current_task():
            self._restored.tell()

    async def _attempt(self) -> bool:
        task: Any = asyncio.current_task()
        try:
            await self._establish()
        except Exception as error:
            logger.debug("no new connection: %r", error)
            return False
        except asyncio.CancelledError:
            if task.cancelling():
                raise
            return False  # something that `open` waited for was cancelled, not this
        return True


async def _close(transport: Transport) -> None:
    """Run beside everything else: the connection may be dead, and then closing takes its time."""
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT):
            await transport.close()
    except Exception as error:
        logger.debug("a lost connection did not close cleanly: %r", error)
