"""An upstream whose connection has one owner: a task that opens it, waits for its end, and opens it again.

Connections of the official client are made of cancel scopes, which one task has to enter and leave; whoever makes a
request does so from a task of their own.

A connection that breaks is opened again at once, then after growing pauses. Requests wait for an attempt that is under
way or close; in longer pauses they fail with the reason. A server that could not be reached to begin with is tried
again by the next request.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TypeAlias

from cloche.errors import McpError, TransportClosedError, TransportError, UpstreamError
from cloche.host.upstreams.base import ProgressHandler, Upstream
from cloche.host.upstreams.in_process import Listener
from cloche.host.upstreams.questions import Origin
from cloche.wire.types import Json, LogLevel

if TYPE_CHECKING:
    from cloche.host.upstreams.official_client import OfficialSession
    from cloche.host.upstreams.own_client import OwnSession

CONNECT_SECONDS = 30.0
"""What a server may take to start and to answer the first request; time that a person needs does not count."""

PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before each attempt to replace a connection that broke; then the next request has to try."""

PATIENCE_SECONDS = 2.0
"""The longest pause that requests wait for."""

STEADY_SECONDS = 10.0
"""A connection that lasted so long was a good one: the pauses begin anew."""


class ConnectionLostError(Exception):
    """The connection broke under a request; nobody knows whether the server got to it."""


class SessionGoneError(Exception):
    """The server no longer knows the session, so it did not look at the request: it may be made again."""


class Events(Listener, Protocol):
    """What a connection tells on its own, and what it needs to know while it is opened."""

    version: str | None
    """The protocol version to ask for, where somebody chose one."""

    def lost(self) -> None:
        """The connection is over."""

    def waiting_for_person(self) -> AbstractAsyncContextManager[None]:
        """While this is entered, time does not count."""


Session: TypeAlias = "OwnSession | OfficialSession"
"""An open connection. Asking it raises `McpError`, `TransportError`, or one of the two errors above."""

Connect: TypeAlias = Callable[[Events], "AbstractAsyncContextManager[Session]"]
"""Opens a connection; everything that ends it, ends with the context."""

Explain: TypeAlias = Callable[[BaseException], str]
"""Why a connection failed, in one sentence for people."""


class Supervised(Upstream):
    """A server behind a connection that can break."""

    def __init__(self, name: str, connect: Connect, explain: Explain) -> None:
        super().__init__(name)
        self._connect = connect
        self._explain = explain
        self._session: Session | None = None
        self._owner: asyncio.Task[None] | None = None
        self._attempt: asyncio.Event | None = None
        """Set when the attempt that is under way, or close, has an outcome; None when there is none."""
        self._ended = asyncio.Event()
        self._leaving = False
        self._interruptible = False
        """Whether the owner opens a connection or waits to."""
        self._limit: asyncio.Timeout | None = None
        self._failures = 0
        self._not_before = 0.0
        self._was_open = False
        self._stood = False
        """Whether the owner had a connection, which is then worth replacing."""

    # Asking

    async def _ask(
        self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None, by: Origin | None
    ) -> Json:
        session = self._session or await self._opened()
        try:
            return await session.request(method, params, timeout, on_progress, by)
        except SessionGoneError:
            self._broke(session)
        except ConnectionLostError:
            raise self._broke(session) from None
        session = await self._opened()
        try:
            return await session.request(method, params, timeout, on_progress, by)
        except (ConnectionLostError, SessionGoneError):
            raise self._broke(session) from None

    def _broke(self, session: Session) -> TransportError:
        """The connection is of no use any more."""
        if self._session is session:
            self.lost()
        if self.status == "closed":
            return TransportClosedError()
        return UpstreamError(f"The connection to {self.name!r} broke before it answered; it is opened again")

    async def _opened(self) -> Session:
        """The connection, once it stands."""
        while self._leaving and self._owner is not None:
            await asyncio.wait({self._owner})
        if self.status == "closed":
            raise TransportClosedError
        if self._owner is None:
            self._start()
        if self._attempt is not None:
            await self._attempt.wait()
        if self._session is None:
            raise self._refusal()
        return self._session

    def _start(self) -> None:
        if monotonic() < self._not_before:
            raise self._refusal()
        self._stood = False
        self._attempt = asyncio.Event()
        self._owner = asyncio.get_running_loop().create_task(self._own(), name=f"upstream {self.name}")

    def _refusal(self) -> TransportError:
        if self.status == "closed":
            return TransportClosedError()
        return UpstreamError(self.problem or f"The server {self.name!r} cannot be reached")

    async def _subscribe(self, uri: str) -> None:
        await (self._session or await self._opened()).subscribe(uri)

    async def _unsubscribe(self, uri: str) -> None:
        if self._session is not None:
            await self._session.unsubscribe(uri)

    async def _set_log_level(self, level: LogLevel) -> None:
        if self._session is not None:
            await self._session.set_log_level(level)

    async def _follow_again(self, session: Session) -> None:
        for uri in tuple(self.subscribed):
            try:
                await session.subscribe(uri)
            except McpError:  # the server that came back does not have it any more
                self.subscribed.discard(uri)

    # What a connection tells

    def lost(self) -> None:
        """The connection is over: the owner replaces it, and requests wait for that unless it takes long."""
        self._session = None
        if self._attempt is None and not self._leaving:
            self._attempt = asyncio.Event()
        self._ended.set()

    @contextlib.asynccontextmanager
    async def waiting_for_person(self) -> AsyncIterator[None]:
        """Somebody is asked to sign in, which may take longer than any server should."""
        limit = self._limit
        if limit is not None:
            limit.reschedule(None)
        self.awaits_person.set()
        try:
            yield
        finally:
            self.awaits_person.clear()
            if limit is not None and limit is self._limit:
                limit.reschedule(asyncio.get_running_loop().time() + CONNECT_SECONDS)

    # The owner

    async def _own(self) -> None:
        try:
            while await self._live() and await self._pause():
                pass
        finally:
            self._session = self._owner = None
            self._settle()

    async def _live(self) -> bool:
        """One connection from its opening to its end; whether it should be replaced."""
        self._ended.clear()
        self.become("connecting", self.problem)
        stood_at: float | None = None
        reason = f"The connection to {self.name!r} broke"
        try:
            async with AsyncExitStack() as stack:
                session = await self._entered(stack)
                stood_at = monotonic()
                await self._follow_again(session)
                self._stands(session)
                await self._ended.wait()
        except Exception as error:  # whatever a transport may raise, here it means a broken connection
            reason = self._explain(error)
        if stood_at is not None and monotonic() - stood_at > STEADY_SECONDS:
            self._failures = 0
        self._session = None
        if self._leaving or self.status == "closed":
            return False
        self._not_before = monotonic() + self._next_pause
        self._failures += 1
        self.become("failed", reason)
        if stood_at is None:
            self._settle()  # who waited for this attempt need not wait for the next
        return self._stood and self._failures <= len(PAUSES)

    @property
    def _next_pause(self) -> float:
        return PAUSES[min(self._failures, len(PAUSES) - 1)]

    async def _entered(self, stack: AsyncExitStack) -> Session:
        self._interruptible = True
        try:
            async with asyncio.timeout(CONNECT_SECONDS) as self._limit:
                return await stack.enter_async_context(self._connect(self))
        finally:
            self._limit = None
            self._interruptible = False

    def _stands(self, session: Session) -> None:
        self._session = session
        self.server_info = session.server_info
        self.greeting = session.greeting
        self._settle()
        self.become("ready")
        if self._was_open:
            self.everything_changed()
        self._was_open = self._stood = True

    async def _pause(self) -> bool:
        """Wait until the next attempt; whether it is still wanted."""
        pause = self._not_before - monotonic()
        if pause > PATIENCE_SECONDS:
            self._settle()
        elif self._attempt is None:
            self._attempt = asyncio.Event()
        self._interruptible = True
        await asyncio.sleep(max(pause, 0.0))
        self._interruptible = False
        if self._attempt is None:
            self._attempt = asyncio.Event()
        return not self._leaving and self.status != "closed"

    def _settle(self) -> None:
        attempt, self._attempt = self._attempt, None
        if attempt is not None:
            attempt.set()

    async def _disconnect(self) -> None:
        owner = self._owner
        if owner is None:
            self._failures, self._not_before = 0, 0.0  # an attempt that failed is no reason to wait with the next
            return
        self._leaving = True
        try:
            if self._interruptible:  # and not while a connection is being closed, which must go on to its end
                owner.cancel()
            self._ended.set()
            await asyncio.wait({owner})
        finally:
            self._leaving = False
            self._failures, self._not_before = 0, 0.0  # it was meant to end: what was before does not count
