"""`Reconnecting`: one transport over many connections, and nothing left of it when it is closed."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cloche import Client, Server
from cloche.errors import ConfigurationError, LocalProtocolError, RequestTimeoutError, TransportClosedError
from cloche.transports.base import Transport
from cloche.transports.memory import create_memory_pair
from cloche.transports.resilience import Reconnecting
from tests.conftest import pending_tasks
from tests.support.resilience_peers import Gate, Naps, Silent, Wires, turns, until


@asynccontextmanager
async def reconnecting(
    *, sleep: Callable[[float], Any] | None = None, **options: Any
) -> AsyncIterator[tuple[Reconnecting, Wires]]:
    """A connected transport to a server; at the end nothing is left of either."""
    server = Server("s")
    wires = Wires(server)
    transport = Reconnecting(wires.open, sleep=sleep or Naps(), **options)
    await transport.connect()
    try:
        yield transport, wires
    finally:
        await transport.close()
        await server.close()
    assert not [one for one in wires.ours if one.is_connected]


async def never() -> Transport:
    raise AssertionError("nobody opens this")


@pytest.mark.requirement(62)
def test_the_delay_doubles_up_to_its_maximum() -> None:
    transport = Reconnecting(never)
    assert [transport.delay(attempt) for attempt in range(1, 8)] == [1, 2, 4, 8, 16, 30, 30]


@pytest.mark.requirement(62)
def test_base_multiplier_and_maximum_are_options() -> None:
    transport = Reconnecting(never, base_delay=0.5, backoff_multiplier=3, max_delay=10)
    assert [transport.delay(attempt) for attempt in range(1, 6)] == [0.5, 1.5, 4.5, 10, 10]


def test_a_delay_too_large_to_compute_is_the_maximum() -> None:
    assert Reconnecting(never, max_attempts=math.inf).delay(5000) == 30


@pytest.mark.requirement(62, 63)
async def test_it_tries_with_growing_delays_until_it_works_and_starts_over_the_next_time() -> None:
    naps, told = Naps(), []
    options = {"on_reconnecting": told.append, "on_reconnected": lambda: told.append("connected")}
    async with reconnecting(sleep=naps, **options) as (transport, wires):
        wires.failing = 3
        await wires.cut()
        await until(lambda: transport.is_connected)
        assert (naps.seconds, told) == ([1, 2, 4, 8], [1, 2, 3, 4, "connected"])
        assert transport.attempts == 0
        await wires.cut()
        await until(lambda: transport.is_connected)
        assert (naps.seconds[4:], told[5:]) == ([1], [1, "connected"])


@pytest.mark.requirement(63)
async def test_when_all_attempts_fail_it_ends() -> None:
    told: list[object] = []
    options = {"on_reconnecting": told.append, "on_reconnect_failed": lambda: told.append("failed")}
    async with reconnecting(**options) as (transport, wires):
        transport.on_close(lambda: told.append("closed"))
        wires.failing = 99
        await wires.cut()
        await until(lambda: "closed" in told)
        assert told == [1, 2, 3, 4, 5, "failed", "closed"]
        assert wires.tries == 6
        with pytest.raises(TransportClosedError):
            await transport.send(b"{}")
        with pytest.raises(TransportClosedError):
            await transport.connect()


async def test_without_attempts_the_first_loss_is_the_end() -> None:
    async with reconnecting(max_attempts=0) as (transport, wires):
        closed = asyncio.Event()
        transport.on_close(closed.set)
        await wires.cut()
        await closed.wait()
        assert wires.tries == 1


async def test_jitter_only_shortens() -> None:
    naps = Naps()
    chances = iter([0.0, 0.5, 1.0])
    async with reconnecting(sleep=naps, jitter=0.5, chance=lambda: next(chances)) as (transport, wires):
        wires.failing = 2
        await wires.cut()
        await until(lambda: transport.is_connected)
        assert naps.seconds == [1, 2 * 0.75, 4 * 0.5]


@pytest.mark.requirement(30)
async def test_requests_under_way_are_rejected_at_once_when_the_connection_is_lost() -> None:
    silent, gate = Silent(), Gate()

    async def open_silent() -> Transport:
        return silent.near

    transport = Reconnecting(open_silent, sleep=gate)
    await transport.connect()
    request = asyncio.create_task(transport.request("tools/list"))
    await until(lambda: silent.heard)
    await silent.far.close()
    with pytest.raises(TransportClosedError):
        await request
    assert (transport.is_connected, len(transport._read_answers())) == (False, 0)
    await transport.close()


async def test_the_order_is_rejected_then_lost_then_attempts() -> None:
    order: list[object] = []
    async with reconnecting(on_reconnecting=order.append) as (transport, wires):
        transport.on_lost(lambda: order.append(("lost", len(transport._read_answers()), transport.is_connected)))
        transport.on_restored(lambda: order.append(("restored", transport.is_connected, transport.attempts)))
        await wires.cut()
        await until(lambda: len(order) == 3)
        assert order == [("lost", 0, False), 1, ("restored", True, 0)]


async def test_handlers_survive_the_reconnection() -> None:
    heard: list[Any] = []
    async with reconnecting() as (transport, wires):
        transport.on_message(lambda data: heard.append(json.loads(data)))
        transport.on_notification("custom/event", heard.append)
        await wires.cut()
        await until(lambda: transport.is_connected)
        await wires.server.notify("custom/event", {"n": 1})
        await until(lambda: len(heard) == 2)
        assert heard[1] == {"n": 1}
        assert heard[0]["method"] == "custom/event"
        assert await transport.request("ping") == {}


async def test_late_messages_of_an_old_connection_are_dropped() -> None:
    heard: list[bytes] = []
    pairs = [create_memory_pair(), create_memory_pair()]
    opened = iter(pairs)

    async def open_next() -> Transport:
        return next(opened)[0]

    transport = Reconnecting(open_next, sleep=Naps())
    transport.on_message(heard.append)
    await transport.connect()
    transport.drop()
    pairs[0][0].deliver(b"late")
    await until(lambda: transport.is_connected)
    pairs[0][0].deliver(b"later")
    await pairs[1][1].send(b"new")
    assert heard == [b"new"]
    await transport.close()


async def test_what_comes_after_the_message_that_made_it_drop_the_connection_is_dropped() -> None:
    heard: list[bytes] = []
    near, far = create_memory_pair()
    for data in (b"first", b"second"):
        await far.send(data)  # both wait for whoever listens
    made = iter([near, create_memory_pair()[0]])

    async def open_next() -> Transport:
        return next(made)

    def take(data: bytes) -> None:
        heard.append(data)
        transport.drop()

    transport = Reconnecting(open_next, sleep=Naps())
    transport.on_message(take)
    await transport.connect()
    await until(lambda: transport.is_connected)
    assert (heard, transport.dropped) == ([b"first"], 1)
    await transport.close()


@pytest.mark.parametrize("what", ["on_lost", "on_restored"])
async def test_handlers_of_loss_and_return_can_be_taken_out(what: str) -> None:
    told: list[int] = []
    async with reconnecting() as (transport, wires):
        stop = getattr(transport, what)(lambda: told.append(1))
        getattr(transport, what)(lambda: told.append(2))
        stop()
        stop()
        await wires.cut()
        await until(lambda: transport.is_connected and told)
        assert told == [2]


async def test_a_handler_that_fails_keeps_nobody_else_from_hearing(caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []

    def fail() -> None:
        raise RuntimeError("from a handler")

    with caplog.at_level(logging.ERROR, "cloche.transports"):
        async with reconnecting(on_reconnected=fail) as (transport, wires):
            for what in (transport.on_lost, transport.on_restored):
                what(fail)
                what(lambda: told.append("told"))
            await wires.cut()
            await until(lambda: len(told) == 2)
    assert caplog.text.count("RuntimeError: from a handler") == 3


async def test_send_waits_for_the_new_connection() -> None:
    gate = Gate()
    async with reconnecting(sleep=gate) as (transport, wires):
        await wires.cut()
        request = asyncio.create_task(transport.request("ping"))
        sent = asyncio.create_task(transport.notify("custom/event"))
        await turns()
        assert not request.done()
        assert not sent.done()
        await gate.open()
        assert await request == {}
        await sent


async def test_send_that_waits_fails_when_every_attempt_did() -> None:
    gate = Gate()
    async with reconnecting(sleep=gate, max_attempts=1) as (transport, wires):
        wires.failing = 1
        await wires.cut()
        waiting = [asyncio.create_task(transport.request("ping")), asyncio.create_task(transport.notify("x"))]
        await turns()
        await gate.open()
        for task in waiting:
            with pytest.raises(TransportClosedError):
                await task


async def test_a_request_that_waited_is_not_failed_by_a_connection_it_was_not_sent_over() -> None:
    """The first new connection is lost before the request could go out: it goes out over the second, once."""
    gate = Gate()
    async with reconnecting(sleep=gate) as (transport, wires):
        await wires.cut()
        request = asyncio.create_task(transport.request("ping"))
        await turns()
        lost_again = False

        def lose_again() -> None:
            nonlocal lost_again
            if not lost_again:
                lost_again = True
                transport.drop()

        transport.on_restored(lose_again)
        await gate.open()
        await until(lambda: lost_again)
        await turns()
        assert not request.done()
        await gate.open()
        assert await request == {}


async def test_the_time_out_of_a_request_includes_the_wait_for_a_connection() -> None:
    async with reconnecting(sleep=Gate()) as (transport, wires):
        await wires.cut()
        with pytest.raises(RequestTimeoutError):
            await transport.request("ping", timeout=0.005)


async def test_drop_closes_the_old_connection_and_gets_a_new_one() -> None:
    async with reconnecting() as (transport, wires):
        transport.drop()
        assert not transport.is_connected
        transport.drop()
        await until(lambda: transport.is_connected)
        await until(lambda: not wires.ours[0].is_connected)
        assert wires.tries == 2


async def test_a_connection_dropped_by_whoever_hears_of_it_is_replaced_again() -> None:
    told: list[str] = []
    async with reconnecting() as (transport, wires):

        def on_restored() -> None:
            told.append("restored")
            if len(told) < 3:
                transport.drop()

        transport.on_restored(on_restored)
        transport.drop()
        await until(lambda: len(told) == 3 and transport.is_connected)
        assert wires.tries == 4


async def test_an_old_connection_that_does_not_close_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloche.transports.resilience.reconnection.CLOSE_TIMEOUT", 0.01)
    async with reconnecting() as (transport, wires):
        old = wires.ours[0]

        async def hang() -> None:
            await asyncio.get_running_loop().create_future()

        old.close = hang  # type: ignore[method-assign]
        transport.drop()
        await until(lambda: transport.is_connected)
        assert await transport.request("ping") == {}
        await transport.close()
        assert not pending_tasks()
        del old.close
        await old.close()


async def test_close_during_a_delay_leaves_no_task() -> None:
    gate = Gate()
    async with reconnecting(sleep=gate) as (transport, wires):
        closed = asyncio.Event()
        transport.on_close(closed.set)
        await wires.cut()
        waiting = asyncio.create_task(transport.request("ping"))
        await until(lambda: gate.waiting)
        await transport.close()
        with pytest.raises(TransportClosedError):
            await waiting
        assert closed.is_set()
        assert not pending_tasks()
        assert wires.tries == 1


class SlowOpen:
    """An `open` that begins, and ends when it is told to."""

    def __init__(self, *, stubborn: bool = False) -> None:
        self.begun = asyncio.Event()
        self.go = asyncio.Event()
        self.cancelled = False
        self.stubborn = stubborn
        self.pairs: list[Any] = []

    async def __call__(self) -> Transport:
        self.begun.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            if not self.stubborn:
                raise
        self.pairs.append(create_memory_pair())
        return self.pairs[-1][0]


@pytest.mark.parametrize("stubborn", [False, True])
@pytest.mark.parametrize("first", [False, True])
async def test_close_while_a_connection_is_being_opened_leaves_none_half_open(stubborn: bool, first: bool) -> None:
    slow = SlowOpen(stubborn=stubborn)
    transport = Reconnecting(slow, sleep=Naps())
    if first:
        connecting = asyncio.create_task(transport.connect())
    else:
        slow.go.set()
        await transport.connect()
        slow.go.clear()
        slow.begun.clear()
        transport.drop()
    await slow.begun.wait()
    await transport.close()
    if first:
        with pytest.raises(TransportClosedError):
            await connecting
    assert slow.cancelled
    assert not [pair for pair in slow.pairs if pair[0].is_connected]
    assert not transport.is_connected
    assert not pending_tasks()


async def test_an_open_that_closes_the_transport_is_the_end() -> None:
    async def open_and_close() -> Transport:
        pair = create_memory_pair()
        pairs.append(pair)
        if len(pairs) == 2:
            await transport.close()
        return pair[0]

    pairs: list[Any] = []
    transport = Reconnecting(open_and_close, sleep=Naps())
    await transport.connect()
    transport.drop()
    await until(lambda: len(pairs) == 2 and not pending_tasks())
    assert not transport.is_connected
    assert not pairs[1][0].is_connected


async def test_closing_twice_is_closing_once() -> None:
    told: list[int] = []
    async with reconnecting() as (transport, _):
        transport.on_close(lambda: told.append(1))
        await asyncio.gather(transport.close(), transport.close())
        await transport.close()
        assert told == [1]


async def test_closing_does_not_count_as_losing() -> None:
    told: list[str] = []
    async with reconnecting(on_reconnecting=lambda _: told.append("reconnecting")) as (transport, wires):
        transport.on_lost(lambda: told.append("lost"))
        await transport.close()
        await turns()
        assert (told, wires.tries) == ([], 1)


async def test_connect_raises_what_open_raises_and_may_be_called_again() -> None:
    server = Server("s")
    wires = Wires(server)
    wires.failing = 1
    transport = Reconnecting(wires.open)
    with pytest.raises(ConnectionRefusedError):
        await transport.connect()
    assert not transport.is_connected
    await transport.connect()
    await transport.connect()
    assert (transport.is_connected, wires.tries) == (True, 2)
    await transport.close()
    await server.close()


async def test_whoever_waits_for_a_first_connection_that_fails_is_told() -> None:
    slow = SlowOpen()

    async def fail() -> Transport:
        await slow()
        raise ConnectionRefusedError

    transport = Reconnecting(fail)
    connecting = asyncio.create_task(transport.connect())
    await slow.begun.wait()
    sending = asyncio.create_task(transport.notify("x"))
    await turns()
    slow.go.set()
    with pytest.raises(ConnectionRefusedError):
        await connecting
    with pytest.raises(LocalProtocolError):
        await sending


async def test_a_connect_that_is_cancelled_gives_up_the_opening() -> None:
    slow = SlowOpen()
    transport = Reconnecting(slow)
    connecting = asyncio.create_task(transport.connect())
    await slow.begun.wait()
    connecting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await connecting
    assert slow.cancelled
    assert not pending_tasks()


async def test_before_connect_sending_says_what_to_do() -> None:
    with pytest.raises(LocalProtocolError, match="connect"):
        await Reconnecting(never).send(b"{}")


async def test_an_attempt_that_takes_too_long_is_a_failed_one() -> None:
    attempts: list[int] = []
    slow = SlowOpen()
    slow.go.set()
    transport = Reconnecting(slow, sleep=Naps(), open_timeout=0.005, max_attempts=2, on_reconnecting=attempts.append)
    closed = asyncio.Event()
    transport.on_close(closed.set)
    await transport.connect()
    slow.go.clear()
    transport.drop()
    await closed.wait()
    assert attempts == [1, 2]
    assert slow.cancelled


async def test_an_open_whose_own_task_was_cancelled_is_a_failed_attempt() -> None:
    count = 0

    async def open_sometimes() -> Transport:
        nonlocal count
        count += 1
        if count == 2:
            raise asyncio.CancelledError
        return create_memory_pair()[0]

    transport = Reconnecting(open_sometimes, sleep=Naps())
    await transport.connect()
    transport.drop()
    await until(lambda: transport.is_connected)
    assert count == 3
    await transport.close()


async def test_a_connection_that_is_closed_already_is_a_failed_attempt() -> None:
    told: list[int] = []
    dead = create_memory_pair()[0]
    await dead.close()
    made = iter([create_memory_pair()[0], dead, create_memory_pair()[0]])

    async def open_next() -> Transport:
        return next(made)

    transport = Reconnecting(open_next, sleep=Naps(), on_reconnecting=told.append)
    await transport.connect()
    transport.drop()
    await until(lambda: transport.is_connected)
    assert told == [1, 2]
    await transport.close()


@pytest.mark.parametrize(
    "options", [{"max_attempts": -1}, {"base_delay": -1}, {"backoff_multiplier": 0.5}, {"jitter": 2}], ids=str
)
def test_options_that_cannot_work_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        Reconnecting(never, **options)


@pytest.mark.requirement(62, 63)
@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_a_client_goes_on_over_a_new_connection_in_either_era(version: str) -> None:
    server = Server("s")

    @server.tool
    def add(a: int, b: int) -> int:
        return a + b

    wires, told = Wires(server, greeting=False), []
    async with Client(Reconnecting(wires.open, sleep=Naps()), version=version) as client:
        client.on_reconnected(lambda: told.append("reconnected"))
        await wires.cut()
        assert not client.is_connected
        assert await client.call_tool("add", {"a": 1, "b": 2}, returns=int) == 3
        assert (wires.tries, told) == (2, ["reconnected"])
    await server.close()
