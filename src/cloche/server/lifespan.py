"""The server's `lifespan`: opened once, before the first request that needs it, and closed with the server.

It runs in a task of its own, because what is opened in one task must be closed in the same one. Mounted in another
app nobody tells us when the app starts or ends: then it opens with the first request, and closes when uvicorn stops
(see `shutdown.py`), or with another web server when the event loop ends its tasks.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import TYPE_CHECKING, Any

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


# When the web server around us stops: mounted in another application, nobody passes the ASGI lifespan on to us.
#
# The event loop's end is too late. On SIGTERM uvicorn shuts down in good order and then raises the signal again, which
# ends the process before the loop has ended its tasks. So we ask uvicorn to tell us: it is found among the tasks of the
# loop, and the application need not know. Other servers end their tasks with the loop, and are not asked.


def tell_when_stopping(stopping: Callable[[], None], close: Callable[[], Awaitable[None]]) -> None:
    """Call `stopping` when uvicorn begins to stop, and await `close` when its requests have ended, before the
    application's own shutdown. Does nothing under another web server, or when several run on this loop.
    """
    found = _running_servers()
    if len(found) != 1:
        return
    (server,) = found
    shut_down, application = server.shutdown, server.lifespan
    end_application = application.shutdown

    async def shutting_down(*args: Any, **kwargs: Any) -> None:
        try:
            stopping()
        finally:
            await shut_down(*args, **kwargs)

    async def ending_application() -> None:
        try:
            await close()
        finally:
            await end_application()

    server.shutdown = shutting_down
    application.shutdown = ending_application


def _running_servers() -> set[Any]:
    """Every uvicorn server that a task of this loop is in the middle of running."""
    uvicorn = sys.modules.get("uvicorn.server")
    if uvicorn is None:
        return set()
    found = set()
    for task in asyncio.all_tasks():
        step: Any = task.get_coro()
        while step is not None:
            frame = getattr(step, "cr_frame", None)
            owner = None if frame is None else frame.f_locals.get("self")
            if isinstance(owner, uvicorn.Server) and hasattr(owner, "lifespan"):
                found.add(owner)
            step = getattr(step, "cr_await", None)
    return found
