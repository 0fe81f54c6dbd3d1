"""The end of a connection and of a server: quiet, and nothing is left."""

from __future__ import annotations

import asyncio
import logging

import pytest

from cloche import Context, Server
from cloche.client import Client


async def test_a_tool_that_asks_a_client_that_goes_is_cancelled_quietly(caplog: pytest.LogCaptureFixture) -> None:
    server = Server("asks")
    cancelled = asyncio.Event()

    @server.tool
    async def think(ctx: Context) -> str:
        try:
            return (await ctx.sample("Anything?")).text
        except asyncio.CancelledError:
            cancelled.set()
            raise

    asked, never = asyncio.Event(), asyncio.Event()

    async def sampling(_: object) -> str:
        asked.set()
        await never.wait()
        return ""

    client = Client(server, version="2025-11-25", sampling=sampling)
    with caplog.at_level(logging.WARNING):
        await client.connect()
        call = asyncio.ensure_future(client.call_tool("think"))
        await asked.wait()
        await client.close()
        await asyncio.gather(call, return_exceptions=True)
        await asyncio.wait_for(cancelled.wait(), 5)
    assert caplog.messages == []


async def test_a_server_that_closes_leaves_no_timer() -> None:
    server = Server("timed")

    @server.tool
    async def echo(text: str) -> str:
        return text

    async with Client(server) as client:
        await client.call_tool("echo", {"text": "hello"})
        assert server.engine.inflight._timer is not None
    assert server.engine.inflight._timer is None
