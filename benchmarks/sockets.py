"""Clients that cost little: prepared bytes out, only as much reading on the way in as counting needs."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from benchmarks import traffic
from benchmarks.traffic import Request

DEADLINE = 60.0
_END = b"\r\n\r\n"
_LENGTH = b"content-length:"


@dataclass(frozen=True, slots=True)
class Answer:
    """A response read from a keep-alive connection."""

    head: bytes
    body: bytes

    def header(self, name: str) -> str:
        for line in self.head.split(b"\r\n")[1:]:
            key, _, value = line.partition(b":")
            if key.strip().lower() == name.encode():
                return value.strip().decode()
        raise KeyError(name)


def _take(buffer: bytes) -> Answer | None:
    """The response at the start of the buffer, when it is complete."""
    end = buffer.find(_END)
    if end < 0:
        return None
    head = buffer[:end].lower()
    at = head.find(_LENGTH)
    length = int(head[at + len(_LENGTH) :].split(b"\r\n", 1)[0]) if at >= 0 else 0
    if len(buffer) < end + 4 + length:
        return None
    return Answer(buffer[:end], buffer[end + 4 : end + 4 + length])


class Connection:
    """A keep-alive connection that blocks: a load client has nothing else to do, and waiting is cheapest this way."""

    def __init__(self, host: str) -> None:
        name, _, port = host.rpartition(":")
        self.host = host
        self._socket = socket.create_connection((name, int(port)), timeout=DEADLINE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.send, self.receive = self._socket.sendall, self._socket.recv

    def ask(self, request: Request) -> Answer:
        self.send(request.wire())
        buffer = b""
        while (answer := _take(buffer)) is None:
            if not (more := self.receive(65536)):
                raise RuntimeError(f"The server closed the connection instead of answering {request.method}.")
            buffer += more
        if answer.head[9:12] not in (b"200", b"202", b"204"):
            raise RuntimeError(f"{request.method} answered {answer.head[:60]!r} {answer.body[:200]!r}.")
        return answer

    def open_session(self) -> str:
        """Handshakes like a legacy client and returns the session id."""
        session = self.ask(traffic.initialize(self.host)).header("mcp-session-id")
        self.ask(traffic.initialized(session, self.host))
        return session


class Crew:
    """Connections that send their requests in waves: all ask, then all listen.

    On one processor this is the same for every server: it finds a whole wave waiting, answers it, and sleeps. Left to
    the scheduler, a server may as well wake up for every request, and the price of that hides what is measured.
    """

    def __init__(self, connections: Sequence[Connection], requests: Sequence[Request]) -> None:
        answers = [connection.ask(request) for connection, request in zip(connections, requests, strict=True)]
        sizes = {len(answer.head) + len(_END) + len(answer.body) for answer in answers}
        if len(sizes) > 1:
            raise RuntimeError("The answers differ in size, so that the client can't tell where they end.")
        self._size = sizes.pop()
        self._jobs = [(each.send, request.wire()) for each, request in zip(connections, requests, strict=True)]
        self._receives = [connection.receive for connection in connections]

    def work(self, waves: int) -> int:
        """Sends that many waves and returns how many requests they were."""
        for _ in range(waves):
            for send, wire in self._jobs:
                send(wire)
            for receive in self._receives:
                self._read(receive)
        return waves * len(self._jobs)

    def _read(self, receive: Callable[[int], bytes]) -> None:
        data = receive(65536)
        if not data.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"A timed request answered {data[:300]!r}.")
        size = len(data)
        while size < self._size:
            size += len(receive(65536))


class Stream(asyncio.Protocol):
    """A response that stays open; counts how often a marker has gone by."""

    def __init__(self, request: Request, marker: bytes) -> None:
        self._wire, self._marker = request.wire(), marker
        self._buffer = b""
        self._seen = 0
        self._waiting: tuple[int, asyncio.Future[None]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._wire)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        found = self._buffer.count(self._marker)
        if not found:
            return
        self._seen += found
        self._buffer = self._buffer[self._buffer.rfind(self._marker) + len(self._marker) :]
        if self._waiting is not None and self._seen >= self._waiting[0] and not self._waiting[1].done():
            self._waiting[1].set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waiting is not None and not self._waiting[1].done():
            self._waiting[1].set_exception(RuntimeError(f"The server closed a stream after {self._buffer[:300]!r}."))

    def expect(self, marker: bytes) -> None:
        """From here on counts another marker."""
        self._marker, self._seen = marker, 0

    async def until(self, count: int) -> None:
        if self._seen >= count:
            return
        self._waiting = (count, asyncio.get_running_loop().create_future())
        try:
            await asyncio.wait_for(self._waiting[1], DEADLINE)
        except TimeoutError:
            raise RuntimeError(f"A stream waits for {self._marker!r} and has {self._buffer[:300]!r}.") from None


async def open_stream(host: str, request: Request, marker: bytes) -> Stream:
    """Opens a stream and waits until the marker has come once."""
    name, _, port = host.rpartition(":")
    loop = asyncio.get_running_loop()
    _, stream = await loop.create_connection(lambda: Stream(request, marker), name, int(port))
    await stream.until(1)
    return stream
