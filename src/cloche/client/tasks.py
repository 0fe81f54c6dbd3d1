"""Tasks as a client sees them: calls that the server goes on with after it answered.

A client that waits asks the server again and again, as often as the server recommends, and answers what the task asks
meanwhile. In 2026-07-28 the state of a task has its outcome and its questions in it. In 2025-11-25 a request of its own
(`tasks/result`) fetches the outcome, and brings the questions while it is open.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

import msgspec
from msgspec import UNSET, Raw, UnsetType, field

from cloche.client import results
from cloche.client.conversation import ProgressHandler, Token
from cloche.client.results import CallToolResult, InputRequest, InputRequired
from cloche.client.server_requests import Answers
from cloche.errors import (
    ConnectError,
    ConnectionBrokenError,
    McpError,
    MethodNotFoundError,
    RemoteProtocolError,
    RequestCancelledError,
    RequestTimeoutError,
    TaskCancelledError,
    TransportClosedError,
    TransportError,
    error_of,
)
from cloche.transports.listeners import nothing
from cloche.wire.messages import decode_error
from cloche.wire.tasks import ENDED, PROGRESS_KEY, STATUSES, TASK_RESULT, TaskProgress, TaskStatus, takes_task_calls
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.client.client import Client

SHORTEST_PAUSE, LONGEST_PAUSE, USUAL_PAUSE = 0.05, 60.0, 1.0
"""Seconds between two looks at a task: what a server recommends is kept within the first two; the third is for servers
that recommend nothing."""

QUESTION_SECONDS = 600.0
"""How long one `tasks/result` waits for a task that has questions."""

ATTEMPTS = 5
"""Times in a row that a task is asked for over a connection that breaks."""

MAX_QUESTION_ROUNDS = 100
"""How often one task may come with new questions."""

MAX_ID = 1000
"""Characters of a task's id."""

T = TypeVar("T")

TaskHandler: TypeAlias = Callable[["ClientTask"], Any]
"""Gets the task that a call became, at once and whenever it changed; may be async."""


class TaskUpdate(msgspec.Struct, frozen=True, kw_only=True):
    """What a task is at a moment."""

    status: TaskStatus
    """`working`, `input_required`, `completed`, `failed` or `cancelled`."""
    message: str | None = None
    """What the server says about it, for people."""
    progress: float | None = None
    """How far it is, where the server says so."""
    total: float | None = None
    """What `progress` will be in the end."""
    created_at: str | None = None
    updated_at: str | None = None
    ttl: float | None = None
    """How many seconds the server keeps the task, counted from its beginning; None when it says nothing."""

    @property
    def is_done(self) -> bool:
        """Whether nothing changes any more."""
        return self.status in ENDED


class _Meta(msgspec.Struct):
    progress: Any = field(default=None, name=PROGRESS_KEY)


class _Seen(msgspec.Struct, rename="camel", kw_only=True):
    """A task as either era writes it."""

    task_id: str
    status: str
    status_message: str | None = None
    created_at: str | None = None
    last_updated_at: str | None = None
    ttl: float | None = None
    ttl_ms: float | None = None
    poll_interval: float | None = None
    poll_interval_ms: float | None = None
    input_requests: dict[str, InputRequest] = {}
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET
    result_type: str | None = None
    meta: _Meta = field(default_factory=_Meta, name="_meta")

    @property
    def pause(self) -> float:
        """Seconds until the next look."""
        wanted = self.poll_interval_ms if self.poll_interval_ms is not None else self.poll_interval
        return USUAL_PAUSE if wanted is None else min(max(wanted / 1000, SHORTEST_PAUSE), LONGEST_PAUSE)

    def update(self) -> TaskUpdate:
        """What a caller gets to see."""
        progress = _progress_in(self.meta.progress)
        ttl = self.ttl_ms if self.ttl_ms is not None else self.ttl
        return TaskUpdate(
            status=self.status,  # type: ignore[arg-type]
            message=self.status_message,
            progress=None if progress is None else progress.progress,
            total=None if progress is None else progress.total,
            created_at=self.created_at,
            updated_at=self.last_updated_at,
            ttl=None if ttl is None else ttl / 1000,
        )


class _Created(msgspec.Struct, rename="camel"):
    """The answer to a call, looked at for a task: flat since 2026-07-28, and in 2025-11-25 in a member of its own."""

    result_type: str | None = None
    task: Raw | UnsetType = UNSET


_seen = msgspec.json.Decoder(_Seen)
_created = msgspec.json.Decoder(_Created)


def _progress_in(found: Any) -> TaskProgress | None:
    try:
        return None if found is None else msgspec.convert(found, TaskProgress)
    except msgspec.ValidationError:
        return None


def _read(raw: Raw | bytes, method: str) -> _Seen:
    seen = results.decode(Raw(raw), _seen, method)
    if seen.status not in STATUSES or not 0 < len(seen.task_id) <= MAX_ID:
        raise RemoteProtocolError(f"The server's answer to {method} is malformed: it is not a task")
    return seen


def task_in(raw: Raw, *, is_stateless: bool) -> _Seen | None:
    """The task that a call became; None when the answer is the result."""
    if b'"task' not in bytes(raw):
        return None
    found = results.decode(raw, _created, "tools/call")
    if is_stateless:
        return _read(raw, "tools/call") if found.result_type == TASK_RESULT else None
    return None if found.task is UNSET else _read(found.task, "tools/call")


class ClientTask:
    """A task of the server: `client.start_task(…)` starts one, `client.task(id)` takes one up that was started before.

    It goes on without this object, and without the client: keep `task.id` to come back to it.
    """

    def __init__(self, client: Client, task_id: str, seen: _Seen | None = None, result: Raw | None = None) -> None:
        self._client = client
        self.id = task_id
        """What the server knows it by. Without sign-in it is also all that somebody needs who wants to see it."""
        self.last: TaskUpdate | None = None if seen is None else seen.update()
        """What the task was when this client last heard of it."""
        self._pause = 0.0 if seen is None else seen.pause
        self._outcome = result
        self._answered: set[str] = set()
        self._asking: asyncio.Task[None] | None = None
        self._progress: ProgressHandler | None = None
        self._on_change: TaskHandler | None = None
        self._answers: Answers | None = None
        """What answers the task's questions, when not the client's own functions."""
        self.goes_on = False
        """Whether a call that is given up leaves the task to itself, instead of ending it."""
        if result is not None:
            self.last = TaskUpdate(status="completed")

    def __repr__(self) -> str:
        return f"<ClientTask {self.id[:12]!r}: {'unknown' if self.last is None else self.last.status}>"

    # For callers

    async def status(self) -> TaskUpdate:
        """Ask the server what the task is now."""
        if self._outcome is None:
            self._heard(await self._look())
        assert self.last is not None
        return self.last

    @overload
    async def result(self, *, timeout: float | None = None) -> CallToolResult: ...
    @overload
    async def result(self, *, returns: type[T], timeout: float | None = None) -> T: ...
    async def result(self, *, returns: Any = None, timeout: float | None = None) -> Any:
        """Wait for the end and return the tool's result; with `returns=SomeType` the value itself, as in `call_tool`.

        Raises the server's error when the task failed, `TaskCancelledError` when it was cancelled, and
        `RequestTimeoutError` after `timeout` seconds: the task goes on then, and can be waited for again.
        """
        found = results.decode_call(await self._limited(timeout))
        return found if returns is None else found.decode(returns)

    async def cancel(self) -> None:
        """Ask the server to end the task. One that has ended is left as it is."""
        if self._outcome is not None or (self.last is not None and self.last.is_done):
            return
        try:
            await self._client._ask("tasks/cancel", {"taskId": self.id})
        except McpError:
            if not (await self.status()).is_done:  # before 2026-07-28 it is an error to cancel what has ended
                raise

    async def __aiter__(self) -> AsyncIterator[TaskUpdate]:
        """Every change of the task as it becomes known, up to its end; what the task asks meanwhile is answered."""
        told: TaskUpdate | None = None
        async for seen in self._watch():
            if self.last is not None and self.last != told:
                told = self.last
                yield told
            if seen is None:
                return

    # Following it

    async def _watch(self) -> AsyncGenerator[_Seen | None]:
        """Look at the task until it has ended, as often as the server recommends. None stands for a known outcome."""
        if self._outcome is not None:
            yield None
            return
        while True:
            await asyncio.sleep(self._pause)
            seen = await self._look()
            self._heard(seen)
            yield seen
            if seen.status in ENDED:
                yield None
                return
            await self._attend(seen)

    async def _look(self) -> _Seen:
        seen = _read(await self._ask("tasks/get", {"taskId": self.id}), "tasks/get")
        if seen.task_id != self.id:
            raise RemoteProtocolError("The server's answer to tasks/get is about another task")
        return seen

    def _heard(self, seen: _Seen) -> None:
        before, self.last = self.last, seen.update()
        self._pause = seen.pause
        now = self.last
        is_new = before is None or (before.progress, before.total) != (now.progress, now.total)
        if self._progress is not None and self._client.is_stateless and now.progress is not None and is_new:
            self._client.conversation.call(self._progress, now.progress, now.total, now.message)
        if now != before:
            self._tell()
        if seen.status in ENDED and seen.result is not UNSET:
            self._outcome = seen.result

    def _tell(self) -> None:
        if self._on_change is not None:
            self._client.conversation.call(self._on_change, self)

    async def _attend(self, seen: _Seen) -> None:
        """Answer what the task asks."""
        if seen.status != "input_required":
            return
        if not self._client.is_stateless:
            if self._asking is None or self._asking.done():
                self._asking = self._client.conversation.spawn(self._hear_questions())
            return
        new = {key: question for key, question in seen.input_requests.items() if key not in self._answered}
        if not new:
            return
        if len(self._answered) + len(new) > MAX_QUESTION_ROUNDS:
            raise RemoteProtocolError(f"The task has more than {MAX_QUESTION_ROUNDS} questions, and is given up")
        answers = await self._client._answers_to(InputRequired(input_requests=new), self._answers)
        self._answered |= new.keys()
        await self._ask("tasks/update", {"taskId": self.id, "inputResponses": answers})
        self._pause = SHORTEST_PAUSE

    async def _followed(self) -> Raw:
        """The result of the call, at the end of the task."""
        try:
            async with contextlib.aclosing(self._watch()) as watched:
                async for seen in watched:
                    if seen is not None and seen.status in ENDED:
                        return await self._ended(seen)
        finally:
            if self._asking is not None:
                self._asking.cancel()
        assert self._outcome is not None
        return self._outcome

    async def _ended(self, seen: _Seen) -> Raw:
        if self._outcome is None:
            if seen.error is not UNSET:
                found = decode_error(seen.error)
                raise error_of(found.code, found.message, found.data)
            if seen.status == "cancelled":
                raise TaskCancelledError
            if self._client.is_stateless:
                raise RemoteProtocolError("The server's task ended without a result and without an error")
            self._outcome = await self._fetch(None)
        return self._outcome

    async def _hear_questions(self) -> None:
        """Keep a `tasks/result` open, over which the questions come (2025-11-25)."""
        with contextlib.suppress(McpError, TransportError):
            self._outcome = await self._fetch(QUESTION_SECONDS)

    async def _fetch(self, timeout: float | None) -> Raw:
        return await self._ask("tasks/result", {"taskId": self.id}, timeout)

    async def _ask(self, method: str, params: Json, timeout: float | None = None) -> Raw:
        """Ask, and again on the next connection when this one breaks: the task does not depend on it."""
        for attempt in range(ATTEMPTS):
            try:
                return await self._client._ask(method, params, timeout)
            except (TransportClosedError, ConnectionBrokenError, ConnectError):
                if self._client.is_closed or attempt == ATTEMPTS - 1:
                    raise
                await asyncio.sleep(SHORTEST_PAUSE * 4**attempt)
        raise AssertionError

    async def _limited(self, timeout: float | None) -> Raw:
        try:
            async with asyncio.timeout(timeout):
                return await self._followed()
        except TimeoutError:
            raise RequestTimeoutError(self.id) from None

    async def _complete(
        self,
        timeout: float | None,
        token: Token | None,
        progress: ProgressHandler | None,
        on_task: TaskHandler | None = None,
    ) -> Raw:
        """The result of a call for a caller who does not know of the task: whoever gives up ends it."""
        self._progress, self._on_change = progress, on_task
        self._tell()
        follow = asyncio.ensure_future(self._limited(timeout))
        forget = nothing if token is None else token.on_cancel(partial(_stop, follow))
        try:
            return await follow
        except asyncio.CancelledError:
            self._give_up()
            if token is not None and token.is_cancelled:
                raise RequestCancelledError(self.id) from None
            raise
        except (RequestTimeoutError, McpError):
            self._give_up()
            raise
        finally:
            forget()

    def _give_up(self) -> None:
        """Nobody wants the outcome any more."""
        if not self.goes_on and self._client.is_connected and not (self.last is not None and self.last.is_done):
            self._client.conversation.spawn(self._cancel_quietly())

    async def _cancel_quietly(self) -> None:
        with contextlib.suppress(McpError, TransportError):
            await self.cancel()


def _stop(follow: asyncio.Future[Raw]) -> None:
    follow.cancel()


def listed(client: Client, raw: Raw) -> ClientTask:
    """A task from a server's list."""
    seen = _read(raw, "tasks/list")
    return ClientTask(client, seen.task_id, seen)


# Calls


async def call(
    client: Client,
    params: Json,
    timeout: float | None,
    token: Token | None,
    progress: ProgressHandler | None,
    answers: Answers | None = None,
    on_task: TaskHandler | None = None,
) -> Raw:
    """Call a tool and return its result, also when the call becomes a task. `params.task` asks for one, where a server
    leaves that to the client.

    `timeout` is for all of it; without one, the client's own is for each single request, and a task may take its time.
    """
    name, loop = params.get("name"), asyncio.get_running_loop()
    began = loop.time()
    is_wanted = "task" in params
    if is_wanted and (client.is_stateless or not takes_task_calls(client.server_capabilities)):
        params, is_wanted = {key: value for key, value in params.items() if key != "task"}, False
    if not is_wanted and not await _runs_as_task_only(client, name):
        try:
            raw = await client._ask("tools/call", params, timeout, token, progress, answers)
        except MethodNotFoundError:
            if client.is_stateless or not takes_task_calls(client.server_capabilities):
                raise
            client.task_only = {*(client.task_only or ()), str(name)}
        else:
            seen = task_in(raw, is_stateless=client.is_stateless)
            if seen is None:
                return raw
            left = None if timeout is None else max(timeout - (loop.time() - began), 0.0)
            task = ClientTask(client, seen.task_id, seen)
            task._answers = answers
            return await task._complete(left, token, progress, on_task)
    task, stop = await _started(client, {"task": {}, **params}, timeout, token, progress)
    try:
        left = None if timeout is None else max(timeout - (loop.time() - began), 0.0)
        return await task._complete(left, token, progress, on_task)
    finally:
        stop()


async def _runs_as_task_only(client: Client, name: Any) -> bool:
    """Whether a tool has to be called as a task. In 2025-11-25 the list of the tools says so, and only there."""
    if client.is_stateless or not takes_task_calls(client.server_capabilities):
        return False
    if client.task_only is None:
        with contextlib.suppress(McpError):  # the call itself says what is wrong
            await client.list_tools()
    return name in (client.task_only or ())


async def start(
    client: Client, params: Json, ttl: float | None, timeout: float | None, progress: ProgressHandler | None
) -> ClientTask:
    """Call a tool as a task, where the server can; else the task has its result already."""
    if not client.is_stateless and takes_task_calls(client.server_capabilities):
        params = {**params, "task": {} if ttl is None else {"ttl": int(ttl * 1000)}}
    task, _ = await _started(client, params, timeout, None, progress)
    task._progress = progress
    return task


async def _started(
    client: Client, params: Json, timeout: float | None, token: Token | None, progress: ProgressHandler | None
) -> tuple[ClientTask, Any]:
    """A task, and what ends the hearing of its progress."""
    stop = nothing
    if progress is not None:
        conversation = client.conversation
        progress_token = conversation.pending.next_id()
        stop = conversation.on_progress(progress_token, progress)
        params = {**params, "_meta": {**params.get("_meta", {}), "progressToken": progress_token}}
    try:
        raw = await client._ask("tools/call", params, timeout, token)
        seen = task_in(raw, is_stateless=client.is_stateless)
    except BaseException:
        stop()
        raise
    if seen is None:
        stop()
        return ClientTask(client, "", result=raw), nothing
    return ClientTask(client, seen.task_id, seen), stop
