"""How long a connection may take over its request, and how many one address may hold.

uvicorn closes an idle keep-alive connection, but never one that keeps a request half sent: a byte now and then holds
it for ever (H24). Here every connection carries a `Watch`, and one sweep per server looks at all of them. No timer is
made per request: the protocol notes when a request begins and how far it has come, which costs one clock reading.

The phases of a connection::

    HEADERS ──headers complete──▶ BODY ──body complete──▶ IDLE ──next byte──▶ HEADERS
       └──────── too slow, too large ────────┴──▶ CLOSING ──not drained──▶ aborted

A new connection is in HEADERS from the start: one that says nothing is as idle as one that says little. While IDLE, an
answer is under way, or uvicorn's keep-alive limit is running; neither is ours to time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

HEADERS, BODY, IDLE, CLOSING = range(4)

REASONS = {408: b"Request Timeout", 431: b"Request Header Fields Too Large", 503: b"Service Unavailable"}


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """What `cloche run --http` allows a connection."""

    header_timeout: float = 10.0
    """Seconds from a request's first byte (or the connection) to the end of its headers."""
    body_timeout: float = 60.0
    """Seconds from a request's first byte to the end of its body."""
    keep_alive: int = 65
    """Seconds a connection may idle between requests; longer than what proxies use, so that they close first."""
    header_bytes: int = 65536
    """Size of a request's headers."""
    connections: int = 1024
    """Connections from one address; 0 means any number."""
    linger: float = 5.0
    """Seconds a closed connection may take to read what it was sent."""


@dataclass(slots=True, eq=False)
class Watch:
    """How far the present request of one connection has come, and since when."""

    since: float
    address: str | None
    phase: int = HEADERS
    header_bytes: int = 0

    def begin(self, now: float) -> None:
        """The first byte of a request."""
        self.since, self.phase, self.header_bytes = now, HEADERS, 0


class Connection(Protocol):
    """What the sweep needs of a uvicorn protocol."""

    watch: Watch
    transport: asyncio.Transport
    flow: Any
    cycle: Any


class Watcher:
    """The limits and the table of addresses, shared by the connections of one server."""

    def __init__(self, limits: HttpLimits) -> None:
        self.limits = limits
        self.addresses: dict[str, int] = {}
        self.interval = min(1.0, limits.header_timeout / 2)
        self._swept = 0.0

    def admit(self, connection: Connection) -> None:
        """Count a new connection, and refuse it when its address has too many."""
        address = connection.watch.address
        if address is None:
            return
        count = self.addresses[address] = self.addresses.get(address, 0) + 1
        limit = self.limits.connections
        if limit and count > limit:
            refuse(connection, 503, f"{limit} connections from one address is the limit: --max-connections raises it")

    def leave(self, connection: Connection) -> None:
        """Forget a connection that is gone."""
        address = connection.watch.address
        if address is None:
            return
        count = self.addresses.get(address, 0) - 1
        if count > 0:
            self.addresses[address] = count
        else:
            self.addresses.pop(address, None)

    def count_header_bytes(self, connection: Connection, size: int) -> None:
        """Add `size` bytes to headers that are still incomplete."""
        connection.watch.header_bytes += size
        if connection.watch.header_bytes > self.limits.header_bytes and not connection.transport.is_closing():
            refuse(connection, 431, f"The request's headers are larger than {self.limits.header_bytes} bytes")

    def sweep(self, connections: Iterable[object], now: float) -> None:
        """Close what is overdue; call it often, it works once per interval."""
        late = now - self._swept
        if late < self.interval:
            return
        self._swept = now
        # After a pause of the process, clients' bytes wait unread: the delay was ours, they get another round.
        if late > self.interval + 2.0:
            return
        for connection in list(connections):
            if hasattr(connection, "watch"):
                self._check(connection, now)  # type: ignore[arg-type]

    def _check(self, connection: Connection, now: float) -> None:
        watch, limits = connection.watch, self.limits
        age = now - watch.since
        if connection.transport.is_closing():
            if watch.phase != CLOSING:
                watch.phase, watch.since = CLOSING, now
            elif age >= limits.linger:
                connection.transport.abort()
        elif watch.phase == HEADERS and age >= limits.header_timeout:
            if answering(connection):
                watch.since = now  # pipelined behind an answer of ours, which is what it waits for
            else:
                refuse(connection, 408, f"The request's headers were not complete within {limits.header_timeout:g} s")
        elif watch.phase == BODY and age >= limits.body_timeout:
            if connection.flow.read_paused:
                watch.since = now  # the application does not take the body: not the client's delay
            else:
                refuse(connection, 408, f"The request's body was not complete within {limits.body_timeout:g} s")


def answering(connection: Connection) -> bool:
    """Whether an answer is under way on the connection."""
    return connection.cycle is not None and not connection.cycle.response_complete


def refuse(connection: Connection, status: int, text: str) -> None:
    """Close the connection, with an answer unless one has already begun or gone out for this request."""
    watch, cycle = connection.watch, connection.cycle
    busy = answering(connection)
    if not busy if watch.phase == HEADERS else busy and not cycle.response_started:
        body = text.encode()
        head = b"HTTP/1.1 %d %b\r\ncontent-type: text/plain; charset=utf-8\r\n" % (status, REASONS[status])
        connection.transport.write(b"%bcontent-length: %d\r\nconnection: close\r\n\r\n%b" % (head, len(body), body))
    if busy:
        # The application learns it now: what it sends from here on must not follow our answer onto the wire.
        cycle.disconnected = True
        cycle.message_event.set()
    connection.transport.close()


@dataclass(frozen=True, slots=True)
class Hooks:
    """What else happens when a server starts and stops."""

    started: Callable[[], Awaitable[None]] | None = None
    """Awaited when connections are accepted."""
    stopping: Callable[[], None] | None = None
    """Called when the server has been told to stop."""
    stopped: Callable[[], None] | None = None
    """Called when requests and the app's lifespan have ended; the event loop has not."""
