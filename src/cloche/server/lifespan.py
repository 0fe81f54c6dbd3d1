"""The server's `lifespan`: opened once, before the first request that needs it, and closed with the server.

It runs in a task of its own, because what is opened in one task must be closed in the same one. Mounted in another
app nobody tells us when the app starts or ends: then it opens with the first request, and closes when uvicorn stops
(see `shutdown.py`), or with another web server when the event loop ends its tasks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import TYPE_CHECKING, Any

from cloche.server.shutdown import tell_when_stopping

if TYPE_CHECKING:
    from cloche.server.server import Server

logger = logging.getLogger("cloche.server")


class Lifespan:
    """Opens and closes what the server's functions need."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop on which everything is open; compared before every request."""
        self._task: asyncio.Task[None] | None = None
        self._opened: asyncio.Future[Any] | None = None
        self._stop: asyncio.Event | None = None
        self.state: Any = None
        self._opening: asyncio.AbstractEventLoop | None = None
        self._told: asyncio.AbstractEventLoop | None = None
        """The loop whose web server was asked to tell when it stops."""
        self.streams: list[Callable[[], None]] = []
        """What ends the open streams of each front: a web server that stops would wait for them."""

    async def open(self) -> None:
        """Make sure that it is open; raises what opening raised."""
        loop = asyncio.get_running_loop()
        if self._told is not loop:
            self._told = loop
            tell_when_stopping(self._end_streams, self._server.close)
        if self._opened is None or self._opening is not loop:
            managers = self._managers()
            if not managers:
                self.loop = loop
                return
            self._opening = loop
            self._stop = asyncio.Event()
            self._opened = loop.create_future()
            self._task = loop.create_task(self._run(managers, self._opened, self._stop), name="cloche-lifespan")
        await asyncio.shield(self._opened)

    def _managers(self) -> list[AbstractAsyncContextManager[Any]]:
        """What the capabilities open, in the order in which they were attached, and then the server's own lifespan."""
        server = self._server
        found = [capability.lifespan(server) for capability in server.capabilities.values()]
        own = server.lifespan(server) if server.lifespan is not None else None
        return [one for one in (*found, own) if one is not None]

    def _end_streams(self) -> None:
        for end in self.streams:
            end()

    async def _run(
        self, managers: list[AbstractAsyncContextManager[Any]], opened: asyncio.Future[Any], stop: asyncio.Event
    ) -> None:
        try:
            async with AsyncExitStack() as stack:
                for manager in managers:
                    state = await stack.enter_async_context(manager)
                self.state = state if self._server.lifespan is not None else None
                self.loop = self._opening
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
                self.loop = None

    async def close(self) -> None:
        """Close what was opened and wait until it is."""
        task, loop = self._task, self._opening
        self._task = None
        if task is None:
            self.loop = None
        if task is None or loop is not asyncio.get_running_loop() or self._stop is None:
            return
        self._stop.set()
        (outcome,) = await asyncio.gather(task, return_exceptions=True)
        if isinstance(outcome, Exception):
            logger.error("the server's lifespan failed while closing", exc_info=outcome)
