"""H24, H25, H27: clients that are slow, clients that never read, tools that never end."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from typing import Any

import pytest

from cloche import Context, Limits
from cloche.server.session_store import MemorySessionStore
from tests.serve.security.surface import Surface, check_next_works, check_refusal, turn_until
from tests.support.http_client import MODERN, Call, HttpClient, message, modern, modern_headers, streaming

STATELESS = (b"mcp-protocol-version", MODERN.encode())


def listen(client: HttpClient, *uris: str) -> Call:
    body = modern("subscriptions/listen", {"notifications": {"resourceSubscriptions": list(uris)}}, "listening")
    return client.open(body, *modern_headers(body))


# H24


async def test_H24_a_body_that_never_ends_is_given_up() -> None:
    client = Surface(limits=Limits(body_seconds=0.3, keepalive_seconds=0.05)).client()
    call = client.start("POST", client.headers(STATELESS), [b"{", b'"jsonrpc"'])
    check_refusal(await call.answer(), 408)
    await check_next_works(client)

    patient = Surface(limits=Limits(body_seconds=60.0)).client()
    held = patient.start("POST", patient.headers(STATELESS), [b"{"])
    refused = client.start("POST", client.headers(STATELESS), [b"{"])
    await refused.answer()
    assert not held.task.done()
    assert held.status == 0
    held.hang_up()
    await held.task


async def test_H24_a_slow_body_that_does_end_is_answered_once_and_whole() -> None:
    # Its keep-alive period passes many times meanwhile, and nothing may be said before the message is there.
    client = Surface(limits=Limits(keepalive_seconds=0.01)).client()
    body = modern("tools/call", {"name": "echo", "arguments": {"text": "slow"}})
    data = json.dumps(body).encode()
    call = client.start("POST", client.headers(*modern_headers(body)), [data[:20]])
    ticks = client.app.engine.inflight  # type: ignore[attr-defined]
    for _ in range(3):
        ticks._tick()
        await asyncio.sleep(0.02)  # longer than the keep-alive period: it is time itself that is tested
    assert call.status == 0
    call.feed(data[20:])
    assert (await call.answer()).text == "slow"


async def test_H24_hanging_up_in_the_middle_of_a_message_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    surface = Surface()
    client = surface.client()
    for parts in ([], [b"{"]):
        call = client.start("POST", client.headers(STATELESS), parts)
        call.hang_up()
        await call.task
        assert call.status == 0
    assert caplog.records == []
    await check_next_works(client)


async def test_H24_an_answer_that_is_not_read_is_given_up() -> None:
    surface = Surface(limits=Limits(body_seconds=0.3))
    client = surface.client()
    body = modern("tools/call", {"name": "echo", "arguments": {"text": "x"}})
    session = await client.initialize()
    for start in (lambda: client.open(body, *modern_headers(body)), lambda: session.open(message("tools/list"))):
        opened = start()
        opened.stop_reading()
        async with asyncio.timeout(10):
            await opened.task
        assert opened.status == 0
    assert len(client.app.engine.inflight) == 0  # type: ignore[attr-defined]
    await check_next_works(client)

    patient = Surface(limits=Limits(body_seconds=60.0)).client()
    held = patient.open(body, *modern_headers(body))
    held.stop_reading()
    other = client.open(body, *modern_headers(body))
    other.stop_reading()
    await other.task
    assert not held.task.done()
    held.go_on_reading()
    assert (await held.answer()).text == "x"


# H25


async def test_H25_a_reader_that_stops_reading_is_cut_off_and_costs_the_others_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    surface = Surface(limits=Limits(queue=50))
    client = surface.client()
    async with streaming(listen(client, "x://a")) as healthy:
        stuck = listen(client, "x://a")
        await stuck.events(1)
        stuck.stop_reading()
        for number in range(200):
            surface.server.resource_updated("x://a")
            await healthy.events(number + 2)
        async with asyncio.timeout(5):
            await stuck.task
        assert len(client.app.engine.subscriptions) == 1  # type: ignore[attr-defined]
    assert "too slow" in caplog.text
    await check_next_works(client)

    # Without the bound everything waits for whoever never comes.
    lifted = Surface(limits=Limits(queue=10**6))
    stuck = listen(lifted.client(), "x://a")
    await stuck.events(1)
    stuck.stop_reading()
    stream = next(iter(lifted.server.engine.subscriptions._streams))
    for _ in range(2):
        for _ in range(5000):
            lifted.server.resource_updated("x://a")
        await asyncio.sleep(0)  # the first lot is being written, the second waits
    assert not stuck.task.done()
    assert len(stream._queue) == 5000  # type: ignore[attr-defined]
    stuck.go_on_reading()
    stuck.hang_up()
    await stuck.task


async def test_H25_what_waits_for_a_session_s_stream_is_bounded() -> None:
    surface = Surface(limits=Limits(queue=20, log=30))
    client = surface.client()
    session = await client.initialize()
    for number in range(500):
        await surface.server.notify("custom/news", {"number": number})
    async with streaming(session.get()) as stream:
        events = await stream.events(20)
        assert [event["params"]["number"] for event in events] == list(range(480, 500))
        stream.stop_reading()
        for number in range(500):
            await surface.server.notify("custom/more", {"number": number})
            await asyncio.sleep(0)
        table = client.app.handshake.table  # type: ignore[attr-defined]
        assert len(table.sessions[session.id.encode()].outbox) <= 20
    await check_next_works(client)


async def test_H25_the_log_of_streams_is_bounded_per_session_and_forgotten_with_it() -> None:
    surface = Surface(limits=Limits(log=10))

    @surface.server.tool
    async def chatty(ctx: Context) -> str:
        for number in range(30):
            await ctx.log("error", f"line {number}")
        return "done"

    client = surface.client()
    session = await client.initialize()
    for _ in range(100):
        assert (await session.call("chatty")).events[-1]["result"]["content"][0]["text"] == "done"
    store = surface.server.sessions
    assert isinstance(store, MemorySessionStore)
    assert len(store._logs.items) <= 33
    assert all(len(log.entries) <= 10 for _, log, _ in store._logs.items.values())
    await session.delete()
    assert len(store) == 0
    assert store._logs._size == 0


async def test_H25_the_store_drops_what_is_over_and_what_is_too_much() -> None:
    now = 0.0
    store = MemorySessionStore(entries=100, all_log_bytes=1000, clock=lambda: now)
    for number in range(50):
        await store.append(f"log{number}", b"x" * 100, 60)
    assert len(store) == 10
    assert await store.read_after("log49", 0) == [(1, b"x" * 100)]
    assert await store.read_after("log0", 0) == []
    now = 61.0
    await store.append("new", b"x", 60)
    assert len(store) == 1
    assert store._logs._size == 1

    control = MemorySessionStore(entries=10**6, all_log_bytes=1 << 60, clock=lambda: 0.0)
    for number in range(500):
        await control.append(f"log{number}", b"x" * 100, 60)
    assert len(control) == 500


async def test_H25_values_in_the_store_are_bounded_by_number_bytes_and_time() -> None:
    now = 0.0
    store = MemorySessionStore(entries=20, all_value_bytes=1000, clock=lambda: now)
    for number in range(50):
        await store.put(f"large{number}", b"x" * 100, 60)
    assert len(store) == 10
    for number in range(50):
        await store.put(f"small{number}", b"x", 60)
    assert len(store) == 20
    await store.put("small49", b"another", 60)
    assert await store.get("small49") == b"another"
    now = 61.0
    assert await store.get("small48") is None
    await store.put("new", b"x", 60)
    assert len(store) == 1

    control = MemorySessionStore(entries=10**6, all_value_bytes=1 << 60, clock=lambda: 0.0)
    for number in range(500):
        await control.put(f"large{number}", b"x" * 100, 60)
    assert len(control) == 500


# H27


async def test_H27_a_tool_that_hangs_is_answered_at_its_deadline() -> None:
    surface = Surface()
    hung = threading.Event()

    @surface.server.tool(timeout=0.1)
    async def sleeps() -> str:
        await asyncio.Event().wait()
        return "never"

    @surface.server.tool(timeout=0.1)
    async def stubborn() -> str:
        for _ in range(2):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                await surface.release.wait()
        return "never"

    @surface.server.tool(timeout=0.1)
    def stuck() -> str:
        hung.wait(30)
        return "never"

    client = surface.client()
    session = await client.initialize()
    for tool in ("sleeps", "stubborn", "stuck"):
        for answer in (await client.call(tool), await session.call(tool)):
            assert answer.result["isError"]
            assert "0.1 seconds" in answer.text
    assert len(client.app.handshake.table.sessions[session.id.encode()].in_flight) == 0  # type: ignore[attr-defined]
    await check_next_works(client)
    surface.release.set()
    hung.set()
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_H27_without_a_deadline_it_hangs() -> None:
    surface = Surface(timeout=None)
    client = surface.client()
    body = modern("tools/call", {"name": "wait", "arguments": {}})
    held = client.open(body, *modern_headers(body))
    await surface.entered.wait()
    quick = Surface(timeout=0.1)
    assert (await quick.client().call("wait")).result["isError"]
    assert not held.task.done()
    surface.release.set()
    await held.answer()


@pytest.mark.parametrize("final", [False, True])
async def test_H27_a_flood_of_progress_is_held_to_a_rate(final: bool) -> None:
    async def run(limits: Limits) -> int:
        surface = Surface(limits=limits)

        @surface.server.tool
        async def flood(ctx: Context) -> str:
            for number in range(2000):
                await ctx.progress(number, 0 if final else None)
            return "done"

        body = modern("tools/call", {"name": "flood", "arguments": {}}, 1, progressToken="p")
        events = (await surface.client().post(body, *modern_headers(body))).events
        assert events[-1]["result"]["content"][0]["text"] == "done"
        return len(events) - 1

    assert await run(Limits(progress_per_second=20)) <= 100
    assert await run(Limits(progress_per_second=10**6)) == 2000


async def test_H27_hanging_up_cancels_a_stateless_call() -> None:
    surface = Surface()
    ended: list[str] = []

    @surface.server.tool
    async def long(ctx: Context) -> str:
        await ctx.log("error", "begun")
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
        return "never"

    client = surface.client()
    body = modern("tools/call", {"name": "long", "arguments": {}}, 1, **{"io.modelcontextprotocol/logLevel": "debug"})
    call = client.open(body, *modern_headers(body))
    await call.events(1)
    call.hang_up()
    await call.task
    assert ended == ["cancelled"]
    await check_next_works(client)


@pytest.mark.parametrize("how", ["exits", "cancels itself", "raises", "recurses", "no text"])
async def test_H27_a_tool_that_breaks_breaks_only_its_own_call(how: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "cloche.server")
    surface = Surface()

    def broken() -> Any:
        if how == "exits":
            raise SystemExit(2)
        if how == "cancels itself":
            raise asyncio.CancelledError
        if how == "raises":
            raise RuntimeError("x" * 5000)
        if how == "no text":
            raise OSError("no such file: caf\udce9")  # as the name of a file in another encoding looks
        return broken()

    @surface.server.tool
    async def on_the_loop() -> Any:
        return broken()

    @surface.server.tool
    def in_a_thread() -> Any:
        return broken()

    @surface.server.resource("x://broken")
    def resource() -> Any:
        return broken()

    client = surface.client()
    session = await client.initialize()
    for tool in ("on_the_loop", "in_a_thread"):
        for answer in (await client.call(tool), await session.call(tool)):
            assert answer.status == 200
            assert len(answer.body) < 1200
            assert "error" in answer.json or answer.result["isError"]
    read = await session.request("resources/read", {"uri": "x://broken"})
    assert (read.status, read.error["code"]) == (200, -32603)
    await check_next_works(client)


async def test_H27_a_question_that_cannot_be_asked_is_the_tool_s_error(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "cloche.server")
    surface = Surface()
    form = {"type": "object", "properties": {"name": {"type": "string"}}}

    @surface.server.tool
    async def remembers_much(ctx: Context) -> str:
        await ctx.once("much", lambda: "x" * 100_000)
        await ctx.elicit("Who?", form)
        return "never"

    @surface.server.tool
    async def asks_nonsense(ctx: Context) -> str:
        await ctx.elicit("\ud800", form)
        return "never"

    client = surface.client()
    for tool in ("remembers_much", "asks_nonsense"):
        body = modern("tools/call", {"name": tool, "arguments": {}})
        body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = {"elicitation": {}}
        answer = await client.post(body, *modern_headers(body))
        assert answer.status == 200
        assert answer.result["isError"]
    await check_next_works(client)


async def test_a_cancelled_request_ends_and_the_session_goes_on() -> None:
    surface = Surface()
    session = await surface.client().initialize()
    call = session.open(message("tools/call", {"name": "wait", "arguments": {}}, "x"))
    await surface.entered.wait()
    await session.post(message("$/cancelRequest", {"id": "x"}, None))
    assert (await call.answer()).body == b""
    await turn_until(lambda: True)
    assert (await session.call("echo", text="on")).text == "on"
