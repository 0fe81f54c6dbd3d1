"""The HTTP of 2024-11-05: found out by itself, within every limit, and with the official server that still has it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cloche import Client
from cloche.errors import McpError, RequestTimeoutError, TransportClosedError
from cloche.host import Host
from cloche.transports.http import legacy_sse
from tests.support.live_server import LiveServer
from tests.transports.http.peers import URL, Call, Scripted, begin, calling

INFO = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "old", "version": "1"}}


class OldServer:
    """GET /mcp is the stream, POST /messages takes everything; POST /mcp is refused."""

    def __init__(self, address: str = "/messages?session=7", refusal: int = 405) -> None:
        self.address, self.refusal = address, refusal
        self.app = Scripted(self._serve)
        self.over = asyncio.Event()
        self.answer: Callable[[Call, Any], Awaitable[Any]] | None = None
        self._stream: Call | None = None

    async def _serve(self, call: Call) -> None:
        if call.method == "GET" and call.path == "/mcp":
            await call.events()
            await call.write(f": hello\n\nevent: endpoint\ndata: {self.address}\n\n".encode())
            self._stream = call
            await self.over.wait()
            await call.end()
        elif call.path == "/messages":
            await call.reply(202, b"Accepted")
            await self._say(call)
        else:
            await call.reply(self.refusal)

    async def _say(self, call: Call) -> None:
        message = call.message
        if "id" not in message or "method" not in message:
            return
        result: Any = INFO if message["method"] == "initialize" else {}
        if self.answer is not None and message["method"] != "initialize":
            result = await self.answer(call, message)
        if result is not None:
            await self.write({"jsonrpc": "2.0", "id": message["id"], "result": result})

    async def write(self, value: Any) -> None:
        assert self._stream is not None
        await self._stream.write(f"event: message\ndata: {json.dumps(value)}\n\n".encode())

    def posted(self) -> list[str]:
        return [call.rpc for call in self.app.calls if call.path == "/messages"]


@pytest.mark.parametrize("refusal", [400, 404, 405])
async def test_a_server_with_two_addresses_is_spoken_to_as_it_wants(refusal: int) -> None:
    server = OldServer(refusal=refusal)
    tools = [{"name": "add", "inputSchema": {"type": "object"}}]
    server.answer = lambda call, message: asyncio.sleep(0, {"tools": tools})
    async with calling(server.app, auth="token") as transport:
        client = Client(transport)
        await client.connect()
        assert (client.protocol_version, [tool.name for tool in await client.list_tools()]) == ("2024-11-05", ["add"])
        assert server.posted() == ["initialize", "notifications/initialized", "tools/list"]
        assert {call.headers.get("authorization") for call in server.app.calls} == {"Bearer token"}
        heard: list[Any] = []
        client.conversation.on_notification("notifications/tools/list_changed", heard.append)
        await server.write({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"a": 1}})
        await client.ping()
        assert heard == [{"a": 1}]
        await client.close()
        server.over.set()


async def test_a_request_that_is_given_up_is_cancelled_with_a_message() -> None:
    server = OldServer()
    server.answer = lambda call, message: asyncio.sleep(0, None)
    async with calling(server.app) as transport:
        client = Client(transport, version="2024-11-05")
        await client.connect()
        with pytest.raises(RequestTimeoutError):
            await client.call_tool("slow", timeout=0.05)
        async with asyncio.timeout(10):
            while "notifications/cancelled" not in server.posted():
                await client.notify("notifications/more")
        server.over.set()


async def test_the_end_of_the_stream_ends_the_connection_and_what_waits() -> None:
    server = OldServer()
    waiting = asyncio.Event()

    async def hold(call: Call, message: Any) -> None:
        waiting.set()

    server.answer = hold
    async with calling(server.app) as transport:
        await begin(transport)
        request = asyncio.ensure_future(transport.request("tools/list"))
        await waiting.wait()
        server.over.set()
        with pytest.raises(TransportClosedError):
            await request
        assert not transport.is_connected


@pytest.mark.parametrize(
    "address", ["https://evil.example/messages", "//evil.example/x", "http://user:pass@127.0.0.1:8000/messages"]
)
async def test_an_address_of_another_origin_gets_nothing(address: str) -> None:
    server = OldServer(address)
    async with calling(server.app, auth="secret") as transport:
        with pytest.raises(McpError, match="is not its own"):
            await begin(transport)
        assert [call.method for call in server.app.calls] == ["POST", "GET"]
        server.over.set()


async def test_a_message_over_the_limit_is_an_error_and_the_stream_goes_on() -> None:
    server = OldServer()
    server.answer = lambda call, message: asyncio.sleep(0, {"text": "x" * (3000 if message["id"] == 1 else 5)})
    async with calling(server.app, limit=1000) as transport:
        await begin(transport)
        with pytest.raises(McpError, match="over 1000 bytes"):
            await transport.request("big", request_id=1)
        assert await transport.request("small", request_id=2) == {"text": "xxxxx"}
        server.over.set()


async def test_what_is_no_such_server_fails_as_it_always_did(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legacy_sse, "ENDPOINT_SECONDS", 0.05)

    async def page(call: Call) -> None:
        await (call.reply(200, b"<p>", content_type="text/html") if call.method == "GET" else call.reply(404))

    async def silent(call: Call) -> None:
        if call.method == "GET":
            await call.events()
            await call.event({"jsonrpc": "2.0", "method": "notifications/x"})
            await call.hang_up_of_client()
        else:
            await call.reply(404)

    for script in (lambda call: call.reply(404), page, silent):
        async with calling(Scripted(script)) as transport:
            with pytest.raises(McpError, match=f"There is no MCP server at this address .HTTP 404 from {URL}"):
                await begin(transport)
            assert transport.is_connected
    for status in (401, 403, 500):
        app = Scripted(lambda call, status=status: call.reply(status))  # type: ignore[misc]
        async with calling(app) as transport:
            with pytest.raises(McpError):
                await begin(transport)
        assert [call.method for call in app.calls] == ["POST"], "only 400, 404 and 405 mean an older server"


OFFICIAL = """
from mcp.server import MCPServer

server = MCPServer("official")

@server.tool()
def add(a: int, b: int) -> int:
    "Add two numbers."
    return a + b

@server.resource("note://one")
def note() -> str:
    return "a note"

app = server.sse_app()
"""


async def test_the_official_server_of_that_transport(tmp_path: Path) -> None:
    with LiveServer(tmp_path, OFFICIAL) as server:
        async with asyncio.timeout(30), Client(f"http://127.0.0.1:{server.port}/sse") as client:
            assert client.server_info is not None
            assert client.server_info.name == "official"
            assert [tool.name for tool in await client.list_tools()] == ["add"]
            results = await asyncio.gather(*(client.call_tool("add", {"a": n, "b": 1}) for n in range(20)))
            assert [result.text for result in results] == [str(n + 1) for n in range(20)]
            assert (await client.read_resource("note://one")).contents[0].text == "a note"
            await client.ping()


async def test_a_host_has_a_server_of_that_transport(tmp_path: Path) -> None:
    with LiveServer(tmp_path, OFFICIAL) as server:
        host = Host({"old": f"http://127.0.0.1:{server.port}/sse"}, secret="a secret of at least sixteen bytes")
        async with asyncio.timeout(30):
            call = await host.session("ann").start("old.add", {"a": 2, "b": 3})
            assert (await call.result())["content"][0]["text"] == "5"
            await host.close()
