"""Views of the older dialects get what they ask for, one test per row of the table."""

from __future__ import annotations

from typing import Any

import pytest

from cloche.host import Policy
from cloche.wire.apps.methods import dialects
from tests.host.servers import Weather
from tests.support.host_page import Page, hosting, opened, ticket_in

LEGACY = set(dialects()["toHost"].values())


def test_every_row_of_the_table_is_tested_here() -> None:
    tested = ["ui/callServerTool", "ui/close", "ui/log", "ui/openLink", "ui/setDisplayMode", "ui/updateModelContext"]
    assert sorted(LEGACY) == tested


@pytest.mark.parametrize("key", ["arguments", "args"])
async def test_call_server_tool(key: str) -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        result = await page.result("ui/callServerTool", {"name": "refresh", key: {"city": "Oslo"}})
        assert result["content"][0]["text"] == "sunny in Oslo"


@pytest.mark.requirement(95, 96)
@pytest.mark.parametrize(
    ("method", "params", "code", "text"),
    [
        ("ui/callServerTool", {"name": "weather_api"}, -32001, "Tool not found: weather_api"),
        ("ui/callServerTool", {"name": "for_models"}, -32602, "The tool for_models is not for views"),
        ("ui/openLink", {"url": "javascript:alert(1)"}, -32602, "ui/open-link opens http and https links only"),
        ("ui/updateModelContext", {"context": {}}, -32003, "Method not found"),
        ("ui/registerTool", {"name": ""}, -32602, "A tool cannot be called"),
    ],
    ids=lambda value: str(value)[:30],
)
async def test_errors_have_the_older_codes(method: str, params: dict[str, Any], code: int, text: str) -> None:
    async with hosting({"weather": Weather().server}, policy=Policy(context="deny")) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        got, said = await page.error(method, params)
        assert (got, said[: len(text)]) == (code, text)
        if method == "ui/callServerTool":
            assert (await page.error("tools/call", params))[0] == -32602


async def test_update_model_context_replaces_merges_and_takes_text() -> None:
    async with hosting({"weather": Weather().server}) as host:
        chat = host.session("ann")
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        await page.result("ui/updateModelContext", {"context": {"a": 1}})
        await page.result("ui/updateModelContext", {"context": {"b": 2}, "merge": True})
        (context,) = chat.model_context()
        assert context.structured_content == {"a": 1, "b": 2}
        await page.result("ui/updateModelContext", {"context": {"c": 3}})
        await page.result("ui/updateModelContext", {"context": "only text"})
        (context,) = chat.model_context()
        assert (context.content, context.structured_content) == ([{"type": "text", "text": "only text"}], None)


async def test_open_link() -> None:
    async with hosting({"weather": Weather().server}, policy=Policy(link="allow")) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert await page.result("ui/openLink", {"url": "https://example.com"}) == {}
        assert {"do": "open-link", "url": "https://example.com/"} in page.frames


async def test_set_display_mode() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        number = page.post("ui/setDisplayMode", {"mode": "fullscreen"})
        await page.until(lambda frame: frame.get("do") == "display-mode")
        page.view.event("display-mode", {"mode": "fullscreen"})
        assert (await page.answer_to(number))["result"] == {"mode": "fullscreen"}


async def test_close_is_a_request_that_is_answered() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert await page.result("ui/close", {"reason": "done"}) == {}
        await page.until(lambda frame: frame.get("do") == "remove")


async def test_log_is_a_request_that_is_answered() -> None:
    async with hosting({"weather": Weather().server}) as host:
        lines: list[Any] = []
        host.on_log(lambda view, line: lines.append((line.level, line.data)))
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert await page.result("ui/log", {"level": "warning", "message": "careful", "data": {"x": 1}}) == {}
        assert await page.result("ui/log", {"level": "info", "message": "plain"}) == {}
        assert lines == [("warning", {"message": "careful", "data": {"x": 1}}), ("info", "plain")]


async def test_widget_tools_are_pushed() -> None:
    async with hosting({"weather": Weather().server}) as host:
        chat = host.session("ann")
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        tool = {"name": "zoom", "description": "Zoom in", "inputSchema": {"type": "object"}}
        await page.result("ui/registerTool", tool)
        (found,) = await chat.view_tools()
        assert (found.name, found.description, found.view) == ("zoom", "Zoom in", page.view.id)
        await page.result("ui/unregisterTool", {"name": "zoom"})
        assert await chat.view_tools() == []


async def test_a_view_that_asks_without_saying_initialized_counts_as_initialized() -> None:
    async with hosting({"weather": Weather().server}) as host:
        call = await host.session("ann").start("weather.forecast", {"city": "Paris"})
        page = await Page().open(host, ticket_in(call.embed()))
        page.view.event("initialize", {"params": {"appInfo": {"name": "old"}}})
        await page.result("ui/callServerTool", {"name": "refresh"})
        await page.told("ui/notifications/tool-result")


async def test_a_view_of_the_older_dialect_hears_of_a_cancellation_in_its_words() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        call = await host.session("ann").start("weather.slow", {"steps": 0})
        page = (await Page().open(host, ticket_in(call.embed()))).greet()
        await page.result("ui/log", {"level": "info", "message": "hello"})
        await call.cancel("stop")
        assert await page.told("ui/notifications/cancelled") == {"reason": "stop"}


async def test_a_page_lets_all_older_requests_through_under_either_name() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        methods = page.view.packet()["methods"]
        assert set(methods) >= LEGACY | set(dialects()["toHost"]) | {"ui/registerTool", "ui/unregisterTool"}
        assert (await page.error("notifications/message", {"level": "info", "data": 1}))[0] == -32601
