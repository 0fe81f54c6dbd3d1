"""A stream that answers a request can be resumed from its very beginning: it starts with an id, before any message."""

from __future__ import annotations

import asyncio
import re

import pytest

from cloche import Context, Limits, Server
from tests.support.http_client import HttpClient, Legacy, message


def telling(gate: asyncio.Event, **limits: float) -> HttpClient:
    server = Server("teller", limits=Limits(**limits))

    @server.tool
    async def tell(ctx: Context) -> str:
        await ctx.progress(1, 2)
        await gate.wait()
        return "done"

    @server.tool
    async def think() -> str:
        await gate.wait()
        return "thought"

    return HttpClient(server.asgi(path="/mcp"))


def call_of(tool: str) -> dict[str, object]:
    return message("tools/call", {"name": tool, "arguments": {}, "_meta": {"progressToken": "p"}}, 7)


async def resumed(session: Legacy, event_id: bytes) -> list[dict[str, object]]:
    call = session.get((b"last-event-id", event_id))
    try:
        return await call.events(2)
    finally:
        call.hang_up()
        await asyncio.gather(call.task, return_exceptions=True)


async def test_a_client_that_lost_everything_but_the_first_event_gets_all_of_it() -> None:
    gate = asyncio.Event()
    session = await telling(gate).initialize("2025-11-25")
    lost = session.open(call_of("tell"))
    await lost.until(lambda: lost.body.count(b"\n\n") >= 2)
    first = lost.body.partition(b"\n\n")[0]
    found = re.fullmatch(rb"id: (\S+)\nretry: \d+\ndata:", first)
    assert found is not None, first
    lost.hang_up()
    gate.set()
    progress, answer = await resumed(session, found[1])
    assert progress["method"] == "notifications/progress"
    assert answer["id"] == 7


async def test_a_stream_that_only_keeps_the_connection_open_can_be_resumed_too() -> None:
    gate = asyncio.Event()
    session = await telling(gate, keepalive_seconds=0.01).initialize("2025-11-25")
    call = session.open(call_of("think"))
    await call.until(lambda: b": \n\n" in call.body)
    assert re.match(rb"id: \S+\nretry: \d+\ndata:\n\n: \n\n", call.body), call.body
    gate.set()
    assert (await call.answer()).events[-1]["id"] == 7


@pytest.mark.parametrize("version", ["2025-03-26", "2025-06-18"])
async def test_older_clients_get_no_event_without_data(version: str) -> None:
    gate = asyncio.Event()
    gate.set()
    session = await telling(gate).initialize(version)
    body = (await session.post(call_of("tell"))).body
    assert b"data:\n" not in body
    assert b"retry:" not in body
