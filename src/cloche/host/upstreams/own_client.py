"""Servers spoken to by our own client, which reads no more of what they send than it was told to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import msgspec

from cloche.client import Client
from cloche.errors import (
    ClocheError,
    ConnectError,
    ConnectionBrokenError,
    HeaderMismatchError,
    McpError,
    RemoteProtocolError,
    SessionGoneError,
    TransportClosedError,
    shorten,
)
from cloche.host.upstreams import supervised
from cloche.host.upstreams.base import CHANGE_METHODS, UI_EXTENSIONS, UPDATED, Change, ProgressHandler
from cloche.host.upstreams.in_process import as_parameters
from cloche.host.upstreams.official_client import as_handshake_era
from cloche.host.upstreams.supervised import ConnectionLostError, Events
from cloche.transports.base import Transport
from cloche.transports.requests import REQUEST_TIMEOUT
from cloche.wire.types import Json

MAX_URI = 2000

INFO_TEXT = 1000
"""The longest text that a server says of itself in `serverInfo`."""


class OwnSession:
    """An open connection of our client."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def server_info(self) -> Json | None:
        """Name and version of the server; texts in it are cut."""
        found: Any = msgspec.to_builtins(self._client.server_info)
        if not isinstance(found, dict):
            return None
        return {name: shorten(value, INFO_TEXT) for name, value in found.items() if isinstance(value, str)}

    async def request(self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None) -> Json:
        """Ask; a connection that breaks is told by its own error."""
        try:
            return await self._asked(method, params, timeout, on_progress)
        except HeaderMismatchError:
            if not hasattr(self._client.transport, "learn_tools"):
                raise
        # Some arguments have to travel as headers, and the client had not seen this tool's schema.
        await self._client.list_tools()
        return await self._asked(method, params, timeout, on_progress)

    async def _asked(self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None) -> Json:
        progress = None if on_progress is None else as_parameters(on_progress)
        try:
            answer = await self._client.request(method, params, timeout=timeout, progress=progress)
        except SessionGoneError:
            raise supervised.SessionGoneError from None
        except (TransportClosedError, ConnectError, ConnectionBrokenError):
            raise ConnectionLostError from None
        if not isinstance(answer, dict):
            raise RemoteProtocolError(f"The server's answer to {method} is malformed: it is no object")
        return as_handshake_era(answer)

    async def subscribe(self, uri: str) -> None:
        """Hear of it when this resource changes."""
        await self._client.subscribe_resource(uri)

    async def unsubscribe(self, uri: str) -> None:
        """Hear of it no more."""
        await self._client.unsubscribe_resource(uri)


@asynccontextmanager
async def open_session(transport: Transport, events: Events, version: str | None = None) -> AsyncIterator[OwnSession]:
    """Greet the server at the other end, in whichever era it is, and hear what it tells on its own."""
    client = Client(
        transport,
        version=version,
        timeout=None,  # whoever opens it has a limit, which counts no time that a person needs
        name="Cloche",
        capabilities={"extensions": UI_EXTENSIONS},
    )
    async with client:
        client.timeout = REQUEST_TIMEOUT
        client.on_close(events.lost)
        _hear(client, events)
        yield OwnSession(client)


def _hear(client: Client, events: Events) -> None:
    """Pass on what the server says of its lists and resources."""
    announced = client.server_capabilities

    for method, what in CHANGE_METHODS.items():
        offer = announced.get(what)
        # Since 2026-07-28 it takes a stream to hear of it, which a server that announces nothing need not have.
        if not client.is_stateless or (isinstance(offer, dict) and offer.get("listChanged") is True):
            client.on_notification(method, partial(_changed, events, what))
    client.on_notification(UPDATED, lambda told: events.updated(shorten(str(told.get("uri")), MAX_URI)))
    client.on_reconnected(partial(_all_changed, events))


def _changed(events: Events, what: Change, _: Json) -> None:
    events.changed(what)


def _all_changed(events: Events) -> None:
    for what in CHANGE_METHODS.values():
        events.changed(what)


def reason_in(error: BaseException) -> str | None:
    """What went wrong in HTTP, when it was that."""
    data = error.data if isinstance(error, McpError) else None
    found = data.get("reason") if isinstance(data, dict) else None
    return found if isinstance(found, str) and isinstance(error, ClocheError) else None
