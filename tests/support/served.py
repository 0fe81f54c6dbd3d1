"""An ASGI app on a real port, in this process: a test sees the browser's side and the host's."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Coroutine
from types import TracebackType
from typing import Any

import uvicorn

from cloche.serve.uvicorn.websocket_protocol import ClosingWebSocket

DEADLINE = 30.0


class Served:
    """`with Served(app) as served`: `served.url()` is where it is; `served.run(…)` awaits on its loop."""

    def __init__(self, app: Any, **options: Any) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.app = app
        """May be set until it is served: what an app is made of can depend on the port."""
        self._options = options

    def __enter__(self) -> Served:
        options = {"log_level": "warning", "ws": ClosingWebSocket, **self._options}
        self._server = uvicorn.Server(uvicorn.Config(self.app, **options))
        self._loop = asyncio.new_event_loop()
        serving = self._server.serve(sockets=[self._listening])
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(serving,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._server.should_exit = True
        self._thread.join(DEADLINE)
        assert not self._thread.is_alive(), "the app did not stop"
        self._listening.close()
        self._loop.close()

    def url(self, path: str = "/", name: str = "localhost") -> str:
        return f"http://{name}:{self.port}{path}"

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Await something where the app lives."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(DEADLINE)
