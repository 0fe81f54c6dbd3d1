"""The ways a client reaches the server of the soak. Each opens connections with faults in them."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cloche.testing.faults import Fault, FaultyTransport, Schedule
from cloche.transports.base import Transport
from cloche.transports.memory import create_memory_pair
from tests.soak.transports.server import soak_server

ROOT = Path(__file__).parents[3]
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join(path for path in (str(ROOT), os.environ.get("PYTHONPATH")) if path)}


class Way:
    """Opens connections; `open` is what a `Reconnecting` is given."""

    def __init__(self, folder: Path, schedule: Schedule, on_fault: Callable[[Fault, bytes], None]) -> None:
        self.folder = folder
        self.schedule = schedule
        self.opened: weakref.WeakSet[Transport] = weakref.WeakSet()
        """Every connection that is still in memory."""
        self._on_fault = on_fault

    async def start(self) -> None:
        """Start what is needed before the first connection."""

    async def stop(self) -> None:
        """End what `start` began."""

    async def open(self) -> Transport:
        """A new connection."""
        raise NotImplementedError

    def _faulty(self, transport: Transport, kill: Callable[[], None]) -> Transport:
        faulty = FaultyTransport(transport, self.schedule, kill=kill, on_fault=self._on_fault)
        self.opened.add(faulty)
        self.opened.add(transport)
        return faulty


class Memory(Way):
    """A server in this process. Its `kill` is the end of the connection from the server's side."""

    async def start(self) -> None:
        self._server = soak_server(self.folder)
        self._killing: set[asyncio.Task[None]] = set()

    async def stop(self) -> None:
        await asyncio.gather(*self._killing)
        await self._server.close()

    async def open(self) -> Transport:
        ours, theirs = create_memory_pair()
        await self._server.connect(theirs)

        def kill() -> None:
            task = asyncio.get_running_loop().create_task(theirs.close())
            self._killing.add(task)
            task.add_done_callback(self._killing.discard)

        return self._faulty(ours, kill)


class Stdio(Way):
    """A server process for each connection; `kill` is kill -9."""

    async def open(self) -> Transport:
        from cloche.transports.stdio.client import StdioTransport

        command = [sys.executable, "-m", "tests.soak.transports.server", str(self.folder), "stdio"]
        transport = await StdioTransport.start(command, env=ENVIRONMENT, cwd=ROOT)
        return self._faulty(transport, lambda: _kill(transport))


class WebSocket(Way):
    """One server process, started anew whenever it was killed with kill -9."""

    async def start(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self._process: Any = None
        self._keeper = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)

    async def open(self) -> Transport:
        from cloche.transports.websocket.client import WebSocketTransport

        transport = await WebSocketTransport.connect(f"ws://127.0.0.1:{self._port}/mcp")
        return self._faulty(transport, lambda: _kill(self._process))

    async def _keep(self) -> None:
        command = [sys.executable, "-m", "tests.soak.transports.server", str(self.folder), "websocket", str(self._port)]
        environment = {**os.environ, **ENVIRONMENT}
        while True:
            self._process = await asyncio.create_subprocess_exec(
                *command, env=environment, cwd=ROOT, stdin=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
            )
            try:
                await self._process.wait()
            except asyncio.CancelledError:
                _kill(self._process)
                await self._process.wait()
                raise


WAYS: dict[str, type[Way]] = {"memory": Memory, "stdio": Stdio, "websocket": WebSocket}


def _kill(process: Any) -> None:
    if process is None or process.returncode is not None:
        return  # its number may be another's by now
    try:
        os.kill(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
