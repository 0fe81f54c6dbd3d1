"""The task that a call became: some servers answer a call at once and go on with it, and say what it is meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from cloche.client.tasks import ClientTask, TaskUpdate
from cloche.host import plain_text
from cloche.host.limits import HostLimits
from cloche.host.progress import MAX_MESSAGE
from cloche.wire.tasks import TaskStatus


class CallTask:
    """What the server last said of the task; `tell` gets every change, and whether the status is another."""

    def __init__(self, tell: Callable[[TaskUpdate, bool], None]) -> None:
        self.id: str | None = None
        self.latest: TaskUpdate | None = None
        self._tell = tell
        self._task: ClientTask | None = None

    def take(self, task: ClientTask, deadline: asyncio.Timeout | None, limits: HostLimits) -> None:
        """The server has a task for the call, or the task changed. From its beginning the call has a task's time."""
        found = task.last
        if found is None or (self.latest is not None and self.latest.is_done):
            return
        if self.id is None and deadline is not None:
            _extend(deadline, max(limits.task_seconds - limits.call_seconds, 0.0))
        self.id, self._task = task.id, task
        message = None if not found.message else plain_text.name(found.message, MAX_MESSAGE)
        self._set(msgspec.structs.replace(found, message=message))

    def hear(self, update: TaskUpdate) -> None:
        """What the task is now, heard over another connection than the call's."""
        if self.latest is None or not self.latest.is_done:
            self._set(update)

    def leave(self) -> None:
        """The task goes on when its call ends."""
        if self._task is not None:
            self._task.goes_on = True
        self._tell = lambda _, __: None

    def end(self, status: TaskStatus) -> None:
        """The call is over, and so is its task, whatever was last heard of it."""
        if self.latest is not None and not self.latest.is_done:
            self._set(msgspec.structs.replace(self.latest, status=status))

    def _set(self, update: TaskUpdate) -> None:
        before, self.latest = self.latest, update
        if before != update:
            self._tell(update, before is None or before.status != update.status)


def _extend(deadline: asyncio.Timeout, seconds: float) -> None:
    when = deadline.when()
    if when is not None and not deadline.expired():
        deadline.reschedule(when + seconds)
