"""The sweep by itself, on a clock of ours."""

from __future__ import annotations

from typing import Any

from cloche.serve.uvicorn.deadlines import BODY, CLOSING, HEADERS, IDLE, HttpLimits, Watch, Watcher, refuse


class FakeTransport:
    def __init__(self) -> None:
        self.written = b""
        self.closing = False
        self.aborted = False

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.aborted = True

    def is_closing(self) -> bool:
        return self.closing


class Event:
    was_set = False

    def set(self) -> None:
        self.was_set = True


class Cycle:
    def __init__(self, *, started: bool = False, complete: bool = False) -> None:
        self.response_started = started
        self.response_complete = complete
        self.disconnected = False
        self.message_event = Event()


class Flow:
    read_paused = False


class FakeConnection:
    def __init__(self, phase: int, cycle: Cycle | None = None, address: str | None = "1.2.3.4") -> None:
        self.watch = Watch(0.0, address)
        self.watch.phase = phase
        self.transport: Any = FakeTransport()
        self.flow = Flow()
        self.cycle = cycle


LIMITS = HttpLimits(header_timeout=10, body_timeout=60, linger=5)


def swept(connection: FakeConnection, until: float) -> FakeConnection:
    """Sweep every second."""
    watcher = Watcher(LIMITS)
    for second in range(int(until) + 1):
        watcher.sweep([connection], float(second))
    return connection


def test_headers_have_their_time_and_no_more() -> None:
    assert not swept(FakeConnection(HEADERS), 9).transport.closing
    late = swept(FakeConnection(HEADERS), 10)
    assert late.transport.closing
    assert late.transport.written.startswith(b"HTTP/1.1 408 ")


def test_an_idle_connection_is_uvicorns_to_close() -> None:
    assert not swept(FakeConnection(IDLE), 1000).transport.closing


def test_a_pipelined_request_waits_for_our_answer_at_no_cost() -> None:
    cycle = Cycle(started=True)
    connection = swept(FakeConnection(HEADERS, cycle), 100)
    assert not connection.transport.closing
    cycle.response_complete = True
    watcher = Watcher(LIMITS)
    watcher.sweep([connection], 101.0)
    watcher.sweep([connection], 102.0)
    assert not connection.transport.closing


def test_a_body_that_the_application_does_not_take_is_not_late() -> None:
    connection = FakeConnection(BODY, Cycle())
    connection.flow.read_paused = True
    assert not swept(connection, 100).transport.closing


def test_a_late_body_is_answered_once_and_the_application_told() -> None:
    connection = swept(FakeConnection(BODY, Cycle()), 60)
    assert connection.transport.written.startswith(b"HTTP/1.1 408 ")
    assert connection.cycle is not None
    assert connection.cycle.disconnected
    assert connection.cycle.message_event.was_set


def test_nothing_is_written_into_an_answer_that_has_begun() -> None:
    for phase, cycle in [(BODY, Cycle(started=True)), (BODY, Cycle(started=True, complete=True)), (HEADERS, Cycle())]:
        connection = FakeConnection(phase, cycle)
        refuse(connection, 408, "late")
        assert connection.transport.written == b""
        assert connection.transport.closing


def test_a_closed_connection_that_does_not_drain_is_aborted() -> None:
    connection = swept(FakeConnection(HEADERS), 14)
    assert connection.watch.phase == CLOSING
    assert not connection.transport.aborted
    assert swept(connection, 20).transport.aborted


def test_a_pause_of_the_process_is_not_held_against_clients() -> None:
    watcher, connection = Watcher(LIMITS), FakeConnection(HEADERS)
    watcher.sweep([connection], 1.0)
    watcher.sweep([connection], 100.0)
    assert not connection.transport.closing
    watcher.sweep([connection], 101.0)
    assert connection.transport.closing


def test_connections_without_a_watch_are_left_alone() -> None:
    Watcher(LIMITS).sweep([object()], 1.0)


def test_addresses_are_forgotten_when_their_last_connection_leaves() -> None:
    watcher = Watcher(HttpLimits(connections=1))
    first, second, other = FakeConnection(HEADERS), FakeConnection(HEADERS), FakeConnection(HEADERS, address="::1")
    for connection in (first, second, other):
        watcher.admit(connection)
    assert [c.transport.closing for c in (first, second, other)] == [False, True, False]
    for connection in (first, second, other):
        watcher.leave(connection)
    assert watcher.addresses == {}


def test_no_limit_and_no_address() -> None:
    watcher = Watcher(HttpLimits(connections=0))
    connections = [FakeConnection(HEADERS) for _ in range(2000)] + [FakeConnection(HEADERS, address=None)]
    for connection in connections:
        watcher.admit(connection)
    assert not any(connection.transport.closing for connection in connections)
    for connection in connections:
        watcher.leave(connection)
    assert watcher.addresses == {}
