"""A `cloche.Server` of this process: our own client over memory, nothing copied, no task, no socket.

Each user has a connection of their own, so that what a server keeps per connection stays with the user, and
`ctx.principal` says who that is.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import msgspec

from cloche.auth.principal import Principal
from cloche.client import Client
from cloche.errors import McpError, RequestTimeoutError, TransportClosedError, TransportError, shorten
from cloche.host.upstreams.base import (
    CHANGE_METHODS,
    DEFAULT_LOG_LEVEL,
    LOGGED,
    UI_EXTENSIONS,
    UPDATED,
    Change,
    ProgressHandler,
    Upstream,
)
from cloche.host.upstreams.greeting import greeting
from cloche.host.upstreams.questions import Origin, Questions
from cloche.host.upstreams.required_urls import COMPLETED, Visits
from cloche.server import Server
from cloche.transports.base import Transport
from cloche.wire.types import Json, LogLevel
from cloche.wire.versions import LATEST_HANDSHAKE_VERSION

MAX_URI = 2000
"""Characters of the URI of a resource that changed."""


class Listener(Protocol):
    """Who wants to hear what a server tells on its own."""

    log_level: LogLevel
    """From which level on the server's log is wanted."""
    questions: Questions
    """What answers the server's questions."""
    visits: Visits
    """Addresses that the server wants its users to visit before it answers."""

    def changed(self, what: Change) -> None:
        """A list changed."""

    def updated(self, uri: str) -> None:
        """A resource changed."""

    def logged(self, params: Json) -> None:
        """The server wrote a line of its log."""


class InProcess(Upstream):
    """A Cloche server in this process, as `user` has it."""

    def __init__(self, name: str, server: Server, user: str | None = None) -> None:
        super().__init__(name)
        self._server = server
        self._principal = Principal(user) if user else None
        self._client: Client | None = None
        self._was_open = False
        self._opening = asyncio.Lock()

    async def _ask(
        self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None, by: Origin | None
    ) -> Json:
        client = self._client
        if client is None or not client.is_connected:
            client = await self._connected()
        progress = None if on_progress is None else as_parameters(on_progress)
        answer: Json = await client.request(
            method, params, timeout=timeout, progress=progress, on_task=None if by is None else by.on_task
        )
        return answer

    async def _subscribe(self, uri: str) -> None:
        await (await self._connected()).subscribe_resource(uri)

    async def _unsubscribe(self, uri: str) -> None:
        if self._client is not None and self._client.is_connected:
            await self._client.unsubscribe_resource(uri)

    async def _set_log_level(self, level: LogLevel) -> None:
        if self._client is not None and self._client.is_connected:
            await self._client.set_log_level(level)

    async def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _connected(self) -> Client:
        """The client; a new one when the server closed the connection, as it does when it is closed itself."""
        async with self._opening:
            if self.status == "closed":
                raise TransportClosedError
            lost = self._client
            if lost is not None and lost.is_connected:
                return lost
            if lost is not None:
                await lost.close()
            client = self._client = await self._greeted()
        self.server_info = msgspec.to_builtins(client.server_info)
        self.greeting = greeting(client.protocol_version, client.server_capabilities, client.instructions)
        self.become("ready")
        if self._was_open:
            self.everything_changed()
        self._was_open = True
        return client

    async def _greeted(self) -> Client:
        transport = await self._server.join(principal=self._principal)
        client = own_client(transport, self.version or LATEST_HANDSHAKE_VERSION, **self.questions.functions())
        try:
            await client.connect()
        except (McpError, TransportError) as error:
            self.become("failed", f"The server {self.name!r} did not start: {error.message}")
            raise
        await hear(client, self)
        for uri in self.subscribed:
            await client.subscribe_resource(uri)
        return client


def own_client(transport: Transport, version: str | None = LATEST_HANDSHAKE_VERSION, **options: Any) -> Client:
    """Our client as a host has it; unless told otherwise, of the era in which a server tells of changes unasked."""
    capabilities = {"extensions": UI_EXTENSIONS}
    return Client(transport, version=version, name="Cloche", capabilities=capabilities, **options)


async def hear(client: Client, listener: Listener) -> None:
    """Pass on what the server says of its lists and resources, and its log."""

    def changed(what: Change, _: Json) -> None:
        listener.changed(what)

    def all_changed() -> None:
        for what in CHANGE_METHODS.values():
            listener.changed(what)

    for method, what in CHANGE_METHODS.items():
        offer = client.server_capabilities.get(what)
        # Since 2026-07-28 it takes a stream to hear of it, which a server that announces nothing need not have.
        if not client.is_stateless or (isinstance(offer, dict) and offer.get("listChanged") is True):
            client.on_notification(method, partial(changed, what))
    client.on_notification(UPDATED, lambda told: listener.updated(shorten(str(told.get("uri")), MAX_URI)))
    client.on_notification(LOGGED, listener.logged)
    if not client.is_stateless:  # later ones ask for it in another way
        client.on_notification(COMPLETED, listener.visits.completed)
    client.on_reconnected(all_changed)
    if client.is_stateless or ("logging" in client.server_capabilities and listener.log_level != DEFAULT_LOG_LEVEL):
        with contextlib.suppress(McpError, RequestTimeoutError):  # it decides itself, then
            await client.set_log_level(listener.log_level)


def as_parameters(handler: ProgressHandler) -> Callable[[float, float | None, str | None], None]:
    """Progress as the parameters of the notification, without the members that are not there."""

    def progressed(progress: float, total: float | None, message: str | None) -> None:
        given = {"progress": progress, "total": total, "message": message}
        handler({name: value for name, value in given.items() if value is not None})

    return progressed
