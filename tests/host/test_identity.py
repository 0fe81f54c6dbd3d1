"""Who may open what, and how long: the life of tickets, revocation, hosts with one secret, visitors without names."""

from __future__ import annotations

from typing import Any

import pytest

from cloche import Server, View
from cloche.errors import ConfigurationError, InvalidParamsError, LocalProtocolError
from cloche.host import Host, HostLimits
from cloche.host.budgets import Visitor
from cloche.host.revocations import MemoryRevocations
from cloche.host.tickets import Ticket, Tickets
from cloche.wire.signing import Signer
from tests.host.servers import PAGE, Weather
from tests.support.host_page import CONTEXT, ORIGIN, SECRET, Page, hosting, opened, ticket_in


def renewed(page: Page) -> str:
    """The ticket that a page gets with its view, to show it again."""
    text: str = page.view.packet()["ticket"]
    return text


async def record_ticket(host: Host, user: str = "ann") -> str:
    page = await opened(host, "weather.forecast", {"city": "Paris"}, user=user)
    return ticket_in(host.session(user).embed(page.view.call.record()))


# How long


async def test_a_renewed_ticket_keeps_the_birth_of_the_first_one() -> None:
    async with hosting({"weather": Weather().server}) as host:
        first = await record_ticket(host)
        text = first
        for _ in range(3):
            text = renewed(await Page().open(host, text))
            assert host.tickets.open(text).born == host.tickets.open(first).born
        other = host.tickets.open(await record_ticket(host))
        assert other.born > host.tickets.open(first).born  # one that the product makes is a new one


async def test_tickets_cannot_be_renewed_for_ever() -> None:
    now = 1_000_000.0
    limits = HostLimits(ticket_seconds=3600, ticket_life_seconds=7200)
    async with hosting({"weather": Weather().server}, limits=limits) as host:
        host.tickets = Tickets(host.signer, lambda: now, life=limits.ticket_life_seconds)
        text = await record_ticket(host)
        for _ in range(3):
            now += 2000
            text = renewed(await Page().open(host, text))
        assert host.tickets.open(text).expires == 1_007_200  # and not an hour from now
        now += 1201
        with pytest.raises(InvalidParamsError, match="expired: load the page again"):
            await Page().open(host, text)


def test_a_life_that_was_made_shorter_counts_for_tickets_that_are_out() -> None:
    signer = Signer(b"x" * 16)
    before, after = (Tickets(signer, lambda: 1000.0, life=life) for life in (900, 50))
    ticket = Ticket(kind="call", session="s", user="ann", server="weather", tool="t", call="c", born=900, expires=1800)
    assert before.open(before.make(ticket)) == ticket
    with pytest.raises(InvalidParamsError, match="expired"):
        after.open(before.make(ticket))


# Withdrawn


@pytest.mark.parametrize("how", ["close", "revoke"])
async def test_what_a_session_gave_out_ends_with_it(how: str) -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        of_call = ticket_in((await host.session("ann").start("weather.forecast", {"city": "Paris"})).embed())
        of_record, of_bob = await record_ticket(host), await record_ticket(host, "bob")
        page = await Page().open(host, of_record)
        again = renewed(page)
        chat = host.session("ann")
        await getattr(chat, how)()
        assert page.view.closed is not None
        assert not chat.views
        for text in (of_call, of_record, again):
            with pytest.raises(InvalidParamsError, match="withdrawn"):
                await Page().open(host, text)
        await Page().open(host, of_bob)  # somebody else's
        await Page().open(host, await record_ticket(host))  # a new one
        assert host.session("ann") is chat if how == "revoke" else host.session("ann") is not chat


async def test_revoking_lets_calls_go_on() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        chat = host.session("ann")
        call = await chat.start("weather.slow", {"steps": 0})
        await weather.started.wait()
        await chat.revoke()
        weather.release.set()
        await call.result()
        await Page().open(host, ticket_in(call.embed()))


async def test_a_ticket_that_is_withdrawn_while_its_view_is_being_opened_opens_nothing() -> None:
    async with hosting({"weather": Weather().server}) as host:
        text = await record_ticket(host)
        chat = host.session("ann")
        describe = chat.describe

        async def meanwhile(call: Any) -> None:
            await describe(call)
            await chat.revoke()

        chat.describe = meanwhile  # type: ignore[method-assign]
        with pytest.raises(InvalidParamsError, match="withdrawn"):
            await Page().open(host, text)
        assert not chat.views


async def test_closing_the_host_withdraws_nothing_and_a_shared_store_reaches_every_process() -> None:
    server = Weather().server
    shared = MemoryRevocations(3600)
    async with hosting({"weather": server}) as before:
        text = await record_ticket(before)
    async with (
        hosting({"weather": server}, revocations=shared) as one,
        hosting({"weather": server}, revocations=shared) as two,
        hosting({"weather": server}) as alone,
    ):
        for host in (one, two, alone):
            await Page().open(host, text)
        await one.session("ann").close()
        for host in (one, two):
            with pytest.raises(InvalidParamsError, match="withdrawn"):
                await Page().open(host, text)
        await Page().open(alone, text)  # the control: it was not told


async def test_views_close_even_where_the_store_fails() -> None:
    class Broken(MemoryRevocations):
        async def revoke(self, user: str, moment: float) -> None:
            raise OSError("the store is gone")

    async with hosting({"weather": Weather().server}, revocations=Broken(60)) as host:
        text = await record_ticket(host)
        page = await Page().open(host, text)
        chat = host.session("ann")
        with pytest.raises(OSError, match="store is gone"):
            await chat.revoke()
        assert page.view.closed is not None
        with pytest.raises(InvalidParamsError, match="withdrawn"):
            await Page().open(host, text)


async def test_revocations_in_memory_are_few_and_err_towards_no() -> None:
    now = 100.0
    kept = MemoryRevocations(50, lambda: now, most=3)
    for number, user in enumerate(("ann", "bob", "cleo", "dan", "eve")):
        await kept.revoke(user, 100.0 + number)
    assert await kept.revoked("eve") == 104.0
    assert await kept.revoked("ann") == 101.0  # the latest that was merged: later than hers, never earlier
    assert await kept.revoked("somebody") == 101.0
    now = 200.0
    await kept.revoke("fay", 200.0)
    assert (await kept.revoked("eve"), await kept.revoked("fay")) == (101.0, 200.0)
    await kept.revoke("fay", 150.0)
    assert await kept.revoked("fay") == 200.0


# Hosts with one secret


@pytest.mark.parametrize(
    ("one", "other"),
    [({"id": "shop"}, {"id": "desk"}), ({"name": "shop"}, {"name": "desk"}), ({"id": "Cloche"}, {})],
    ids=repr,
)
async def test_two_hosts_with_one_secret_refuse_each_others_tickets(one: dict[str, str], other: dict[str, str]) -> None:
    server = Weather().server
    async with (
        hosting({"weather": server}, **one) as first,
        hosting({"weather": server}, **other) as second,
        hosting({"weather": server}, **one) as another_process,
    ):
        text = await record_ticket(first)
        with pytest.raises(InvalidParamsError, match="not one of this host"):
            await Page().open(second, text)
        await Page().open(another_process, text)


async def test_hosts_at_other_paths_or_with_other_servers_are_other_hosts() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    server = Weather().server
    async with hosting({"weather": server}) as first, hosting({"weather": server}) as second:
        second.wrap(app, at="/elsewhere")
        text = await record_ticket(first)
        with pytest.raises(InvalidParamsError, match="not one of this host"):
            await Page().open(second, text)
        with pytest.raises(InvalidParamsError, match="not one of this host"):
            await Page().open(Host({"weather": server, "more": server}, secret=SECRET), text)
        same = Host({"more": server, "weather": server}, secret=SECRET, id="x")
        assert same.signer.open("p", Host({}, secret=SECRET, id="x").signer.sign("p", b"1")) == b"1"
    with pytest.raises(ConfigurationError, match=r"Host\(id=…\) is a text"):
        Host({"weather": server}, secret=SECRET, id="")


# Visitors without names


def knowing() -> Server:
    server = Server("knowing")

    @server.tool(view=View(PAGE))
    async def look() -> str:
        return "seen"

    return server


async def test_visitors_without_names_share_nothing_and_no_product_can_name_one() -> None:
    async with hosting({"knowing": knowing()}, page_tools=["knowing.look"]) as host:
        given = {"context": CONTEXT, "page_origin": ORIGIN, "send": Page().send}
        one = await host.open_page_tool("knowing", "look", {}, **given)
        two = await host.open_page_tool("knowing", "look", {}, **given)
        named = host.session("page")
        assert len({one.session, two.session, named}) == 3
        assert one.session.is_anonymous
        assert not named.is_anonymous
        assert not named.calls
        same = await host.open_page_tool("knowing", "look", {}, visitor=Visitor(one.user), **given)
        assert same.session is one.session
        with pytest.raises(LocalProtocolError, match="cannot begin with 'anonymous:'"):
            host.session(one.user)
        again = await Page().open(host, one.packet()["ticket"])
        assert again.view.session is one.session


async def test_of_a_visitor_few_calls_are_remembered() -> None:
    limits = HostLimits(visitor_calls=2)
    async with hosting({"knowing": knowing()}, page_tools=["knowing.look"], limits=limits) as host:
        given = {"context": CONTEXT, "page_origin": ORIGIN, "send": Page().send}
        first = await host.open_page_tool("knowing", "look", {}, **given)
        await first.close("gone")
        for _ in range(4):
            view = await host.open_page_tool("knowing", "look", {}, visitor=Visitor(first.user), **given)
            await view.call.over()
            await view.close("gone")
        assert len(first.session.calls) == 2
        for _ in range(4):
            await (await host.session("ann").start("knowing.look", {})).over()
        assert len(host.session("ann").calls) == 4


async def test_visitors_never_take_the_place_of_users() -> None:
    limits = HostLimits(sessions=2, visitors=2)
    async with hosting({"knowing": knowing()}, page_tools=["knowing.look"], limits=limits) as host:
        given = {"context": CONTEXT, "page_origin": ORIGIN, "send": Page().send}
        ann = host.session("ann")
        for _ in range(2):
            await host.open_page_tool("knowing", "look", {}, **given)
        with pytest.raises(LocalProtocolError, match="2 visitors have something open"):
            await host.open_page_tool("knowing", "look", {}, **given)
        assert host.session("ann") is ann
        host.session("bob")
