"""The official Python client over HTTP: sessions that end, streams that break and are resumed, no sessions at all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import ClientMessageMetadata

from tests.support.doors import ASGI_URL, AsgiDoor, closing
from tests.support.everything import build
from tests.support.official_client import DEADLINE, LEGACY, MODERN, VERSIONS, Inbox, User, accepted, new_key, text_of

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")


@asynccontextmanager
async def http_client(door: str, web: str) -> AsyncIterator[tuple[httpx2.AsyncClient, str]]:
    if door == "http":
        async with httpx2.AsyncClient(verify=False) as http:
            yield http, web
    else:
        async with closing(build().asgi(path="/mcp")) as app, httpx2.AsyncClient(transport=AsgiDoor(app)) as http:
            yield http, ASGI_URL


over_http = pytest.mark.parametrize("door", ["http", "asgi"])


@over_http
async def test_leaving_ends_the_session(door: str, web: str) -> None:
    sessions: list[str] = []
    deleted: list[int] = []

    async def watch(response: httpx2.Response) -> None:
        if "mcp-session-id" in response.headers:
            sessions.append(response.headers["mcp-session-id"])
        if response.request.method == "DELETE":
            deleted.append(response.status_code)

    async with asyncio.timeout(DEADLINE), http_client(door, web) as (http, url):
        http.event_hooks = {"response": [watch]}
        async with Client(streamable_http_client(url, http_client=http), mode=LEGACY) as client:
            await client.call_tool("greet", {"name": "x"})
        assert deleted == [204]
        (session,) = sessions
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        headers = {"Accept": "application/json, text/event-stream", "Mcp-Session-Id": session}
        assert (await http.post(url, json=ping, headers=headers)).status_code == 404


@over_http
async def test_one_clients_subscription_is_not_anothers(door: str, web: str) -> None:
    uri = f"note://{new_key()}"
    first, second = Inbox(), Inbox()
    async with asyncio.timeout(DEADLINE), http_client(door, web) as (http, url):

        def client(inbox: Inbox) -> Client:
            return Client(streamable_http_client(url, http_client=http), mode=LEGACY, message_handler=inbox)

        async with client(first) as one, client(second) as two:
            await one.subscribe_resource(uri)
            await two.subscribe_resource(f"{uri}/other")
            await two.call_tool("touch", {"uri": uri})
            await one.call_tool("touch", {"uri": f"{uri}/other"})
            for inbox, wanted in ((first, uri), (second, f"{uri}/other")):
                assert str((await inbox.next(types.ResourceUpdatedNotification)).params.uri) == wanted
                assert inbox.queue.empty()


async def test_a_server_without_sessions_answers_both_eras() -> None:
    async with asyncio.timeout(DEADLINE), closing(build().asgi(path="/mcp", sessionless=True)) as app:
        for mode in (LEGACY, MODERN):
            async with (
                httpx2.AsyncClient(transport=AsgiDoor(app)) as http,
                Client(streamable_http_client(ASGI_URL, http_client=http), mode=mode) as client,
            ):
                assert client.protocol_version == VERSIONS[mode]
                assert text_of(await client.call_tool("greet", {"name": "x"})) == "Hello, x!"
        headers = {"Accept": "text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
        async with httpx2.AsyncClient(transport=AsgiDoor(app)) as http:
            assert (await http.get(ASGI_URL, headers=headers)).status_code == 405


async def test_without_a_session_nobody_can_be_asked_in_the_handshake_era() -> None:
    user = User(accepted(size=1), accepted(sure=True))
    async with (
        asyncio.timeout(DEADLINE),
        closing(build().asgi(path="/mcp", sessionless=True)) as app,
        httpx2.AsyncClient(transport=AsgiDoor(app)) as http,
    ):
        target = streamable_http_client(ASGI_URL, http_client=http)
        async with Client(target, mode=LEGACY, elicitation_callback=user) as client:
            with pytest.raises(MCPError, match="use a stateful connection or protocol version 2026-07-28"):
                await client.call_tool("order", {"key": new_key()})
            assert user.asked == []


class Breaking(httpx2.AsyncBaseTransport):
    """Lets the first stream of a kind break off after an event."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, method: str) -> None:
        self.inner = inner
        self.method = method
        self.resumed: list[str] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self.inner.handle_async_request(request)
        if "last-event-id" in request.headers:
            self.resumed.append(request.headers["last-event-id"])
        is_stream = response.headers.get("content-type") == "text/event-stream"
        if is_stream and request.method == self.method and not self.resumed:
            response.stream = BrokenStream(response.stream)
        return response

    async def aclose(self) -> None:
        await self.inner.aclose()


class BrokenStream(httpx2.AsyncByteStream):
    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self.inner:
            yield chunk
            if b"id: " in chunk:
                break
        await self.inner.aclose()

    async def aclose(self) -> None:
        await self.inner.aclose()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client waits a second before it comes back; a test need not."""
    monkeypatch.setattr("mcp.client.streamable_http.DEFAULT_RECONNECTION_DELAY_MS", 1)


@asynccontextmanager
async def breaking_client(
    door: str, web: str, method: str, **options: Any
) -> AsyncIterator[tuple[Client, Breaking, httpx2.AsyncClient]]:
    async with asyncio.timeout(DEADLINE), closing(build().asgi(path="/mcp")) as app:
        inner = AsgiDoor(app) if door == "asgi" else httpx2.AsyncHTTPTransport(verify=False)
        transport = Breaking(inner, method)
        async with httpx2.AsyncClient(transport=transport) as http:
            target = streamable_http_client(ASGI_URL if door == "asgi" else web, http_client=http)
            async with Client(target, mode=LEGACY, **options) as client:
                yield client, transport, http


@over_http
async def test_a_broken_answer_is_resumed(door: str, web: str, at_once: None) -> None:
    key = new_key()
    heard: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)

    async with breaking_client(door, web, "POST") as (client, transport, _):
        call = asyncio.create_task(client.call_tool("pause", {"key": key}, progress_callback=hear))
        await client.call_tool("recorded", {"what": f"{key} began"})
        await client.call_tool("note", {"what": key})
        assert text_of(await call) == "went on"
        assert heard == ["waiting", "going on"]
        assert transport.resumed == ["1_1"]


@over_http
async def test_a_broken_get_stream_is_resumed(door: str, web: str, at_once: None) -> None:
    inbox = Inbox()
    async with breaking_client(door, web, "GET", message_handler=inbox) as (client, transport, _):
        uris = [f"note://{number}" for number in range(3)]
        for uri in uris:
            await client.subscribe_resource(uri)
            await client.call_tool("touch", {"uri": uri})
            updated = await inbox.next(types.ResourceUpdatedNotification)
            assert str(updated.params.uri) == uri
        assert transport.resumed == ["0_1"]


@over_http
async def test_a_client_can_come_back_for_an_answer_by_its_token(door: str, web: str) -> None:
    key = new_key()
    tokens: list[str] = []

    async def keep(token: str) -> None:
        tokens.append(token)

    async with (
        asyncio.timeout(DEADLINE),
        http_client(door, web) as (http, url),
        Client(streamable_http_client(url, http_client=http), mode=LEGACY) as client,
    ):
        request = types.CallToolRequest(params=types.CallToolRequestParams(name="count", arguments={"upto": 2}))
        request.params.meta = {"progress_token": key}
        first = await client.session.send_request(
            request, types.CallToolResult, metadata=ClientMessageMetadata(on_resumption_token_update=keep)
        )
        assert len(tokens) == 4  # the first is the beginning of the stream, before its first message
        again = await client.session.send_request(
            request, types.CallToolResult, metadata=ClientMessageMetadata(resumption_token=tokens[0])
        )
        assert text_of(first) == text_of(again) == "counted"


# The transport that httpx2 brings: it waits for whole answers, which is enough for plain calls


@pytest.mark.parametrize("mode", [LEGACY, MODERN, "auto"])
async def test_httpx2s_own_asgi_transport(mode: str) -> None:
    async with (
        asyncio.timeout(DEADLINE),
        closing(build().asgi(path="/mcp")) as app,
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app)) as http,
        Client(streamable_http_client(ASGI_URL, http_client=http), mode=mode) as client,
    ):
        assert client.protocol_version == VERSIONS[mode]
        assert text_of(await client.call_tool("greet", {"name": "x"})) == "Hello, x!"
        assert text_of(await client.call_tool("count", {"upto": 2})) == "counted"
