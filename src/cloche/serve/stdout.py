"""Writes lines to a client that may be slow, without ever blocking the event loop.

A server's stdout cannot simply be made non-blocking: that is a property of the open file, which stderr and other
processes may share, and they would lose what they print. Where the system lets us open the same pipe once more, that
second opening is ours alone and does not block. Elsewhere little is written when there is room for it, and much in a
thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import stat
import sys
import threading
from collections.abc import Callable

HIGH_WATER = 1024 * 1024
"""Bytes that may wait for a client that does not read, before answers wait too."""

ATOMIC = 4096
"""Bytes that a pipe which is ready takes without blocking."""


class Output:
    """Writes lines, from the loop where the system can, else from a thread."""

    def __init__(self, descriptor: int, on_close: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._own = _open_again(descriptor)
        self._on_close = on_close
        self._loop = asyncio.get_running_loop()
        self._waiting: list[bytes] = []
        self._size = 0
        self._busy = False
        self._blocked = False
        self._room = asyncio.Event()
        self._room.set()
        self._idle = asyncio.Event()
        self._idle.set()
        self.closed = False

    async def send(self, data: bytes) -> None:
        """Write one message; waits while the client leaves too much unread."""
        if self.closed:
            return
        self._waiting.append(data)
        self._size += len(data)
        if not self._busy:
            # Not at once: what else is answered in this turn of the loop goes out in the same write.
            self._busy = True
            self._idle.clear()
            self._loop.call_soon(self._flush)
        if self._size > HIGH_WATER:
            self._room.clear()
            await self._room.wait()

    @property
    def has_room(self) -> bool:
        """Whether the client keeps up with reading."""
        return self._room.is_set()

    async def room(self) -> None:
        """Wait while the client leaves too much unread: what it asks next would only pile up."""
        await self._room.wait()

    async def drain(self, seconds: float) -> None:
        """Wait until everything is written, or nobody has read for so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._idle.wait()

    def close(self) -> None:
        """The client no longer reads, or we no longer write."""
        self.closed = True
        self._waiting.clear()
        self._room.set()
        self._idle.set()
        if self._own is not None:
            self._loop.remove_writer(self._own)
            os.close(self._own)
            self._own = None
        self._on_close()

    def _flush(self) -> None:
        if self.closed:
            return
        self._waiting.append(b"")
        data = b"\n".join(self._waiting)
        self._waiting.clear()
        self._size = 0
        if self._own is not None:
            self._write(memoryview(data))
        elif len(data) <= ATOMIC and _is_writable(self._descriptor):
            self._finish(_write_all(self._descriptor, data))
        else:
            threading.Thread(target=self._write_in_thread, args=(data,), daemon=True).start()

    def _write(self, data: memoryview) -> None:
        """Write what the pipe takes, and the rest when it takes more."""
        assert self._own is not None
        try:
            written = os.write(self._own, data)
        except BlockingIOError:
            written = 0
        except OSError:
            self._finish(written=False)
            return
        if written < len(data):
            self._blocked = True
            self._loop.add_writer(self._own, self._write, data[written:])
            return
        if self._blocked:
            self._blocked = False
            self._loop.remove_writer(self._own)
        self._finish(written=True)

    def _write_in_thread(self, data: bytes) -> None:
        written = _write_all(self._descriptor, data)
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._finish, written)

    def _finish(self, written: bool) -> None:
        if not written:
            self.close()
        if self._waiting and not self.closed:
            self._loop.call_soon(self._flush)
            return
        self._busy = False
        self._room.set()
        self._idle.set()


def _open_again(descriptor: int) -> int | None:
    """The same pipe, opened for us alone and without blocking; None where that cannot be."""
    if sys.platform != "linux" or not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        return None
    try:
        return os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK)
    except OSError:  # no /proc, the pipe of another user, or nobody reads it any more
        return None


def _is_writable(descriptor: int) -> bool:
    try:
        return bool(select.select([], [descriptor], [], 0)[1])
    except (OSError, ValueError):
        return False


def _write_all(descriptor: int, data: bytes) -> bool:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:
            # stdin and stdout may be one socket or terminal, and then reading without blocking makes writing so too.
            select.select([], [descriptor], [])
        except OSError:
            return False
    return True
