"""Our transport against the official Python server, both eras, over a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from mcp.server.mcpserver import Context, MCPServer

from cloche.client import Client
from cloche.errors import MethodNotFoundError
from cloche.transports.http.client import HttpTransport
from cloche.wire.messages import encode_notification, encode_request
from tests.support.doors import serving
from tests.transports.http.peers import Heard, begin, connected, modern, tool

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")


def build() -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("official", version="3.2.1")

    @server.tool()
    async def add(a: int, b: int) -> int:
        """The sum."""
        return a + b

    @server.tool()
    async def count(upto: int, ctx: Context[Any, Any]) -> str:
        for step in range(upto):
            await ctx.report_progress(step + 1, upto)
        return "counted"

    @server.tool()
    async def touch(uri: str, ctx: Context[Any, Any]) -> str:
        await ctx.notify_resource_updated(uri)
        return "touched"

    @server.resource("note://today")
    def today() -> str:
        return "nothing"

    return server


@pytest.fixture(params=["sse", "json", "stateless"])
def official(request: pytest.FixtureRequest) -> Iterator[str]:
    """The server's ways to answer: with streams, with JSON, and without sessions."""
    app = build().streamable_http_app(
        json_response=request.param == "json", stateless_http=request.param == "stateless"
    )
    with serving(app) as origin:
        yield f"{origin}/mcp"


@pytest.fixture
def modern_server() -> Iterator[str]:
    with serving(build().streamable_http_app()) as origin:
        yield f"{origin}/mcp"


async def test_the_handshake_era(official: str, request: pytest.FixtureRequest) -> None:
    async with connected(official) as transport:
        assert (await begin(transport))["serverInfo"]["name"] == "official"
        assert (transport.session_id is None) == ("stateless" in request.node.name)
        listed = (await transport.request("tools/list"))["tools"]
        assert [entry["name"] for entry in listed] == ["add", "count", "touch"]
        results = await asyncio.gather(
            *(transport.request("tools/call", tool("add", a=number, b=1)) for number in range(20))
        )
        assert [result["structuredContent"]["result"] for result in results] == list(range(1, 21))
        with pytest.raises(MethodNotFoundError):
            await transport.request("no/such/method")


async def test_progress_in_the_handshake_era(modern_server: str) -> None:
    async with connected(modern_server) as transport:
        await begin(transport)
        heard = Heard(transport, "notifications/progress")
        await transport.request("tools/call", {**tool("count", upto=3), "_meta": {"progressToken": 1}})
        assert [params["progress"] for params in heard.all()] == [1, 2, 3]


async def test_the_stateless_era(modern_server: str) -> None:
    async with connected(modern_server) as transport:
        assert "2026-07-28" in (await transport.request("server/discover", modern()))["supportedVersions"]
        result = await transport.request("tools/call", modern(tool("add", a=1, b=2)))
        assert result["structuredContent"]["result"] == 3
        heard = Heard(transport, "notifications/progress")
        await transport.request("tools/call", modern(tool("count", upto=3), progressToken=1))
        assert [params["progress"] for params in heard.all()] == [1, 2, 3]
        read = await transport.request("resources/read", modern({"uri": "note://today"}))
        assert read["contents"][0]["text"] == "nothing"
        with pytest.raises(MethodNotFoundError):
            await transport.request("no/such/method", modern())


async def test_a_listen_stream(modern_server: str) -> None:
    async with connected(modern_server) as transport:
        acknowledged = Heard(transport, "notifications/subscriptions/acknowledged")
        updated = Heard(transport, "notifications/resources/updated")
        wanted = {"notifications": {"resourceSubscriptions": ["note://today"]}}
        await transport.send(encode_request("l", "subscriptions/listen", modern(wanted)))
        await acknowledged.next()
        await transport.request("tools/call", modern(tool("touch", uri="note://today")))
        assert (await updated.next())["uri"] == "note://today"
        await transport.send(encode_notification("notifications/cancelled", {"requestId": "l"}))


@pytest.mark.parametrize(("version", "spoken"), [(None, "2026-07-28"), ("2025-11-25", "2025-11-25")])
async def test_our_client_with_the_official_server(modern_server: str, version: str | None, spoken: str) -> None:
    async with Client(modern_server, version=version) as client:
        assert isinstance(client.transport, HttpTransport)
        assert client.protocol_version == spoken
        assert (await client.call_tool("add", {"a": 20, "b": 22})).structured_content == {"result": 42}
        assert (await client.read_resource("note://today")).text == "nothing"
