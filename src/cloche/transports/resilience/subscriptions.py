"""`ResourceSubscriptions`: many listeners, one subscription at the server for each resource.

::

    listener ─┐
    listener ─┼─► one per URI ─► resources/subscribe ─► server
    listener ─┘       ▲                                   │
        ▲             └── notifications/resources/updated ┘
        └── on_change(uri, contents) ◄── one resources/read for all of them

An update that arrives while the resource is being read makes it be read once more, so the last state is always
delivered. After a reconnect everything is subscribed to and read again: an update may have been missed.

`on_error(error)` is called when the resource could not be read, when it could not be subscribed to again after a
reconnect, and when the connection is over for good (`TransportClosedError`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from cloche.errors import McpError, TransportClosedError, TransportError
from cloche.transports.base import Unsubscribe
from cloche.transports.listeners import Listeners
from cloche.transports.requests import RequestTransport
from cloche.transports.resilience.subscription_requests import SubscribingClient, TransportSubscribing
from cloche.transports.tasks import Tasks

REQUESTS_AT_ONCE = 16
"""Reads and renewed subscriptions that are under way together; a server takes only so many."""

UPDATED_METHOD = "notifications/resources/updated"

logger = logging.getLogger("cloche.transports")

OnChange = Callable[[str, list[Any]], object]
OnError = Callable[[Exception], object]


class Subscription:
    """One listener's subscription."""

    def __init__(self, uri: str, leave: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.uri = uri
        """The resource."""
        self._leave: Callable[[], Coroutine[Any, Any, None]] | None = leave

    async def unsubscribe(self) -> None:
        """Hear no more of it, from this call on; the last one to leave ends the subscription at the server."""
        leave, self._leave = self._leave, None
        if leave is not None:
            await leave()


class Watched:
    """One resource that somebody listens to."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.changes = Listeners()
        self.errors = Listeners()
        self.lock = asyncio.Lock()
        self.wanted = 0
        """Listeners, those included whose subscription is under way."""
        self.asked: int | None = None
        """The connection on which the server was last asked to tell of it, and has not refused."""
        self.connection: int | None = None
        """The connection on which it has agreed."""
        self.is_stale = False
        self.reading = False


class ResourceSubscriptions:
    """Listens to resources through a `Client`, or through a transport of the handshake era."""

    def __init__(self, peer: SubscribingClient | RequestTransport) -> None:
        self._keeps_subscriptions = not isinstance(peer, RequestTransport)
        """Whether the peer subscribes again by itself on a new connection."""
        self._peer: SubscribingClient = TransportSubscribing(peer) if isinstance(peer, RequestTransport) else peer
        self._watched: dict[str, Watched] = {}
        self._connection = 0
        self._closed = False
        self._slots = asyncio.Semaphore(REQUESTS_AT_ONCE)
        self._tasks = Tasks()
        self._stops: list[Unsubscribe] = [
            self._peer.on_notification(UPDATED_METHOD, self._updated),
            self._peer.on_reconnected(self._restored),
        ]
        self._stops.append(self._peer.on_close(self._over))

    def __len__(self) -> int:
        return len(self._watched)

    async def __aenter__(self) -> ResourceSubscriptions:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def subscribe(self, uri: str, on_change: OnChange, on_error: OnError | None = None) -> Subscription:
        """Call `on_change(uri, contents)` with what the resource contains, whenever it changed. Raises what the server
        says when it refuses; then nobody listens.
        """
        if self._closed:
            raise TransportClosedError
        watched = self._watched.setdefault(uri, Watched(uri))
        watched.wanted += 1
        # Before the server is asked: the first update may be right behind its answer.
        stops = [watched.changes.add(on_change)]
        if on_error is not None:
            stops.append(watched.errors.add(on_error))

        def take_out() -> None:
            for stop in stops:
                stop()
            watched.wanted -= 1

        async def leave() -> None:
            take_out()
            await self._release(watched)

        try:
            await self._ensure(watched)
            if self._closed:
                raise TransportClosedError
        except BaseException:
            take_out()
            self._tasks.spawn(self._release_quietly(watched))
            raise
        return Subscription(uri, leave)

    async def close(self) -> None:
        """Unsubscribe everything; nobody is called any more."""
        watched = self._end()
        await self._tasks.end()
        await asyncio.gather(*(self._release_quietly(one) for one in watched))

    # At the server. Where both are taken, the slot comes before the lock.

    async def _ensure(self, watched: Watched, *, again: bool = False) -> None:
        """One subscription at the server, on this connection."""
        async with watched.lock:
            if again or watched.connection != self._connection:
                watched.connection, watched.asked = None, self._connection
                try:
                    await self._peer.subscribe_resource(watched.uri)
                except McpError:
                    watched.asked = None
                    raise
                watched.connection = watched.asked = self._connection  # it may have waited for a new one

    async def _release(self, watched: Watched) -> None:
        """Somebody left: when it was the last one, unsubscribe at the server."""
        try:
            async with watched.lock:
                if watched.wanted and not self._closed:
                    return
                asked, watched.connection, watched.asked = watched.asked, None, None
                # Without a connection there is nobody to tell, unless the client would subscribe again on the next.
                if asked == self._connection and (self._peer.is_connected or self._keeps_subscriptions):
                    await self._peer.unsubscribe_resource(watched.uri)
        except TransportClosedError:
            return  # and the subscription with it
        finally:
            if not watched.wanted and self._watched.get(watched.uri) is watched:
                del self._watched[watched.uri]

    async def _release_quietly(self, watched: Watched) -> None:
        async with self._slots:
            try:
                await self._release(watched)
            except (McpError, TransportError, OSError) as error:
                logger.debug("a resource could not be unsubscribed from: %s", error)

    # What the server tells

    def _updated(self, params: dict[str, Any]) -> None:
        uri = params.get("uri")
        watched = self._watched.get(uri) if isinstance(uri, str) else None
        if watched is not None and len(watched.changes):
            self._refresh(watched)

    def _refresh(self, watched: Watched) -> None:
        watched.is_stale = True
        if not watched.reading:
            watched.reading = True
            self._tasks.spawn(self._read(watched))

    async def _read(self, watched: Watched) -> None:
        try:
            while watched.is_stale and len(watched.changes):
                async with self._slots:
                    watched.is_stale = False
                    await self._read_once(watched)
        finally:
            watched.reading = False

    async def _read_once(self, watched: Watched) -> None:
        try:
            contents = list((await self._peer.read_resource(watched.uri)).contents)
        except TransportClosedError:
            return  # a new connection reads it again; the end of the last one is told by itself
        except (McpError, TransportError, OSError) as error:
            watched.errors.tell(error)
        else:
            watched.changes.tell(watched.uri, contents)

    # A new connection, or none

    def _restored(self) -> None:
        if not self._keeps_subscriptions:
            self._connection += 1
        for watched in tuple(self._watched.values()):
            self._tasks.spawn(self._renew(watched))

    async def _renew(self, watched: Watched) -> None:
        if not watched.wanted:
            return
        try:
            async with self._slots:
                await self._ensure(watched, again=self._keeps_subscriptions)
        except TransportClosedError:
            return
        except (McpError, TransportError, OSError) as error:
            watched.errors.tell(error)
        else:
            self._refresh(watched)
        if not watched.wanted:  # whoever left meanwhile found nothing to unsubscribe
            await self._release_quietly(watched)

    def _over(self) -> None:
        """The connection is over for good."""
        for watched in self._end():
            watched.connection = watched.asked = None
            watched.errors.tell(TransportClosedError())

    def _end(self) -> list[Watched]:
        self._closed = True
        for stop in self._stops:
            stop()
        watched = list(self._watched.values())
        self._watched.clear()
        for one in watched:
            one.changes.clear()
        return watched
