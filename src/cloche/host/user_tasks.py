"""`UserTask`: a task that a server runs for one user, without the call that it came from.

A call ends with the process of the host, and its task need not: a server behind a URL goes on. The id of a `UserTask`
is signed, and says whose it is, on which server, and what that server knows it by. So a product keeps the id and
nothing else, and no id that is another user's, or invented, is ever shown to a server.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

import msgspec

from cloche.client import results
from cloche.client.tasks import MAX_ID, ClientTask, TaskUpdate
from cloche.errors import InvalidParamsError, McpError, RemoteProtocolError, TransportError, shorten
from cloche.host import plain_text
from cloche.host.call import for_model
from cloche.host.progress import MAX_MESSAGE
from cloche.host.upstreams.own_client import as_handshake_era
from cloche.host.upstreams.task_requests import TaskRequests
from cloche.wire.signing import Signer
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.session import HostSession

PURPOSE = "task"

STATUS_SECONDS = 0.0
"""How long a look at a task waits for a server that cannot be reached."""

FOLLOW_SECONDS = 60.0
"""How long somebody who waits for a task waits for its server to come back, each time that the connection breaks."""


class TaskName(msgspec.Struct, frozen=True, array_like=True):
    """What the id of a task says."""

    version: int
    user: str
    server: str
    tool: str
    task: str
    """What the server knows it by."""
    started: float


class UserTask:
    """A task of one user: `session.task(id)` takes one up, `session.tasks()` has those that were started here."""

    def __init__(self, session: HostSession, name: TaskName) -> None:
        self._session = session
        self._name = name
        self.server = name.server
        self.tool = name.tool
        self.started = datetime.fromtimestamp(name.started, UTC)
        """When the call became a task."""
        self.id = session.host.signer.sign(PURPOSE, msgspec.json.encode(name))
        """Keep it to come back to the task, also in another process: `session.task(id)`."""
        self.last: TaskUpdate | None = None
        """What the task was when it was last heard of."""
        self._outcome: Json | None = None
        self.goes_on = False
        """Whether it is left to itself: who waits for it no longer does not end it."""

    def __repr__(self) -> str:
        return f"<UserTask {self.server}.{self.tool}: {'unknown' if self.last is None else self.last.status}>"

    async def status(self) -> TaskUpdate:
        """Ask the server what the task is now."""
        self._check_open()
        return self._heard(await self._task(STATUS_SECONDS).status())

    async def result(self, *, timeout: float | None = None) -> Json:
        """Wait for the end and return the result for the model, as `call.result()` does. What the task asks meanwhile
        is shown to the user.

        Raises the server's error when the task failed, `TaskCancelledError` when it was cancelled, and
        `RequestTimeoutError` after `timeout` seconds: the task goes on then.
        """
        return for_model(await self.whole_result(timeout=timeout))

    async def whole_result(self, *, timeout: float | None = None) -> Json:
        """The result with what is meant for a view."""
        self._check_open()
        if self._outcome is None:
            task = self._task(FOLLOW_SECONDS)
            try:
                found: Any = msgspec.json.decode(await task._limited(timeout))
            finally:
                if task.last is not None:
                    self._heard(task.last)
            if not isinstance(found, dict):
                raise RemoteProtocolError("The result of the task is malformed: it is not an object")
            results.decode_call(msgspec.Raw(msgspec.json.encode(found)))
            self._outcome = as_handshake_era(found)
        return self._outcome

    async def cancel(self) -> None:
        """Ask the server to end the task. One that has ended is left as it is."""
        self._check_open()
        self._session.timeline.note(action="tasks/cancel", server=self.server, tool=self.tool)
        await self._task(STATUS_SECONDS).cancel()

    async def __aiter__(self) -> AsyncIterator[TaskUpdate]:
        """Every change of the task as it becomes known, up to its end; what it asks meanwhile is shown to the user."""
        self._check_open()
        async for update in self._task(FOLLOW_SECONDS):
            yield self._heard(update)

    async def take_up(self, told: Callable[[TaskUpdate], object], lost: TransportError) -> Json:
        """The whole result for a call whose connection was `lost`; the call has ended the task when it is given up.
        Raises `lost` when the server does not know the task any more.
        """
        try:
            try:
                async for update in self:
                    told(update)
            except McpError:
                raise lost from None
            return await self.whole_result()
        except asyncio.CancelledError:
            if not self.goes_on:
                self._session.background.spawn(self._cancel_quietly())
            raise

    async def _cancel_quietly(self) -> None:
        with contextlib.suppress(McpError, TransportError):
            await self.cancel()

    def _check_open(self) -> None:
        self._session._check_open()

    def _task(self, patience: float) -> ClientTask:
        upstream = self._session.upstream(self.server)
        requests = TaskRequests(upstream, self._session.user, self.tool, patience, self._session.background)
        return ClientTask(cast(Any, requests), self._name.task)

    def _heard(self, update: TaskUpdate) -> TaskUpdate:
        """What the server says for people is kept to one line of plain text."""
        message = None if not update.message else plain_text.name(update.message, MAX_MESSAGE)
        self.last = msgspec.structs.replace(update, message=message)
        return self.last


class UserTasks:
    """The tasks of one session."""

    def __init__(self, session: HostSession, most: int) -> None:
        self._session = session
        self._most = most
        self._known: dict[str, UserTask] = {}

    def all(self) -> list[UserTask]:
        """Those that were started or taken up here, the oldest first."""
        return list(self._known.values())

    def began(self, server: str, tool: str, task: str) -> UserTask | None:
        """A call became a task of its server; one whose id cannot be kept cannot be come back to."""
        if not 0 < len(task) <= MAX_ID:
            return None
        name = TaskName(1, self._session.user, server, tool, task, round(datetime.now(UTC).timestamp(), 3))
        return self._keep(UserTask(self._session, name))

    def find(self, task_id: object) -> UserTask:
        """The task with an id of this user's; raises `InvalidParamsError`."""
        if isinstance(task_id, str) and task_id in self._known:
            return self._known[task_id]
        name = opened(self._session.host.signer, task_id)
        if name is None or name.user != self._session.user:
            raise InvalidParamsError("This is not the id of a task of this user")
        if name.server not in self._session.host.servers:
            raise InvalidParamsError(f"There is no server {shorten(name.server)!r} any more, and this task is of it")
        return self._keep(UserTask(self._session, name))

    def _keep(self, task: UserTask) -> UserTask:
        self._known[task.id] = task
        while len(self._known) > self._most:
            del self._known[next(iter(self._known))]
        return task


def opened(signer: Signer, task_id: object) -> TaskName | None:
    """What an id says, when this host made it."""
    if not isinstance(task_id, str):
        return None
    try:
        return msgspec.json.decode(signer.open(PURPOSE, task_id), type=TaskName)
    except (InvalidParamsError, msgspec.DecodeError):
        return None
