"""Tools that a view provides: for the product to offer, and never mistaken for a server's."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche.errors import McpError, RequestTimeoutError, TransportClosedError, UnknownNameError
from cloche.host import HostLimits
from tests.host.servers import Weather
from tests.support.host_page import Page, hosting, opened, ticket_in

ZOOM = {"name": "zoom", "description": "Zoom in", "inputSchema": {"type": "object"}}
PROVIDING = {"tools": {"listChanged": True}}


def answering(page: Page, **answers: Any) -> list[str]:
    """Have the page's view answer what the host asks of it; what it was asked, in order."""
    asked: list[str] = []
    send = page.send

    def answer(frame: dict[str, Any]) -> None:
        send(frame)
        message = frame.get("message", {})
        key = message.get("method", "").replace("tools/", "")
        if "id" in message and key in answers:
            asked.append(key)
            page.say({"jsonrpc": "2.0", "id": message["id"], **answers[key]})

    page.view.attach(answer)
    return asked


async def test_the_product_lists_and_calls_what_a_view_provides() -> None:
    async with hosting({"weather": Weather().server}) as host:
        chat = host.session("ann")
        page = await opened(host, "weather.forecast", {"city": "Paris"}, appCapabilities=PROVIDING)
        done = {"content": [{"type": "text", "text": "zoomed"}]}
        asked = answering(page, list={"result": {"tools": [ZOOM]}}, call={"result": done})
        (tool,) = await chat.view_tools()
        assert (tool.view, tool.server, tool.name) == (page.view.id, "weather", "zoom")
        assert await chat.call_view_tool(tool.view, "zoom", {"by": 2}) == done
        frame = await page.until(lambda frame: frame.get("message", {}).get("method") == "tools/call")
        assert frame["message"]["params"] == {"name": "zoom", "arguments": {"by": 2}}
        assert asked == ["list", "call"]
        page.notify("notifications/tools/list_changed")
        await chat.view_tools()
        assert asked == ["list", "call", "list"]


async def test_who_asks_before_the_handshake_hears_of_the_tools_after_it() -> None:
    async with hosting({"weather": Weather().server}) as host:
        chat = host.session("ann")
        call = await chat.start("weather.forecast", {"city": "Paris"})
        page = await Page().open(host, ticket_in(call.embed()))
        assert await chat.view_tools() == []
        page.greet({"appCapabilities": PROVIDING})
        answering(page, list={"result": {"tools": [ZOOM]}})
        assert [tool.name for tool in await chat.view_tools()] == ["zoom"]


async def test_a_view_that_provides_none_is_not_asked() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert await host.session("ann").view_tools() == []
        assert "tools/list" not in page.methods()


async def test_tools_that_are_none_are_left_out() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"}, appCapabilities=PROVIDING)
        tools: list[Any] = [
            ZOOM,
            {**ZOOM, "description": "a second zoom"},
            {**ZOOM, "name": "Zооm"},  # in another alphabet
            {**ZOOM, "name": "x" * 129},
            {**ZOOM, "name": "a b"},
            {**ZOOM, "name": "a\x00"},
            {**ZOOM, "name": "huge", "inputSchema": {"x": "x" * 20_000}},
            {**ZOOM, "name": "long", "description": "x" * 5000},
            "text",
            None,
        ]
        answering(page, list={"result": {"tools": tools}})
        found = await host.session("ann").view_tools()
        assert [(tool.name, tool.description[:7]) for tool in found] == [("zoom", "Zoom in"), ("long", "xxxxxxx")]
        assert len(found[1].description) == 1000


async def test_a_view_s_tool_does_not_shadow_a_server_s() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        chat = host.session("ann")
        page = await opened(host, "weather.forecast", {"city": "Paris"}, appCapabilities=PROVIDING)
        answering(page, list={"result": {"tools": [{**ZOOM, "name": "weather_forecast"}]}})
        await chat.view_tools()
        await chat.run("weather_forecast", {"city": "Rome"})
        assert weather.calls[-1] == ("forecast", "Rome")
        assert [tool["name"] for tool in await chat.tools()].count("weather_forecast") == 1


@pytest.mark.parametrize(
    "answer", [{"result": {}}, {"result": {"tools": "no"}}, {"error": {"code": 1, "message": "no"}}]
)
async def test_a_view_that_answers_nonsense_has_no_tools(answer: Any) -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"}, appCapabilities=PROVIDING)
        answering(page, list=answer)
        assert await host.session("ann").view_tools() == []


async def test_failures_are_the_caller_s_to_see() -> None:
    limits = HostLimits(view_tool_seconds=0.05)
    async with hosting({"weather": Weather().server}, limits=limits) as host:
        chat = host.session("ann")
        page = await opened(host, "weather.forecast", {"city": "Paris"}, appCapabilities=PROVIDING)
        answering(page, list={"result": {"tools": [ZOOM]}})
        for view, name in (("nothing", "zoom"), (page.view.id, "pan")):
            with pytest.raises(UnknownNameError):
                await chat.call_view_tool(view, name)
        with pytest.raises(RequestTimeoutError):
            await chat.call_view_tool(page.view.id, "zoom")
        assert (await page.told("notifications/cancelled"))["reason"] == "timeout"
        answering(page, call={"error": {"code": -32602, "message": "m" * 5000}})
        with pytest.raises(McpError) as failure:
            await chat.call_view_tool(page.view.id, "zoom")
        assert (failure.value.code, len(failure.value.message)) == (-32602, 300)
        answering(page, call={"result": "text"})
        with pytest.raises(McpError, match="not a result"):
            await chat.call_view_tool(page.view.id, "zoom")


async def test_who_waits_for_a_view_that_goes_away_is_told() -> None:
    async with hosting({"weather": Weather().server}) as host:
        chat = host.session("ann")
        page = await opened(host, "weather.forecast", {"city": "Paris"}, appCapabilities=PROVIDING)
        answering(page, list={"result": {"tools": [ZOOM]}})
        calling = asyncio.create_task(chat.call_view_tool(page.view.id, "zoom"))
        await page.told("tools/call")
        await page.view.close("gone", gone=True)
        with pytest.raises(TransportClosedError):
            await calling
