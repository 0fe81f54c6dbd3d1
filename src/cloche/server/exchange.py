"""One request being answered: who asked, what was asked, how to reach the client meanwhile, and when to give up."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import McpError, NoBackChannelError
from cloche.wire import types
from cloche.wire.messages import RequestId
from cloche.wire.token_bucket import TokenBucket
from cloche.wire.versions import Features

if TYPE_CHECKING:
    from collections.abc import Callable

    from cloche.auth import Principal
    from cloche.server.client_requests import Ask, Memory
    from cloche.server.engine import Engine
    from cloche.server.subscriptions import Stream
    from cloche.server.threads import Job, ThreadPool

TIMEOUT = "timeout"
CANCELLED = "cancelled"
DISCONNECTED = "disconnected"
CLOSED = "closed"


@dataclass(slots=True, eq=False)
class Peer:
    """What is known of the client: for a session or connection once, in the stateless era with each request."""

    features: Features
    client_capabilities: dict[str, Any]
    client_info: types.Implementation | None = None
    principal: Principal | None = None
    log_level: str | None = None
    session_id: str | None = None


class Exchange:
    """A request and its circumstances. Transports subclass it to say how the client is reached.

    One is made for every request, so what few requests ever set has its default in the class and a place in the
    instance's dict; what every request reads has a slot.
    """

    __slots__ = (
        "__dict__",
        "deadline",
        "entry",
        "failure",
        "finalize",
        "id",
        "loop",
        "meta",
        "method",
        "peer",
        "principal",
        "seconds",
        "session",
        "task",
    )

    peer: Peer
    id: RequestId
    method: str

    ended: str | None = None
    """Why the request was given up: TIMEOUT, CANCELLED, DISCONNECTED or CLOSED."""
    pool: ThreadPool | None = None
    """Where a `def` function runs for it; None for an `async def` one."""
    job: Job | None = None
    """What a worker thread does for it."""
    asked: tuple[str, Memory] | None = None
    """In the stateless era: what the call is bound to, and what it remembers from earlier rounds."""
    pace: TokenBucket | None = None
    """How many progress notifications may still go out."""
    params: Raw | Any = UNSET
    in_task = False
    """Whether the call runs as a task."""
    raw_meta: Raw | msgspec.UnsetType = UNSET
    """The whole `_meta`, for whoever wants more of it than the protocol defines."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.task: asyncio.Task[Any] | None = None
        """The task that answers it, once there is one."""
        self.session: Any = None
        """The session or connection that tracks it; None in the stateless era over HTTP."""
        self.principal: Principal | None = None
        """Whose token came with this request; a session's may differ from request to request."""
        self.seconds: float | None = None
        """How long it may take from now on; None while there is no limit."""
        self.deadline: float | None = None
        """When that is, on the loop's clock; worked out by the timer's first look, which most requests never see."""
        self.failure: McpError | None = None
        """The error it was answered with."""
        self.entry: Any = None
        """The tool, resource or prompt whose function runs."""
        self.finalize: Callable[[Engine, Exchange, Any], Any] | None = None
        """What makes a result of the function's value. Without one a handler has given the result itself."""
        self.meta: types.RequestMeta | msgspec.UnsetType = UNSET

    @property
    def progress_token(self) -> str | int | None:
        """What the client wants progress notifications to carry; None when it wants none."""
        if self.meta is UNSET or self.meta.progress_token is UNSET:
            return None
        return self.meta.progress_token

    @property
    def back_channel(self) -> bool:
        """Whether the client can be asked something while the request is under way (handshake era)."""
        return False

    def open_stream(self) -> Stream:
        """A stream for `subscriptions/listen`."""
        raise NotImplementedError

    async def emit(self, data: bytes) -> None:
        """Send a notification that belongs to this request. Without a way to the client it is dropped."""

    async def ask(self, method: str, params: dict[str, Any], seconds: float) -> Any:
        """Ask the client something and wait for its answer (handshake era)."""
        raise NoBackChannelError(method)

    async def ask_as_task(self, asks: dict[str, Ask]) -> dict[str, Any] | None:
        """Ask whoever looks at the task; None for a call that is none, whose own client is asked."""
        return None

    async def become_task(self) -> bool:
        """Go on as a task; False when the client cannot take one."""
        from cloche.server.tasks.running import refuse_to_become_task

        return await refuse_to_become_task(self)

    def progressed(self, progress: float, total: float | None, message: str | None) -> None:
        """The function said how far it is; a task remembers it."""

    def on_tick(self, now: float) -> None:
        """The table's timer looked at this request."""
        if self.seconds is None:
            return
        if self.deadline is None:
            self.deadline = now + self.seconds
        elif now >= self.deadline:
            if self.ended is None:
                self.end(TIMEOUT)
            else:
                self.answer_over_head()

    def end(self, reason: str) -> None:
        """Give the request up. A coroutine is cancelled; a worker thread cannot be, so it is left behind."""
        if self.ended is not None:
            return
        self.ended = reason
        if self.job is not None and self.pool is not None:
            self.pool.abandon(self.job)
            if not self.job.future.done():
                self.job.future.cancel()
        elif self.task is not None:
            self.task.cancel()

    def answered(self, engine: Engine) -> None:
        """The answer is made: the request is no longer under way."""
        engine.inflight.remove(self)
        if self.session is not None:
            self.session.untrack(self)

    def answer_over_head(self) -> None:
        """The tool ignored its cancellation: answer the client without waiting for it."""

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the outcome any more."""
        return self.ended is not None
