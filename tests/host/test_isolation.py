"""One user's views, tokens and connections are never another's."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche import Context, Server, View
from cloche.errors import InvalidParamsError, LocalProtocolError, UnknownNameError, ViewUnavailableError
from cloche.host import HostLimits
from tests.host.servers import PAGE, Weather
from tests.support.host_page import Page, hosting, opened, ticket_in


def knowing() -> Server:
    """A server that says whom it is talking to."""
    server = Server("knowing")

    @server.tool(view=View(PAGE))
    def who(ctx: Context) -> str:
        assert ctx.principal is not None
        return ctx.principal.id

    return server


@pytest.mark.requirement(163, 175)
async def test_each_user_has_a_connection_of_their_own() -> None:
    async with hosting({"knowing": knowing()}) as host:
        for user in ("ann", "bob"):
            page = await opened(host, "knowing.who", {}, user=user)
            result = await page.result("tools/call", {"name": "who"})
            assert result["content"][0]["text"] == user
        assert host.session("ann").upstream("knowing") is not host.session("bob").upstream("knowing")


async def test_a_function_of_the_user_gives_each_their_own_server() -> None:
    servers = {"ann": Weather(), "bob": Weather()}
    async with hosting({"weather": lambda user: servers[user].server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"}, user="ann")
        await page.result("tools/call", {"name": "refresh"})
        assert (len(servers["ann"].calls), servers["bob"].calls) == (2, [])


async def test_a_session_knows_nothing_of_another_s_calls_views_and_contexts() -> None:
    async with hosting({"weather": Weather().server}) as host:
        ann, bob = host.session("ann"), host.session("bob")
        page = await opened(host, "weather.forecast", {"city": "Paris"}, user="ann", appCapabilities={"tools": {}})
        await page.result("ui/update-model-context", {"structuredContent": {"secret": 1}})
        await page.result("ui/registerTool", {"name": "zoom"})
        assert (bob.calls, bob.views, bob.model_context()) == ({}, {}, [])
        assert await bob.view_tools() == []
        with pytest.raises(UnknownNameError):
            await bob.call_view_tool(page.view.id, "zoom")
        assert len(ann.model_context()) == 1


async def test_a_ticket_opens_for_its_user_only() -> None:
    """There is no other user to open it for: what a ticket says is who it is for."""
    async with hosting({"knowing": knowing()}) as host:
        call = await host.session("ann").start("knowing.who", {})
        page = (await Page().open(host, ticket_in(call.embed()))).greet()
        assert page.view.user == "ann"
        result = await page.result("tools/call", {"name": "who"})
        assert result["content"][0]["text"] == "ann"
        forged = host.tickets.make(
            type(host.tickets.open(call.ticket()))(
                kind="call",
                session=host.session("bob").id,
                user="bob",
                server="knowing",
                tool="who",
                call=call.id,
                born=host.tickets.moment(),
                expires=host.tickets.expiry(60, host.tickets.moment()),
            )
        )
        with pytest.raises(InvalidParamsError, match="show its record"):
            await Page().open(host, forged)


async def test_a_large_record_of_one_user_is_not_another_s() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "x" * 40_000})
        text = ticket_in(host.session("ann").embed(page.view.call.record()))
        ticket = host.tickets.open(text)
        assert ticket.record is None
        assert host.records.find("ann", ticket.digest) is not None
        assert host.records.find("bob", ticket.digest) is None


async def test_sessions_that_lie_idle_make_room() -> None:
    async with hosting({"weather": Weather().server}, limits=HostLimits(sessions=2)) as host:
        ann, bob = host.session("ann"), host.session("bob")
        await opened(host, "weather.forecast", {"city": "Paris"}, user="bob")
        host.session("cleo")
        assert ann.closed
        assert host.session("bob") is bob
        await opened(host, "weather.forecast", {"city": "Paris"}, user="cleo")
        with pytest.raises(LocalProtocolError, match="2 users have something open"):
            host.session("dan")


async def test_a_user_has_one_session_until_it_is_closed() -> None:
    async with hosting({"weather": Weather().server}) as host:
        chat: Any = host.session("ann")
        assert host.session("ann") is chat
        await chat.close()
        assert host.session("ann") is not chat
        assert repr(host.session("ann")) == "<HostSession of 'ann': 0 calls, 0 views>"
    with pytest.raises(LocalProtocolError, match="This host is closed"):
        host.session("ann")


async def test_a_session_that_is_closed_while_a_view_is_being_opened_gets_none() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        chat = host.session("ann")
        call = await chat.start("weather.forecast", {"city": "Paris"})
        await call.result()
        held, go_on = asyncio.Event(), asyncio.Event()

        @weather.server.middleware
        async def hold(message: Any, call_next: Any) -> Any:
            if message.method == "resources/read":
                held.set()
                await go_on.wait()
            return await call_next(message)

        opening = asyncio.create_task(Page().open(host, call.ticket()))
        await held.wait()
        closing = asyncio.create_task(chat.close())
        await asyncio.sleep(0)
        go_on.set()
        with pytest.raises(ViewUnavailableError, match="closed while"):
            await opening
        await closing
        assert chat.views == {}
