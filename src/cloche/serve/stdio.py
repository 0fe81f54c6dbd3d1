"""MCP over standard input and output: one message a line.

While serving, file descriptors 0 and 1 belong to the protocol alone: the real ones are moved away, and what a tool
prints, or a process it starts, goes to stderr. A line that is too long or not a message is answered and skipped; a
closed pipe ends the server quietly.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import IO, TYPE_CHECKING

from cloche.serve.stdout import Output
from cloche.server.connection import DRAIN_SECONDS, Connection
from cloche.server.watchdog import watched
from cloche.transports.base import TooLong
from cloche.transports.stdio.lines import Lines

if TYPE_CHECKING:
    from cloche.server.server import Server

CHUNK = 256 * 1024
BURST = 64
"""Messages that are taken from one read before the loop may answer them."""


def run_stdio(server: Server, within: AbstractAsyncContextManager[object] | None = None) -> None:
    """Serve over stdin and stdout until the client closes them; `within` is opened before the first message is read,
    and what it raises is raised here.
    """
    with _own_descriptors() as (reader, writer), contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_watched(server, reader, writer, within or contextlib.nullcontext()))


async def _watched(server: Server, reader: int, writer: int, within: AbstractAsyncContextManager[object]) -> None:
    with watched(server.limits.blocking_seconds):
        async with within:
            await serve(server, reader, writer)


@contextlib.contextmanager
def _own_descriptors() -> Iterator[tuple[int, int]]:
    """Take stdin and stdout for the protocol; everybody else gets an empty stdin and stderr."""
    reader, writer = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout.flush()  # what was printed while the file was imported goes to stderr, too, and not before the messages
    stdin, stdout = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = open(os.devnull), sys.stderr  # noqa: SIM115
    try:
        yield reader, writer
    finally:
        sys.stdin.close()
        sys.stdin, sys.stdout = stdin, stdout
        with contextlib.suppress(OSError):
            os.dup2(reader, 0)
            os.dup2(writer, 1)
        for descriptor in (reader, writer):
            with contextlib.suppress(OSError):
                if os.isatty(descriptor):
                    os.set_blocking(descriptor, True)  # the terminal outlives us, and its shell expects it so
                os.close(descriptor)


async def serve(server: Server, reader: int, writer: int) -> None:
    """Serve one client over a pair of file descriptors."""
    engine = server.engine
    engine.settle()
    inbox: asyncio.Queue[bytes | None] = asyncio.Queue(16)
    output = Output(writer, lambda: _end(inbox))
    connection = Connection(engine, output.send)
    server._connections.add(connection)
    lines = Lines(server.limits.message_bytes)
    source = await _read_from(reader, inbox)
    try:
        chunk: bytes | None = b""
        while chunk is not None and not output.closed:
            chunk = await inbox.get()
            found = lines.feed(chunk if chunk is not None else b"\n")  # the last line may lack its end
            for number, line in enumerate(found, 1):
                if isinstance(line, TooLong):
                    connection.refuse(line.head)
                else:
                    connection.receive(line)
                if not output.has_room:
                    await output.room()
                elif not number % BURST:
                    await asyncio.sleep(0)
        if not output.closed:
            await connection.drain()
            await output.drain(DRAIN_SECONDS)
    finally:
        source()
        server._connections.discard(connection)
        await connection.close()
        await server.close()
        output.close()


def _end(inbox: asyncio.Queue[bytes | None]) -> None:
    """Wake whoever waits for input; when the inbox is full nobody does."""
    if not inbox.full():
        inbox.put_nowait(None)


async def _read_from(descriptor: int, inbox: asyncio.Queue[bytes | None]) -> Callable[[], None]:
    """Feed what is read into the inbox, None at its end; returns how to stop."""
    loop = asyncio.get_running_loop()
    if _can_be_watched(descriptor):
        try:
            pipe: IO[bytes] = os.fdopen(os.dup(descriptor), "rb", 0)
            transport, _ = await loop.connect_read_pipe(lambda: _PipeReader(inbox), pipe)
            return transport.close
        except (ValueError, OSError):
            pass
    threading.Thread(target=_read_in_thread, args=(descriptor, inbox, loop), daemon=True).start()
    return lambda: None


def _can_be_watched(descriptor: int) -> bool:
    """Whether the loop can wait for input: not on files and devices such as /dev/null, which are always ready."""
    mode = os.fstat(descriptor).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor))


class _PipeReader(asyncio.Protocol):
    """Hands over what a pipe gives, and stops reading while too much waits."""

    def __init__(self, inbox: asyncio.Queue[bytes | None]) -> None:
        self._inbox = inbox
        self._transport: asyncio.ReadTransport | None = None
        self._late: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The pipe is open."""
        self._transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Some bytes came."""
        self._put(data)

    def eof_received(self) -> None:
        """The client closed its end."""
        self._put(None)

    def connection_lost(self, error: Exception | None) -> None:
        """The pipe broke."""
        self._put(None)

    def _put(self, data: bytes | None) -> None:
        if self._late is None and not self._inbox.full():
            self._inbox.put_nowait(data)
            return
        if self._transport is not None:
            self._transport.pause_reading()
        self._late = asyncio.get_running_loop().create_task(self._put_late(self._late, data))

    async def _put_late(self, before: asyncio.Task[None] | None, data: bytes | None) -> None:
        if before is not None:
            await before
        await self._inbox.put(data)
        if self._late is asyncio.current_task():
            self._late = None
            if self._transport is not None and not self._transport.is_closing():
                self._transport.resume_reading()


def _read_in_thread(descriptor: int, inbox: asyncio.Queue[bytes | None], loop: asyncio.AbstractEventLoop) -> None:
    try:
        while chunk := os.read(descriptor, CHUNK):
            asyncio.run_coroutine_threadsafe(inbox.put(chunk), loop).result()
        asyncio.run_coroutine_threadsafe(inbox.put(None), loop).result()
    except (OSError, RuntimeError):
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(inbox.put_nowait, None)
