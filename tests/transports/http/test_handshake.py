"""The handshake era against our server: sessions, streams, questions, cancellation; and the same without sessions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cloche.errors import ConnectError, ConnectionBrokenError, McpError, RequestTimeoutError, TransportClosedError
from cloche.transports.http.client import MAX_REQUESTS, HttpTransport
from cloche.wire.messages import encode_notification, encode_request, encode_result, parse
from cloche.wire.versions import HANDSHAKE_VERSIONS
from tests.support.doors import closing, serving
from tests.support.everything import build
from tests.support.live_server import LiveServer
from tests.support.official_client import new_key
from tests.transports.http.peers import SESSION, Call, Heard, Scripted, begin, calling, connected, shake_hands, tool

Reach = Callable[..., AbstractAsyncContextManager[HttpTransport]]


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with serving(build().asgi(path="/mcp")) as origin:
        yield f"{origin}/mcp"


@pytest.fixture(params=["socket", "asgi"])
def reach(request: pytest.FixtureRequest, web: str) -> Reach:
    """A transport to our server, over a real socket and in this process."""

    @asynccontextmanager
    async def reached(**options: Any) -> AsyncIterator[HttpTransport]:
        if request.param == "socket":
            async with connected(web, **options) as transport:
                yield transport
        else:
            async with closing(build().asgi(path="/mcp")) as app, calling(app, **options) as transport:
                yield transport

    return reached


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
async def test_every_version_of_the_era(reach: Reach, version: str) -> None:
    async with reach() as transport:
        assert (await begin(transport, protocolVersion=version))["protocolVersion"] == version
        assert transport.session_id is not None
        assert (await transport.request("tools/call", tool("greet", name="you")))["content"][0]["text"] == "Hello, you!"


async def test_what_is_said_before_the_answer_arrives_before_it(reach: Reach) -> None:
    async with reach() as transport:
        await begin(transport)
        arrived: list[Any] = []
        transport.on_message(lambda data: arrived.append(parse(data)))
        params = {**tool("count", upto=5), "_meta": {"progressToken": "t"}}
        await transport.request("tools/call", params, request_id="c")
        assert [message.method for message in arrived[:5]] == ["notifications/progress"] * 5
        assert [message.id for message in arrived[5:]] == ["c"]


async def test_the_server_says_something_on_its_own(reach: Reach) -> None:
    async with reach() as transport:
        await begin(transport)
        heard = Heard(transport, "notifications/resources/updated")
        await transport.request("resources/subscribe", {"uri": "note://today"})
        await transport.request("tools/call", tool("touch", uri="note://today"))
        assert (await heard.next())["uri"] == "note://today"


async def test_a_question_is_answered_while_its_request_waits(reach: Reach) -> None:
    async with reach() as transport:
        await begin(transport)
        answers: list[asyncio.Task[None]] = []

        def answer(data: bytes) -> None:
            message = parse(data)
            if message.method == "elicitation/create":
                content = {"size": 3, "gift": True} if not answers else {"sure": True}
                reply = encode_result(message.id, {"action": "accept", "content": content})  # type: ignore[arg-type]
                answers.append(asyncio.ensure_future(transport.send(reply)))

        transport.on_message(answer)
        result = await transport.request("tools/call", tool("order", key=new_key()))
        assert result["content"][0]["text"] == "3 True True #1"
        await asyncio.gather(*answers)


async def test_answers_get_through_when_requests_fill_their_room() -> None:
    """Every request waits for an answer to its question: without room of their own the answers would wait too."""
    answered: dict[str, asyncio.Event] = {}

    async def script(call: Call) -> None:
        if await shake_hands(call):
            return
        if call.method == "GET":
            await call.reply(405)
        elif call.rpc == "tools/call":
            name = call.message["id"]
            answered[name] = asyncio.Event()
            await call.events()
            await call.event({"jsonrpc": "2.0", "id": f"q-{name}", "method": "elicitation/create", "params": {}})
            await answered[name].wait()
            await call.event({"jsonrpc": "2.0", "id": name, "result": {}})
            await call.end()
        else:
            answered[call.message["id"].removeprefix("q-")].set()
            await call.reply(202)

    async with calling(Scripted(script)) as transport:
        await begin(transport)
        replies: list[asyncio.Task[None]] = []

        def answer(data: bytes) -> None:
            message = parse(data)
            if message.method == "elicitation/create":
                replies.append(asyncio.ensure_future(transport.send(encode_result(message.id, {}))))  # type: ignore[arg-type]

        transport.on_message(answer)
        await asyncio.gather(*(transport.request("tools/call", {}) for _ in range(MAX_REQUESTS + 8)))
        await asyncio.gather(*replies)


async def test_a_cancelled_request_is_cancelled_on_the_server_and_hung_up(reach: Reach) -> None:
    async with reach() as transport:
        await begin(transport)
        key = new_key()
        await transport.send(encode_request("c", "tools/call", tool("hang", key=key)))
        await transport.request("tools/call", tool("recorded", what=f"{key} began"))
        await transport.send(encode_notification("notifications/cancelled", {"requestId": "c"}))
        await transport.request("tools/call", tool("recorded", what=f"{key} was cancelled"))
        assert "c" not in transport._posts


async def test_a_server_that_ignores_a_cancellation_is_hung_up_on() -> None:
    began, hung_up = asyncio.Event(), asyncio.Event()

    async def script(call: Call) -> None:
        if await shake_hands(call):
            return
        if call.method == "GET":
            await call.reply(405)
        elif call.rpc == "tools/call":
            began.set()
            await call.hang_up_of_client()
            hung_up.set()
        else:
            await call.reply(202)

    app = Scripted(script)
    async with calling(app) as transport:
        await begin(transport)
        await transport.send(encode_request("c", "tools/call", tool("x")))
        await began.wait()
        await transport.send(encode_notification("notifications/cancelled", {"requestId": "c"}))
        await asyncio.wait_for(hung_up.wait(), 5)
    assert "notifications/cancelled" in [call.rpc for call in app.calls]


async def test_a_request_that_timed_out_leaves_no_post_behind(reach: Reach) -> None:
    key = new_key()
    async with reach() as transport:
        await begin(transport)
        waiting = asyncio.ensure_future(transport.request("tools/call", tool("hang", key=key), timeout=0.5))
        await transport.request("tools/call", tool("recorded", what=f"{key} began"))
        (post,) = transport._posts.values()
        with pytest.raises(RequestTimeoutError):
            await waiting
        assert post.task is not None
        await asyncio.wait({post.task})
        assert not transport._posts


async def test_many_requests_at_once_each_get_their_own_answer(reach: Reach) -> None:
    async with reach() as transport:
        await begin(transport)
        results = await asyncio.gather(
            *(transport.request("tools/call", tool("add", a=number, b=1)) for number in range(3 * MAX_REQUESTS))
        )
        assert [result["structuredContent"]["total"] for result in results] == list(range(1, 3 * MAX_REQUESTS + 1))


async def test_without_sessions_there_is_none_and_no_stream() -> None:
    async with closing(build().asgi(path="/mcp", sessionless=True)) as app, calling(app) as transport:
        await begin(transport)
        assert transport.session_id is None
        assert transport._listener is None
        assert (await transport.request("tools/call", tool("add", a=1, b=2)))["structuredContent"]["total"] == 3


async def test_the_session_and_the_version_are_said_from_then_on_and_the_end_too() -> None:
    async def script(call: Call) -> None:
        if not await shake_hands(call):
            await (call.reply(405) if call.method == "GET" else call.result({}))

    app = Scripted(script)
    async with calling(app, headers={"X-Team": "kitchen"}) as transport:
        await begin(transport)
        await transport.request("ping")
        await transport.close()
    first, *rest = app.calls
    assert first.rpc == "initialize"
    assert not {"mcp-session-id", "mcp-protocol-version"} & set(first.headers)
    assert {call.method for call in rest} == {"POST", "GET", "DELETE"}
    for later in rest:
        assert later.headers["mcp-session-id"] == SESSION
        assert later.headers["mcp-protocol-version"] == "2025-06-18"
    assert {call.headers["x-team"] for call in app.calls} == {"kitchen"}


async def test_what_is_sent_after_a_notification_does_not_overtake_it() -> None:
    taken: list[str] = []

    async def script(call: Call) -> None:
        if call.rpc.startswith("notifications/slow"):
            for _ in range(50):
                await asyncio.sleep(0)
        taken.append(call.rpc)
        await (call.result({}) if "id" in call.message else call.reply(202))

    async with calling(Scripted(script)) as transport:
        for number in range(3):
            await transport.notify(f"notifications/slow{number}")
            await transport.request("ping")
    assert taken == ["notifications/slow0", "ping", "notifications/slow1", "ping", "notifications/slow2", "ping"]


async def test_a_batch_gets_an_answer_to_each(reach: Reach) -> None:
    async with reach() as transport:
        await begin(transport, protocolVersion="2025-03-26")
        arrived: asyncio.Queue[Any] = asyncio.Queue()
        transport.on_message(lambda data: arrived.put_nowait(parse(data).id))
        await transport.send(b"[" + encode_request(7, "ping") + b"," + encode_request(8, "ping") + b"]")
        assert {await arrived.get(), await arrived.get()} == {7, 8}


# The end of a session


async def test_a_session_that_the_server_forgot_ends_the_transport(tmp_path: Path) -> None:
    code = "from cloche import Server\napp = Server('live').asgi(path='/mcp')"
    with LiveServer(tmp_path, code) as server:
        port = server.port
        async with connected(f"http://127.0.0.1:{port}/mcp") as transport:
            await begin(transport)
            ended = asyncio.Event()
            transport.on_close(ended.set)
            server.kill()
            with pytest.raises((ConnectError, ConnectionBrokenError)):
                await transport.request("ping")
            assert transport.is_connected  # HTTP may reach it again
            with LiveServer(tmp_path, code, port=port):
                with pytest.raises(TransportClosedError):
                    await transport.request("ping")
                await ended.wait()
                assert not transport.is_connected
                with pytest.raises(TransportClosedError):
                    await transport.send(encode_request(1, "ping"))


async def test_every_request_ends_with_the_session() -> None:
    began = asyncio.Event()

    async def script(call: Call) -> None:
        if await shake_hands(call):
            return
        if call.method == "GET":
            await call.reply(405)
        elif call.rpc == "tools/call":
            began.set()
            await call.hang_up_of_client()
        else:
            await call.json({"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "gone"}}, status=404)

    app = Scripted(script)
    async with calling(app) as transport:
        await begin(transport)
        waiting = [asyncio.ensure_future(transport.request("tools/call", {})) for _ in range(3)]
        await began.wait()
        with pytest.raises(TransportClosedError):
            await transport.request("ping")
        for request in waiting:
            with pytest.raises(TransportClosedError):
                await request
    assert "DELETE" not in [call.method for call in app.calls]  # there is nothing left to end


async def test_a_404_that_answers_the_request_is_an_answer() -> None:
    async def script(call: Call) -> None:
        if not await shake_hands(call):
            error = {"code": -32601, "message": "Method not found: x"}
            await call.json({"jsonrpc": "2.0", "id": (call.message or {}).get("id"), "error": error}, status=404)

    async def no_stream(call: Call) -> None:
        await (call.reply(405) if call.method == "GET" else script(call))

    async with calling(Scripted(no_stream)) as transport:
        await begin(transport)
        with pytest.raises(McpError, match=r"^Method not found: x$"):
            await transport.request("x")
        assert transport.is_connected


async def test_close_gives_up_what_is_under_way_and_ends_the_session(reach: Reach) -> None:
    async with reach() as transport:
        await begin(transport)
        key = new_key()
        waiting = asyncio.ensure_future(transport.request("tools/call", tool("hang", key=key)))
        await transport.request("tools/call", tool("recorded", what=f"{key} began"))
        await transport.close()
        with pytest.raises(TransportClosedError):
            await waiting
        await transport.close()
        assert not transport._tasks


async def test_close_does_not_wait_for_a_server_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloche.transports.http.client.GOODBYE_SECONDS", 0.05)

    async def script(call: Call) -> None:
        if call.method == "DELETE":
            await call.hang_up_of_client()
        elif not await shake_hands(call):
            await call.reply(405)

    async with calling(Scripted(script)) as transport:
        await begin(transport)
        async with asyncio.timeout(5):
            await transport.close()
