"""`Heartbeat`: asks the other side now and then whether it is still there.

A connection can be dead without having ended: a laptop that sleeps, a frozen tab, a router that forgot. What counts:

- An answer proves life, also when it is an error: whoever refuses a `ping` is there.
- No answer within `timeout`, or an answer that cannot come (a network error), is a missed beat: `on_timeout` is called
  with `HeartbeatTimeoutError`, and the heartbeat stops.
- The end of the connection is not a missed beat, everybody hears of it through `on_close`: the heartbeat just stops.
  While a `Reconnecting` transport has no connection, beats are left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from cloche.errors import ConfigurationError, HeartbeatTimeoutError, McpError, TransportClosedError, TransportError
from cloche.transports.base import CloseHandler, Unsubscribe
from cloche.transports.listeners import call_safely
from cloche.transports.tasks import Tasks

HEARTBEAT_INTERVAL = 30.0
"""Seconds between two beats."""

HEARTBEAT_TIMEOUT = 5.0
"""Seconds the other side has to answer a beat."""

OnTimeout = Callable[[HeartbeatTimeoutError], object]


class HeartbeatPeer(Protocol):
    """Who can be asked: a `RequestTransport`, or a `Client`, whose `ping` is used when it has one."""

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection."""

    async def request(self, method: str, params: Any = None, *, timeout: float | None = None) -> Any:
        """Ask, and wait for the answer."""

    async def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""

    def on_notification(self, method: str, handler: Callable[[dict[str, Any]], None], /) -> Unsubscribe:
        """Hear of notifications."""

    def on_close(self, handler: CloseHandler, /) -> Unsubscribe:
        """Hear of the end."""


class Heartbeat:
    """Beats while it is started: `heartbeat.start()` … `heartbeat.stop()`, or `async with Heartbeat(peer): …`.

    A beat is a `ping`. `method` (with `params`) asks something else instead. `notification` sends a notification
    instead, and the other side answers with one of the same name. The next beat comes `interval` seconds after the
    last one was answered, so there are never two at a time.
    """

    def __init__(
        self,
        peer: HeartbeatPeer,
        *,
        interval: float = HEARTBEAT_INTERVAL,
        timeout: float = HEARTBEAT_TIMEOUT,
        on_timeout: OnTimeout | None = None,
        method: str | None = None,
        params: dict[str, Any] | None = None,
        notification: str | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        if interval <= 0 or timeout <= 0:
            raise ConfigurationError("A heartbeat's interval and timeout are seconds, more than 0")
        if method is not None and notification is not None:
            raise ConfigurationError("A heartbeat sends a request or a notification: give method or notification")
        self.interval = interval
        self.timeout = timeout
        self._peer = peer
        self._on_timeout = on_timeout
        self._method = method
        self._params = params
        self._notification = notification
        self._sleep = sleep
        self._task: asyncio.Task[None] | None = None
        self._ending = Tasks()

    @property
    def is_running(self) -> bool:
        """Whether it beats."""
        return self._task is not None

    def start(self) -> None:
        """Begin; the first beat comes after one interval. Does nothing when it beats already."""
        if self._task is not None:
            return
        self._task = task = self._ending.spawn(self._run())
        try:
            unsubscribe = self._peer.on_close(self.stop)
        except BaseException:  # a client that is not connected yet says so
            self.stop()
            raise
        task.add_done_callback(lambda _: unsubscribe())

    def stop(self) -> None:
        """No more beats, and `on_timeout` is not called any more. May be called at any time, by `on_timeout` too."""
        task, self._task = self._task, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    async def __aenter__(self) -> Heartbeat:
        self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stop()
        await self._ending.end()

    async def _run(self) -> None:
        task = asyncio.current_task()
        try:
            while self._task is task:
                await self._sleep(self.interval)
                if self._peer.is_connected:
                    await self._beat()
        except HeartbeatTimeoutError as missed:
            if self._task is task:
                self._task = None  # before the call: it may start the heartbeat again
                call_safely(self._on_timeout, missed)
        finally:
            if self._task is task:
                self._task = None

    async def _beat(self) -> None:
        try:
            async with asyncio.timeout(self.timeout):  # also over the sending, which may wait for room
                await self._ask()
        except (McpError, TransportClosedError):
            return
        except (TransportError, OSError) as error:  # TimeoutError is an OSError
            raise HeartbeatTimeoutError from error

    async def _ask(self) -> None:
        ping = getattr(self._peer, "ping", None)
        if self._notification is not None:
            await self._exchange(self._notification)
        elif self._method is None and ping is not None:
            await ping(timeout=self.timeout)
        else:
            await self._peer.request(self._method or "ping", self._params, timeout=self.timeout)

    async def _exchange(self, method: str) -> None:
        answered = asyncio.Event()
        unsubscribe = self._peer.on_notification(method, lambda _: answered.set())
        try:
            await self._peer.notify(method, self._params)
            await answered.wait()
        finally:
            unsubscribe()
