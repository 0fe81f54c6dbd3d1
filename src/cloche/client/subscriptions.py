"""What a client hears of on its own: resources it subscribed to, and lists that change.

Handshake era: `resources/subscribe` for each resource; changed lists come unasked. Stateless era: one
`subscriptions/listen` stream carries everything that is wanted. When that changes, the new stream is acknowledged
before the old one ends, so nothing is missed in between; an update may come twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import McpError, RequestTimeoutError, TransportClosedError, TransportError
from cloche.wire.types import OWN_NOTIFICATIONS, SUBSCRIPTION_ID_KEY, Json, SubscriptionFilter

if TYPE_CHECKING:
    from cloche.client.base import BaseClient

LIST_CHANGES = {
    "notifications/tools/list_changed": "tools_list_changed",
    "notifications/prompts/list_changed": "prompts_list_changed",
    "notifications/resources/list_changed": "resources_list_changed",
}
"""Notifications that a stream carries when its filter says so."""

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"

RETRY_SECONDS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Pauses before a stream that broke off is opened again; the last one repeats."""

logger = logging.getLogger("cloche.client")


class Listening:
    """The subscriptions of one client."""

    def __init__(self, client: BaseClient) -> None:
        self._client = client
        self.uris: set[str] = set()
        self._stream: Stream | None = None
        self._changing = asyncio.Lock()

    async def subscribe(self, uri: str) -> None:
        """Hear of `notifications/resources/updated` for `uri`."""
        while not await self._subscribe(uri):
            pass

    async def _subscribe(self, uri: str) -> bool:
        # Wait for the connection before the lock: `restore` needs the lock to make the connection ready.
        await self._client.wait_until_ready()
        async with self._changing:
            if not self._client.is_ready:
                return False
            if uri in self.uris:
                return True
            self.uris.add(uri)
            try:
                if self._client.is_stateless:
                    await self._reopen()
                else:
                    await self._client.request("resources/subscribe", {"uri": uri})
            except BaseException:
                self.uris.discard(uri)
                raise
            return True

    async def unsubscribe(self, uri: str) -> None:
        """No longer hear of it."""
        async with self._changing:
            if uri not in self.uris:
                return
            self.uris.discard(uri)
            if not self._client.is_ready:
                return  # there is nobody to tell, and `restore` leaves it out
            if self._client.is_stateless:
                await self._reopen()
            else:
                await self._client.request("resources/unsubscribe", {"uri": uri})

    async def refresh(self) -> None:
        """What is wanted may have changed; when that cannot be said now, it is tried again."""
        if not self._client.is_stateless:
            return
        try:
            async with self._changing:
                if self._client.is_ready:  # else `restore` does it
                    await self._reopen()
        except (McpError, TransportError) as error:
            logger.debug("the subscription stream could not be changed: %s", error)
            await self._recover(self._stream)

    async def restore(self) -> None:
        """There is a new connection: subscribe again to everything. What the server refuses now is given up, and can be
        asked for again: a resource that is gone must not cost the connection.
        """
        async with self._changing:
            self._stream = None
            if self._client.is_stateless:
                await self._reopen()
                return
            for uri in sorted(self.uris):
                await self._renew(uri)

    async def _renew(self, uri: str) -> None:
        try:
            await self._client.conversation.request("resources/subscribe", {"uri": uri}, timeout=self._client.timeout)
        except McpError as error:
            self.uris.discard(uri)
            logger.warning("a resource cannot be subscribed to on the new connection: %s", error)

    async def close(self) -> None:
        """End the stream."""
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.close()

    def _wanted(self) -> SubscriptionFilter | None:
        wanted = SubscriptionFilter(resource_subscriptions=sorted(self.uris) or None)
        for method, flag in LIST_CHANGES.items():
            if self._client.conversation.listens_to(method):
                setattr(wanted, flag, True)
        extensions = self._client.server_capabilities.get("extensions")
        if isinstance(extensions, dict) and OWN_NOTIFICATIONS in extensions:
            wanted.own_notifications = self._client.conversation.own_methods or None
        return None if wanted == SubscriptionFilter() else wanted

    async def _reopen(self) -> None:
        wanted, old = self._wanted(), self._stream
        if old is not None and old.filter == wanted and old.is_open:
            return
        new = None
        if wanted is not None:
            new = Stream(self._client, wanted, self._broke_off)
            await new.open()
        self._stream = new
        if old is not None:
            await old.close()

    def _broke_off(self, stream: Stream) -> None:
        if stream is self._stream and self._client.is_connected:
            self._client.conversation.spawn(self._recover(stream))

    async def _recover(self, stream: Stream | None) -> None:
        """Open a stream anew that ended without our doing, as often as it takes."""
        attempt = 0
        while self._stream is stream and self._client.is_connected:
            await asyncio.sleep(RETRY_SECONDS[min(attempt, len(RETRY_SECONDS) - 1)])
            attempt += 1
            try:
                async with self._changing:
                    if self._stream is stream:
                        await self._reopen()
            except (McpError, TransportError) as error:
                logger.debug("the subscription stream could not be opened again: %s", error)
            else:
                self._client.tell_reconnected()
                return


class Stream:
    """One `subscriptions/listen` request."""

    def __init__(self, client: BaseClient, wanted: SubscriptionFilter, on_end: Callable[[Stream], None]) -> None:
        self.filter = wanted
        self._client = client
        self._on_end = on_end
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def is_open(self) -> bool:
        """Whether the server still sends."""
        return self._task is not None and not self._task.done()

    async def open(self) -> None:
        """Send the request and wait until it is acknowledged."""
        conversation = self._client.conversation
        request_id = conversation.pending.next_id()
        acknowledged: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def hear(params: Json) -> None:
            meta = params.get("_meta")
            if isinstance(meta, dict) and meta.get(SUBSCRIPTION_ID_KEY) == request_id and not acknowledged.done():
                acknowledged.set_result(None)

        unsubscribe = conversation.on_notification(ACKNOWLEDGED, hear)
        self._task = conversation.spawn(self._run(request_id, acknowledged))
        try:
            async with asyncio.timeout(self._client.timeout):
                await acknowledged
        except TimeoutError:
            await self.close()
            raise RequestTimeoutError(request_id) from None
        except BaseException:
            self._closing = True
            self._task.cancel()
            raise
        finally:
            unsubscribe()

    async def _run(self, request_id: str, acknowledged: asyncio.Future[None]) -> None:
        client = self._client
        params: Json = {"notifications": msgspec.to_builtins(self.filter), "_meta": client.meta()}
        outcome: Exception = TransportClosedError()
        try:
            await client.conversation.request("subscriptions/listen", params, timeout=None, request_id=request_id)
        except (McpError, TransportError) as error:
            outcome = error
        if not acknowledged.done():
            acknowledged.set_exception(outcome)
        elif not self._closing:
            self._on_end(self)

    async def close(self) -> None:
        """Give the stream up; the server is told."""
        self._closing = True
        task: Any = self._task
        if task is not None and not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
