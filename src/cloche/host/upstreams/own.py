"""A program that `cloche run` is, spoken to by our own client: `mcp` is neither needed nor imported."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from cloche.client import Client
from cloche.errors import ConfigurationError, TransportClosedError, shorten
from cloche.host.upstreams import supervised
from cloche.host.upstreams.base import ProgressHandler
from cloche.host.upstreams.in_process import as_parameters, hear_changes, own_client
from cloche.host.upstreams.remote import Command
from cloche.host.upstreams.stderr import ErrorOutput
from cloche.host.upstreams.supervised import ConnectionLostError, Events
from cloche.transports.stdio.client import StdioTransport
from cloche.wire.types import Json


class OwnSession:
    """An open connection of our client."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def server_info(self) -> Json | None:
        """Name and version of the server."""
        found: Json = msgspec.to_builtins(self._client.server_info)
        return found

    async def request(self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None) -> Json:
        """Ask; a connection that breaks is told by its own error."""
        progress = None if on_progress is None else as_parameters(on_progress)
        try:
            answer: Json = await self._client.request(method, params, timeout=timeout, progress=progress)
        except TransportClosedError:
            raise ConnectionLostError from None
        return answer

    async def subscribe(self, uri: str) -> None:
        """Hear of it when this resource changes."""
        await self._client.subscribe_resource(uri)

    async def unsubscribe(self, uri: str) -> None:
        """Hear of it no more."""
        await self._client.unsubscribe_resource(uri)


class OwnCommandTarget:
    """A program that speaks on its standard input and output, and is one of ours."""

    def __init__(self, name: str, command: Command) -> None:
        self.name = name
        self._command = command
        self._errors: ErrorOutput | None = None

    @asynccontextmanager
    async def connect(self, events: Events) -> AsyncIterator[OwnSession]:
        """Start the program."""
        command = self._command
        errors = self._errors = ErrorOutput(self.name)
        try:
            transport = await StdioTransport.start(
                command.words, env=command.env, cwd=command.cwd, stderr=errors.writing
            )
            async with own_client(transport) as client:
                client.on_close(events.lost)
                hear_changes(client, events)
                yield OwnSession(client)
        finally:
            errors.close()

    def explain(self, error: BaseException) -> str:
        """Why it did not work."""
        if isinstance(error, ConfigurationError):
            return f"The server {self.name!r} did not start: {error}"
        reason = shorten(str(error) or type(error).__name__, 300)
        if isinstance(error, TransportClosedError):
            reason = "it ended"
        elif isinstance(error, TimeoutError):
            reason = f"no answer within {supervised.CONNECT_SECONDS:g} s"
        said = self._errors.last_words() if self._errors is not None else ""
        return f"The server {self.name!r} did not start: {reason}{said}"
