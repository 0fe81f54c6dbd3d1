"""What a view may ask, and what it gets: everything that the official bridge leaves to the host."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche import Server, View
from cloche.host import HostLimits, Policy
from tests.host.servers import PAGE, Weather
from tests.support.host_page import Page, hosting, opened, ticket_in
from tests.support.official_app.oracle import Oracle


@pytest.mark.requirement(109, 113)
async def test_a_view_calls_a_tool_of_its_own_server() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        result = await page.result("tools/call", {"name": "refresh", "arguments": {"city": "Rome"}})
        assert result["content"] == [{"type": "text", "text": "sunny in Rome"}]
        assert weather.calls[-1] == ("refresh", "Rome")
        (entry,) = host.timeline.entries(action="tools/call")
        assert (entry.user, entry.server, entry.outcome) == ("ann", "weather", "done")


@pytest.mark.parametrize(
    ("params", "code", "text"),
    [
        ({"name": "for_models"}, -32602, "not for views"),
        ({"name": "nothing"}, -32602, "Unknown tool"),
        ({"name": "other.greet"}, -32602, "Unknown tool"),
        ({"name": "greet"}, -32602, "Unknown tool"),
        ({"name": 7}, -32602, "Invalid params for tools/call"),
        ({"name": "refresh", "arguments": []}, -32602, "Invalid params for tools/call"),
        ({}, -32602, "Invalid params for tools/call"),
    ],
    ids=[
        "for models only",
        "no such tool",
        "another server's",
        "another server's by name",
        "no name",
        "a list",
        "empty",
    ],
)
async def test_a_view_cannot_call_anything_else(params: dict[str, Any], code: int, text: str) -> None:
    weather, other = Weather(), Server("other")
    called = []
    other.register_tool(lambda: called.append(1), name="greet")
    async with hosting({"weather": weather.server, "other": other}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        got, said = await page.error("tools/call", params)
        assert (got, text in said) == (code, True)
        assert (called, weather.calls) == ([], [("forecast", "Paris")])


@pytest.mark.parametrize(
    ("said", "allowed"),
    [
        ({}, True),
        ({"visibility": ["app"]}, True),
        ({"visibility": ["model", "app", "x"]}, True),
        ({"visibility": []}, False),
        ({"visibility": ["model"]}, False),
        ({"visibility": ["model", "x"]}, False),
        ({"visibility": "app"}, False),
        ({"visibility": None}, False),
        ({"visibility": {"app": True}}, False),
    ],
    ids=str,
)
async def test_only_a_tool_that_is_for_views_is_called(said: dict[str, Any], allowed: bool) -> None:
    called = []
    server = Server("own")
    server.register_tool(lambda: "x", name="show", view=View(PAGE))
    server.register_tool(lambda: called.append(1), name="odd", meta={"ui": said})
    async with hosting({"own": server}) as host:
        page = await opened(host, "own.show", {})
        answer = await page.ask("tools/call", {"name": "odd"})
        listed = [tool["name"] for tool in (await page.result("tools/list"))["tools"]]
        assert ("result" in answer, len(called), "odd" in listed) == (allowed, int(allowed), allowed)


async def test_tools_and_resources_of_the_own_server_are_listed_and_read() -> None:
    async with hosting({"weather": Weather().server, "other": Server("other")}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        names = [tool["name"] for tool in (await page.result("tools/list"))["tools"]]
        assert "refresh" in names
        assert "for_models" not in names
        uris = [one["uri"] for one in (await page.result("resources/list"))["resources"]]
        assert "weather://stations" in uris
        read = await page.result("resources/read", {"uri": "weather://stations"})
        assert read["contents"][0]["text"] == "Paris, Rome"
        assert (await page.result("resources/templates/list"))["resourceTemplates"] == []
        assert (await page.result("prompts/list"))["prompts"] == []
        code, text = await page.error("resources/read", {"uri": "weather://nowhere"})
        assert (code, text) == (-32002, "Resource not found")


@pytest.mark.parametrize(
    "method",
    ["prompts/get", "completion/complete", "logging/setLevel", "initialize", "roots/list",
     "elicitation/create", "ui/foo", "__proto__", "constructor", "tools/call ", "ui/notifications/initialized/x"],
)  # fmt: skip
async def test_a_method_that_views_do_not_have_does_not_exist(method: str) -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert (await page.error(method))[0] == -32601
        assert method not in page.view.packet()["methods"]


@pytest.mark.parametrize(
    ("policy", "hook", "missing", "method"),
    [
        ({"link": "deny"}, None, "openLinks", "ui/open-link"),
        ({"download": "deny"}, None, "downloadFile", "ui/download-file"),
        ({"context": "deny"}, None, "updateModelContext", "ui/update-model-context"),
        ({}, None, "message", "ui/message"),
        ({"message": "deny"}, "on_message", "message", "ui/message"),
        ({}, "on_sampling", "sampling", "sampling/createMessage"),
        ({"sampling": "ask"}, None, "sampling", "sampling/createMessage"),
    ],
    ids=str,
)
async def test_what_is_not_offered_does_not_exist(
    policy: dict[str, Any], hook: str | None, missing: str, method: str
) -> None:
    async with hosting({"weather": Weather().server}, policy=Policy(**policy)) as host:
        if hook is not None:
            getattr(host, hook)(lambda view, value: None)
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        packet = page.view.packet()
        assert missing not in packet["initialize"]["hostCapabilities"]
        assert method not in packet["methods"]
        assert (await page.error(method, {"url": "https://x.example"}))[0] == -32601


@pytest.mark.requirement(115)
@pytest.mark.parametrize("version", ["1.7.5", "2.0.4"])
async def test_the_packet_answers_initialize_as_the_official_schema_wants(version: str) -> None:
    async with hosting({"weather": Weather().server}, name="Product", version="7") as host:
        host.on_message(lambda view, message: None)
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.view.call.state = {"open": True}
        packet = page.view.packet()
        Oracle(version).judge("McpUiInitializeResult", packet["initialize"])
        greeting = packet["initialize"]
        assert greeting["protocolVersion"] == "2026-01-26"
        assert greeting["hostInfo"] == {"name": "Product", "version": "7"}
        context = greeting["hostContext"]
        assert (context["theme"], context["locale"], context["displayMode"]) == ("dark", "de-DE", "inline")
        assert context["toolInfo"]["tool"]["name"] == "forecast"
        assert context["cloche/state"] == {"open": True}
        assert greeting["hostCapabilities"]["sandbox"]["csp"] == {"connectDomains": ["https://api.example.com"]}
        assert packet["frame"] == {"sandbox": "allow-scripts allow-forms", "allow": ""}
        assert (packet["border"], packet["title"], packet["tool"]) == (True, "forecast", "forecast")


async def test_a_view_that_the_host_greets_itself_does_it_once() -> None:
    async with hosting({"weather": Weather().server}) as host:
        call = await host.session("ann").start("weather.forecast", {"city": "Paris"})
        page = await Page().open(host, ticket_in(call.embed()))
        assert (await page.error("tools/list"))[0] == -32600  # nothing is answered before the greeting
        assert (await page.error("ui/initialize", {"appInfo": {"name": "x"}}))[0] == -32602
        app = {"appInfo": {"name": "x", "version": "1"}, "appCapabilities": {}, "protocolVersion": "2026-01-26"}
        assert (await page.result("ui/initialize", app)) == page.view.packet()["initialize"]
        assert (await page.error("ui/initialize", app))[0] == -32600
        page.notify("ui/notifications/initialized")
        await page.told("ui/notifications/tool-result")


async def test_a_view_that_never_says_initialized_is_taken_for_it_after_a_moment() -> None:
    async with hosting({"weather": Weather().server}, limits=HostLimits(grace_seconds=0.01)) as host:
        call = await host.session("ann").start("weather.forecast", {"city": "Paris"})
        page = await Page().open(host, ticket_in(call.embed()))
        page.view.event("initialize", {"params": {}})
        await page.told("ui/notifications/tool-result")
        assert len(host.timeline.entries(action="initialized")) == 1


async def test_progress_reaches_the_view_under_its_own_token() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        call = {"name": "slow", "arguments": {"steps": 3}, "_meta": {"progressToken": "mine"}}
        number = page.post("tools/call", call)
        told = await page.told("notifications/progress")
        assert told == {"progressToken": "mine", "progress": 1, "total": 3, "message": "step 1"}
        weather.release.set()
        assert (await page.answer_to(number))["result"]["content"][0]["text"] == "done"
        assert page.methods().count("notifications/progress") == 3


async def test_a_call_that_the_view_cancels_is_cancelled_at_the_server_and_not_answered() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        number = page.post("tools/call", {"name": "slow", "arguments": {"steps": 0}})
        await weather.started.wait()
        page.notify("notifications/cancelled", {"requestId": "no such"})
        page.notify("notifications/cancelled", {"requestId": number, "reason": "enough"})
        await weather.cancelled.wait()
        await page.result("ping")
        assert [frame for frame in page.frames if frame.get("message", {}).get("id") == number] == []
        (entry,) = host.timeline.entries(action="tools/call")
        assert entry.outcome == "cancelled"


async def test_changes_at_the_server_are_told_to_the_view() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        weather.server.register_tool(lambda: "x", name="newer")
        await page.told("notifications/tools/list_changed")
        assert "newer" in [tool["name"] for tool in (await page.result("tools/list"))["tools"]]


async def test_meta_of_others_goes_through_both_ways() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        result = await page.result("tools/call", {"name": "with_meta", "_meta": {"vendor/in": 1}})
        assert result["_meta"]["vendor/key"] == {"a": 1}


@pytest.mark.requirement(153)
@pytest.mark.parametrize(
    "message",
    [
        None, 7, "text", [], {}, {"jsonrpc": "1.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0"},
        {"jsonrpc": "2.0", "id": None, "method": "ping"}, {"jsonrpc": "2.0", "id": 1.5, "method": "ping"},
        {"jsonrpc": "2.0", "id": True, "method": "ping"}, {"jsonrpc": "2.0", "id": "x" * 200, "method": "ping"},
        {"jsonrpc": "2.0", "id": 10**20, "method": "ping"}, {"jsonrpc": "2.0", "id": 1, "method": 5},
        {"jsonrpc": "2.0", "id": 1, "method": ""}, {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []},
        {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}}, {"jsonrpc": "2.0", "id": [1], "result": {}},
        {"jsonrpc": "2.0", "method": "ui/notifications/nothing"}, {"jsonrpc": "2.0", "id": "1", "result": {}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": []}},
        {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "shout"}},
    ],
    ids=str,
)  # fmt: skip
async def test_what_is_no_message_costs_nothing_and_changes_nothing(message: Any) -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        before = len(page.frames)
        page.say(message)
        assert await page.result("ping") == {}
        assert len(page.frames) == before + 1


async def test_an_id_that_is_in_use_is_refused_and_the_first_goes_on() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        request = {"jsonrpc": "2.0", "id": "a", "method": "tools/call"}
        page.say({**request, "params": {"name": "slow", "arguments": {"steps": 0}}})
        await weather.started.wait()
        page.say({**request, "params": {"name": "refresh"}})
        assert (await page.answer_to("a"))["error"]["code"] == -32600
        weather.release.set()
        answer = await page.until(lambda frame: "result" in frame.get("message", {}))
        assert answer["message"]["result"]["content"][0]["text"] == "done"
        assert ("refresh", "Paris") not in weather.calls


async def test_too_many_open_requests_are_refused() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}, limits=HostLimits(pending=3)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        for _ in range(3):
            page.post("tools/call", {"name": "slow", "arguments": {"steps": 0}})
        assert await page.error("tools/list") == (-32000, "3 requests are open, and that is the limit")
        weather.release.set()
        await page.answer_to(1)
        await page.result("tools/list")


@pytest.mark.requirement(154, 165)
async def test_a_view_that_sends_too_much_is_refused_and_then_removed() -> None:
    async with hosting({"weather": Weather().server}, limits=HostLimits(rate=1, burst=5, refusals=50)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        numbers = [page.post("ping") for _ in range(20)]
        assert "result" in await page.answer_to(numbers[0])
        assert (await page.answer_to(numbers[-1]))["error"]["data"]["retryAfter"] == 1
        assert page.view.closed is None
        for _ in range(200):
            page.notify("notifications/message", {"level": "info", "data": "x"})
        frame = await page.until(lambda frame: frame.get("do") == "remove")
        assert frame["reason"] == "The view sends more messages than a view may"
        assert host.session("ann").views == {}


async def test_an_answer_that_nobody_waits_for_is_dropped() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"}, appCapabilities={"tools": {}})
        other = await opened(host, "weather.forecast", {"city": "Rome"}, appCapabilities={"tools": {}})
        asking = asyncio.create_task(page.view.ask("tools/list", {}, 5))
        frame = await page.until(lambda frame: frame.get("message", {}).get("method") == "tools/list")
        forged = {"jsonrpc": "2.0", "id": frame["message"]["id"], "result": {"tools": ["forged"]}}
        other.say(forged)
        for guess in (0, 1, 2, "1", "0-1"):
            page.say({**forged, "id": guess})
        page.say({**forged, "result": {"tools": []}})
        assert await asking == {"tools": []}
        assert len(host.timeline.entries(action="misbehaved")) == 6


@pytest.mark.parametrize("answer", ["result", "no handler", "silence"])
async def test_a_view_is_asked_to_put_its_things_away_but_not_for_long(answer: str) -> None:
    async with hosting({"weather": Weather().server}, limits=HostLimits(teardown_seconds=0.05)) as host:
        closed: list[str] = []
        host.on_close(lambda view, reason: closed.append(reason))
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.polite = False
        closing = asyncio.create_task(page.view.close("enough"))
        frame = await page.until(lambda frame: frame.get("message", {}).get("method") == "ui/resource-teardown")
        assert frame["message"]["params"] == {"reason": "enough"}
        reply = {"jsonrpc": "2.0", "id": frame["message"]["id"]}
        if answer == "result":
            page.say({**reply, "result": {}})
        elif answer == "no handler":
            page.say({**reply, "error": {"code": -32601, "message": "Method not found"}})
        await closing
        assert page.frames[-1] == {"do": "remove", "reason": "enough"}
        assert closed == ["enough"]
        await page.view.close("again")
        assert closed == ["enough"]
        before = len(page.frames)
        page.post("ping")
        page.view.event("size", {"height": 3})
        assert len(page.frames) == before


async def test_a_view_can_ask_to_be_closed() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.notify("ui/notifications/request-teardown", {})
        await page.until(lambda frame: frame.get("do") == "remove")
        assert "ui/resource-teardown" in page.methods()


@pytest.mark.parametrize("event", ["navigated", "flood", "unresponsive"])
async def test_a_view_that_is_cut_off_is_told_to_the_caller(event: str) -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        problems: list[str] = []
        host.on_error(lambda view, problem: problems.append(problem))
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.post("tools/call", {"name": "slow", "arguments": {"steps": 0}})
        await weather.started.wait()
        page.view.event(event, {"count": 20_000})
        await page.until(lambda frame: frame.get("do") == "remove")
        await weather.cancelled.wait()
        assert page.view.call.problem is not None
        assert problems == [page.view.call.problem]
        assert "ui/resource-teardown" not in page.methods()  # there is nobody left to answer
        (entry,) = host.timeline.entries(action="tools/call")
        assert entry.outcome == "cancelled"


async def test_a_view_that_says_nothing_is_told_to_the_caller() -> None:
    told = asyncio.Event()
    async with hosting({"weather": Weather().server}, limits=HostLimits(initialize_seconds=0.01)) as host:
        host.on_error(lambda view, problem: told.set())
        call = await host.session("ann").start("weather.forecast", {"city": "Paris"})
        await Page().open(host, ticket_in(call.embed()))
        await told.wait()
        assert call.problem is not None
        assert call.problem.startswith(
            "The view never completed the ui/initialize handshake: it said nothing for 0.01 s"
        )
        assert call.shown is False


async def test_calls_go_on_while_the_socket_is_gone_and_the_view_keeps_its_place() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        number = page.post("tools/call", {"name": "slow", "arguments": {"steps": 0}})
        await weather.started.wait()
        page.view.detach()
        page.view.attach(page.send)
        weather.release.set()
        assert "result" in await page.answer_to(number)
        assert [entry.action for entry in host.timeline.entries() if "tached" in entry.action] == [
            "detached",
            "attached",
        ]


async def test_state_is_kept_with_the_call_and_comes_back_with_the_record() -> None:
    async with hosting({"weather": Weather().server}, limits=HostLimits(state_bytes=100)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        await page.result("cloche/set-state", {"value": {"tab": 2}})
        assert (await page.error("cloche/set-state", {"value": "x" * 200}))[0] == -32602
        record = page.view.call.record()
        assert record["state"] == {"tab": 2}
        again = await Page().open(host, ticket_in(host.session("ann").embed(record)))
        assert again.view.packet()["initialize"]["hostContext"]["cloche/state"] == {"tab": 2}


async def test_a_view_can_be_opened_only_so_often() -> None:
    async with hosting({"weather": Weather().server}, limits=HostLimits(views=2)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        await Page().open(host, page.view.call.ticket())
        with pytest.raises(Exception, match=r"Too many views are open: HostLimits\(views=2\)"):
            await Page().open(host, page.view.call.ticket())
