"""Servers spoken to by our own client, which reads no more of what they send than it was told to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from cloche.client import Client
from cloche.client.tasks import ClientTask
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
from cloche.host.upstreams.base import ProgressHandler
from cloche.host.upstreams.greeting import greeting
from cloche.host.upstreams.in_process import as_parameters, hear, own_client
from cloche.host.upstreams.questions import Origin, Questions
from cloche.host.upstreams.supervised import ConnectionLostError, Events
from cloche.transports.base import Transport
from cloche.transports.requests import REQUEST_TIMEOUT
from cloche.wire.types import SERVER_INFO_KEY, Json, LogLevel
from cloche.wire.versions import INPUT_METHODS

INFO_TEXT = 1000
"""The longest text that a server says of itself in `serverInfo`."""

NEWER_MEMBERS = ("resultType", "ttlMs", "cacheScope")
"""What results have since 2026-07-28 and hosts of views do not know."""


class OwnSession:
    """An open connection of our client."""

    def __init__(self, client: Client, questions: Questions) -> None:
        self._client = client
        self._questions = questions

    @property
    def server_info(self) -> Json | None:
        """Name and version of the server; texts in it are cut."""
        found: Any = msgspec.to_builtins(self._client.server_info)
        if not isinstance(found, dict):
            return None
        return {name: shorten(value, INFO_TEXT) for name, value in found.items() if isinstance(value, str)}

    @property
    def greeting(self) -> Json:
        """What the server said of itself when the connection was opened."""
        client = self._client
        return greeting(client.protocol_version, client.server_capabilities, client.instructions)

    async def request(
        self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None, by: Origin | None
    ) -> Json:
        """Ask; a connection that breaks is told by its own error."""
        try:
            return await self._asked(method, params, timeout, on_progress, by)
        except HeaderMismatchError:
            if not hasattr(self._client.transport, "learn_tools"):
                raise
        # Some arguments have to travel as headers, and the client had not seen this tool's schema.
        await self._client.list_tools()
        return await self._asked(method, params, timeout, on_progress, by)

    async def _asked(
        self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None, by: Origin | None
    ) -> Json:
        progress = None if on_progress is None else as_parameters(on_progress)
        on_task = None if by is None else by.on_task
        became_task = False

        def told(task: ClientTask) -> Any:
            nonlocal became_task
            became_task = True
            return None if on_task is None else on_task(task)

        answers = self._questions.answers(by) if self._client.is_stateless and method in INPUT_METHODS else None
        try:
            answer = await self._client.request(
                method, params, timeout=timeout, progress=progress, answers=answers, on_task=told
            )
        except SessionGoneError:
            if became_task:  # the server has run the tool: it must not be asked again
                raise ConnectionLostError from None
            raise supervised.SessionGoneError from None
        except (TransportClosedError, ConnectError, ConnectionBrokenError):
            raise ConnectionLostError from None
        if not isinstance(answer, dict):
            raise RemoteProtocolError(f"The server's answer to {method} is malformed: it is not an object")
        return as_handshake_era(answer)

    async def set_log_level(self, level: LogLevel) -> None:
        """From which level on the server's log is wanted."""
        await self._client.set_log_level(level)

    async def subscribe(self, uri: str) -> None:
        """Hear of it when this resource changes."""
        await self._client.subscribe_resource(uri)

    async def unsubscribe(self, uri: str) -> None:
        """Hear of it no more."""
        await self._client.unsubscribe_resource(uri)


@asynccontextmanager
async def open_session(transport: Transport, events: Events, version: str | None = None) -> AsyncIterator[OwnSession]:
    """Greet the server at the other end, in whichever era it is, and hear what it tells on its own."""
    # Whoever opens it has a limit, which counts no time that a person needs.
    client = own_client(transport, version, timeout=None, **events.questions.functions())
    async with client:
        client.timeout = REQUEST_TIMEOUT
        client.on_close(events.lost)
        await hear(client, events)
        yield OwnSession(client, events.questions)


def as_handshake_era(result: Json) -> Json:
    """A result in the shape of 2025-11-25, which is what views and their libraries read."""
    if result.get("resultType") == "input_required":
        raise RemoteProtocolError("The server answered with a question where it may not ask any")
    for member in NEWER_MEMBERS:
        result.pop(member, None)
    meta = result.get("_meta")
    if isinstance(meta, dict) and meta.pop(SERVER_INFO_KEY, None) is not None and not meta:
        del result["_meta"]
    value = result.get("structuredContent")
    if "structuredContent" in result and not isinstance(value, dict):
        result["structuredContent"] = {"result": value}
    return result


def reason_in(error: BaseException) -> str | None:
    """What went wrong in HTTP, when it was that."""
    data = error.data if isinstance(error, McpError) else None
    found = data.get("reason") if isinstance(data, dict) else None
    return found if isinstance(found, str) and isinstance(error, ClocheError) else None
