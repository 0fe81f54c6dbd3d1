"""How each kind of server is opened, and why it could not be, in words.

Programs and URLs are not trusted: our own client speaks to them, which counts what it reads. Objects of this process
are spoken to by the official client, which knows them.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cloche.errors import (
    ClocheError,
    ConfigurationError,
    ConnectError,
    MissingExtraError,
    TransportClosedError,
    shorten,
)
from cloche.host.limits import HostLimits
from cloche.host.upstreams import supervised
from cloche.host.upstreams.base import CALL_SECONDS, PERSON_SECONDS
from cloche.host.upstreams.own_client import OwnSession, open_session, reason_in
from cloche.host.upstreams.remote import Auth, Command, Remote
from cloche.host.upstreams.stderr import ErrorOutput
from cloche.host.upstreams.supervised import CONNECT_SECONDS, Events
from cloche.transports.http import failures
from cloche.transports.pace import Pace
from cloche.transports.stdio.client import StdioTransport
from cloche.wire.versions import LATEST_HANDSHAKE_VERSION

if TYPE_CHECKING:
    from cloche.host.upstreams.official_client import OfficialSession

RESUMPTIONS = 1
"""Attempts to go on with an answer whose stream broke off; then whoever waits for it is told."""

ELSEWHERE_BYTES = 256 * 1024
"""The longest answer of another address than the server's own, which signing in asks."""


@dataclass
class ObjectTarget:
    """A server object of the `mcp` or `fastmcp` package, in this process."""

    name: str
    server: Any

    def connect(self, events: Events) -> AbstractAsyncContextManager[OfficialSession]:
        """Open a connection in memory."""
        try:
            from cloche.host.upstreams.official_client import open_client, open_fastmcp
        except ImportError as error:
            raise MissingExtraError("A host's connection to this kind of server", "host") from error
        if type(self.server).__module__.partition(".")[0] == "fastmcp" or hasattr(self.server, "_lifespan_manager"):
            return open_fastmcp(self.server, events)
        return open_client(self.server, events)

    def explain(self, error: BaseException) -> str:
        """Why it did not work."""
        cause = cause_of(error)
        return (
            str(cause)
            if isinstance(cause, ClocheError)
            else f"The server {self.name!r} did not start: {reason_of(error)}"
        )


@dataclass
class CommandTarget:
    """A program that speaks on its standard input and output, read by our own client no further than allowed."""

    name: str
    command: Command
    limits: HostLimits
    _errors: ErrorOutput | None = field(default=None, init=False)

    @asynccontextmanager
    async def connect(self, events: Events) -> AsyncIterator[OwnSession]:
        """Start the program."""
        command, limits = self.command, self.limits
        errors = self._errors = ErrorOutput(self.name)
        try:
            transport = await StdioTransport.start(
                command.words,
                env=command.env,
                cwd=command.cwd,
                stderr=errors.writing,
                limit=limits.answer_bytes,
                pace=Pace(limits.notice_rate, limits.notice_burst),
            )
            version = events.version or (LATEST_HANDSHAKE_VERSION if command.ours else None)
            async with open_session(transport, events, version) as session:
                yield session
        finally:
            await errors.close()

    def explain(self, error: BaseException) -> str:
        """Why it did not work."""
        if isinstance(error, ConfigurationError):
            return f"The server {self.name!r} did not start: {error}"
        said = self._errors.last_words() if self._errors is not None else ""
        reason = "it ended" if isinstance(error, TransportClosedError) else reason_of(error)
        return f"The server {self.name!r} did not start: {reason}{said}"


@dataclass
class UrlTarget:
    """A server by Streamable HTTP, spoken to by our own client."""

    name: str
    remote: Remote
    limits: HostLimits
    sign_in: Callable[[Events], Any] | None = None
    _refused: int | None = field(default=None, init=False)

    @asynccontextmanager
    async def connect(self, events: Events) -> AsyncIterator[OwnSession]:
        """Open a connection, signed in where that is needed."""
        try:
            import httpx2
        except ImportError as error:
            raise MissingExtraError("A host's connection to a URL", "host") from error
        from cloche.transports.http.bounded_answers import PLAINLY, bound
        from cloche.transports.http.client import HttpTransport

        remote, limits, self._refused = self.remote, self.limits, None
        auth = self.sign_in(events) if self.sign_in is not None else _bearer(remote.auth)
        timeout = httpx2.Timeout(CONNECT_SECONDS, read=CALL_SECONDS + PERSON_SECONDS)
        url = httpx2.URL(remote.url)

        async def look_at(response: Any) -> None:
            if response.status_code >= 400:
                self._refused = response.status_code
            # What signing in asks for is short.
            await bound(response, limits.answer_bytes if response.request.url == url else ELSEWHERE_BYTES)

        hooks: Any = {"response": [look_at]}
        headers = {**remote.headers, **PLAINLY}
        options: Any = {"headers": headers, "auth": auth, "timeout": timeout, "event_hooks": hooks}
        if self.sign_in is not None:
            from cloche.host.upstreams.private_addresses import GuardedTransport

            options["transport"] = GuardedTransport(self.name, remote)
        async with httpx2.AsyncClient(**options) as http:
            transport = HttpTransport(
                remote.url,
                client=http,
                limit=limits.answer_bytes,
                connect_timeout=CONNECT_SECONDS,
                pace=Pace(limits.notice_rate, limits.notice_burst),
            )
            transport.max_failures = RESUMPTIONS
            transport.always_answers = self.sign_in is not None  # sometime: a person has to sign in first
            async with open_session(transport, events, events.version) as session:
                yield session

    def explain(self, error: BaseException) -> str:
        """Why it did not work."""
        where = f"The server {self.name!r} at {shorten(self.remote.url, 120)}"
        cause = cause_of(error)
        reason = reason_in(cause)
        if isinstance(cause, ConnectError):
            return f"{where} cannot be reached: nobody answers there"
        if self._refused in (401, 403) and reason == failures.REFUSED:
            fix = "use Remote(url, auth=…) or oauth=True, or on the command line --token, --header or CLOCHE_TOKEN"
            if find_spec("mcp") is None:
                fix += ", or sign in after pip install 'cloche[host]'"
            return f"{where} wants to know who is asking (HTTP {self._refused}): {fix}"
        if self._refused is not None and reason == failures.REFUSED:
            return f"{where} answered with HTTP {self._refused}"
        if isinstance(cause, ClocheError) and reason in (None, failures.FAILED):
            return shorten(str(cause), 400)
        return f"{where} cannot be used: {reason_of(error)}"


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


def reason_of(error: BaseException) -> str:
    """One clause about an error, without anything long that a server may have said."""
    cause = cause_of(error)
    if isinstance(cause, TransportClosedError):
        return "the connection ended"
    if isinstance(cause, ClocheError):
        return shorten(str(cause), 400)
    if isinstance(cause, TimeoutError):
        return f"no answer within {supervised.CONNECT_SECONDS:g} s"
    return shorten(str(cause).replace("\n", " ") or type(cause).__name__, 300)
