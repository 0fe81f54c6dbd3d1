"""Every task of a server: who may see which, how many there may be, and where they are kept.

What a task is now is in the `SessionStore` under its id, so that it outlives the connection, and with a shared store
the caller may come back to another replica. Only the replica that runs the function can end it or take answers: the
others tell it over the bus. A caller's tasks are a log of ids there, which `tasks/list` reads.

A task belongs to the principal that made it, and exists for nobody else. Without auth there are no principals: then the
id, which has 192 random bits, is what a caller has to know, and `tasks/list` has the tasks of the session alone.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Raw

from cloche.errors import InvalidParamsError, McpError, TaskNotFoundError, TooManyTasksError
from cloche.server.exchange import CANCELLED, CLOSED
from cloche.server.subscriptions import TASK_TOPIC
from cloche.server.tasks.running import RunningTask
from cloche.transports.tasks import Tasks
from cloche.wire.messages import encode_notification
from cloche.wire.tasks import TaskRecord, detailed_members
from cloche.wire.versions import FEATURES, LATEST_VERSION

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.server.engine import Engine
    from cloche.server.exchange import Exchange

CONTROL_TOPIC = "task-control:"
"""Bus: what the replica that runs a task is to do."""

KEPT_SECONDS = 300.0
"""A task that ended is kept so long at least, so that its outcome can be fetched."""
CHANGE_SECONDS = 1.0
"""How often progress goes to the store and to those who listen."""
LOOK_SECONDS = 2.0
"""How often a replica looks at a task that another one runs, in case the bus lost a word."""
CLOSE_SECONDS = 5.0
"""How long functions may take to end when the server closes."""
MAX_ID = 256
PAGE = 100

logger = logging.getLogger("cloche.server")

_record = msgspec.msgpack.Decoder(TaskRecord)


class Control(msgspec.Struct, omit_defaults=True):
    """What one replica tells the one that runs a task."""

    cancel: bool = False
    answers: dict[str, Raw] = {}


_control = msgspec.json.Decoder(Control)


class TaskTable:
    """The tasks of one server."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.kept_seconds = KEPT_SECONDS
        self.running: dict[str, RunningTask] = {}
        self._controls: dict[str, Callable[[], None]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._connections: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
        self._beside = Tasks()

    # Making one

    def create(self, exchange: Exchange, params: Any, ttl_ms: int) -> RunningTask:
        """A task for a call; `launch` lets its function begin, and `enter` lets others find it."""
        now, principal = time.time(), exchange.principal
        record = TaskRecord(
            id=secrets.token_urlsafe(24),
            owner=None if principal is None else principal.id,
            version=exchange.peer.features.version,
            created=now,
            updated=now,
            ttl_ms=ttl_ms,
        )
        return RunningTask(self, exchange, params, record, self._group(exchange))

    async def enter(self, running: RunningTask) -> None:
        """Let others find a task; raises `TooManyTasksError` when there is no room for it."""
        limits, record = self.engine.limits, running.record
        if len(self.running) >= limits.tasks:
            raise TooManyTasksError(limits.tasks)
        mine = 0 if running.group is None else sum(one.group == running.group for one in self.running.values())
        if mine >= limits.tasks_per_caller:
            raise TooManyTasksError(limits.tasks_per_caller, of_caller=True)
        self.running[record.id] = running
        self._controls[record.id] = self.engine.bus.subscribe(CONTROL_TOPIC + record.id, self._controlled(running))
        await self.save(running)
        if running.group is not None:
            seconds = limits.task_most_seconds + self.kept_seconds
            await self.engine.sessions.append(_log_key(running.group), record.id.encode(), seconds)

    async def leave(self, running: RunningTask) -> None:
        """The function came back: from now on the store alone knows the task."""
        record = running.record
        self._forget_timer(record.id)
        await self.save(running)
        if self.running.pop(record.id, None) is None:
            return
        self._controls.pop(record.id)()
        self._publish(record)
        if not self.running:
            self._beside.spawn(self.engine.server._leave())

    def _group(self, exchange: Exchange) -> str | None:
        """Whose tasks are listed and counted together."""
        if exchange.principal is not None:
            return f"principal:{exchange.principal.id}"
        session = exchange.session
        if session is None:
            return None
        if session.session_id is not None:
            return f"session:{session.session_id}"
        return "connection:" + self._connections.setdefault(session, secrets.token_urlsafe(24))

    # Keeping and telling

    async def save(self, running: RunningTask) -> None:
        """Put a task into the store, as it is when its turn comes."""
        async with running.saving:
            await self._put(running.record)

    async def _put(self, record: TaskRecord) -> None:
        seconds = max(record.expires - time.time(), 0.0) + (0.0 if record.ended else self.kept_seconds)
        try:
            await self.engine.sessions.put(_key(record.id), msgspec.msgpack.encode(record), seconds)
        except Exception:
            logger.exception("a task could not be kept")

    def changed(self, running: RunningTask) -> None:
        """The status of a task changed."""
        self._forget_timer(running.record.id)
        self._beside.spawn(self._save_and_tell(running))

    def changed_a_little(self, running: RunningTask) -> None:
        """The progress of a task changed, which may happen very often."""
        if running.record.id not in self._timers:
            self._timers[running.record.id] = running.exchange.loop.call_later(CHANGE_SECONDS, self.changed, running)

    def _forget_timer(self, task_id: str) -> None:
        timer = self._timers.pop(task_id, None)
        if timer is not None:
            timer.cancel()

    async def _save_and_tell(self, running: RunningTask) -> None:
        await self.save(running)
        self._publish(running.record)

    def _publish(self, record: TaskRecord) -> None:
        members = detailed_members(record, FEATURES[LATEST_VERSION], time.time())
        self.engine.bus.publish(TASK_TOPIC + record.id, encode_notification("notifications/tasks", members))

    # Finding

    async def find(self, task_id: str, principal: Principal | None) -> TaskRecord:
        """A task that this caller may see; raises `TaskNotFoundError` for any other."""
        record = await self._known(task_id)
        if record is None or (record.owner is not None and record.owner != (principal and principal.id)):
            raise TaskNotFoundError
        return record

    async def _known(self, task_id: str) -> TaskRecord | None:
        running = self.running.get(task_id)
        if running is not None:
            return running.record
        if len(task_id) > MAX_ID:
            return None
        data = await self.engine.sessions.get(_key(task_id))
        return None if data is None else _record.decode(data)

    async def visible(self, task_ids: list[str], principal: Principal | None) -> list[str]:
        """Those of these tasks that this caller may see."""
        found = []
        for task_id in task_ids:
            try:
                found.append((await self.find(task_id, principal)).id)
            except TaskNotFoundError:
                continue
        return found

    async def page(self, exchange: Exchange, cursor: str | None) -> tuple[list[TaskRecord], str | None]:
        """Some of the caller's tasks, the oldest first, and the cursor of the next ones."""
        group = self._group(exchange)
        if group is None:
            raise McpError("tasks/list needs a session or a token, and this request has neither: keep the tasks' ids")
        found: list[TaskRecord] = []
        number, more = self._number(group, cursor), False
        for at, task_id in await self.engine.sessions.read_after(_log_key(group), number):
            if len(found) == min(PAGE, self.engine.server.page_size):
                more = True
                break
            number = at
            record = await self._known(task_id.decode())
            if record is not None:
                found.append(record)
        return found, self.engine.signer.sign("cursor", f"{_log_key(group)}:{number}".encode()) if more else None

    def _number(self, group: str, cursor: str | None) -> int:
        if cursor is None:
            return 0
        of, _, number = self.engine.signer.open("cursor", cursor).decode().rpartition(":")
        if of != _log_key(group):
            raise InvalidParamsError("The cursor belongs to another list")
        return int(number)

    # What a caller does with one

    async def cancel(self, record: TaskRecord) -> TaskRecord:
        """End a task, wherever it runs; returns it as it is then."""
        running = self.running.get(record.id)
        if running is not None:
            running.exchange.end(CANCELLED)
            await self.save(running)
            return running.record
        record.status, record.message, record.questions = "cancelled", "The task was cancelled", None
        record.updated = time.time()
        await self._put(record)
        self.engine.bus.publish(CONTROL_TOPIC + record.id, msgspec.json.encode(Control(cancel=True)))
        return record

    def answer(self, record: TaskRecord, answers: dict[str, Raw]) -> None:
        """Give a task answers to its questions, wherever it runs."""
        running = self.running.get(record.id)
        if running is not None:
            running.questions.answer(answers)
        else:
            self.engine.bus.publish(CONTROL_TOPIC + record.id, msgspec.json.encode(Control(answers=answers)))

    async def outcome(self, record: TaskRecord, exchange: Exchange) -> TaskRecord:
        """Wait for the end of a task, wherever it runs."""
        running = self.running.get(record.id)
        if running is not None:
            await running.wait(exchange)
            return running.record
        async with self._listening(record.id) as changed:
            while not record.ended:
                try:
                    async with asyncio.timeout(LOOK_SECONDS):
                        await changed.wait()
                except TimeoutError:
                    pass
                changed.clear()
                record = await self.find(record.id, exchange.principal)
        return record

    @asynccontextmanager
    async def _listening(self, task_id: str) -> AsyncIterator[asyncio.Event]:
        changed = asyncio.Event()
        stop = self.engine.bus.subscribe(TASK_TOPIC + task_id, lambda _: changed.set())
        try:
            yield changed
        finally:
            stop()

    def _controlled(self, running: RunningTask) -> Callable[[bytes], None]:
        def deliver(data: bytes) -> None:
            control = _control.decode(data)
            if control.cancel:
                running.exchange.end(CANCELLED)
            else:
                running.questions.answer(control.answers)

        return deliver

    # The end

    async def close(self) -> None:
        """End every task: one that is under way has failed."""
        loop = asyncio.get_running_loop()
        works = []
        for running in list(self.running.values()):
            running.exchange.end(CLOSED)
            if running.work is not None and running.exchange.loop is loop:
                works.append(running.work)
        if works:
            await asyncio.wait(works, timeout=CLOSE_SECONDS)
        for task_id in list(self._timers):
            self._forget_timer(task_id)
        saving = [task for task in self._beside if task is not asyncio.current_task()]
        await asyncio.gather(*saving, return_exceptions=True)


def _key(task_id: str) -> str:
    return f"task:{task_id}"


def _log_key(group: str) -> str:
    return "tasks:" + hashlib.sha256(group.encode()).hexdigest()
