"""Tools for browser agents, from the host's side: which a page lists, who is asked, what is not called any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cloche import Server
from cloche.errors import BudgetError, ConfigurationError, InvalidParamsError, LocalProtocolError
from cloche.host import Host, HostLimits, Policy
from cloche.host.agent_tools import AgentPage
from tests.host.servers import Weather
from tests.host.test_app_tools import PROVIDING, ZOOM, answering
from tests.support.host_page import ORIGIN, Page, hosting, opened

Json = dict[str, Any]


def shop(bought: list[Any] | None = None) -> Server:
    """A product's own functions."""
    server = Server("shop")

    @server.tool(annotations={"readOnlyHint": True, "openWorldHint": False})
    def stock(item: str) -> dict[str, int]:
        """How many there are."""
        return {item: 3}

    @server.tool
    def buy(item: str) -> str:
        """Buy one."""
        (bought if bought is not None else []).append(item)
        return f"bought {item}"

    @server.tool(annotations={"destructiveHint": True})
    def empty() -> str:
        """Empty the cart."""
        return "empty"

    return server


class Agent:
    """A page with tools, and the agent at it; `says` is what the person answers to a question, None for nothing."""

    def __init__(self, says: Any = True) -> None:
        self.says = says
        self.frames: list[Json] = []
        self.questions: list[Json] = []
        self._count = 0
        self._more = asyncio.Event()
        self.page: AgentPage

    async def at(self, host: Host, user: str = "ann", views: list[Any] | None = None) -> Agent:
        ticket = host.session(user).agent_tools_element().split('"')[1]
        self.page = await host._open_agents(
            ticket, page_origin=ORIGIN, send=self._take, admitted=lambda: None, views=lambda: views or []
        )
        self.page.start()
        return self

    def _take(self, frame: Json) -> None:
        self.frames.append(frame)
        if "ask" in frame:
            self.questions.append(frame["question"])
            if self.says is not None:
                asyncio.get_running_loop().call_soon(self.page.answered, frame["ask"], self.says)
        self._more.set()

    async def until(self, wanted: Any) -> Json:
        async with asyncio.timeout(5):
            while not (found := [frame for frame in self.frames if wanted(frame)]):
                self._more.clear()
                await self._more.wait()
        return found[-1]

    async def tools(self, known: int = 0) -> dict[str, Json]:
        """What the page lists, when it has been told more than `known` times."""
        async with asyncio.timeout(5):
            while len(lists := [frame for frame in self.frames if frame.get("do") == "tools"]) <= known:
                self._more.clear()
                await self._more.wait()
        return {tool["name"]: tool for tool in lists[-1]["tools"]}

    def call(self, name: str, arguments: Json, version: object) -> int:
        self._count += 1
        params = {"name": name, "arguments": arguments, "version": version}
        self.page.receive({"jsonrpc": "2.0", "id": self._count, "method": "tools/call", "params": params})
        return self._count

    async def answer(self, number: int) -> Json:
        answer: Json = (await self.until(lambda frame: frame.get("message", {}).get("id") == number))["message"]
        return answer

    async def use(self, name: str, **arguments: Any) -> Json:
        tools = await self.tools()
        return await self.answer(self.call(name, arguments, tools[name]["version"]))


@asynccontextmanager
async def agent(says: Any = True, servers: Json | None = None, **options: Any) -> AsyncIterator[tuple[Host, Agent]]:
    options.setdefault("agent_tools", ["shop.*"])
    async with hosting(servers or {"shop": shop()}, **options) as host:
        yield host, await Agent(says).at(host)


async def test_a_page_lists_what_the_product_names_and_nothing_else() -> None:
    servers = {"shop": shop(), "weather": Weather().server}
    async with agent(servers=servers, agent_tools=["shop.b*", "shop.stock"]) as (_, page):
        tools = await page.tools()
        assert list(tools) == ["shop_stock", "shop_buy"]
        assert tools["shop_stock"]["description"] == "How many there are."
        assert tools["shop_stock"]["inputSchema"]["required"] == ["item"]
        assert tools["shop_stock"]["annotations"] == {"readOnlyHint": True, "openWorldHint": False}
        refused = await page.answer(page.call("weather_forecast", {"city": "Rome"}, "x"))
        assert "this page does not offer it to agents" in refused["error"]["message"]


async def test_python_functions_run_when_the_person_allows_it_and_what_only_reads_runs_at_once() -> None:
    bought: list[str] = []
    async with agent(servers={"shop": shop(bought)}) as (host, page):
        assert (await page.use("shop_stock", item="cap"))["result"]["structuredContent"] == {"cap": 3}
        assert page.questions == []
        assert (await page.use("shop_buy", item="cap"))["result"]["content"][0]["text"] == "bought cap"
        (question,) = page.questions
        assert question["text"] == "An agent in your browser wants to run “buy” of “shop”."
        assert question["details"] == {"item": "cap"}
        assert (question["accept"], question["lasting"]) == ("Allow once", "Allow on this page")
        await page.use("shop_empty")
        assert "lasting" not in page.questions[1]
        page.says = "page"
        await page.use("shop_buy", item="hat")
        page.says = False
        await page.use("shop_buy", item="scarf")
        assert bought == ["cap", "hat", "scarf"]
        actions = [entry.decision_by for entry in host.timeline.entries() if entry.action == "agent-tool"]
        assert actions == ["policy", "user", "user", "user", "user"]


async def test_what_the_person_refuses_does_not_run() -> None:
    bought: list[str] = []
    async with agent(False, {"shop": shop(bought)}) as (_, page):
        assert "declined" in (await page.use("shop_buy", item="cap"))["error"]["message"]
        assert bought == []


@pytest.mark.parametrize(
    ("policy", "asked"),
    [
        (Policy(agent_tool="allow"), ["empty"]),
        (Policy(agent_tool="allow", never_ask=["shop.*"]), []),
        (Policy(always_ask=["shop.stock"], never_ask=["shop.buy"]), ["stock", "empty"]),
        (Policy(agent_tool="deny"), None),
    ],
)
async def test_the_policy_says_who_is_asked(policy: Policy, asked: list[str] | None) -> None:
    async with agent(policy=policy) as (_, page):
        answers = [await page.use("shop_stock", item="a"), await page.use("shop_buy", item="a")]
        answers.append(await page.use("shop_empty"))
        assert ["error" in answer for answer in answers] == [asked is None] * 3
        questions = [one["text"].split("“")[1].split("”")[0] for one in page.questions]
        assert questions == (asked or [])


async def test_each_user_has_the_tools_of_their_own_server() -> None:
    def of_user(user: str) -> Server:
        return shop() if user == "ann" else Server("empty")

    async with agent(servers={"shop": of_user}) as (host, page):
        assert len(await page.tools()) == 3
        other = await Agent().at(host, "bob")
        assert await other.tools() == {}
        (version, *_) = [tool["version"] for tool in (await page.tools()).values()]
        assert "error" in await other.answer(other.call("shop_stock", {"item": "a"}, version))


async def test_a_tool_that_comes_or_goes_is_told() -> None:
    server = shop()
    async with agent(servers={"shop": server}) as (_, page):
        await page.tools()

        @server.tool
        def late() -> str:
            """Came later."""
            return "late"

        assert "shop_late" in await page.tools(1)


async def test_a_call_that_its_agent_gives_up_is_cancelled() -> None:
    server, begun, ended = Server("shop"), asyncio.Event(), asyncio.Event()

    @server.tool(annotations={"readOnlyHint": True})
    async def wait() -> str:
        """Wait."""
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    async with agent(servers={"shop": server}) as (_, page):
        number = page.call("shop_wait", {}, (await page.tools())["shop_wait"]["version"])
        await asyncio.wait_for(begun.wait(), 5)
        page.page.receive({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
        await asyncio.wait_for(ended.wait(), 5)
        begun.clear()
        ended.clear()
        page.call("shop_wait", {}, (await page.tools())["shop_wait"]["version"])
        await asyncio.wait_for(begun.wait(), 5)
        await page.page.close("The page is gone")
        await asyncio.wait_for(ended.wait(), 5)


async def test_the_tools_of_views_are_offered_only_where_the_policy_lets_them_be() -> None:
    servers = {"weather": Weather().server, "shop": shop()}
    for rule, seen in (("deny", False), ("ask", True)):
        policy = Policy(agent_view_tool=rule)  # type: ignore[arg-type]
        async with hosting(servers, agent_tools=["shop.*"], policy=policy) as host:
            views: list[Any] = []
            page = await Agent().at(host, views=views)
            await page.tools()
            app: Page = await opened(host, "weather.forecast", {"city": "Paris"}, appCapabilities=PROVIDING)
            done = {"content": [{"type": "text", "text": "zoomed"}]}
            lying = {**ZOOM, "annotations": {"readOnlyHint": True}}
            answering(app, list={"result": {"tools": [lying]}}, call={"result": done})
            views.append(app.view)
            app.notify("notifications/tools/list_changed")
            if not seen:
                answer = await page.answer(page.call("weather.1.zoom", {}, "x"))
                assert "does not offer it" in answer["error"]["message"]
                assert "weather.1.zoom" not in await page.tools()
                continue
            tools = await page.tools(1)
            assert tools["weather.1.zoom"]["description"] == "Of the app 'weather' on this page: Zoom in"
            assert tools["weather.1.zoom"]["annotations"] == {}
            assert (await page.use("weather.1.zoom", by=2))["result"] == done
            assert page.questions[0]["text"] == "An agent in your browser wants to run “zoom” of the app “weather”."
            views.clear()
            await app.view.close("Done")
            assert "weather.1.zoom" not in await page.tools(2)


async def test_what_is_no_call_runs_nothing_and_there_are_limits() -> None:
    bought: list[str] = []
    limits = HostLimits(agent_calls=1, agent_pages=1)
    async with agent(None, {"shop": shop(bought)}, limits=limits) as (host, page):
        version = (await page.tools())["shop_buy"]["version"]
        messages: list[Json] = [
            {},
            {"id": 1},
            {"id": "1", "method": "tools/call"},
            {"id": 9, "method": "resources/read"},
            {"method": "notifications/cancelled", "params": {"requestId": []}},
        ]
        for message in messages:
            page.page.receive(message)
        for params in ({}, {"name": 1, "arguments": {}}, {"name": "shop_buy", "arguments": []}):
            page.page.receive({"id": 100, "method": "tools/call", "params": params})
            assert (await page.answer(100))["error"]["code"] == InvalidParamsError.code
            page.frames.clear()
        page.call("shop_buy", {"item": "a"}, version)
        await page.until(lambda frame: "ask" in frame)
        refused = await page.answer(page.call("shop_buy", {"item": "b"}, version))
        assert "too many tools at once" in refused["error"]["message"]
        with pytest.raises(BudgetError, match="agent_pages"):
            await Agent().at(host)
        assert bought == []


async def test_a_session_that_is_revoked_takes_its_pages_along() -> None:
    async with agent() as (host, page):
        await page.tools()
        element = host.session("ann").agent_tools_element()
        await host.session("ann").revoke()
        assert (await page.until(lambda frame: "error" in frame))["error"]["code"] == "closed"
        assert host.session("ann").agent_pages == {}
        with pytest.raises(InvalidParamsError, match="withdrawn"):
            await host._open_agents(
                element.split('"')[1], page_origin=ORIGIN, send=print, admitted=lambda: None, views=list
            )


@pytest.mark.parametrize("given", ["shop.*", ["shop"], ["basket.*"], ["shop."], ["sh op.buy"]])
def test_what_names_no_tool_is_refused_when_the_host_is_made(given: Any) -> None:
    with pytest.raises(ConfigurationError, match="agent_tools"):
        Host({"shop": shop()}, secret="s" * 32, agent_tools=given)


async def test_a_host_that_offers_nothing_says_so() -> None:
    async with hosting({"shop": shop()}) as host:
        with pytest.raises(LocalProtocolError, match=r"list tools in Host\(agent_tools="):
            host.session("ann").agent_tools_element()
