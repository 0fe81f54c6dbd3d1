"""2026-07-28: every request stands alone, headers repeat it, and hanging up cancels it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from cloche.errors import HeaderMismatchError, MethodNotFoundError, RequestTimeoutError, UnsupportedVersionError
from cloche.transports.http.client import MAX_LEARNED, HttpTransport
from cloche.wire.messages import encode_notification, encode_request
from cloche.wire.types import Tool
from tests.support.doors import closing, serving
from tests.support.everything import build
from tests.support.official_client import new_key
from tests.transports.http.peers import Call, Heard, Scripted, calling, connected, modern, tool

Reach = Callable[..., AbstractAsyncContextManager[HttpTransport]]
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"


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


async def test_requests_need_no_handshake(reach: Reach) -> None:
    async with reach() as transport:
        assert (await transport.request("server/discover", modern()))["supportedVersions"] == ["2026-07-28"]
        result = await transport.request("tools/call", modern(tool("add", a=1, b=2)))
        assert result["structuredContent"]["total"] == 3
        read = await transport.request("resources/read", modern({"uri": "city://Bern/weather"}))
        assert read["contents"][0]["uri"] == "city://Bern/weather"
        prompt = await transport.request("prompts/get", modern({"name": "review", "arguments": {"code": "x"}}))
        assert len(prompt["messages"]) == 2
        assert transport.session_id is None


async def test_names_that_http_cannot_carry_arrive(reach: Reach) -> None:
    async with reach() as transport:
        for city in ("Zürich", "北京"):
            read = await transport.request("resources/read", modern({"uri": f"city://{city}/weather"}))
            assert read["contents"][0]["text"].find(city) > 0


async def test_progress_arrives_before_the_answer(reach: Reach) -> None:
    async with reach() as transport:
        heard = Heard(transport, "notifications/progress")
        await transport.request("tools/call", modern(tool("count", upto=3), progressToken=1))
        assert [params["progress"] for params in heard.all()] == [1, 2, 3]


async def test_errors_with_a_status_are_delivered_as_they_are(reach: Reach) -> None:
    async with reach() as transport:
        with pytest.raises(MethodNotFoundError, match=r"^Method not found: nothing/here$"):
            await transport.request("nothing/here", modern())
        with pytest.raises(UnsupportedVersionError) as refused:
            await transport.request("tools/list", modern(**{VERSION_KEY: "2031-01-01"}))
        assert refused.value.data["supported"] == ["2026-07-28"]


async def test_arguments_are_repeated_in_headers_once_the_tools_are_known(reach: Reach) -> None:
    async with reach() as transport:
        with pytest.raises(HeaderMismatchError):
            await transport.request("tools/call", modern(tool("deliver", region="eu")))
        listed = (await transport.request("tools/list", modern()))["tools"]
        tools = [Tool(entry["name"], entry["inputSchema"]) for entry in listed]
        assert transport.learn_tools(tools) == tools
        for region in ("eu", "", "Österreich", "a\nb"):
            result = await transport.request("tools/call", modern(tool("deliver", region=region)))
            assert result["content"][0]["text"] == f"1 to {region}"


async def test_a_tool_whose_headers_cannot_be_sent_is_left_out() -> None:
    def of(token: Any) -> dict[str, Any]:
        return {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": token}}}

    transport = HttpTransport("http://127.0.0.1:1/")
    good, plain = Tool("good", of("A")), Tool("plain", {"type": "object"})
    bad = [Tool(f"bad{number}", of(token)) for number, token in enumerate(["a b", "x\r\ny: z", "", 7, ["a"]])]
    assert transport.learn_tools([good, *bad, plain, Tool("odd", {"properties": [1]})])[:2] == [good, plain]
    assert list(transport._tools) == ["good"]
    transport.learn_tools([Tool("good", {"type": "object"})])
    assert not transport._tools
    transport.learn_tools(Tool(f"tool{number}", of("A")) for number in range(MAX_LEARNED + 10))
    assert len(transport._tools) == MAX_LEARNED
    await transport.close()


# Cancellation


async def test_a_cancellation_hangs_up_and_posts_nothing(reach: Reach) -> None:
    async with reach() as transport:
        key = new_key()
        await transport.send(encode_request("c", "tools/call", modern(tool("hang", key=key))))
        await transport.request("tools/call", modern(tool("recorded", what=f"{key} began")))
        await transport.send(encode_notification("notifications/cancelled", {"requestId": "c"}))
        await transport.request("tools/call", modern(tool("recorded", what=f"{key} was cancelled")))


async def test_cancelling_sends_no_message() -> None:
    began, hung_up = asyncio.Event(), asyncio.Event()

    async def script(call: Call) -> None:
        began.set()
        await call.hang_up_of_client()
        hung_up.set()

    app = Scripted(script)
    async with calling(app) as transport:
        await transport.send(encode_request("c", "tools/call", modern(tool("x"))))
        await began.wait()
        await transport.send(encode_notification("notifications/cancelled", {"requestId": "c"}))
        await hung_up.wait()
        await transport.send(encode_notification("notifications/cancelled", {"requestId": "c"}))  # long over
    assert len(app.calls) == 1


async def test_a_request_that_timed_out_is_cancelled(reach: Reach) -> None:
    async with reach() as transport:
        key = new_key()
        with pytest.raises(RequestTimeoutError):
            await transport.request("tools/call", modern(tool("hang", key=key)), timeout=0.3)
        await transport.request("tools/call", modern(tool("recorded", what=f"{key} was cancelled")))


# Listening


async def test_a_listen_stream_stays_open(reach: Reach) -> None:
    async with reach() as transport:
        acknowledged = Heard(transport, "notifications/subscriptions/acknowledged")
        updated = Heard(transport, "notifications/resources/updated")
        wanted = {"notifications": {"resourceSubscriptions": ["note://today"]}}
        await transport.send(encode_request("l", "subscriptions/listen", modern(wanted)))
        await acknowledged.next()
        for _ in range(3):
            await transport.request("tools/call", modern(tool("touch", uri="note://today")))
            assert (await updated.next())["uri"] == "note://today"
        assert "l" in transport._posts
        await transport.send(encode_notification("notifications/cancelled", {"requestId": "l"}))


async def test_a_listen_stream_may_bring_any_number_of_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloche.transports.http.posts.MAX_MESSAGES", 5)

    async def script(call: Call) -> None:
        await call.events()
        for number in range(20):
            await call.event({"jsonrpc": "2.0", "method": "notifications/x", "params": {"number": number}})
        await call.event({"jsonrpc": "2.0", "id": call.message["id"], "result": {}})
        await call.end()

    async with calling(Scripted(script)) as transport:
        heard = Heard(transport, "notifications/x")
        await transport.request("subscriptions/listen", modern())
        assert len(heard.all()) == 20


async def test_a_broken_stream_is_not_resumed_in_this_era() -> None:
    async def script(call: Call) -> None:
        await call.events()
        await call.event({"jsonrpc": "2.0", "method": "notifications/x"}, event_id="1")
        await call.end()

    app = Scripted(script)
    async with calling(app) as transport:
        with pytest.raises(Exception, match="ended before the answer"):
            await transport.request("tools/call", modern(tool("x")))
    assert [call.method for call in app.calls] == ["POST"]


async def test_both_eras_on_one_transport(reach: Reach) -> None:
    """As a client does that finds out what the server speaks: a modern question first, then the handshake."""
    async with reach() as transport:
        await transport.request("server/discover", modern())
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        await transport.request("initialize", hello)
        await transport.notify("notifications/initialized")
        assert (await transport.request("tools/call", tool("add", a=1, b=1)))["structuredContent"]["total"] == 2
        again = await transport.request("tools/call", modern(tool("add", a=1, b=1)))
        assert again["resultType"] == "complete"


async def test_a_notification_says_the_version_of_the_requests_before_it() -> None:
    async def script(call: Call) -> None:
        await (call.result({}) if "id" in call.message else call.reply(202))

    app = Scripted(script)
    async with calling(app) as transport:
        await transport.request("server/discover", modern())
        await transport.notify("notifications/x", {"a": 1})
    assert app.calls[1].headers["mcp-protocol-version"] == "2026-07-28"
    assert app.calls[1].headers["mcp-method"] == "notifications/x"


async def test_a_notification_is_taken_by_our_server(reach: Reach) -> None:
    async with reach() as transport:
        await transport.request("server/discover", modern())
        await transport.notify("notifications/x", {"a": 1})
        assert transport.dropped == 0
