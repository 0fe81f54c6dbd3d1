"""When the web server around us stops: mounted in another application, nobody passes the ASGI lifespan on to us.

The event loop's end is too late. On SIGTERM uvicorn shuts down in good order and then raises the signal again, which
ends the process before the loop has ended its tasks. So we ask uvicorn to tell us: it is found among the tasks of the
loop, and the application need not know. Other servers end their tasks with the loop, and are not asked.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any


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
