"""The tasks that servers run for the playground, as its page shows them: what each is, and since when."""

from __future__ import annotations

import time
from collections.abc import Callable

from cloche.client.tasks import TaskUpdate
from cloche.wire.types import Json

MOST = 100
"""Tasks that are kept; of more, the oldest that have ended are forgotten first."""


class TaskList:
    """Keeps the tasks for a page that is loaded again; `tell` tells the open pages of every change."""

    def __init__(self, tell: Callable[..., None]) -> None:
        self._tell = tell
        self._tasks: dict[str, Json] = {}

    def changed(self, call: str, server: str, tool: str, task: str | None, update: TaskUpdate) -> None:
        """A call became a task, or its task changed."""
        now = time.time()
        before = self._tasks.get(call, {"started": now})
        self._tasks[call] = entry = {
            "call": call,
            "server": server,
            "tool": tool,
            "task": task,
            "status": update.status,
            "message": update.message,
            "progress": update.progress,
            "total": update.total,
            "started": before["started"],
            "ended": now if update.is_done else None,
        }
        while len(self._tasks) > MOST:
            ended = (name for name, one in self._tasks.items() if one["ended"] is not None)
            del self._tasks[next(ended, next(iter(self._tasks)))]
        self._tell("task", **entry)

    async def listing(self) -> Json:
        """Every task, the newest first."""
        return {"tasks": list(reversed(self._tasks.values()))}
