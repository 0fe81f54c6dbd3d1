"""Worker threads for `def` tools.

Why not `asyncio.to_thread`: its pool has a handful of threads and no way to give one up, so a few stuck tools stop
every other. Here a thread whose job was given up no longer counts, leaves when its job ends, and another takes its
place. A hand-over is also cheaper.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import sys
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

HAVE_THREADS = sys.platform not in ("emscripten", "wasi")
"""In a browser there are none: a `def` tool runs on the loop there."""

IDLE_SECONDS = 10.0
"""A thread without work for this long ends."""


class Job:
    """One call that a worker thread makes."""

    __slots__ = ("abandoned", "args", "context", "fn", "future", "kwargs", "loop", "started")

    def __init__(
        self, loop: asyncio.AbstractEventLoop, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.loop = loop
        self.future: asyncio.Future[Any] = loop.create_future()
        self.fn = fn
        self.args = args
        self.kwargs = kwargs
        self.context = contextvars.copy_context()
        self.started = False
        self.abandoned = False

    def run(self) -> None:
        """Call the function and hand its outcome to the loop."""
        try:
            value = self.context.run(self.fn, *self.args, **self.kwargs)
        except StopIteration:  # which no future takes
            self._hand_over(self.future.set_exception, RuntimeError("the tool raised StopIteration"))
        except BaseException as error:  # the tool's error belongs to whoever awaits it, whatever it is
            self._hand_over(self.future.set_exception, error)
        else:
            self._hand_over(self.future.set_result, value)

    def _hand_over(self, settle: Callable[[Any], None], outcome: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.loop.call_soon_threadsafe(self._settle, settle, outcome)

    def _settle(self, settle: Callable[[Any], None], outcome: Any) -> None:
        if not self.future.done():
            settle(outcome)


class ThreadPool:
    """Threads that start when needed and end when idle; at most `limit` that are not stuck.

    `_spare` is the number of threads that wait for work less the number of jobs that wait for a thread: one number
    says whether a new thread is needed, and it can be kept exact under a lock that is held for a few instructions.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._spare = 0
        self._threads = 0

    def submit(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Job:
        """Run `fn` in a worker thread; await the returned job's `future`."""
        job = Job(asyncio.get_running_loop(), fn, args, kwargs)
        if not HAVE_THREADS:
            job.run()
            return job
        with self._lock:
            if self._spare <= 0:
                self._grow()
            self._spare -= 1
            self._queue.put(job)
        return job

    def _grow(self) -> None:
        if self._threads < self._limit:
            self._threads += 1
            self._spare += 1
            threading.Thread(target=self._work, name="cloche-tool", daemon=True).start()

    def abandon(self, job: Job) -> None:
        """Give a job up: its thread no longer counts, and another takes its place."""
        with self._lock:
            if job.abandoned:
                return
            job.abandoned = True
            if job.started:
                self._threads -= 1
                if self._spare < 0:
                    self._grow()

    def _work(self) -> None:
        while (job := self._take()) is not None:
            with self._lock:
                wanted = job.started = not job.abandoned
            if wanted:
                job.run()
            with self._lock:
                if wanted and job.abandoned:
                    return  # this thread was written off when its job was given up
                self._spare += 1
            del job

    def _take(self) -> Job | None:
        while True:
            try:
                return self._queue.get(timeout=IDLE_SECONDS)
            except Empty:
                with self._lock:
                    if self._spare > 0:
                        self._spare -= 1
                        self._threads -= 1
                        return None

    def close(self) -> None:
        """Let idle threads end now; busy ones end when they have been idle for a while."""
        with self._lock:
            idle = max(self._spare, 0)
            self._spare -= idle
            self._threads -= idle
            for _ in range(idle):
                self._queue.put(None)

    @property
    def threads(self) -> int:
        """Threads that are not written off."""
        return self._threads
