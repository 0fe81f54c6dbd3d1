"""Records: a reloaded chat shows its views again, and no tool is called again."""

from __future__ import annotations

import json

import pytest

from cloche import Server, View
from cloche.errors import InvalidParamsError
from cloche.host import HostLimits
from cloche.host.tickets import INLINE_BYTES
from tests.host.servers import PAGE, Weather
from tests.support.host_page import SECRET, Page, hosting, opened, ticket_in


async def test_a_reloaded_chat_shows_five_past_views_with_zero_tool_calls() -> None:
    before, after = Weather(), Weather()
    kept: list[str] = []
    async with hosting({"weather": before.server}) as host:
        chat = host.session("ann")
        for city in ("Paris", "Rome", "Oslo", "Bern", "Wien"):
            call = await chat.start("weather.forecast", {"city": city})
            await call.result()
            kept.append(json.dumps(call.record()))
    assert len(before.calls) == 5
    async with hosting({"weather": after.server}) as host:
        chat = host.session("ann")
        for text in kept:
            record = json.loads(text)
            page = (await Page().open(host, ticket_in(chat.embed(record)))).greet()
            shown = await page.told("ui/notifications/tool-result")
            assert await page.told("ui/notifications/tool-input") == {"arguments": record["arguments"]}
            assert shown["structuredContent"]["city"] == record["arguments"]["city"]
            tool = page.view.packet()["initialize"]["hostContext"]["toolInfo"]["tool"]
            assert tool["description"] == "The weather of tomorrow."
        assert len(chat.views) == 5
        assert after.calls == []
        await page.result("tools/call", {"name": "refresh"})  # a past view is as alive as any
        assert after.calls == [("refresh", "Paris")]


@pytest.mark.parametrize("size", ["small", "large"])
async def test_a_record_ticket_survives_a_restart_when_it_carries_its_record(size: str) -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "P" * (1 if size == "small" else INLINE_BYTES)})
        text = ticket_in(host.session("ann").embed(page.view.call.record()))
        await Page().open(host, text)
    async with hosting({"weather": weather.server}, secret=SECRET) as host:
        if size == "small":
            again = (await Page().open(host, text)).greet()
            assert (await again.told("ui/notifications/tool-result"))["structuredContent"]["city"] == "P"
        else:
            with pytest.raises(InvalidParamsError, match="no longer here"):
                await Page().open(host, text)
    async with hosting({"weather": weather.server}, secret="another secret, also long") as host:
        with pytest.raises(InvalidParamsError, match="not one of this host"):
            await Page().open(host, text)
    assert len(weather.calls) == 1


async def test_large_records_are_kept_for_their_user_up_to_a_number() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}, limits=HostLimits(records=2, calls=1)) as host:
        chat = host.session("ann")
        tickets = []
        for letter in "abc":
            call = await chat.start("weather.forecast", {"city": letter * INLINE_BYTES})
            await call.result()
            tickets.append(ticket_in(chat.embed(call.record())))
        await Page().open(host, tickets[2])
        await Page().open(host, tickets[1])
        with pytest.raises(InvalidParamsError, match="no longer here"):
            await Page().open(host, tickets[0])


async def test_failed_and_cancelled_calls_have_records_too() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        chat = host.session("ann")
        call = await chat.start("weather.slow", {"steps": 0})
        await weather.started.wait()
        await call.cancel("the user pressed stop")
        page = (await Page().open(host, ticket_in(chat.embed(call.record())))).greet()
        assert await page.told("ui/notifications/tool-cancelled") == {"reason": "the user pressed stop"}
        assert page.methods() == ["ui/notifications/tool-input", "ui/notifications/tool-cancelled"]


async def test_a_page_that_has_changed_since_is_shown_and_noted() -> None:
    def serving(page: str) -> Server:
        server = Server("own")
        server.register_tool(lambda: "x", name="show", view=View(page))
        return server

    async with hosting({"own": serving(PAGE)}) as host:
        page = await opened(host, "own.show", {})
        record = page.view.call.record()
        again = await Page().open(host, ticket_in(host.session("ann").embed(record)))
        assert host.timeline.entries(action="view-changed") == []
        assert again.view.source.hash == record["view"]["hash"]
    async with hosting({"own": serving(PAGE + "<script>evil()</script>")}) as host:
        await Page().open(host, ticket_in(host.session("ann").embed(record)))
        (entry,) = host.timeline.entries(action="view-changed")
        assert "is not the page that it was" in str(entry.problem)


@pytest.mark.parametrize(
    "record",
    [None, {}, [], "text", {"cloche": "call/2"}, {"cloche": "call/1", "id": "x", "server": 7}],
    ids=str,
)
async def test_what_is_no_record_is_refused(record: object) -> None:
    async with hosting({"weather": Weather().server}) as host:
        with pytest.raises(InvalidParamsError, match="not a record of a call"):
            host.session("ann").embed(record)  # type: ignore[arg-type]


async def test_a_record_of_a_server_that_is_gone_says_so() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        record = page.view.call.record()
    async with hosting({"other": Weather().server}) as host:
        with pytest.raises(InvalidParamsError, match="no server 'weather' any more"):
            host.session("ann").embed(record)


async def test_a_record_holds_no_secret() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        text = json.dumps(page.view.call.record())
        for secret in (SECRET, page.view.key, page.view.id, host.session("ann").id, page.view.call.ticket()):
            assert secret not in text
        assert set(json.loads(text)) == {
            "cloche",
            "id",
            "server",
            "tool",
            "status",
            "time",
            "arguments",
            "result",
            "view",
        }


async def test_a_page_can_show_its_view_again_after_a_restart_of_the_host() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        await page.result("cloche/set-state", {"value": "here"})
        text = page.view.packet()["ticket"]
        await Page().open(host, text)
    async with hosting({"weather": weather.server}) as host:
        again = (await Page().open(host, text)).greet()
        assert (await again.told("ui/notifications/tool-result"))["structuredContent"]["city"] == "Paris"
        assert again.view.packet()["initialize"]["hostContext"]["cloche/state"] == "here"
    assert weather.calls == [("forecast", "Paris")]
