"""uvicorn's server with our sweep, and a stop that open streams do not hold up."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.server import HANDLED_SIGNALS

from cloche.serve.uvicorn.deadlines import Hooks, Watcher, answering
from cloche.server.watchdog import watched

GRACE = 1.5
"""Seconds that running requests get when the server stops."""

CUT_SHORT = ("Cancel %s running task", "ASGI callable returned without completing response")
"""What uvicorn logs about requests that do not end by themselves."""

INTERRUPTED = 130
"""What a shell gives a command that Ctrl+C ended."""


class SweepingServer(uvicorn.Server):
    """Sweeps overdue connections, and stops within `GRACE` and a little."""

    def __init__(self, config: uvicorn.Config, watcher: Watcher, hooks: Hooks, blocking_seconds: float) -> None:
        super().__init__(config)
        self.watcher = watcher
        self.hooks = hooks
        self.blocking_seconds = blocking_seconds

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        logger = logging.getLogger("uvicorn.error")
        logger.addFilter(self._worth_logging)
        try:
            super().run(sockets)
        finally:
            logger.removeFilter(self._worth_logging)

    def _worth_logging(self, record: logging.LogRecord) -> bool:
        """Requests that we cut short ourselves, because the server stops, are no failures."""
        if not self.should_exit:
            return True
        cancelled = record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError)
        return not cancelled and not str(record.msg).startswith(CUT_SHORT)

    async def _serve(self, sockets: list[socket.socket] | None = None) -> None:
        with watched(self.blocking_seconds):
            await super()._serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.hooks.started is not None:
            await self.hooks.started()

    async def on_tick(self, counter: int) -> bool:
        self.watcher.sweep(self.server_state.connections, asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.hooks.stopping is not None:
            self.hooks.stopping()
        # A GET stream never ends by itself, and its client comes back for more: no reason to wait. A POST is a call.
        self._hang_up(only_method="GET")
        cut = asyncio.get_running_loop().call_later(GRACE, self._hang_up)
        await super().shutdown(sockets)
        cut.cancel()
        if self.hooks.stopped is not None:
            self.hooks.stopped()

    def _hang_up(self, only_method: str | None = None) -> None:
        connections: Sequence[Any] = list(self.server_state.connections)
        for connection in connections:
            if only_method is None or (answering(connection) and connection.cycle.scope["method"] == only_method):
                connection.transport.close()

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Handle signals while serving, without raising them again after: a requested stop is not a failure."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.started:  # a lifespan that hangs would otherwise never see it
            raise KeyboardInterrupt
        if self.force_exit:  # the third time: whatever it still waits for, the person does not
            os._exit(INTERRUPTED)
        super().handle_exit(sig, frame)
