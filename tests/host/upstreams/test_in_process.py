"""Cloche servers in the host's own process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cloche import Context, Server
from cloche.errors import InvalidParamsError, McpError, TransportClosedError
from cloche.host.upstreams.in_process import InProcess


def make_server() -> Server:
    server = Server("clock", "1.2.3")

    @server.tool
    async def who(ctx: Context) -> str:
        """Who is asking."""
        return ctx.principal.id if ctx.principal else "nobody"

    @server.tool
    async def count(ctx: Context, to: int) -> int:
        """Counts aloud."""
        for number in range(to):
            await ctx.progress(number, to, f"at {number}")
        return to

    @server.resource("text://motto")
    def motto() -> str:
        return "under glass"

    return server


def text_of(result: dict[str, Any]) -> str:
    return "".join(block["text"] for block in result["content"])


async def test_nothing_is_opened_before_the_first_use() -> None:
    server = make_server()
    upstream = InProcess("clock", server, "ann")
    assert (upstream.status, upstream.server_info, server.is_connected) == ("idle", None, False)
    assert text_of(await upstream.call_tool("who", {})) == "ann"
    assert upstream.status == "ready"
    assert upstream.server_info is not None
    assert (upstream.server_info["name"], upstream.server_info["version"]) == ("clock", "1.2.3")
    await upstream.close()
    assert (upstream.status, server.is_connected) == ("closed", False)


async def test_two_users_have_a_connection_each() -> None:
    server = make_server()
    ann, bob = InProcess("clock", server, "ann"), InProcess("clock", server, "bob")
    answers = await asyncio.gather(*(upstream.call_tool("who", {}) for upstream in (ann, bob, ann, bob)))
    assert [text_of(answer) for answer in answers] == ["ann", "bob", "ann", "bob"]
    await ann.close()
    assert text_of(await bob.call_tool("who", {})) == "bob"
    await bob.close()


async def test_progress_comes_as_it_is_on_the_wire() -> None:
    upstream = InProcess("clock", make_server())
    seen: list[dict[str, Any]] = []
    result = await upstream.call_tool("count", {"to": 2}, on_progress=seen.append)
    assert result["structuredContent"] == {"result": 2}
    assert seen[0] == {"progress": 0, "total": 2, "message": "at 0"}
    await upstream.close()


async def test_resources_and_lists() -> None:
    upstream = InProcess("clock", make_server())
    read = await upstream.request("resources/read", {"uri": "text://motto"})
    assert read["contents"][0]["text"] == "under glass"
    assert [entry["uri"] for entry in (await upstream.list_page("resources/list", None))["resources"]] == [
        "text://motto"
    ]
    assert (await upstream.list_page("resources/templates/list", None))["resourceTemplates"] == []
    await upstream.close()


async def test_an_error_of_the_server_is_its_error() -> None:
    upstream = InProcess("clock", make_server())
    with pytest.raises(InvalidParamsError, match="Unknown tool"):
        await upstream.call_tool("nope", {})
    with pytest.raises(McpError, match="not found"):
        await upstream.request("resources/read", {"uri": "text://nope"})
    await upstream.close()


async def test_the_list_of_tools_is_fetched_once_and_again_when_it_changed() -> None:
    server = make_server()
    upstream = InProcess("clock", server)
    changes: list[str] = []
    told = asyncio.Event()

    def on_change(what: str) -> None:
        changes.append(what)
        if what == "tools":
            told.set()

    stop = upstream.on_change(on_change)
    first = await upstream.tools()
    assert [tool["name"] for tool in first] == ["who", "count"]
    assert await upstream.tools() is first

    @server.tool
    async def late() -> str:
        """Comes later."""
        return "here"

    await asyncio.wait_for(told.wait(), 5)
    assert [tool["name"] for tool in await upstream.tools()] == ["who", "count", "late"]
    assert changes == ["status", "tools"]
    stop()
    await upstream.close()
    assert changes == ["status", "tools"]


async def test_cancelling_the_caller_cancels_the_tool() -> None:
    server = Server("slow")
    started, cancelled = asyncio.Event(), asyncio.Event()

    @server.tool
    async def wait() -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return "never"

    upstream = InProcess("slow", server)
    call = asyncio.create_task(upstream.call_tool("wait", {}))
    await asyncio.wait_for(started.wait(), 5)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await asyncio.wait_for(cancelled.wait(), 5)
    await upstream.close()


async def test_a_server_that_was_closed_is_joined_again() -> None:
    server = make_server()
    upstream = InProcess("clock", server, "ann")
    changes: list[str] = []
    await upstream.tools()
    upstream.on_change(changes.append)
    await server.close()
    assert text_of(await upstream.call_tool("who", {})) == "ann"
    assert changes == ["tools", "resources", "prompts"]
    await upstream.close()


async def test_closing_fails_what_is_under_way_and_what_comes_later() -> None:
    server = Server("slow")
    started = asyncio.Event()

    @server.tool
    async def wait() -> str:
        started.set()
        await asyncio.Event().wait()
        return "never"

    upstream = InProcess("slow", server)
    call = asyncio.create_task(upstream.call_tool("wait", {}))
    await asyncio.wait_for(started.wait(), 5)
    await upstream.close()
    with pytest.raises(TransportClosedError):
        await call
    with pytest.raises(TransportClosedError):
        await upstream.call_tool("wait", {})


async def test_a_lifespan_that_fails_is_a_problem_and_may_work_the_next_time() -> None:
    broken = [True]

    @asynccontextmanager
    async def lifespan(_: Server) -> AsyncIterator[None]:
        if broken.pop() if broken else False:
            raise RuntimeError("no database")
        yield

    server = Server("data", lifespan=lifespan)

    @server.tool
    async def ask() -> str:
        return "42"

    upstream = InProcess("data", server)
    with pytest.raises(McpError):
        await upstream.call_tool("ask", {})
    assert text_of(await upstream.call_tool("ask", {})) == "42"
    await upstream.close()


async def test_a_list_that_changes_all_the_time_is_still_given() -> None:
    server = make_server()
    upstream = InProcess("clock", server)
    fetched = 0
    ask = upstream._ask

    async def changing(method: str, *rest: Any) -> Any:
        nonlocal fetched
        fetched += 1
        upstream.changed("tools")
        return await ask(method, *rest)

    upstream._ask = changing  # type: ignore[method-assign]
    assert [tool["name"] for tool in await upstream.tools()] == ["who", "count"]
    assert fetched == 3
    await upstream.close()
