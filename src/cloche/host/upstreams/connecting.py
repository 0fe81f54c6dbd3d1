"""How each kind of server is opened with the official client, and why it could not be, in words."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from cloche.errors import ClocheError, shorten
from cloche.host.upstreams.base import CALL_SECONDS, UI_EXTENSIONS
from cloche.host.upstreams.official import OfficialSession, message_handler, official, open_client
from cloche.host.upstreams.remote import Auth, Command, Remote
from cloche.host.upstreams.stderr import ErrorOutput
from cloche.host.upstreams.supervised import CONNECT_SECONDS, Events
from cloche.wire.json import MAX_ANSWER_BYTES


class ObjectTarget:
    """A server object of the `mcp` or `fastmcp` package, in this process."""

    def __init__(self, name: str, server: Any) -> None:
        self.name = name
        self._server = server

    def connect(self, events: Events) -> AbstractAsyncContextManager[OfficialSession]:
        """Open a connection in memory."""
        if type(self._server).__module__.partition(".")[0] == "fastmcp" or hasattr(self._server, "_lifespan_manager"):
            return self._connect_fastmcp(events)
        return open_client(self._server, events)

    @asynccontextmanager
    async def _connect_fastmcp(self, events: Events) -> AsyncIterator[OfficialSession]:
        from fastmcp.client.transports import FastMCPTransport

        options: Any = {
            "client_info": official().client_info,
            "extensions": UI_EXTENSIONS,
            "message_handler": message_handler(events),
        }
        async with FastMCPTransport(self._server).connect_session(**options) as session:
            await session.initialize()
            yield OfficialSession(session)

    def explain(self, error: BaseException) -> str:
        """Why it did not work."""
        cause = cause_of(error)
        return (
            str(cause)
            if isinstance(cause, ClocheError)
            else f"The server {self.name!r} did not start: {reason_of(error)}"
        )


class CommandTarget:
    """A program that speaks on its standard input and output."""

    def __init__(self, name: str, command: Command) -> None:
        self.name = name
        self._command = command
        self._errors: ErrorOutput | None = None

    @asynccontextmanager
    async def connect(self, events: Events) -> AsyncIterator[OfficialSession]:
        """Start the program."""
        official()  # says which extra is missing
        from mcp.client.stdio import StdioServerParameters, stdio_client

        command = self._command
        parameters = StdioServerParameters(
            command=command.words[0], args=list(command.words[1:]), env=command.env, cwd=command.cwd
        )
        errors = self._errors = ErrorOutput(self.name)
        try:
            transport = stdio_client(parameters, errors.writing)
            async with open_client(_watched(transport, events), events) as session:
                yield session
        finally:
            errors.close()

    def explain(self, error: BaseException) -> str:
        """Why it did not work."""
        program = self._command.words[0]
        cause = cause_of(error)
        if isinstance(cause, ClocheError):
            return shorten(str(cause), 400)
        if isinstance(cause, FileNotFoundError):
            return f"The server {self.name!r} cannot be started: there is no program {shorten(program)!r}"
        if isinstance(cause, PermissionError):
            return f"The server {self.name!r} cannot be started: {shorten(program)!r} may not be run"
        said = self._errors.last_words() if self._errors is not None else ""
        reason = "it ended" if is_closed(cause) else reason_of(error)
        return f"The server {self.name!r} did not start: {reason}{said}"


class UrlTarget:
    """A server by Streamable HTTP."""

    def __init__(self, name: str, remote: Remote, sign_in: Callable[[Events], Any] | None = None) -> None:
        self.name = name
        self._remote = remote
        self._sign_in = sign_in
        self._refused: int | None = None

    @asynccontextmanager
    async def connect(self, events: Events) -> AsyncIterator[OfficialSession]:
        """Open a connection, signed in where that is needed."""
        official()  # says which extra is missing
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        remote, self._refused = self._remote, None
        auth = self._sign_in(events) if self._sign_in is not None else _bearer(remote.auth)
        timeout = httpx2.Timeout(CONNECT_SECONDS, read=CALL_SECONDS)
        opened: list[OfficialSession] = []

        async def look_at(response: Any) -> None:
            if response.status_code >= 400:
                self._refused = response.status_code
            if response.status_code == 404 and opened and is_of_session(response.request):
                opened[0].is_forgotten = True

        hooks: Any = {"response": [look_at]}
        options: Any = {} if self._sign_in is None else {"transport": _guarded(self.name, remote)}
        async with httpx2.AsyncClient(
            headers=remote.headers, auth=auth, timeout=timeout, event_hooks=hooks, **options
        ) as http:
            streams = streamable_http_client(remote.url, http_client=http, max_sse_event_size=MAX_ANSWER_BYTES)
            async with open_client(_watched(streams, events), events) as session:
                opened.append(session)
                yield session

    def explain(self, error: BaseException) -> str:
        """Why it did not work."""
        cause = cause_of(error)
        if isinstance(cause, ClocheError):
            return shorten(str(cause), 400)
        import httpx2

        where = f"The server {self.name!r} at {shorten(self._remote.url, 120)}"
        if isinstance(cause, httpx2.ConnectError):
            return f"{where} cannot be reached: nobody answers there"
        if self._refused in (401, 403):
            return f"{where} wants to know who is asking (HTTP {self._refused}): use Remote(url, auth=…) or oauth=True"
        if self._refused is not None and isinstance(cause, official().Error):
            return f"{where} answered with HTTP {self._refused}"
        return f"{where} cannot be used: {reason_of(error)}"


def _guarded(name: str, remote: Remote) -> Any:
    """What keeps a server that signs users in from sending the host where only the host can go."""
    from cloche.host.upstreams.outbound import GuardedTransport

    return GuardedTransport(name, remote)


def is_of_session(request: Any) -> bool:
    """Whether it is a message in a session; 404 says then that the server does not know the session any more."""
    return request.method == "POST" and "mcp-session-id" in request.headers


def _bearer(auth: Auth | None) -> Any:
    """What puts the token on each request."""
    import httpx2

    if auth is None:
        return None

    class Bearer(httpx2.Auth):
        async def async_auth_flow(self, request: Any) -> AsyncGenerator[Any, Any]:
            token = auth() if callable(auth) else auth
            if inspect.isawaitable(token):
                token = await token
            request.headers["Authorization"] = f"Bearer {token}"
            yield request

    return Bearer()


@asynccontextmanager
async def _watched(transport: Any, events: Events) -> AsyncIterator[Any]:
    """The same transport; tells when nothing more will come."""
    async with transport as (read, write):
        yield _WatchedStream(read, events), write


class _WatchedStream:
    """A stream of messages that tells of its end before whoever reads it gets to know."""

    def __init__(self, stream: Any, events: Events) -> None:
        self._stream = stream
        self._events = events

    @property
    def last_context(self) -> Any:
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Any:
        try:
            return await self._stream.receive()
        except asyncio.CancelledError:
            raise
        except Exception:
            self._events.lost()
            raise

    def __aiter__(self) -> _WatchedStream:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self._stream.__anext__()
        except asyncio.CancelledError:
            raise
        except Exception:
            self._events.lost()
            raise

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> _WatchedStream:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *details: Any) -> Any:
        return await self._stream.__aexit__(*details)


# Reasons


def cause_of(error: BaseException) -> BaseException:
    """The error itself, where task groups have wrapped it."""
    found = list(_leaves(error))
    ours = [leaf for leaf in found if isinstance(leaf, ClocheError)]
    return (ours or found or [error])[0]


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from _leaves(part)
    else:
        yield error


def is_closed(error: BaseException) -> bool:
    """Whether the connection ended before there was an answer."""
    names = official()
    return isinstance(error, names.Error) and error.code == names.types.CONNECTION_CLOSED


def reason_of(error: BaseException) -> str:
    """One clause about an error, without anything long that a server may have said."""
    cause = cause_of(error)
    if isinstance(cause, ClocheError):
        return shorten(str(cause), 400)
    if isinstance(cause, TimeoutError):
        return f"no answer within {CONNECT_SECONDS:g} s"
    if is_closed(cause):
        return "the connection ended"
    return shorten(str(cause).replace("\n", " ") or type(cause).__name__, 300)
