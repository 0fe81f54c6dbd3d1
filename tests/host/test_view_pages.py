"""One reading of a page serves all views that want it at about the same time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche import Server
from cloche.errors import ViewUnavailableError
from cloche.host import Host
from cloche.host.view_pages import FRESH_SECONDS, Pages
from cloche.views import register_app_resource
from tests.host.servers import PAGE, Weather
from tests.support.host_page import SECRET, Page, hosting, ticket_in


def reads(server: Server) -> list[str]:
    """The resources that are read from now on."""
    found: list[str] = []

    @server.middleware
    async def look(message: Any, call_next: Any) -> Any:
        if message.method == "resources/read":
            found.append(message.method)
        return await call_next(message)

    return found


async def test_twenty_views_of_one_kind_cost_one_reading() -> None:
    weather = Weather()
    read = reads(weather.server)
    async with hosting({"weather": weather.server}) as host:
        chat = host.session("ann")
        calls = [await chat.start("weather.forecast", {"city": str(number)}) for number in range(20)]
        tickets = [ticket_in(call.embed()) for call in calls]
        await asyncio.gather(*(Page().open(host, ticket) for ticket in tickets))
        assert (len(chat.views), len(read)) == (20, 1)


async def test_a_page_is_read_again_after_a_moment() -> None:
    weather, times = Weather(), iter([0.0, 0.0, FRESH_SECONDS, FRESH_SECONDS + 1, FRESH_SECONDS + 1])
    read = reads(weather.server)
    async with hosting({"weather": weather.server}) as host:
        chat = host.session("ann")
        chat.pages = Pages(chat, lambda: next(times))
        call = await chat.start("weather.forecast", {"city": "x"})
        for _ in range(3):
            await call.source()
        assert len(read) == 2


async def test_a_failure_is_not_kept() -> None:
    server = Server("own")
    uri = "ui://own/late.html"
    server.register_tool(lambda: "x", name="show", meta={"ui": {"resourceUri": uri}})
    async with hosting({"own": server}) as host:
        call = await host.session("ann").start("own.show", {})
        with pytest.raises(ViewUnavailableError):
            await call.source()
        register_app_resource(server, uri, PAGE)
        assert (await call.source()).html == PAGE


async def test_who_waits_no_longer_takes_the_page_from_nobody_else() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        call = await host.session("ann").start("weather.forecast", {"city": "x"})
        one, other = asyncio.create_task(call.source()), asyncio.create_task(call.source())
        await asyncio.sleep(0)
        one.cancel()
        assert "Weather" in (await other).html


RECORD = {
    "cloche": "call/1",
    "id": "1",
    "server": "weather",
    "tool": "forecast",
    "status": "done",
    "time": "now",
    "view": {"uri": "ui://weather/forecast.html"},
}


def test_an_element_can_be_made_where_no_loop_runs() -> None:
    """As in a `def` endpoint of a framework, which runs in a thread."""
    host = Host({"weather": Weather().server}, secret=SECRET)
    assert host.session("ann").embed(RECORD)
    asyncio.run(host.close())


async def test_an_element_made_on_another_loop_is_opened_on_the_host_s() -> None:
    """As in a framework that runs synchronous code on a loop of its own."""

    async def elsewhere(make: Any) -> Any:
        return make(), len(chat.pages._reading)

    async with hosting({"weather": Weather().server}) as host:
        chat = host.session("ann")
        call = await chat.start("weather.forecast", {"city": "Paris"})
        made = [
            await asyncio.to_thread(asyncio.run, elsewhere(make)) for make in (call.embed, lambda: chat.embed(RECORD))
        ]
        for markup, reading in made:
            assert reading == 0  # nothing of the host belongs to that loop
            assert "Weather" in (await Page().open(host, ticket_in(markup))).view.html
