"""Each fault on its own, in both directions, and what is left afterwards: nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest

from cloche.errors import TransportClosedError
from cloche.testing.behaviour import CONTRACT, name_of, run_case
from cloche.testing.faults import Fault, FaultyTransport, Kind, Schedule
from cloche.testing.faults.lane import ROOM
from cloche.transports.base import Transport
from cloche.transports.memory import create_memory_pair

Direction = Literal["out", "in"]


class Only(Schedule):
    """One kind of fault for the messages with these numbers, in one direction."""

    def __init__(self, kind: Kind, *indexes: int, direction: Direction = "out", seconds: float = 0.0) -> None:
        super().__init__(0)
        self._fault = (kind, indexes, direction, seconds)

    def decide(self, connection: int, direction: Any, index: int) -> Fault | None:
        kind, indexes, wanted, seconds = self._fault
        hit = direction == wanted and index in indexes
        return Fault(kind, connection, direction, index, seconds) if hit else None


class Line:
    """What is sent at one end of a pair and arrives at the other; the faulty end sends or gets."""

    def __init__(self, schedule: Schedule, direction: Direction, **options: Any) -> None:
        inner, other = create_memory_pair()
        self.faulty = FaultyTransport(inner, schedule, **options)
        self.sender, self.target = (self.faulty, other) if direction == "out" else (other, self.faulty)
        self.other = other
        self.arrived: list[bytes] = []
        self._changed = asyncio.Event()
        self.target.on_message(self._take)

    def _take(self, data: bytes) -> None:
        self.arrived.append(data)
        self._changed.set()

    async def send(self, *texts: bytes) -> None:
        for text in texts:
            await self.sender.send(text)

    async def until(self, count: int) -> list[bytes]:
        async with asyncio.timeout(5):
            while len(self.arrived) < count:
                self._changed.clear()
                await self._changed.wait()
        return self.arrived


both = pytest.mark.parametrize("direction", ["out", "in"])


@both
async def test_without_faults_everything_arrives_at_once(direction: Direction) -> None:
    line = Line(Schedule(1), direction)
    await line.send(b"1", b"2", b"3")
    assert line.arrived == [b"1", b"2", b"3"]
    await line.faulty.close()


@both
async def test_a_dropped_message_never_arrives(direction: Direction) -> None:
    line = Line(Only("drop", 1, direction=direction), direction)
    await line.send(b"1", b"2", b"3")
    assert await line.until(2) == [b"1", b"3"]
    await line.faulty.close()


@both
async def test_a_duplicated_message_arrives_twice(direction: Direction) -> None:
    line = Line(Only("duplicate", 1, direction=direction), direction)
    await line.send(b"1", b"2", b"3")
    assert await line.until(4) == [b"1", b"2", b"2", b"3"]
    await line.faulty.close()


@both
async def test_a_delayed_message_holds_up_what_follows(direction: Direction) -> None:
    line = Line(Only("delay", 0, direction=direction, seconds=0.02), direction)
    await line.send(b"1", b"2", b"3")
    assert line.arrived == []
    assert await line.until(3) == [b"1", b"2", b"3"]
    await line.faulty.close()


@both
async def test_a_reordered_message_is_overtaken_once(direction: Direction) -> None:
    line = Line(Only("reorder", 0, direction=direction, seconds=60), direction)
    await line.send(b"1", b"2", b"3")
    assert await line.until(3) == [b"2", b"1", b"3"]
    await line.faulty.close()


@both
async def test_a_reordered_message_does_not_wait_for_ever(direction: Direction) -> None:
    line = Line(Only("reorder", 0, 1, direction=direction, seconds=0.01), direction)
    await line.send(b"1", b"2")
    assert await line.until(2) == [b"1", b"2"]
    await line.faulty.close()


@both
async def test_close_loses_the_message_and_ends_the_connection_at_both_ends(direction: Direction) -> None:
    line = Line(Only("close", 1, direction=direction), direction)
    told: list[str] = []
    over = asyncio.Event()
    line.faulty.on_close(lambda: told.append("faulty"))
    line.other.on_close(over.set)
    await line.send(b"1")
    if direction == "out":
        with pytest.raises(TransportClosedError):
            await line.send(b"2")
    else:
        await line.send(b"2")
    await asyncio.wait_for(over.wait(), 5)
    assert (line.arrived, told) == ([b"1"], ["faulty"])
    await line.faulty.close()


async def test_kill_calls_the_function_and_lets_the_message_go() -> None:
    killed: list[str] = []
    line = Line(Only("kill", 1), "out", kill=lambda: killed.append("killed"))
    await line.send(b"1", b"2")
    assert await line.until(2) == [b"1", b"2"]
    assert killed == ["killed"]
    await line.faulty.close()


async def test_kill_without_a_function_is_no_fault() -> None:
    schedule = Only("kill", 0)
    line = Line(schedule, "out")
    await line.send(b"1")
    assert (line.arrived, schedule.injected.total()) == ([b"1"], 0)
    await line.faulty.close()


async def test_faults_are_counted_and_told() -> None:
    told: list[tuple[str, int, bytes]] = []
    schedule = Only("drop", 0, 2)
    line = Line(schedule, "out", on_fault=lambda fault, data: told.append((fault.kind, fault.index, data)))
    await line.send(b"1", b"2", b"3")
    assert schedule.injected == {"drop": 2}
    assert told == [("drop", 0, b"1"), ("drop", 2, b"3")]
    await line.faulty.close()


async def test_a_schedule_that_is_off_still_counts_messages() -> None:
    schedule = Only("drop", 1)
    schedule.enabled = False
    line = Line(schedule, "out")
    await line.send(b"0")
    schedule.enabled = True
    await line.send(b"1", b"2")
    assert line.arrived == [b"0", b"2"]
    await line.faulty.close()


async def test_a_sender_waits_when_too_much_is_on_its_way() -> None:
    line = Line(Only("delay", 0, seconds=60), "out")
    await line.send(*[b"x"] * (ROOM + 1))  # one of them is with the lane already
    waiting = asyncio.ensure_future(line.send(*[b"y"] * 2))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not waiting.done()
    await line.faulty.close()
    with pytest.raises(TransportClosedError):
        await waiting


@both
async def test_closing_forgets_what_is_on_its_way(direction: Direction) -> None:
    line = Line(Only("delay", 0, 1, direction=direction, seconds=60), direction)
    await line.send(b"1", b"2")
    held = Line(Only("reorder", 0, direction=direction, seconds=60), direction)
    await held.send(b"1")
    for one in (line, held):
        await one.faulty.close()
        await one.faulty.close()
        assert one.arrived == []
        assert not one.other.is_connected
    timers = [timer for timer in asyncio.get_running_loop()._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
    assert len(timers) == 1, timers  # the test's own deadline


@pytest.mark.parametrize("case", CONTRACT, ids=name_of)
async def test_it_keeps_the_contract_of_transports(case: Any) -> None:
    @asynccontextmanager
    async def ends() -> AsyncIterator[tuple[Transport, Transport]]:
        inner, other = create_memory_pair()
        faulty = FaultyTransport(inner, Schedule(1, delay=0.3, max_delay=0.002))
        yield faulty, other
        await faulty.close()

    await run_case(case, ends)
