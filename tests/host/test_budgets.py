"""Budgets: what is held is counted once, what happens too fast is refused, and the timeline has it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche import Server, View
from cloche.errors import BudgetError, ConfigurationError
from cloche.host import HostLimits
from cloche.host import records as records_module
from cloche.host.budgets import NOTE_BURST, Budgets, Rate, weight
from cloche.host.records import Records, as_json, filed, from_json
from cloche.host.web import bodies as bodies_module
from cloche.host.web.connected_pages import Sockets, address_of
from tests.host.test_tickets import hosting
from tests.support.host_surface import connect, get, show, ticket_of, wrapped


class Clock:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def budgets(clock: Clock | None = None, **limits: Any) -> tuple[Budgets, list[tuple[str, str | None, str]]]:
    noted: list[tuple[str, str | None, str]] = []
    return Budgets(HostLimits(**limits), lambda *entry: noted.append(entry), clock or Clock()), noted


def test_what_is_shared_is_counted_once() -> None:
    shelf = budgets(body_bytes=100, host_body_bytes=150)[0].bodies
    for _ in range(3):
        shelf.put("ann", "page", 80)
    shelf.put("bob", "page", 80)
    assert (shelf.of("ann"), shelf.of("bob"), shelf.total) == (80, 80, 80)
    for _ in range(3):
        assert shelf.total == 80
        shelf.take("ann", "page")
    assert (shelf.of("ann"), shelf.of("bob"), shelf.total) == (0, 80, 80)
    shelf.take("bob", "page")
    shelf.take("bob", "page")
    assert (shelf.of("bob"), shelf.total) == (0, 0)


def test_each_has_a_limit_and_so_have_all() -> None:
    counting, noted = budgets(body_bytes=100, host_body_bytes=150)
    shelf = counting.bodies
    shelf.put("ann", 1, 90)
    with pytest.raises(BudgetError, match=r"HostLimits\(body_bytes=100\)") as caught:
        shelf.put("ann", 2, 20)
    assert (caught.value.limit, caught.value.most) == ("body_bytes", 100)
    assert caught.value.to_json_rpc_error()["data"] == {"limit": "body_bytes", "most": 100}
    with pytest.raises(BudgetError, match=r"HostLimits\(host_body_bytes=150\)"):
        shelf.put("bob", 3, 70)
    shelf.put("bob", 4, 60)
    assert shelf.total == 150
    assert [(holder, text.rpartition("(")[2]) for holder, _, text in noted] == [
        ("ann", "body_bytes=100)"),
        ("bob", "host_body_bytes=150)"),
    ]


def test_a_rate_lets_a_burst_through_and_then_as_many_as_it_says() -> None:
    clock = Clock()
    counting, noted = budgets(clock, open_rate=2.0, open_burst=3)
    rate = counting.openings

    def passed(key: str, tries: int) -> int:
        count = 0
        for _ in range(tries):
            try:
                rate.take(key, key)
                count += 1
            except BudgetError:
                pass
        return count

    assert passed("ann", 10) == 3
    assert passed("bob", 10) == 3
    clock.now = 1.0
    assert passed("ann", 10) == 2
    assert {limit for _, _, limit in noted} == {"Views are opened too fast: HostLimits(open_rate=2.0)"}


def test_who_goes_beyond_a_limit_all_the_time_does_not_fill_the_timeline() -> None:
    clock = Clock()
    counting, noted = budgets(clock, open_rate=0.0, open_burst=1)
    for _ in range(1000):
        try:
            counting.openings.take("ann", "ann")
        except BudgetError as error:
            last = error
    assert len(noted) == NOTE_BURST
    clock.now = 1.0
    counting.exceeded(last, "ann")
    assert noted[-1][2].endswith(f"({999 - NOTE_BURST} more such entries were left out)")


def test_only_so_many_keys_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloche.host.budgets.KEYS", 5)
    rate: Rate = budgets(open_burst=1, open_rate=0.0)[0].openings
    for number in range(100):
        rate.take(number)
    assert len(rate._buckets) == 5


def test_a_weight_is_of_values_and_not_of_the_commas_in_texts() -> None:
    assert weight({"text": "," * 100_000}) < 101_000
    assert weight([[] for _ in range(10_000)]) > 10 * 30_000


def record(number: int, size: int) -> records_module.Filed:
    given = {"cloche": "call/1", "id": str(number), "server": "s", "tool": "t", "status": "done", "time": ""}
    return filed(from_json({**given, "result": {"text": "x" * size}}))


def test_records_make_room_for_each_other_first_among_the_same_user() -> None:
    counting, _ = budgets(record_bytes=13_000, host_record_bytes=19_000)
    records = Records(100, counting.records)
    ann = [record(number, 4000) for number in range(5)]
    for one in ann:
        records.add("ann", one)
        records.add("ann", one)
    assert [records.find("ann", one.digest) is not None for one in ann] == [False, False, False, True, True]
    bob = record(9, 8000)
    records.add("bob", bob)
    assert records.find("bob", bob.digest) is bob.record
    assert records.find("ann", ann[3].digest) is None
    with pytest.raises(BudgetError, match="record_bytes"):
        records.add("ann", record(10, 20_000))
    assert as_json(bob.record)["id"] == "9"


# In a host


def large_server() -> Server:
    server = Server("dice")

    @server.tool(view=View("<!doctype html><title>Dice</title>"))
    async def roll(size: int = 6) -> str:
        return "x" * size

    return server


async def test_a_large_result_is_looked_at_once_however_often_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """S13: it was encoded several times for every opening."""
    looks: list[int] = []
    written: list[int] = []
    look, write = records_module.filed, bodies_module.encode
    monkeypatch.setattr(records_module, "filed", lambda one: looks.append(1) or look(one))
    monkeypatch.setattr(bodies_module, "encode", lambda one: written.append(len(data := write(one))) or data)
    async with wrapped(large_server()) as wrapper:
        socket, ticket = await connect(wrapper), await ticket_of(wrapper, size=2_000_000)
        for number in range(1, 9):
            view = await show(wrapper, socket, number, ticket)
            view.greet()
            await socket.frame("body", view=number)
        bodies = wrapper.routes._bodies
        assert (len(looks), len([size for size in written if size > 1_000_000])) == (1, 1)
        assert len(bodies) == 16
        assert wrapper.host.budgets.bodies.of("ann") < 2_100_000, "all have the same page and the same result"
        fetched = await get(wrapper, f"/cloche/{(await socket.frame('body', view=8))['body']}")
        assert len(fetched.body) > 2_000_000
        await socket.drop()
    assert wrapper.host.budgets.bodies.total == 0


async def test_a_result_for_which_there_is_no_room_is_an_error_and_older_ones_go_first() -> None:
    async with hosting({"dice": large_server()}, limits=HostLimits(kept_bytes=100_000)) as host:
        session = host.session("ann")
        for _ in range(5):
            await session.run("dice.roll", {"size": 40_000})
        assert len(session.calls) == 2
        with pytest.raises(BudgetError, match="kept_bytes"):
            await session.run("dice.roll", {"size": 200_000})
        [entry] = host.timeline.entries(action="budget")
        assert (entry.user, session.timeline.entries(action="budget")) == ("ann", [entry])
        assert await session.run("dice.roll", {"size": 10}), "the control: a small one is kept"
        await host.session("bob").run("dice.roll", {"size": 40_000})
    assert host.budgets.results.total == 0


async def test_connections_that_show_nothing_make_room_and_those_with_a_view_stay() -> None:
    limits = HostLimits(idle_sockets=3, address_sockets=100)
    async with wrapped(limits=limits) as wrapper:
        used = await connect(wrapper)
        view = await show(wrapper, used)
        idle = [await connect(wrapper) for _ in range(5)]
        assert [(await one.ended())[0] for one in idle[:2]] == [1013, 1013]
        view.ask(1, "ping")
        await view.answer(1)
        assert not any(one.task.done() for one in idle[2:])
        assert {entry.action for entry in wrapper.host.timeline.entries()} >= {"budget"}
        await asyncio.gather(*(one.drop() for one in [used, *idle[2:]]))
        assert len(wrapper.routes._sockets) == 0


class Connection:
    """A connection from somewhere."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.closed = False

    def end(self, code: int, reason: str) -> None:
        self.closed = True


def test_one_address_makes_room_for_itself() -> None:
    counting, _ = budgets(idle_sockets=10, address_sockets=2)
    sockets = Sockets(counting)
    others, here = [Connection("1.1.1.1"), Connection("")], [Connection("2.2.2.2") for _ in range(5)]
    for one in (*others, *here):
        sockets.add(one)
    assert [one.closed for one in here] == [True, True, True, False, False]
    assert not any(one.closed for one in others)
    unknown = [Connection("") for _ in range(6)]
    for one in unknown:
        sockets.add(one)
    assert not any(one.closed for one in unknown), "without an address nobody knows whether they are one"


def test_where_a_request_comes_from() -> None:
    assert address_of({"client": ("192.0.2.1", 5)}) == "192.0.2.1"
    assert address_of({"client": ("2001:db8:1:2:3::9", 5)}) == address_of({"client": ("2001:db8:1:2::1", 5)})
    assert [address_of({}), address_of({"client": None}), address_of({"client": ("unix", 0)})] == ["", "", "unix"]


@pytest.mark.parametrize("value", [-1, "fast", float("nan"), None])
def test_a_limit_is_a_number(value: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"HostLimits\(rate=.*\): it is a number, 0 or larger"):
        HostLimits(rate=value)
