"""What is there: tasks, timers, threads, file descriptors, child processes. Compared before and after a soak."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from collections.abc import Collection
from pathlib import Path
from typing import TypeVar

from tests.soak.transports.history import Left

SETTLE_TURNS = 20
"""Turns of the loop that cancelled tasks get to finish."""

ENDING_SECONDS = 0.5
"""What a thread gets to end in: asyncio's own, one per child, tells the loop of the exit and returns after that."""

FORGETTING_SECONDS = 5.0
"""What the loop gets to let go of a connection that has ended."""

T = TypeVar("T")


async def in_the_loop() -> list[Left]:
    """Tasks beside the one that asks, and timers, which must be none when everything is closed."""
    for _ in range(SETTLE_TURNS):
        if not _tasks():
            break
        await asyncio.sleep(0)
    return [Left("task", repr(task)) for task in _tasks()] + [Left("timer", timer) for timer in _timers()]


async def in_memory(objects: Collection[T]) -> list[T]:
    """Those of a weak set that nobody should hold any more. A cancelled timer, or a handle of the loop whose turn has
    not come on a busy machine, may hold one for a moment; a leak holds it longer than that.
    """
    deadline = time.monotonic() + FORGETTING_SECONDS
    while True:
        gc.collect()
        if not objects or time.monotonic() > deadline:
            return list(objects)
        await asyncio.sleep(0.05)


def _tasks() -> set[asyncio.Task[object]]:
    return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]


def _timers() -> list[str]:
    """Of asyncio's own loop, which keeps cancelled timers for a while; another loop does not show them."""
    scheduled = getattr(asyncio.get_running_loop(), "_scheduled", [])
    return [repr(handle) for handle in scheduled if not handle.cancelled()]


class Process:
    """Threads, file descriptors and children of this process at one moment."""

    def __init__(self) -> None:
        self.threads = set(threading.enumerate())
        self.files = _files()
        self.children = _children()

    def left_since(self, before: Process) -> list[Left]:
        """What is here and was not there."""
        threads = self.threads - before.threads
        for thread in threads:
            thread.join(ENDING_SECONDS)
        return [
            *(Left("thread", repr(thread)) for thread in threads if thread.is_alive()),
            *(Left("file descriptor", f"{number} {self.files[number]}") for number in self.files.keys() - before.files),
            *(Left("child process", child) for child in self.children - before.children),
        ]


def _files() -> dict[str, str]:
    found = {}
    for number in os.listdir("/proc/self/fd"):
        try:
            found[number] = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue  # the one that was used for listing
    return found


def _children() -> set[str]:
    lists = Path("/proc/self/task").glob("*/children")
    return {child for one in lists for child in one.read_text().split()}
