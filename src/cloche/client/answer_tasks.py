"""Answers given as tasks: a server of 2025-11-25 may ask for a task when it asks the client's model or user.

The server gets the task at once, looks at it with `tasks/get`, fetches the answer with `tasks/result`, and may end it
with `tasks/cancel`. A task belongs to the client's connection to this one server, goes on when the transport
reconnects, and is forgotten when its time is over.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, UnsetType

from cloche.client.server_requests import Answers
from cloche.errors import InternalError, InvalidParamsError, InvalidRequestError, McpError, TaskCancelledError, shorten
from cloche.transports.tasks import Tasks
from cloche.wire.tasks import TaskParams, TaskRecord, TaskWish, related, task_members
from cloche.wire.types import Json
from cloche.wire.versions import FEATURES, LATEST_HANDSHAKE_VERSION

MAX_OPEN = 16
"""Tasks of one server that may be under way at once."""

MAX_KEPT = 64
"""Tasks of one server that are kept, those that have ended included: the oldest of these are forgotten first."""

MAX_RESULT_BYTES = 1024 * 1024
"""Bytes of an answer that are kept for the server."""

SHORTEST_TTL, USUAL_TTL, LONGEST_TTL = 10.0, 600.0, 3600.0
"""Seconds for which a task is kept: what a server asks for is kept within the first and the last; the second is for
servers that ask for nothing.
"""

WAITING = {
    "sampling/createMessage": "The client's model was asked",
    "elicitation/create": "The user was asked",
}
"""The requests that can be answered with a task, and what the task says of itself meanwhile."""

T = TypeVar("T")


class _Wished(msgspec.Struct):
    """Parameters of a request, looked at for a wish for a task."""

    task: TaskWish | UnsetType | None = msgspec.UNSET


_wished = msgspec.json.Decoder(_Wished)
_task = msgspec.json.Decoder(TaskParams)
_object = msgspec.json.Decoder(dict[str, Any])


def capability(answers: Answers) -> Json:
    """What a client of 2025-11-25 announces as `tasks`; empty when it can be asked nothing that takes long."""
    known = (name.split("/") for name in WAITING)
    requests: Json = {kind: {one: {}} for kind, one in known if kind in answers.capabilities}
    return {"list": {}, "cancel": {}, "requests": requests} if requests else {}


class _AnswerTask:
    """One answer on its way."""

    def __init__(self, record: TaskRecord) -> None:
        self.record = record
        self.ended = asyncio.Event()
        self.error: McpError | None = None
        self.work: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None

    def end(self, status: str, message: str | None = None) -> None:
        """Nothing changes any more."""
        if not self.record.ended:
            self.record.status, self.record.message, self.record.updated = status, message, time.time()
            self.ended.set()

    def forget(self) -> None:
        """End what is under way for nobody."""
        self.end("cancelled", "The task's time is over")
        if self.work is not None:
            self.work.cancel()
        if self.timer is not None:
            self.timer.cancel()


class AnswerTasks:
    """Answers what a server asks, at once or as a task; `is_on` where the version that is spoken has such tasks."""

    def __init__(self, answers: Answers) -> None:
        self.is_on = False
        self._answers = answers
        self._tasks: dict[str, _AnswerTask] = {}
        self._work = Tasks()
        self._methods: dict[str, Callable[[Raw], Awaitable[Any]]] = {
            "tasks/get": self._get,
            "tasks/result": self._result,
            "tasks/cancel": self._cancel,
            "tasks/list": self._list,
        }

    async def answer(self, method: str, params: Raw) -> Any:
        """The result for one request of the server; raises `McpError` when there is none."""
        if self.is_on and capability(self._answers):
            if (handler := self._methods.get(method)) is not None:
                return await handler(params)
            if method in WAITING and method.split("/", maxsplit=1)[0] in self._answers.capabilities:
                wish = _decoded(params, _wished, method).task
                if isinstance(wish, TaskWish):
                    return {"task": self._shown(self._begin(method, params, wish))}
        return await self._answers.answer(method, params)

    # The server's requests

    async def _get(self, params: Raw) -> Json:
        return self._shown(self._find(params, "tasks/get"))

    async def _list(self, _: Raw) -> Json:
        return {"tasks": [self._shown(task) for task in self._tasks.values()]}

    async def _result(self, params: Raw) -> Json:
        """Wait for the end, then answer as the request itself would have been answered."""
        task = self._find(params, "tasks/result")
        await task.ended.wait()
        if task.error is not None:
            raise task.error
        if task.record.result is None:
            raise TaskCancelledError
        found: Json = related(_object.decode(task.record.result), task.record.id)
        return found

    async def _cancel(self, params: Raw) -> Json:
        task = self._find(params, "tasks/cancel")
        if task.record.ended:
            raise InvalidParamsError(f"The task has ended already: it is {task.record.status}")
        task.end("cancelled", "The server cancelled the task")
        assert task.work is not None
        task.work.cancel()
        return self._shown(task)

    def _find(self, params: Raw, method: str) -> _AnswerTask:
        task = self._tasks.get(_decoded(params, _task, method).task_id)
        if task is None:
            raise InvalidParamsError("There is no such task: its time is over, or it never existed")
        return task

    def _shown(self, task: _AnswerTask) -> Json:
        return task_members(task.record, FEATURES[LATEST_HANDSHAKE_VERSION], time.time())

    # Running

    def _begin(self, method: str, params: Raw, wish: TaskWish) -> _AnswerTask:
        if sum(not task.record.ended for task in self._tasks.values()) >= MAX_OPEN:
            raise InvalidRequestError(f"{MAX_OPEN} tasks of this server are under way: wait for one of them")
        while len(self._tasks) >= MAX_KEPT:
            self._forget(next(name for name, task in self._tasks.items() if task.record.ended))
        now, seconds = time.time(), _seconds(wish)
        record = TaskRecord(
            id=secrets.token_urlsafe(18),
            owner=None,
            version=LATEST_HANDSHAKE_VERSION,
            created=now,
            updated=now,
            ttl_ms=int(seconds * 1000),
            message=WAITING[method],
        )
        task = self._tasks[record.id] = _AnswerTask(record)
        task.work = self._work.spawn(self._run(task, method, params))
        task.timer = asyncio.get_running_loop().call_later(seconds, self._forget, record.id)
        return task

    async def _run(self, task: _AnswerTask, method: str, params: Raw) -> None:
        try:
            data = msgspec.json.encode(await self._answers.answer(method, params))
            if len(data) > MAX_RESULT_BYTES:
                raise InternalError(f"The client's answer is over {MAX_RESULT_BYTES} bytes")
            _object.decode(data)
        except McpError as error:
            task.error = error
        except (TypeError, ValueError):
            task.error = InternalError("The client's answer is not a JSON object")
        except asyncio.CancelledError:
            task.end("cancelled")
            raise
        else:
            task.record.result = data
        task.end(*(("completed", None) if task.error is None else ("failed", shorten(task.error.message, 200))))

    def _forget(self, task_id: str) -> None:
        if (task := self._tasks.pop(task_id, None)) is not None:
            task.forget()

    async def close(self) -> None:
        """End every task, and wait for it."""
        for task_id in list(self._tasks):
            self._forget(task_id)
        await self._work.end()


def _seconds(wish: TaskWish) -> float:
    """For how long a task is kept."""
    if wish.ttl is msgspec.UNSET:
        return USUAL_TTL
    if wish.ttl is None:
        return LONGEST_TTL
    return min(max(wish.ttl / 1000, SHORTEST_TTL), LONGEST_TTL)


def _decoded(params: Raw, decoder: msgspec.json.Decoder[T], method: str) -> T:
    try:
        return decoder.decode(params)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidParamsError(f"The parameters of {method} are malformed: {shorten(str(error), 200)}") from None
