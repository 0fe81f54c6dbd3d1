"""A call that goes on as a task: the function runs in a task of the event loop, apart from any request.

The function sees an exchange of its own (`TaskExchange`): its progress and questions are kept for whoever looks, and
the end of the request or the connection does not end it. With `task="later"` the call stays with its request at first,
and goes its own way when the function says so (`ctx.become_task`).
"""

from __future__ import annotations

import asyncio
import time
import weakref
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import DeadlineError, InternalError, LocalError, McpError, NoBackChannelError, shorten
from cloche.server.client_requests import Ask, failed_answer
from cloche.server.exchange import CANCELLED, TIMEOUT, Exchange, Peer
from cloche.server.tasks.questions import Question, Questions
from cloche.wire.lifecycle import READY
from cloche.wire.messages import encode_notification
from cloche.wire.tasks import TaskProgress, TaskRecord, related, take_outcome, task_members

if TYPE_CHECKING:
    from cloche.server.engine import Engine
    from cloche.server.tasks.table import TaskTable

EXPIRED = "expired"
"""The task's time to live is over."""

MAX_STATUS_MESSAGE = 1000
"""Characters of a status message."""

STATUS_NOTIFICATION = "notifications/tasks/status"


class RunningTask:
    """One task whose function has not come back yet."""

    def __init__(self, table: TaskTable, origin: Exchange, params: Any, record: TaskRecord, group: str | None) -> None:
        self.table = table
        self.engine: Engine = table.engine
        self.record = record
        self.group = group
        """Who may have so many of them: a principal or a session; None for a stateless client without a name."""
        self.until = origin.loop.time() + record.ttl_ms / 1000
        self.exchange = TaskExchange(self, origin)
        self.questions = Questions(self._asked)
        self.origin: Exchange | None = origin
        """The request, while the call still belongs to it."""
        self.work: asyncio.Task[None] | None = None
        self.waiters: set[Exchange] = set()
        """Requests that wait for the outcome."""
        self.saving = asyncio.Lock()
        self._params = params
        self._session = weakref.ref(origin.session) if origin.session is not None else None
        self._first: asyncio.Future[bytes | None] = origin.loop.create_future()
        self._changes: set[asyncio.Future[None]] = set()

    # From the call to the task

    def launch(self) -> None:
        """Let the function begin."""
        self.work = self.exchange.loop.create_task(self._run(), name=f"cloche-task {self.record.id}")

    async def until_detached(self) -> bytes | None:
        """Wait until the function says that it goes on alone (then None), or for the answer that came before."""
        try:
            return await asyncio.shield(self._first)
        except asyncio.CancelledError:
            if self.origin is not None:
                self.exchange.end(self.origin.ended or CANCELLED)
            raise

    async def detach(self) -> None:
        """The call no longer belongs to its request. Returns when others can find the task."""
        if self.origin is None:
            return
        await self.table.enter(self)
        self.origin = None
        if not self._first.done():
            self._first.set_result(None)

    async def _run(self) -> None:
        exchange, engine = self.exchange, self.engine
        exchange.task = asyncio.current_task()
        engine.inflight.add(exchange, exchange.loop)
        answer: bytes | None = None
        try:
            try:
                if exchange.cancelled:
                    raise asyncio.CancelledError
                answer = await engine.perform(exchange, self._params)
            except BaseException as error:
                answer = engine.explain(exchange, error)
        finally:
            engine.inflight.remove(exchange)
            self._came_back(answer)
            if self.origin is None:
                await self.table.leave(self)

    def _came_back(self, answer: bytes | None) -> None:
        if self.origin is None:
            if answer is not None:
                self.settle(answer)
            elif not self.record.ended:
                self.fail(InternalError("The task was given up"))
        elif not self._first.done():
            self.origin.failure = self.exchange.failure
            if answer is not None:
                self._first.set_result(answer)
            else:
                self._first.cancel()

    # What becomes of it

    def settle(self, answer: bytes) -> None:
        """The call has its answer, a whole JSON-RPC response. What comes after the end does not count."""
        if not self.record.ended:
            take_outcome(self.record, answer)
            self._ended()

    def fail(self, error: McpError) -> None:
        """End the task with an error of the protocol."""
        if not self.record.ended:
            self.record.status, self.record.message = "failed", error.message
            self.record.error = msgspec.json.encode(error.to_json_rpc_error())
            self._ended()

    def given_up(self, reason: str) -> None:
        """The function was told to end: whoever looks sees the end at once, even if the function takes its time."""
        if self.origin is not None or self.record.ended:
            return
        if reason == CANCELLED:
            self.record.status, self.record.message = "cancelled", "The task was cancelled"
            self._ended()
        elif reason == TIMEOUT:
            self.settle(self.engine.timed_out(self.exchange))
        elif reason == EXPIRED:
            self.fail(DeadlineError(self.record.id))
        else:
            self.fail(McpError("The server stopped before the task ended", code=-32000))

    def _ended(self) -> None:
        record = self.record
        record.questions = None
        record.updated = time.time()
        record.ttl_ms = max(record.ttl_ms, int((record.updated - record.created + self.table.kept_seconds) * 1000))
        self._tell()

    def _asked(self) -> None:
        """A question came up, was answered or was taken back."""
        record = self.record
        if not record.ended:
            record.questions = self.questions.encoded()
            record.status = "working" if record.questions is None else "input_required"
            record.updated = time.time()
        self._tell()

    def progressed(self, progress: TaskProgress) -> None:
        """The function said how far it is."""
        record = self.record
        if record.ended:
            return
        text = progress.message
        if text is None and progress.total is not None:
            text = f"{progress.progress:g} of {progress.total:g}"
        record.progress, record.updated = progress, time.time()
        record.message = record.message if text is None else shorten(text, MAX_STATUS_MESSAGE)
        if self.origin is None:
            self.table.changed_a_little(self)

    def _tell(self) -> None:
        """The status changed: wake those who wait here, and tell those who listen elsewhere."""
        for change in self._changes:
            if not change.done():
                change.set_result(None)
        self._changes.clear()
        if self.origin is not None:
            return
        self.table.changed(self)
        features = self.exchange.peer.features
        if features.task_requests:
            self._push(encode_notification(STATUS_NOTIFICATION, task_members(self.record, features, time.time())))

    def _push(self, data: bytes) -> None:
        """Send a notification over the session that made the task, when it is still there."""
        session = None if self._session is None else self._session()
        if session is not None and session.state is READY:
            session.push(data)

    # Those who look after it

    async def wait(self, exchange: Exchange) -> None:
        """Wait for the end, and put the questions that come up meanwhile to the client that waits (2025-11-25)."""
        self.waiters.add(exchange)
        try:
            while not self.record.ended:
                question = self.questions.take() if exchange.back_channel else None
                if question is None:
                    await self._changed()
                else:
                    await self._put(question, exchange)
        finally:
            self.waiters.discard(exchange)

    async def _changed(self) -> None:
        change = self.exchange.loop.create_future()
        self._changes.add(change)
        try:
            await change
        finally:
            self._changes.discard(change)

    async def _put(self, question: Question, exchange: Exchange) -> None:
        ask = question.ask
        try:
            params = related(ask.params(), self.record.id)
            answer = await exchange.ask(ask.method, params, self.engine.limits.ask_seconds)
        except McpError as error:
            self.questions.fail(question, failed_answer(error))
        except BaseException:
            self.questions.give_back(question)
            raise
        else:
            self.questions.settle(question, answer)

    async def emit(self, data: bytes) -> None:
        """Send a notification of the function to whoever waits, else over the session that made the task."""
        message = msgspec.json.decode(data)
        data = encode_notification(message["method"], related(message["params"], self.record.id))
        if not self.waiters:
            self._push(data)
        for waiter in list(self.waiters):
            await waiter.emit(data)


class TaskExchange(Exchange):
    """The call of a tool as its function sees it: of its request at first, and of its own as a task."""

    __slots__ = ()
    in_task = True

    def __init__(self, running: RunningTask, origin: Exchange) -> None:
        super().__init__(origin.loop)
        peer = origin.peer
        self.running = running
        self.id, self.method, self.params = origin.id, origin.method, origin.params
        self.meta, self.principal = origin.meta, origin.principal
        self.peer = Peer(
            peer.features, peer.client_capabilities, peer.client_info, peer.principal, peer.log_level, peer.session_id
        )
        self._can_ask = peer.features.stateless or origin.session is not None

    @property
    def back_channel(self) -> bool:
        """Whether the client of the request can be asked, while the call belongs to it."""
        origin = self.running.origin
        return origin is not None and origin.back_channel

    async def emit(self, data: bytes) -> None:
        """Send a notification; tasks have none in the stateless era."""
        origin = self.running.origin
        if origin is not None:
            await origin.emit(data)
        elif not self.peer.features.stateless:
            await self.running.emit(data)

    async def ask(self, method: str, params: dict[str, Any], seconds: float) -> Any:
        """Ask the client of the request, while the call belongs to it."""
        origin = self.running.origin
        if origin is None:
            raise NoBackChannelError(method)
        return await origin.ask(method, params, seconds)

    async def ask_as_task(self, asks: dict[str, Ask]) -> dict[str, Any] | None:
        """Let the questions wait for whoever looks at the task; None while the call belongs to its request."""
        if self.running.origin is not None:
            return None
        for ask in asks.values():
            if not self._can_ask:
                raise NoBackChannelError(ask.method)
            ask.check(self.peer.client_capabilities)
        return await self.running.questions.ask(asks)

    async def become_task(self) -> bool:
        """The function goes on without its request."""
        await self.running.detach()
        return True

    def progressed(self, progress: float, total: float | None, message: str | None) -> None:
        """Keep how far the function is, for whoever looks."""
        self.running.progressed(TaskProgress(progress, total, message))

    def on_tick(self, now: float) -> None:
        """The tool's own deadline, and the task's."""
        super().on_tick(now)
        if self.ended is None and now >= self.running.until:
            self.end(EXPIRED)

    def end(self, reason: str) -> None:
        """Tell the function to end."""
        if self.ended is None:
            super().end(reason)
            self.running.given_up(reason)

    def answer_over_head(self) -> None:
        """The function ignores its deadline: the request is answered without it."""
        first = self.running._first
        if self.running.origin is not None and self.ended == TIMEOUT and not first.done():
            first.set_result(self.running.engine.timed_out(self))


async def refuse_to_become_task(exchange: Exchange) -> bool:
    """What `ctx.become_task` does in a call that cannot become one."""
    if getattr(exchange.entry, "task", None) is None:
        raise LocalError("ctx.become_task is for tools that are registered with @server.tool(task='later')")
    return False
