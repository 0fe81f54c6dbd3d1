"""One web server for all cases, on a loop of its own in a thread, behind a real socket; each case has an app there."""

from __future__ import annotations

import asyncio
import itertools
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn


class Hall:
    """Apps by the first part of their path, behind one socket."""

    def __init__(self) -> None:
        self.apps: dict[str, Any] = {}
        self.numbers = itertools.count(1)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        self.loop = asyncio.new_event_loop()
        config = uvicorn.Config(self, log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.server._serve([self.socket]))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        name, _, rest = scope["path"].lstrip("/").partition("/")
        await self.apps[name]({**scope, "path": f"/{rest}"}, receive, send)

    def close(self) -> None:
        self.server.should_exit = True
        self.thread.join()
        self.loop.close()


_hall: Hall | None = None


@asynccontextmanager
async def listening(app: Any) -> AsyncIterator[str]:
    """Serves `app`; gives the address with the path in front of it."""
    global _hall
    if _hall is None:
        _hall = Hall()
    name = str(next(_hall.numbers))
    _hall.apps[name] = app
    try:
        yield f"{_hall.address}/{name}"
    finally:
        del _hall.apps[name]
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(app.close(), _hall.loop))


def close_hall() -> None:
    """End it with the last case."""
    global _hall
    if _hall is not None:
        _hall.close()
    _hall = None
