"""`FaultyTransport`: any transport, with faults put into it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cloche.errors import TransportClosedError, TransportError
from cloche.testing.faults.lane import Lane
from cloche.testing.faults.schedule import Direction, Fault, Schedule
from cloche.transports.base import Transport
from cloche.transports.requests import RequestTransport

OnFault = Callable[[Fault, bytes], None]
"""Told of each fault, with the message that met it."""


class FaultyTransport(RequestTransport):
    """Wraps one end of a connection; `schedule` says what goes wrong in both directions.

    Give each connection of a `Reconnecting` one of its own, with the same schedule. `kill` is what the fault of that
    name calls: let it end the other side's process.
    """

    def __init__(
        self,
        transport: Transport,
        schedule: Schedule,
        *,
        kill: Callable[[], None] | None = None,
        on_fault: OnFault | None = None,
    ) -> None:
        super().__init__(limit=transport.limit)
        self.inner = transport
        """The transport that is wrapped."""
        self._schedule = schedule
        self._number = schedule.next_connection()
        self._kill = kill
        self._on_fault = on_fault
        self._counts: dict[Direction, int] = {"out": 0, "in": 0}
        self._out = Lane(self._send_quietly)
        self._in = Lane(self._deliver_later)
        self._closing: asyncio.Task[None] | None = None
        self._stop = transport.on_message(self._heard)
        transport.on_close(self._over)

    async def send(self, data: bytes) -> None:
        """Send one message, or do to it what the schedule says; waits for room as the transport does."""
        if not self._connected:
            raise TransportClosedError
        fault = self._next("out", data)
        if fault is not None and fault.kind == "close":
            self._break()
            raise TransportClosedError
        if fault is None and self._out.is_free:
            await self.inner.send(data)
            return
        await self._out.room()
        if not self._connected:
            raise TransportClosedError
        self._meet(self._out, fault, data)

    async def close(self) -> None:
        """End the connection, and whatever still waits on its way."""
        self._break()
        assert self._closing is not None
        (outcome,) = await asyncio.gather(self._closing, return_exceptions=True)
        if isinstance(outcome, Exception):
            raise outcome

    def _heard(self, data: bytes) -> None:
        if not self._connected:
            return
        fault = self._next("in", data)
        if fault is not None and fault.kind == "close":
            self._break()
        elif fault is None and self._in.is_free:
            self.deliver(data)
        else:
            self._meet(self._in, fault, data)

    def _next(self, direction: Direction, data: bytes) -> Fault | None:
        """The fault of the next message in this direction."""
        index = self._counts[direction]
        self._counts[direction] += 1
        if not self._schedule.enabled:
            return None
        fault = self._schedule.decide(self._number, direction, index)
        if fault is None or (fault.kind == "kill" and self._kill is None):
            return None
        self._schedule.injected[fault.kind] += 1
        if self._on_fault is not None:
            self._on_fault(fault, data)
        if fault.kind == "kill" and self._kill is not None:
            self._kill()
        return fault

    def _meet(self, lane: Lane, fault: Fault | None, data: bytes) -> None:
        kind = None if fault is None else fault.kind
        if kind == "drop":
            return
        seconds = 0.0 if fault is None else fault.seconds
        if kind == "reorder":
            lane.hold(data, seconds)
            return
        lane.put(data, seconds)
        if kind == "duplicate":
            lane.put(data)

    async def _send_quietly(self, data: bytes) -> None:
        try:
            await self.inner.send(data)
        except (TransportError, OSError):
            return  # whoever sent it hears of the end in another way

    async def _deliver_later(self, data: bytes) -> None:
        if self._connected:
            self.deliver(data)

    def _break(self) -> None:
        """End it from here."""
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close_inner())
        self._over()

    def _over(self) -> None:
        self._stop()
        self._out.close()
        self._in.close()
        self.ended()

    async def _close_inner(self) -> None:
        await self._out.closed()
        await self._in.closed()
        await self.inner.close()
