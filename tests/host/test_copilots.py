"""Copilots in frames, from the host's side: what each sees and may call, who is asked, and when it is over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cloche import Client, Context, Server
from cloche.errors import (
    BudgetError,
    ConfigurationError,
    InternalError,
    InvalidParamsError,
    LocalProtocolError,
    McpError,
    PolicyDeniedError,
    UserDeclinedError,
)
from cloche.host import Copilot, Host, HostLimits, InBrowser, Policy
from tests.host.test_agent_tools import shop
from tests.host.upstreams.in_browser.tabs import hosted, tab
from tests.support.copilot_page import DEADLINE, ORIGIN, FrameTransport, PageWithCopilot
from tests.support.host_page import hosting

URL = "https://helper.example/chat?skin=blue"
HELPER = Copilot(URL, tools=["shop.*"], title="Helper")


@asynccontextmanager
async def helped(
    says: Any = True, servers: dict[str, Any] | None = None, copilot: Copilot = HELPER, **options: Any
) -> AsyncIterator[tuple[Host, PageWithCopilot]]:
    options.setdefault("copilots", {"helper": copilot})
    async with hosting(servers or {"shop": shop(), "bank": bank()}, **options) as host:
        yield host, await PageWithCopilot(says).at(host)


def bank() -> Server:
    """What no copilot is meant to see."""
    server = Server("bank")

    @server.tool(annotations={"readOnlyHint": True})
    def balance() -> int:
        """What there is."""
        return 12

    @server.tool(visibility=["app"])
    def redraw() -> str:
        """For views."""
        return "drawn"

    return server


async def test_a_copilot_has_the_tools_of_its_patterns_under_their_own_names_and_no_others() -> None:
    async with helped() as (_, page):
        assert page.client.server_info is not None
        assert page.client.server_info.name == "Cloche"
        tools = {tool.name: tool for tool in await page.client.list_tools()}
        assert list(tools) == ["stock", "buy", "empty"]
        assert tools["stock"].description == "How many there are."
        assert tools["stock"].input_schema["required"] == ["item"]
        assert await page.call("stock", item="cap") == {"cap": 3}
        for name in ("bank_balance", "balance", "bank.balance", "shop.stock", "shop_stock"):
            with pytest.raises(InvalidParamsError, match="does not offer it to the copilot"):
                await page.call(name)
        # Tools, and nothing else of the servers.
        assert await page.client.list_resources() == []
        assert await page.client.list_prompts() == []
        with pytest.raises(McpError):
            await page.client.read_resource("app://shop/private")


async def test_tools_of_several_servers_have_the_names_of_the_session_and_those_of_views_are_hidden() -> None:
    async with helped(copilot=Copilot(URL, tools=["shop.stock", "bank.*"])) as (_, page):
        assert await page.tools() == ["shop_stock", "bank_balance"]
        assert await page.call("bank_balance") == {"result": 12}
        with pytest.raises(InvalidParamsError):
            await page.call("bank_redraw")
        with pytest.raises(InvalidParamsError):
            await page.call("shop_buy", item="cap")


async def test_two_copilots_of_one_user_have_each_their_own_scope() -> None:
    copilots = {"helper": HELPER, "teller": Copilot("https://teller.example/", tools=["bank.balance"])}
    async with helped(copilots=copilots) as (host, page):
        other = await PageWithCopilot().at(host, name="teller")
        assert (await page.tools(), await other.tools()) == (["stock", "buy", "empty"], ["balance"])
        with pytest.raises(InvalidParamsError):
            await other.call("stock", item="cap")
        with pytest.raises(InvalidParamsError):
            await page.call("balance")


@pytest.mark.parametrize("version", ["2026-07-28", "2025-06-18"])
async def test_copilots_of_both_eras_are_answered(version: str) -> None:
    async with helped() as (_, page):
        page.page.event("lost", {})
        page.page.event("connected", {})
        page.transport = FrameTransport(page.page)
        async with Client(page.transport, version=version) as client:
            assert client.protocol_version == version
            assert [tool.name for tool in await client.list_tools()] == ["stock", "buy", "empty"]
            assert (await client.call_tool("stock", {"item": "cap"})).data == {"cap": 3}


async def test_the_person_is_asked_about_what_does_not_only_read_and_told_who_asks() -> None:
    bought: list[str] = []
    async with helped(servers={"shop": shop(bought)}) as (host, page):
        await page.call("stock", item="cap")
        assert page.questions == []
        assert await page.call("buy", item="cap") == "bought cap"
        (question,) = page.questions
        assert question["text"] == "The copilot “Helper” of “https://helper.example” wants to run “buy” of “shop”."
        assert question["details"] == {"item": "cap"}
        assert (question["accept"], question["lasting"]) == ("Allow once", "Allow on this page")
        await page.call("empty")
        assert "lasting" not in page.questions[1]
        page.says = False
        with pytest.raises(McpError, match="declined"):
            await page.call("buy", item="hat")
        assert bought == ["cap"]
        entries = [entry for entry in host.timeline.entries() if entry.action == "copilot-tool"]
        assert [(entry.tool, entry.decision, entry.decision_by) for entry in entries] == [
            ("stock", "allowed", "policy"),
            ("buy", "approved", "user"),
            ("empty", "approved", "user"),
            ("buy", "denied", "user"),
        ]
        assert "https://helper.example" in (entries[0].args or "")
        actions = [entry.action for entry in host.timeline.entries()]
        assert {"copilot-opened", "copilot-connected", "call"} <= {*actions}


@pytest.mark.parametrize(
    ("policy", "asked"),
    [
        (Policy(copilot_tool="allow"), ["empty"]),
        (Policy(copilot_tool="allow", never_ask=["shop.*"]), []),
        (Policy(always_ask=["shop.stock"], never_ask=["shop.buy"]), ["stock", "empty"]),
        (Policy(copilot_tool="deny"), None),
    ],
)
async def test_the_policy_says_who_is_asked(policy: Policy, asked: list[str] | None) -> None:
    async with helped(policy=policy) as (_, page):
        for name, given in (("stock", {"item": "a"}), ("buy", {"item": "a"}), ("empty", {})):
            if asked is None:
                with pytest.raises(McpError, match="does not allow this"):
                    await page.call(name, **given)
            else:
                await page.call(name, **given)
        names = [one["text"].rpartition("run “")[2].split("”")[0] for one in page.questions]
        assert names == (asked or [])
    assert PolicyDeniedError.code == UserDeclinedError.code  # what the copilot can tell them apart by is the sentence


async def test_a_tool_that_changes_is_told_and_not_called_before_it_is_read_again() -> None:
    server = shop()
    async with helped(servers={"shop": server}) as (_, page):
        changed = asyncio.Event()
        page.client.on_notification("notifications/tools/list_changed", lambda params: changed.set())
        assert await page.tools() == ["stock", "buy", "empty"]
        server.remove_tool("stock")

        @server.tool(annotations={"readOnlyHint": True})
        def stock(item: str) -> str:
            """Something else by the same name."""
            return item

        async with asyncio.timeout(DEADLINE):
            await changed.wait()
        with pytest.raises(InvalidParamsError, match="has changed since"):
            await page.call("stock", item="cap")
        await page.tools()
        assert await page.call("stock", item="cap") == "cap"


async def test_each_connection_greets_the_host_anew_in_the_session_that_was_there() -> None:
    async with helped() as (host, page):
        first = page.page.packet()
        old = page.client
        page.page.event("lost", {"message": "The page was\nreloaded"})
        page.page.receive({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})  # of the document that is gone
        await page.connect()
        assert await page.call("stock", item="cap") == {"cap": 3}
        assert old is not page.client
        again = await PageWithCopilot().at(host)
        assert again.page.packet()["session"] == first["session"]
        assert first["session"].startswith("mcp-")
        assert (first["url"], first["title"]) == (URL, "Helper")
        bob = await PageWithCopilot().at(host, "bob")
        assert bob.page.packet()["session"] != first["session"]
        (lost,) = host.timeline.entries(action="copilot-lost")
        assert lost.problem == "The page was reloaded"


async def test_a_call_under_way_ends_with_the_connection_and_nobody_else_gets_its_answer() -> None:
    server, begun, ended, go = Server("shop"), asyncio.Event(), asyncio.Event(), asyncio.Event()

    @server.tool(annotations={"readOnlyHint": True})
    async def wait() -> str:
        """Wait."""
        begun.set()
        try:
            await go.wait()
        finally:
            ended.set()
        return "late"

    async with helped(servers={"shop": server}) as (_, page):
        asked = asyncio.ensure_future(page.call("wait"))
        async with asyncio.timeout(DEADLINE):
            await begun.wait()
        page.page.event("connected", {})
        async with asyncio.timeout(DEADLINE):
            await ended.wait()
        go.set()
        await page.connect()
        await page.tools()
        assert not [frame for frame in page.frames if "late" in str(frame)]
        asked.cancel()


async def test_a_copilot_that_wants_to_know_hears_how_far_its_call_has_come() -> None:
    server = Server("shop")

    @server.tool(annotations={"readOnlyHint": True})
    async def count(ctx: Context, to: int) -> int:
        """Count."""
        for number in range(to):
            await ctx.progress(number + 1, to, f"at {number + 1}")
        return to

    async with helped(servers={"shop": server}) as (_, page):
        heard: list[float] = []
        result = await page.client.call_tool(
            "count", {"to": 3}, progress=lambda told, total=None, message=None: heard.append(told)
        )
        assert result.data == 3
        assert heard == [1, 2, 3]
        assert await page.call("count", to=2) == {"result": 2}  # and who does not, does not


async def test_results_calls_depth_and_pages_are_limited() -> None:
    server, held = shop(), asyncio.Event()

    @server.tool(annotations={"readOnlyHint": True})
    async def much(size: int) -> str:
        """A long text."""
        return "x" * size

    @server.tool(annotations={"readOnlyHint": True})
    async def hold() -> str:
        """Wait."""
        await held.wait()
        return "held"

    limits = HostLimits(copilot_bytes=10_000, copilot_calls=2, copilot_pages=1)
    async with helped(servers={"shop": server}, limits=limits) as (host, page):
        assert len(await page.call("much", size=5000)) == 5000
        with pytest.raises(InternalError, match="over the limit of 10000"):
            await page.call("much", size=20_000)
        both = [asyncio.ensure_future(page.call("hold")) for _ in range(2)]
        await page.tools()
        with pytest.raises(McpError, match="too many tools at once"):
            await page.call("hold")
        held.set()
        assert await asyncio.gather(*both) == ["held", "held"]
        with pytest.raises(BudgetError, match="copilot_pages"):
            await PageWithCopilot().at(host)
        deep: Any = {}
        for _ in range(100):
            deep = {"deep": deep}
        page.page.receive({"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": deep})
        refused = await page.until(lambda frame: frame.get("message", {}).get("id") == 99)
        assert "error" in refused["message"]


async def test_a_copilot_that_floods_is_refused_and_then_cut_off() -> None:
    limits = HostLimits(rate=0.001, burst=20, refusals=30)
    async with helped(limits=limits) as (host, page):
        for number in range(100, 160):
            page.page.receive({"jsonrpc": "2.0", "id": number, "method": "tools/list"})
        refused = await page.until(lambda frame: frame.get("message", {}).get("id") == 140)
        assert "asks too fast" in refused["message"]["error"]["message"]
        over = await page.until(lambda frame: "error" in frame)
        assert over["error"]["code"] == "flood"
        assert any("says too much" in (entry.problem or "") for entry in host.timeline.entries(action="budget"))


async def test_the_end_of_the_session_is_the_end_of_the_copilot() -> None:
    bought: list[str] = []
    async with helped(servers={"shop": shop(bought)}) as (host, page):
        await page.tools()
        session = host.session("ann")
        element = session.copilot_element("helper")
        assert session.is_connected
        await session.close()
        assert (await page.until(lambda frame: "error" in frame))["error"]["code"] == "closed"
        said = len(page.frames)
        page.page.event("connected", {})
        page.page.receive(
            {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "buy", "arguments": {"item": "a"}}}
        )
        await asyncio.sleep(0)
        assert (bought, len(page.frames)) == ([], said)
        with pytest.raises(InvalidParamsError, match="withdrawn"):
            await host._open_copilot(element.split('"')[1], page_origin=ORIGIN, send=page.take, admitted=lambda: None)
        assert host.session("ann").copilot_pages == {}


async def test_the_tools_of_a_server_in_the_visitors_tab_are_a_copilots_as_all_others_are() -> None:
    copilots = {"helper": Copilot(URL, tools=["mine.read", "mine.write"])}
    async with hosted(InBrowser(ask="never"), copilots=copilots) as wrapper:
        page = await PageWithCopilot().at(wrapper.host)
        assert await page.tools() == []
        changed = asyncio.Event()
        page.client.on_notification("notifications/tools/list_changed", lambda params: changed.set())
        async with tab(wrapper) as mine:
            async with asyncio.timeout(DEADLINE):
                while await page.tools() != ["read", "write"]:
                    await changed.wait()
                    changed.clear()
            assert await page.call("read") == "read in page"
            with pytest.raises(InvalidParamsError):
                await page.call("wipe")
            await mine.leave()
            async with asyncio.timeout(DEADLINE):
                while await page.tools():
                    await changed.wait()
                    changed.clear()
            with pytest.raises(McpError, match="does not offer it"):
                await page.call("read")


async def test_nothing_is_said_to_a_frame_that_is_not_connected() -> None:
    async with hosting({"shop": shop()}, copilots={"helper": HELPER}) as host:
        page = await PageWithCopilot().at(host, connects=False)
        page.page.receive({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        page.page.event("lost", {"message": 7})
        page.page.event("resize", {})
        assert page.frames == []


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Copilot("helper.example", tools=["shop.*"]), r"Copilot\(url\) needs an http or https URL"),
        (lambda: Copilot("https://ann:word@helper.example/", tools=["shop.*"]), "no name or password"),
        (lambda: Copilot(URL + "#setup", tools=["shop.*"]), "Leave the #"),
        (lambda: Copilot(URL, tools=[]), "names the tools that it may use"),
        (lambda: Host({"shop": shop()}, secret="s" * 32, copilots={"a b": HELPER}), "A copilot cannot be called"),
        (
            lambda: Host({"shop": shop()}, secret="s" * 32, copilots={"helper": URL}),  # type: ignore[dict-item]
            r"is a Copilot\(url, tools=\[…\]\), not str",
        ),
        (
            lambda: Host({"shop": shop()}, secret="s" * 32, copilots={"helper": Copilot(URL, tools=["bank.*"])}),
            r"copilots\['helper'\].tools names 'bank.\*'",
        ),
        (
            lambda: Host({"shop": shop()}, secret="s" * 32, copilots={"helper": Copilot(URL, tools="shop.*")}),
            "is one text: give a list",
        ),
    ],
)
def test_what_is_no_copilot_is_refused_in_a_sentence(make: Any, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        make()


async def test_a_copilot_that_the_host_does_not_have_is_named() -> None:
    async with hosting({"shop": shop()}, copilots={"helper": HELPER}) as host:
        with pytest.raises(LocalProtocolError, match="There is no copilot 'other', there is 'helper'"):
            host.session("ann").copilot_element("other")
