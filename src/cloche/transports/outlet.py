"""Room to send, for a client on a pipe or a socket, whose system says when its buffer is full.

A server that has too much to send stops reading: so a client that asks and never reads costs it a bounded amount. A
client must not do the same without a second thought. If it did, a client that asks much at once and a server that
answers much would each wait for the other to read. So a client reads on while its messages wait, and stops only
when the server has asked it too much meanwhile, because the answers to that are what would pile up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cloche.errors import McpError
from cloche.transports.requests import RequestTransport
from cloche.wire.messages import is_request, parse

ASKED_WHILE_FULL = 256
"""Requests of a server that are taken while nothing can be sent to it; then it is no longer read."""


class Outlet:
    """Messages on their way out, one after the other, in the order they were given."""

    def __init__(self, write: Callable[[bytes], None], set_reading: Callable[[bool], None]) -> None:
        self._write = write
        self._set_reading = set_reading
        self._full = False
        self._waiting = 0
        self._turn = asyncio.Lock()
        self._room = asyncio.Event()
        self._asked = 0

    @property
    def has_room(self) -> bool:
        """Whether `send` writes at once."""
        return not self._full and not self._waiting

    async def send(self, data: bytes) -> None:
        """Write, as soon as there is room and everything before is written."""
        if not self._full and not self._waiting:
            self._write(data)
            return
        self._waiting += 1
        try:
            async with self._turn:
                while self._full:
                    await self._room.wait()
                self._write(data)
        finally:
            self._waiting -= 1

    def fill(self) -> None:
        """The system's buffer is full."""
        self._full = True
        self._room.clear()

    def empty(self) -> None:
        """There is room again, or no use in waiting for it any more."""
        self._full = False
        self._room.set()
        if self._asked >= ASKED_WHILE_FULL:
            self._set_reading(True)
        self._asked = 0

    def took(self, data: bytes) -> None:
        """A message of the server was delivered; stop reading when it asks too much without listening."""
        if self._full and _asks(data):
            self._asked += 1
            if self._asked == ASKED_WHILE_FULL:
                self._set_reading(False)


class StreamTransport(RequestTransport):
    """Base of a client's end on a pipe or a socket. `_leave` begins its end, `_abort` forces it, `_gone` says so."""

    _write: Callable[[bytes], None]
    _set_reading: Callable[[bool], None]
    _leave: Callable[[], None]
    _abort: Callable[[], None]

    def __init__(self, *, limit: int) -> None:
        super().__init__(limit=limit)
        self._outlet = Outlet(self._write, self._set_reading)
        self._loop = asyncio.get_running_loop()
        self._gone = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def has_room(self) -> bool:
        """Whether `send` takes a message without waiting."""
        return self._outlet.has_room

    async def send(self, data: bytes) -> None:
        """Send one message; waits while the server leaves too much unread."""
        await self._outlet.send(data)

    async def close(self) -> None:
        """End the connection politely, and when that does not do, without the server's help."""
        self._leave()
        try:
            await self._gone.wait()
        except asyncio.CancelledError:
            # Nobody waits for a polite end any more; the system takes only a moment for the other one.
            self._abort()
            await self._gone.wait()
            raise

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _asks(data: bytes) -> bool:
    try:
        return is_request(parse(data))
    except McpError:
        return False
