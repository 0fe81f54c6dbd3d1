"""Server objects of the official package and of fastmcp, in process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import mcp_types
import pytest
from fastmcp import Context as FastContext
from fastmcp import FastMCP
from mcp.server import Server as LowLevelServer
from mcp.server.mcpserver import Context, MCPServer

from cloche.errors import InvalidParamsError, McpError, UpstreamError
from cloche.host.upstreams import open_upstream
from tests.host.upstreams.watching import Watched, call, closing


class Lives:
    """How often a server's lifespan began and ended."""

    def __init__(self) -> None:
        self.begun = self.ended = 0

    @asynccontextmanager
    async def __call__(self, _: Any) -> AsyncIterator[dict[str, Any]]:
        self.begun += 1
        try:
            yield {}
        finally:
            self.ended += 1


def official(lives: Lives) -> MCPServer:
    server = MCPServer("official", version="1.0", lifespan=lives)

    @server.tool()
    async def shout(text: str) -> str:
        return text.upper()

    @server.tool()
    async def steps(count: int, ctx: Context) -> int:
        for step in range(count):
            await ctx.report_progress(step, count, f"at {step}")
        return count

    @server.tool()
    async def grow(ctx: Context) -> str:
        server.add_tool(lambda: "here", name="late")
        await ctx.notify_tools_changed()
        return "grown"

    @server.resource("text://motto")
    def motto() -> str:
        return "under glass"

    return server


def fast(lives: Lives) -> FastMCP:
    server = FastMCP("fast", version="1.0", lifespan=lives)

    @server.tool
    async def shout(text: str) -> str:
        return text.upper()

    @server.tool
    async def steps(count: int, ctx: FastContext) -> int:
        for step in range(count):
            await ctx.report_progress(step, count, f"at {step}")
        return count

    @server.tool
    async def grow(ctx: FastContext) -> str:
        server.tool(lambda: "here", name="late")
        await ctx.send_notification(mcp_types.ToolListChangedNotification())
        return "grown"

    @server.resource("text://motto")
    def motto() -> str:
        return "under glass"

    return server


kinds = pytest.mark.parametrize("make", [official, fast])


@kinds
async def test_tools_resources_progress_and_errors(make: Callable[[Lives], Any]) -> None:
    lives = Lives()
    async with closing(open_upstream("object", make(lives))) as upstream:
        assert lives.begun == 0
        assert await call(upstream, "shout", text="hello") == "HELLO"
        assert upstream.server_info is not None
        assert upstream.server_info["version"] == "1.0"
        assert [tool["name"] for tool in await upstream.tools()] == ["shout", "steps", "grow"]
        seen: list[dict[str, Any]] = []
        result = await upstream.call_tool("steps", {"count": 2}, on_progress=seen.append)
        assert result["structuredContent"] == {"result": 2}
        assert seen == [
            {"progress": 0, "total": 2, "message": "at 0"},
            {"progress": 1, "total": 2, "message": "at 1"},
        ]
        read = await upstream.request("resources/read", {"uri": "text://motto"})
        assert read["contents"][0]["text"] == "under glass"
        assert read.keys() <= {"contents", "_meta"}
        assert [entry["uri"] for entry in (await upstream.list_page("resources/list", None))["resources"]] == [
            "text://motto"
        ]
        assert (await upstream.list_page("prompts/list", None))["prompts"] == []
        with pytest.raises(McpError):
            await upstream.request("resources/read", {"uri": "text://nothing"})
        assert (lives.begun, lives.ended) == (1, 0)
    assert (lives.begun, lives.ended) == (1, 1)


@kinds
async def test_the_list_of_tools_stays_current(make: Callable[[Lives], Any]) -> None:
    async with closing(open_upstream("object", make(Lives()))) as upstream:
        watched = Watched(upstream)
        assert "late" not in {tool["name"] for tool in await upstream.tools()}
        await call(upstream, "grow")
        await watched.until("ready", "tools")
        assert "late" in {tool["name"] for tool in await upstream.tools()}


@kinds
async def test_cancelling_the_caller_cancels_the_tool(make: Callable[[Lives], Any]) -> None:
    server = make(Lives())
    began, cancelled = asyncio.Event(), asyncio.Event()

    async def hang() -> str:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return "never"

    server.tool(name="hang")(hang)
    async with closing(open_upstream("object", server)) as upstream:
        pending = asyncio.create_task(upstream.call_tool("hang", {}))
        await began.wait()
        pending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await pending
        await cancelled.wait()
        assert await call(upstream, "shout", text="on") == "ON"


async def test_a_low_level_server() -> None:
    async def list_tools(_: Any, __: Any) -> mcp_types.ListToolsResult:
        return mcp_types.ListToolsResult(tools=[mcp_types.Tool(name="one", input_schema={"type": "object"})])

    async def call_tool(_: Any, params: mcp_types.CallToolRequestParams) -> mcp_types.CallToolResult:
        if params.name != "one":
            raise ValueError("no such tool")
        return mcp_types.CallToolResult(content=[mcp_types.TextContent(type="text", text="1")], structured_content=[1])

    server = LowLevelServer("low", on_list_tools=list_tools, on_call_tool=call_tool)
    async with closing(open_upstream("low", server)) as upstream:
        assert [tool["name"] for tool in await upstream.tools()] == ["one"]
        result = await upstream.call_tool("one", {})
        assert result["structuredContent"] == {"result": [1]}  # in 2025-11-25 it has to be an object
        with pytest.raises(McpError):
            await upstream.call_tool("two", {})


async def test_a_lifespan_that_fails_is_told() -> None:
    @asynccontextmanager
    async def broken(_: Any) -> AsyncIterator[dict[str, Any]]:
        raise RuntimeError("no database")
        yield {}

    async with closing(open_upstream("object", MCPServer("x", lifespan=broken))) as upstream:
        with pytest.raises(UpstreamError, match="did not start: no database"):
            await upstream.tools()
        assert upstream.status == "failed"


async def test_arguments_arrive_as_they_were_given() -> None:
    server = MCPServer("echo")

    @server.tool()
    async def echo(value: dict[str, Any]) -> dict[str, Any]:
        return value

    given = {"none": None, "deep": {"list": [None, 1.5, "ü", {}]}, "false": False}
    async with closing(open_upstream("echo", server)) as upstream:
        assert (await upstream.call_tool("echo", {"value": given}))["structuredContent"] == given
        with pytest.raises(InvalidParamsError):
            await upstream.request("tools/call", {"arguments": {}})


async def test_a_list_without_an_end_is_given_up() -> None:
    async def list_tools(_: Any, __: Any) -> mcp_types.ListToolsResult:
        tool = mcp_types.Tool(name="again", input_schema={"type": "object"})
        return mcp_types.ListToolsResult(tools=[tool] * 500, next_cursor="more")

    async with closing(open_upstream("endless", LowLevelServer("endless", on_list_tools=list_tools))) as upstream:
        with pytest.raises(McpError, match="more tools than a host can use"):
            await upstream.tools()
