"""A call from its first argument to its record."""

from __future__ import annotations

import json

import pytest

from cloche.errors import InvalidParamsError, LocalProtocolError, McpError, RequestCancelledError, UnknownNameError
from cloche.host import HostLimits
from tests.host.servers import Weather, embedding
from tests.support.host_page import Page, hosting, opened, ticket_in


@pytest.mark.requirement(108, 109)
async def test_a_view_opened_with_its_ticket_gets_input_and_result_after_it_is_initialized() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        call = await host.session("ann").start("weather.forecast", {"city": "Paris"})
        page = await Page().open(host, ticket_in(call.embed()))
        result = await call.result()
        assert page.methods() == []  # nothing may be sent before the view is initialized
        page.greet()
        assert page.methods() == ["ui/notifications/tool-input", "ui/notifications/tool-result"]
        assert await page.told("ui/notifications/tool-input") == {"arguments": {"city": "Paris"}}
        shown = await page.told("ui/notifications/tool-result")
        assert shown["structuredContent"] == result["structuredContent"] == {"city": "Paris", "degrees": 21}
        assert weather.calls == [("forecast", "Paris")]


async def test_the_element_is_there_while_the_tool_runs() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        call = await host.session("ann").start("weather.slow", {"steps": 1})
        await weather.started.wait()
        assert call.status == "running"
        page = (await Page().open(host, ticket_in(call.embed()))).greet()
        assert page.methods() == ["ui/notifications/tool-input"]
        weather.release.set()
        await page.told("ui/notifications/tool-result")
        assert (await call.result())["content"][0]["text"] == "done"
        assert call.status == "done"


async def test_streamed_arguments_arrive_in_order_and_before_the_whole_ones() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        call = await host.session("ann").start("weather.forecast", streaming=True)
        assert call.status == "streaming"
        page = await Page().open(host, ticket_in(call.embed()))
        call.partial({"city": "P"})
        page.greet()
        for text in ("Pa", "Par", "Pari"):
            call.partial({"city": text})
        await call.run({"city": "Paris"})
        said = [frame["message"] for frame in page.frames]
        partial = [one["params"]["arguments"]["city"] for one in said if one["method"].endswith("partial")]
        assert partial == ["P", "Pa", "Par", "Pari"]
        assert page.methods()[4:] == ["ui/notifications/tool-input", "ui/notifications/tool-result"]
        with pytest.raises(LocalProtocolError, match="partial arguments come before"):
            call.partial({"city": "late"})
        with pytest.raises(LocalProtocolError, match="runs once"):
            await call.run({"city": "again"})


async def test_a_cancelled_call_is_cancelled_at_the_server_and_shows_as_cancelled() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        call = await host.session("ann").start("weather.slow", {"steps": 1})
        page = (await Page().open(host, ticket_in(call.embed()))).greet()
        await weather.started.wait()
        await call.cancel("the user pressed stop")
        await weather.cancelled.wait()
        assert await page.told("ui/notifications/tool-cancelled") == {"reason": "the user pressed stop"}
        assert "ui/notifications/tool-result" not in page.methods()
        with pytest.raises(RequestCancelledError):
            await call.result()
        (entry,) = host.timeline.entries(action="call")
        assert (entry.outcome, entry.problem) == ("cancelled", "the user pressed stop")
        await call.cancel("twice")
        assert len(host.timeline.entries(action="call")) == 1


@pytest.mark.parametrize("when", ["before it runs", "before its first step"])
async def test_a_call_cancelled_early_has_one_outcome(when: str) -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        call = await host.session("ann").start("weather.slow", streaming=True)
        if when == "before its first step":
            call.begin({"steps": 1})
        await call.cancel("no")
        assert (call.status, weather.calls) == ("cancelled", [])
        assert [entry.outcome for entry in host.timeline.entries(action="call")] == ["cancelled"]


async def test_a_failed_call_is_told_to_the_caller_and_shown_in_the_view() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        call = await host.session("ann").start("weather.forecast", {"town": "Paris"})
        page = (await Page().open(host, ticket_in(call.embed()))).greet()
        assert (await call.result())["isError"] is True  # the tool's own answer, for the model to read
        assert (await page.told("ui/notifications/tool-result"))["isError"] is True


async def test_a_server_that_is_gone_fails_the_call_and_shows_in_the_view() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}, limits=HostLimits(call_seconds=0.05)) as host:
        await host.session("ann").tools()  # the time that this takes is none of the tool's
        call = await host.session("ann").start("weather.slow", {"steps": 0})
        page = (await Page().open(host, ticket_in(call.embed()))).greet()
        with pytest.raises(McpError, match="timed out"):
            await call.result()
        assert call.status == "failed"
        shown = await page.told("ui/notifications/tool-result")
        assert (shown["isError"], "timed out" in shown["content"][0]["text"]) == (True, True)


async def test_no_arguments_means_none_and_nobody_waits_for_them() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        chat = host.session("ann")
        call = await chat.start("weather.with_meta")
        assert (call.status, call.arguments) == ("running", {})
        await call.result()
        assert call.status == "done"
        assert (await chat.run("weather.for_models"))["content"] == [{"type": "text", "text": "secret"}]
        with pytest.raises(LocalProtocolError, match="streaming=True\\) takes no arguments"):
            await chat.start("weather.forecast", {"city": "Paris"}, streaming=True)
        assert [name for name, _ in weather.calls] == ["for_models"]


async def test_a_call_that_was_not_started_for_it_takes_no_partial_arguments() -> None:
    async with hosting({"weather": Weather().server}) as host:
        call = await host.session("ann").start("weather.slow", {"steps": 0})
        with pytest.raises(LocalProtocolError, match="start\\(name, streaming=True\\)"):
            call.partial({"steps": 1})


async def test_a_tool_without_a_view_has_no_element() -> None:
    async with hosting({"weather": Weather().server}) as host:
        call = await host.session("ann").start("weather.plain", {"text": "x"})
        assert f"<main>{call.embed()}</main>" == "<main></main>"
        assert not call.embed()
        assert not host.session("ann").embed(call)
        assert (await call.result())["content"] == [{"type": "text", "text": "x"}]


async def test_what_is_meant_for_the_view_does_not_reach_the_model() -> None:
    async with hosting({"weather": Weather().server}) as host:
        call = await host.session("ann").start("weather.with_meta", {})
        assert "_meta" not in await call.result()
        assert call.record()["result"]["_meta"]["vendor/key"] == {"a": 1}


async def test_a_page_inside_a_result_is_shown_the_same_way() -> None:
    async with hosting({"embedding": embedding()}) as host:
        chat = host.session("ann")
        call = await chat.start("embedding.show", {})
        assert call.embed() == ""  # nobody knows before the result
        assert [block["type"] for block in (await call.result())["content"]] == ["text"]
        page = (await Page().open(host, ticket_in(call.embed()))).greet()
        assert "<p>inside</p>" in page.view.html
        assert page.view.csp["connectDomains"] == ["https://api.example.com"]
        assert page.view.packet()["size"] == {"width": 300, "height": 200}
        assert page.methods() == ["ui/notifications/tool-input", "ui/notifications/tool-result"]
        again = await Page().open(host, ticket_in(chat.embed(json.loads(json.dumps(call.record())))))
        assert "<p>inside</p>" in again.view.html
        alone = await chat.run("embedding.show", {"alone": True})
        assert [block["type"] for block in alone["content"]] == ["text"]


async def test_calls_that_are_over_are_forgotten_when_there_are_too_many() -> None:
    async with hosting({"weather": Weather().server}, limits=HostLimits(calls=3)) as host:
        chat = host.session("ann")
        first = await chat.start("weather.forecast", {"city": "0"})
        ticket = ticket_in(first.embed())
        await first.result()
        for number in range(4):
            await chat.run("weather.forecast", {"city": str(number)})
        assert len(chat.calls) == 3
        with pytest.raises(InvalidParamsError, match="show its record instead"):
            await Page().open(host, ticket)


async def test_a_record_is_there_when_the_call_is_over() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        call = await host.session("ann").start("weather.slow", {"steps": 0})
        with pytest.raises(LocalProtocolError, match="running"):
            call.record()
        weather.release.set()
        await call.result()
        assert call.record()["status"] == "done"


async def test_unknown_and_hidden_tools_cannot_be_started() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        chat = host.session("ann")
        for name in ("weather.nothing", "weather.refresh", "elsewhere.forecast", "forecast", "weather_refresh", ""):
            with pytest.raises(UnknownNameError):
                await chat.start(name, {})
        assert weather.calls == []


async def test_closing_the_session_ends_what_runs() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        chat = host.session("ann")
        call = await chat.start("weather.slow", {"steps": 0})
        page = (await Page().open(host, ticket_in(call.embed()))).greet()
        asking = page.post("tools/call", {"name": "slow", "arguments": {"steps": 0}})
        await weather.started.wait()
        await chat.close()
        assert "ui/resource-teardown" in page.methods()
        assert call.status == "cancelled"
        assert page.frames[-1]["do"] == "remove"
        assert not [one for one in page.frames if one.get("message", {}).get("id") == asking]
        outcomes = [entry.outcome for entry in host.timeline.entries() if entry.outcome]
        assert outcomes == ["cancelled", "cancelled"]
        with pytest.raises(LocalProtocolError, match="closed"):
            await chat.start("weather.forecast", {"city": "x"})
        assert host.session("ann") is not chat


async def test_opened_views_of_one_call_are_each_told() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Rome"})
        other = (await Page().open(host, page.view.call.ticket())).greet()
        assert other.methods() == page.methods()
        assert other.view.id != page.view.id
