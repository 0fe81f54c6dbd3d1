"""The server's `lifespan`: opened once, before the first request that needs it, and closed with the server.

It runs in a task of its own, because what is opened in one task must be closed in the same one. Mounted in another
app nobody tells us when the app starts or ends: then it opens with the first request, and closes when the event loop
ends its tasks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any


class Lifespan:
    """Opens and closes what the server's functions need."""

    def __init__(self, manager: Callable[[Any], AbstractAsyncContextManager[Any]] | None, server: Any) -> None:
        self._manager = manager
        self._server = server
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._opened: asyncio.Future[Any] | None = None
        self._stop: asyncio.Event | None = None
        self.state: Any = None
        self.is_open = manager is None
        """True when there is nothing to wait for; looked at before every request."""

    async def open(self) -> None:
        """Make sure that it is open; raises what opening raised."""
        loop = asyncio.get_running_loop()
        if self._manager is None:
            return
        if self._opened is None or self._loop is not loop:
            self._loop = loop
            self._stop = asyncio.Event()
            self._opened = loop.create_future()
            self._task = loop.create_task(self._run(self._opened, self._stop), name="cloche-lifespan")
        await asyncio.shield(self._opened)

    async def _run(self, opened: asyncio.Future[Any], stop: asyncio.Event) -> None:
        assert self._manager is not None
        try:
            async with self._manager(self._server) as state:
                self.state = state
                self.is_open = True
                opened.set_result(None)
                await stop.wait()
        except BaseException as error:
            if opened.done():
                raise
            opened.set_exception(error)
        finally:
            if self._opened is opened:
                self._opened = None
                self.state = None
                self.is_open = False

    async def close(self) -> None:
        """Close what was opened and wait until it is."""
        task, loop = self._task, self._loop
        self._task = None
        if task is None or loop is not asyncio.get_running_loop() or self._stop is None:
            return
        self._stop.set()
        await asyncio.gather(task, return_exceptions=True)

    def belongs_to(self, loop: asyncio.AbstractEventLoop) -> bool:
        """Whether it is open on this loop; another one may have been closed with the state inside."""
        return self._manager is None or self._loop is loop
