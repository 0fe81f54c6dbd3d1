"""A pipe between browser and product that can be cut: connections break without a word, and new ones are refused."""

from __future__ import annotations

import asyncio
import contextlib


class Valve:
    """Listens on `port` and passes everything on to `target`, while it is open."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self._target = target
        self._open = True
        self._pipes: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._joined, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Cut everything and listen no more."""
        assert self._server is not None
        self._server.close()
        self._cut()
        await asyncio.gather(*self._pipes, return_exceptions=True)

    async def shut_for(self, seconds: float) -> None:
        """Cut every connection, and let none come about for a while."""
        self._open = False
        self._cut()
        await asyncio.sleep(seconds)
        self._open = True

    def _cut(self) -> None:
        for pipe in self._pipes:
            pipe.cancel()

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._pipes.add(task)
        inner: asyncio.StreamWriter | None = None
        try:
            if self._open:
                inner_reader, inner = await asyncio.open_connection("127.0.0.1", self._target)
                await _both(_pass(reader, inner), _pass(inner_reader, writer))
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._pipes.discard(task)
            for one in (writer, inner):
                if one is not None:
                    one.transport.abort()


async def _both(one: object, other: object) -> None:
    """Until either side ends."""
    tasks = [asyncio.ensure_future(work) for work in (one, other)]  # type: ignore[call-overload]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
