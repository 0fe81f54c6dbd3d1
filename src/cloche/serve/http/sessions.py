"""Sessions of the handshake era over HTTP: made by `initialize`, ended by DELETE or by silence.

An id has 192 random bits and belongs to the principal that made it (H10). What another replica needs to go on with a
session is in the `SessionStore`; what only matters while a stream is open is here.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from cloche.errors import HeaderMismatchError, TooManySessionsError
from cloche.serve.http.sse import SseStream, frame
from cloche.server.exchange import CLOSED, Exchange, Peer
from cloche.server.session import Session
from cloche.wire import types
from cloche.wire.lifecycle import READY, ConnectionState
from cloche.wire.versions import FEATURES, Features

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.serve.http.exchange import HttpExchange
    from cloche.server.engine import Engine

STANDALONE = "0"
"""The name of the stream that GET opens, for messages that belong to no request."""


STREAM_LOGS = 32
"""Finished streams that a session can come back to."""


class _Record(msgspec.Struct, array_like=True):
    """A session as the store keeps it."""

    version: str
    capabilities: dict[str, Any]
    client_info: types.Implementation | None
    principal: str | None


_records = msgspec.msgpack.Decoder(_Record)


class HttpSession(Session):
    """A client that said `initialize` over HTTP."""

    __slots__ = ("_logs", "_streams", "last_used", "live", "outbox", "stream", "used")
    is_stateless = False

    def __init__(self, engine: Engine, features: Features, principal: Principal | None, session_id: str) -> None:
        super().__init__(engine, features, principal, session_id)
        self.outbox: deque[bytes] = deque(maxlen=engine.limits.queue)
        """Notifications that wait for a GET stream; the oldest make room."""
        self.stream: SseStream | None = None
        self.live: dict[str, HttpExchange] = {}
        """Requests whose answer is a stream, by the stream's name, so that a client can come back to it."""
        self._logs: dict[str, None] = {}
        """Streams the store keeps a log of, the oldest first."""
        self._streams = 0
        self.used = True
        """Set with each request, taken back by the sweep, which then knows when: cheaper than asking the clock."""
        self.last_used = 0.0

    def identify(self, exchange: Exchange, params: Any, meta: bytes) -> None:
        """The session asks; it remembers the request."""
        exchange.peer = self
        if meta:
            check_meta(self.engine, exchange, params)
        if self.state is not READY:
            self.admit(exchange.method)
        self.track(exchange)
        exchange.session = self

    def push(self, data: bytes) -> None:
        """Send a notification over the GET stream, now or when there is one."""
        self.outbox.append(data)
        if self.stream is not None:
            self.stream.wake()

    async def next_frames(self, queue: deque[bytes]) -> None:
        """Move the outbox into a stream's queue. Logged first, so that nothing is lost when the connection breaks."""
        while self.outbox:
            data = self.outbox.popleft()
            queue.append(frame(data, await self.log(STANDALONE, data)))

    def new_stream(self, exchange: HttpExchange) -> str:
        """A name for the stream that answers a request."""
        self._streams += 1
        name = str(self._streams)
        self.live[name] = exchange
        return name

    def log_key(self, stream: str) -> str:
        """Where the store keeps a stream's messages."""
        return f"stream:{self.session_id}:{stream}"

    async def log(self, stream: str, data: bytes) -> bytes:
        """Keep a message for a client that reconnects; returns its event id."""
        if stream not in self._logs:
            await self._keep_log(stream)
        number = await self.engine.sessions.append(self.log_key(stream), data, self.engine.limits.session_idle_seconds)
        return f"{stream}_{number}".encode()

    async def _keep_log(self, stream: str) -> None:
        """A session has a few logs, not one for every request it ever made (H25)."""
        self._logs[stream] = None
        if len(self._logs) > STREAM_LOGS:
            oldest = next((name for name in self._logs if name not in self.live and name != STANDALONE), None)
            if oldest is not None:
                del self._logs[oldest]
                await self.engine.sessions.expire(self.log_key(oldest))

    async def forget_logs(self) -> None:
        """Nobody will come back for them."""
        for stream in [STANDALONE, *self._logs]:
            await self.engine.sessions.expire(self.log_key(stream))

    async def replay(self, stream: str, number: int) -> bytes:
        """What a client missed on a stream after an event, as frames."""
        entries = await self.engine.sessions.read_after(self.log_key(stream), number)
        return b"".join(frame(data, f"{stream}_{at}".encode()) for at, data in entries)


class Visitor(Peer):
    """A client of the handshake era on a server that keeps no sessions: known by its request alone."""

    __slots__ = ("engine",)
    is_stateless = False

    def __init__(self, engine: Engine, features: Features, principal: Principal | None) -> None:
        super().__init__(features, {}, None, principal)
        self.engine = engine

    @property
    def peer(self) -> Peer:
        """The visitor itself."""
        return self

    def identify(self, exchange: Exchange, params: Any, meta: bytes) -> None:
        """The visitor asks."""
        exchange.peer = self
        if meta:
            check_meta(self.engine, exchange, params)


def check_meta(engine: Engine, exchange: Exchange, params: Any) -> None:
    """Read the `_meta` of a request of the handshake era, which must not name a version of the stateless era."""
    exchange.meta = decoded = engine.meta(params.meta)
    if decoded.protocol_version is not UNSET:
        raise HeaderMismatchError(
            "Header mismatch: _meta names a protocol version that the header MCP-Protocol-Version does not"
        )


class SessionTable:
    """Every session of this process."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.sessions: dict[bytes, HttpSession] = {}
        """By id, as it comes in the header."""
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._swept = -1.0
        self._loop: asyncio.AbstractEventLoop | None = None

    def __len__(self) -> int:
        return len(self.sessions)

    async def create(
        self, params: types.InitializeParams, features: Features, principal: Principal | None
    ) -> HttpSession:
        """A session for a client that says `initialize`."""
        if len(self.sessions) >= self._engine.limits.sessions:
            if asyncio.get_running_loop().time() - self._swept >= 1.0:  # a flood must not buy a walk with each request
                for idle in self._sweep():
                    await self._forget(idle)
            if len(self.sessions) >= self._engine.limits.sessions:
                raise TooManySessionsError
        session = HttpSession(self._engine, features, principal, secrets.token_urlsafe(24))
        session.initialize(params, features)
        self._keep(session)
        await self._save(session)
        return session

    async def _save(self, session: HttpSession) -> None:
        """Let other processes know the session for as long as it may be idle."""
        owner = _owner(session.principal)
        record = _Record(session.features.version, session.client_capabilities, session.client_info, owner)
        seconds = self._engine.limits.session_idle_seconds
        await self._engine.sessions.put(self._key(session), msgspec.msgpack.encode(record), seconds)

    async def _forget(self, session: HttpSession) -> None:
        await self._engine.sessions.expire(self._key(session))
        await session.forget_logs()

    async def find(self, session_id: bytes, principal: Principal | None) -> HttpSession | None:
        """The session of this id, if it is the caller's (H10); made from the store when another process knows it."""
        session = self.sessions.get(session_id)
        if session is None and len(session_id) <= 64 and session_id.isascii():
            return await self._restore(session_id.decode("ascii"), principal)
        if session is None or _owner(session.principal) != _owner(principal):
            return None
        session.used = True
        return session

    async def _restore(self, name: str, principal: Principal | None) -> HttpSession | None:
        data = await self._engine.sessions.get(f"session:{name}")
        if data is None:
            return None
        record = _records.decode(data)
        if record.principal != _owner(principal):
            return None
        session = HttpSession(self._engine, FEATURES[record.version], principal, name)
        session.client_capabilities = record.capabilities
        session.client_info = record.client_info
        session.state = ConnectionState.INITIALIZING
        session.initialized()
        self._keep(session)
        return session

    async def end(self, session: HttpSession) -> None:
        """DELETE, or too long without a word."""
        self.sessions.pop(_name(session), None)
        session.end(CLOSED)
        if session.stream is not None:
            session.stream.finish()
        await self._forget(session)

    def _keep(self, session: HttpSession) -> None:
        loop = asyncio.get_running_loop()
        session.last_used = loop.time()
        self.sessions[_name(session)] = session
        if self._timer is None or self._loop is not loop:
            self._loop = loop
            self._timer = loop.call_later(self._period, self._tick)

    @property
    def _period(self) -> float:
        return min(self._engine.limits.session_idle_seconds / 2, 60.0)

    def _tick(self) -> None:
        self._timer = None
        if self._loop is not None:
            self._task = self._loop.create_task(self._look_after())

    async def _look_after(self) -> None:
        """Keep the store's memory of sessions that are used as long as ours, and forget the others there too."""
        gone = self._sweep()
        for session in gone:
            await self._forget(session)
        for session in list(self.sessions.values()):
            if session.last_used == self._swept:
                await self._save(session)
        if self.sessions and self._timer is None and self._loop is not None:
            self._timer = self._loop.call_later(self._period, self._tick)

    def _sweep(self) -> list[HttpSession]:
        """Forget sessions that neither asked nor listened for a while (H26), and say which."""
        gone = []
        self._swept = now = asyncio.get_running_loop().time()
        oldest = now - self._engine.limits.session_idle_seconds
        for session in list(self.sessions.values()):
            if session.used or session.stream is not None or session.in_flight:
                session.used = False
                session.last_used = now
            elif session.last_used < oldest:
                self.sessions.pop(_name(session), None)
                session.end(CLOSED)
                gone.append(session)
        return gone

    async def close(self) -> None:
        """End every session."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._task is not None and self._loop is asyncio.get_running_loop():
            self._task.cancel()
            self._task = None
        for session in list(self.sessions.values()):
            await self.end(session)

    @staticmethod
    def _key(session: HttpSession) -> str:
        return f"session:{session.session_id}"


def _owner(principal: Principal | None) -> str | None:
    return None if principal is None else principal.id


def _name(session: HttpSession) -> bytes:
    return str(session.session_id).encode()
