"""What a bad server can make a client keep, do and wait for."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import Awaitable, Callable

import httpx2
import pytest

from cloche.errors import McpError, TransportClosedError
from cloche.transports.http.client import MAX_NOTICES, MAX_REQUESTS
from cloche.wire.messages import encode_request, encode_result, parse
from tests.support.doors import serving
from tests.transports.http.peers import Call, Heard, Scripted, begin, calling, connected, shake_hands

LIMIT = 100_000
BOMB = 60_000_000


async def peak_of(work: Callable[[], Awaitable[object]]) -> int:
    tracemalloc.start()
    try:
        await work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


async def test_a_body_over_the_limit_is_refused_and_not_kept() -> None:
    async def script(call: Call) -> None:
        await call.reply(200, b'{"jsonrpc":"2.0","id":"request-1","result":"' + b"x" * LIMIT + b'"}', content_type=JSON)

    async with calling(Scripted(script), limit=LIMIT) as transport:
        with pytest.raises(McpError, match=f"over {LIMIT} bytes"):
            await transport.request("ping", request_id="request-1")
        assert transport.dropped == 1


JSON = "application/json"


def packed(kind: str) -> bytes:
    zeros = bytes(1_000_000)
    packer = zlib.compressobj(wbits=31 if kind == "gzip" else 15)
    return b"".join([*(packer.compress(zeros) for _ in range(BOMB // len(zeros))), packer.flush()])


@pytest.mark.parametrize("kind", ["gzip", "deflate"])
@pytest.mark.parametrize("content_type", [JSON, "text/event-stream"])
async def test_a_bomb_unpacks_to_little_more_than_the_limit(kind: str, content_type: str) -> None:
    """Read as a whole it takes its full size; read here, the limit and the piece that passes it."""
    bomb = packed(kind)
    app = Scripted(lambda call: call.reply(200, bomb, content_type=content_type, content_encoding=kind))
    with serving(app) as origin:
        async with httpx2.AsyncClient(verify=False) as http:
            assert await peak_of(lambda: http.post(origin, json={})) > BOMB
        async with connected(f"{origin}/mcp", limit=LIMIT) as transport:

            async def attempt() -> None:
                with pytest.raises(McpError):
                    await transport.request("ping")

            assert await peak_of(attempt) < 10_000_000


async def test_a_bomb_in_a_refusal_is_not_unpacked_either() -> None:
    bomb = packed("gzip")
    app = Scripted(lambda call: call.reply(400, bomb, content_type=JSON, content_encoding="gzip"))
    with serving(app) as origin:
        async with connected(f"{origin}/mcp") as transport:

            async def attempt() -> None:
                with pytest.raises(McpError, match="HTTP 400"):
                    await transport.request("ping")

            assert await peak_of(attempt) < 10_000_000


async def test_packed_answers_are_read() -> None:
    async def script(call: Call) -> None:
        body = b'{"jsonrpc":"2.0","id":"request-1","result":{"fine":true}}'
        await call.reply(200, gzip.compress(body), content_type=JSON, content_encoding="gzip")

    async with calling(Scripted(script)) as transport:
        assert await transport.request("ping", request_id="request-1") == {"fine": True}


async def test_what_cannot_be_unpacked_is_an_error() -> None:
    app = Scripted(lambda call: call.reply(200, b"no gzip", content_type=JSON, content_encoding="gzip"))
    async with calling(app) as transport:
        with pytest.raises(McpError, match="cannot be unpacked"):
            await transport.request("ping")


@pytest.mark.parametrize("beginning", [b"data: ", b": ", b"x", b"id: "])
async def test_a_line_without_end_costs_no_memory(beginning: bytes) -> None:
    async def script(call: Call) -> None:
        await call.events()
        await call.write(beginning)
        for _ in range(300):
            await call.write(b"y" * 65536)
        await call.end()

    with serving(Scripted(script)) as origin:
        async with connected(f"{origin}/mcp", limit=LIMIT) as transport:

            async def attempt() -> None:
                with pytest.raises(McpError, match="without end"):
                    await transport.request("ping")

            assert await peak_of(attempt) < 3_000_000


async def test_an_answer_that_is_too_long_in_a_stream_is_an_error_and_the_stream_goes_on() -> None:
    async def script(call: Call) -> None:
        await call.events()
        await call.event({"jsonrpc": "2.0", "method": "notifications/x", "params": {"long": "x" * 2 * LIMIT}})
        await call.event({"jsonrpc": "2.0", "method": "notifications/x", "params": {"short": True}})
        await call.event({"jsonrpc": "2.0", "id": call.message["id"], "result": "x" * 2 * LIMIT})
        await call.end()

    async with calling(Scripted(script), limit=LIMIT) as transport:
        heard = Heard(transport, "notifications/x")
        with pytest.raises(McpError, match=f"over {LIMIT} bytes"):
            await transport.request("ping")
        assert heard.all() == [{"short": True}]
        assert transport.dropped == 2


async def test_a_stream_of_messages_without_an_answer_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloche.transports.http.posts.MAX_MESSAGES", 100)

    async def script(call: Call) -> None:
        await call.events()
        for _ in range(200):
            await call.event({"jsonrpc": "2.0", "method": "notifications/x"})
        await call.hang_up_of_client()

    async with calling(Scripted(script)) as transport:
        heard = Heard(transport, "notifications/x")
        with pytest.raises(McpError, match="over 100 messages"):
            await transport.request("ping")
        assert len(heard.all()) == 100


async def test_a_session_id_that_is_none_is_not_sent_back() -> None:
    async def script(call: Call) -> None:
        if call.rpc == "initialize":
            await call.result({"protocolVersion": "2025-06-18"}, mcp_session_id="x" * 2000)
        else:
            await (call.result({}) if "id" in call.message else call.reply(202))

    app = Scripted(script)
    async with calling(app) as transport:
        await begin(transport)
        await transport.request("ping")
        assert transport.session_id is None
    assert not [call for call in app.calls if "mcp-session-id" in call.headers]


# Room


async def test_send_waits_for_room_and_the_end_frees_it() -> None:
    under_way, most = 0, 0
    full, go = asyncio.Event(), asyncio.Event()

    async def script(call: Call) -> None:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        if under_way == MAX_REQUESTS:
            full.set()
        await go.wait()
        under_way -= 1
        await call.result({})

    async with calling(Scripted(script)) as transport:
        requests = [asyncio.ensure_future(transport.request("ping")) for _ in range(MAX_REQUESTS + 10)]
        await full.wait()
        go.set()
        assert await asyncio.gather(*requests) == [{}] * (MAX_REQUESTS + 10)
    assert most == MAX_REQUESTS


async def test_whoever_waits_for_room_hears_that_the_transport_is_closed() -> None:
    full = asyncio.Event()
    count = 0

    async def script(call: Call) -> None:
        nonlocal count
        count += 1
        if count == MAX_REQUESTS:
            full.set()
        await call.hang_up_of_client()

    async with calling(Scripted(script)) as transport:
        for number in range(MAX_REQUESTS):
            await transport.send(encode_request(number, "ping"))
        await full.wait()
        waiting = asyncio.ensure_future(transport.send(encode_request("late", "ping")))
        await transport.close()
        with pytest.raises(TransportClosedError):
            await waiting


async def test_a_server_that_asks_and_takes_no_answer_is_not_read_further() -> None:
    written = 0
    stuck = asyncio.Event()
    refused_to_take = 0

    async def script(call: Call) -> None:
        nonlocal written, refused_to_take
        if await shake_hands(call):
            return
        if call.method == "GET":
            await call.reply(405)
        elif call.rpc:
            await call.events()
            for number in range(50 * MAX_NOTICES):
                await call.event({"jsonrpc": "2.0", "id": number, "method": "ping"})
                written += 1
                await asyncio.sleep(0)
            await call.hang_up_of_client()
        else:
            refused_to_take += 1
            if refused_to_take == MAX_NOTICES:
                stuck.set()
            await call.hang_up_of_client()

    async with calling(Scripted(script)) as transport:
        await begin(transport)
        replies: list[asyncio.Task[None]] = []

        def answer(data: bytes) -> None:
            message = parse(data)
            if message.method == "ping":
                replies.append(asyncio.ensure_future(transport.send(encode_result(message.id, {}))))  # type: ignore[arg-type]

        transport.on_message(answer)
        asked = asyncio.ensure_future(transport.request("tools/call", {}))
        await stuck.wait()
        for _ in range(200 * MAX_NOTICES):
            await asyncio.sleep(0)
        assert written == 50 * MAX_NOTICES  # the server wrote it all
        assert len(replies) < 3 * MAX_NOTICES  # and this side took little of it
        await transport.close()
        with pytest.raises(TransportClosedError):
            await asked
        await asyncio.gather(*replies, return_exceptions=True)
