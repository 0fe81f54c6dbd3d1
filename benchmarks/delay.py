"""A network that takes its time: everything that passes arrives later, in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


class _End(asyncio.Protocol):
    """One side of a connection; what it hears goes to `other` after the delay."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.transport: Any = None
        self.other: _End | None = None
        self._early: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # uvloop's is not of asyncio's class

    def data_received(self, data: bytes) -> None:
        if self.other is None:
            self._early.append(data)
        else:
            asyncio.get_running_loop().call_later(self.delay, self.other.write, data)

    def connection_lost(self, error: Exception | None) -> None:
        if self.other is not None:
            asyncio.get_running_loop().call_later(self.delay, self.other.close)

    def join(self, other: _End) -> None:
        """Begin to pass on, with what has come already."""
        self.other = other
        for data in self._early:
            self.data_received(data)

    def write(self, data: bytes) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()


@asynccontextmanager
async def delayed(port: int, seconds: float) -> AsyncIterator[int]:
    """A port on which the server at `port` answers as if it were `seconds` away, there and back together."""
    loop = asyncio.get_running_loop()
    joining: set[asyncio.Task[None]] = set()

    async def join(near: _End) -> None:
        _, far = await loop.create_connection(lambda: _End(seconds / 2), "127.0.0.1", port)
        far.join(near)
        near.join(far)

    def accept() -> _End:
        near = _End(seconds / 2)
        task = loop.create_task(join(near))
        joining.add(task)
        task.add_done_callback(joining.discard)
        return near

    server = await loop.create_server(accept, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
