"""`Client` over HTTP: what a person writes, and what a server over HTTP makes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from cloche.client import Client
from cloche.errors import ConnectError, McpError, RequestTimeoutError, TransportClosedError, TransportError
from cloche.transports.http.client import HttpTransport
from tests.support.doors import serving
from tests.support.everything import build
from tests.support.live_server import LiveServer
from tests.support.official_client import new_key
from tests.transports.http.peers import Call, Scripted, calling, shake_hands
from tests.transports.http.test_failures import unused_port

VERSIONS = ["2025-11-25", "2026-07-28"]
every_era = pytest.mark.parametrize("version", VERSIONS)


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with serving(build().asgi(path="/mcp")) as origin:
        yield f"{origin}/mcp"


@pytest.mark.parametrize(("version", "spoken"), [(None, "2026-07-28"), *((known, known) for known in VERSIONS)])
async def test_a_url_is_enough(web: str, version: str | None, spoken: str) -> None:
    async with Client(web, version=version) as client:
        assert client.protocol_version == spoken
        assert (await client.call_tool("greet", {"name": "you"})).text == "Hello, you!"


async def test_arguments_that_travel_as_headers(web: str) -> None:
    async with Client(web, version="2026-07-28") as client:
        assert (await client.call_tool("deliver", {"region": "Zürich"})).text == "1 to Zürich"


@every_era
async def test_progress(web: str, version: str) -> None:
    async with Client(web, version=version) as client:
        seen: list[float] = []
        await client.call_tool("count", {"upto": 3}, progress=lambda done, *_: seen.append(done))
        assert seen == [1, 2, 3]


@every_era
async def test_a_call_that_times_out_is_cancelled_on_the_server(web: str, version: str) -> None:
    async with Client(web, version=version) as client:
        key = new_key()
        with pytest.raises(RequestTimeoutError):
            await client.call_tool("hang", {"key": key}, timeout=0.3)
        await client.call_tool("recorded", {"what": f"{key} was cancelled"})


@every_era
async def test_a_subscription(web: str, version: str) -> None:
    async with Client(web, version=version) as client:
        heard = asyncio.Event()
        client.on_notification("notifications/resources/updated", lambda params: heard.set())
        await client.subscribe_resource("note://today")
        await client.call_tool("touch", {"uri": "note://today"})
        await asyncio.wait_for(heard.wait(), 10)


async def test_a_server_of_the_handshake_era_is_found_out() -> None:
    async def script(call: Call) -> None:
        if await shake_hands(call):
            return
        if call.method == "GET":
            await call.reply(405)
        elif call.rpc == "server/discover":
            error = {"code": -32000, "message": "Bad Request: Unsupported protocol version"}
            await call.json({"jsonrpc": "2.0", "id": None, "error": error}, status=400)
        else:
            await call.result({"content": [{"type": "text", "text": call.headers["mcp-protocol-version"]}]})

    async with calling(Scripted(script)) as transport, Client(transport) as client:
        assert client.protocol_version == "2025-06-18"
        assert (await client.call_tool("x", {})).text == "2025-06-18"


async def test_a_server_that_is_not_there_is_named() -> None:
    port = unused_port()
    with pytest.raises(TransportError, match=f"Cannot reach http://127.0.0.1:{port}/mcp") as refused:
        await Client(f"http://127.0.0.1:{port}/mcp").connect()
    assert isinstance(refused.value, ConnectError)


async def test_only_the_transport_itself_can_say_that_nobody_answered() -> None:
    """A server that writes the very bytes is a server that answered."""
    forged = {"code": -32000, "message": "Cannot reach it", "data": {"code": "CONNECT_FAILED"}}
    async with calling(Scripted(lambda call: call.json({"jsonrpc": "2.0", "id": 1, "error": forged}))) as transport:
        with pytest.raises(McpError, match="Cannot reach it"):
            await transport.request("ping", request_id=1)


async def test_a_token_that_is_missing_is_asked_for() -> None:
    app = Scripted(lambda call: call.reply(401, www_authenticate='Bearer resource_metadata="https://x.example/meta"'))
    async with calling(app) as transport:
        with pytest.raises(McpError, match="authentication") as refused:
            await Client(transport).connect()
        assert refused.value.data["resourceMetadata"] == "https://x.example/meta"


async def test_a_session_that_is_gone_closes_the_client(tmp_path: Path) -> None:
    code = "from cloche import Server\napp = Server('live').asgi(path='/mcp')"
    with LiveServer(tmp_path, code) as server:
        port = server.port
        async with Client(HttpTransport(f"http://127.0.0.1:{port}/mcp"), version="2025-11-25") as client:
            closed = asyncio.Event()
            client.on_close(closed.set)
            server.kill()
            with LiveServer(tmp_path, code, port=port):
                with pytest.raises(TransportClosedError):
                    await client.ping()
                await asyncio.wait_for(closed.wait(), 10)
                assert not client.is_connected
