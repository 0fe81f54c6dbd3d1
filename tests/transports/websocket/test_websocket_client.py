"""`WebSocketTransport` against our server, against another library's, and against what is not a WebSocket at all."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvloop
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from cloche.errors import ConfigurationError, ConnectError, TransportClosedError
from cloche.transports.outlet import ASKED_WHILE_FULL
from cloche.transports.websocket import client as websocket_client
from cloche.transports.websocket.client import WebSocketTransport
from tests.support.websocket_server import LiveWebSocket

INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"elicitation": {}},
    "clientInfo": {"name": "x", "version": "1"},
}
WRONG_KEY = b"HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n"
Handler = Callable[[ServerConnection], Awaitable[None]]


async def call(transport: WebSocketTransport, tool: str, **arguments: Any) -> str:
    result = await transport.request("tools/call", {"name": tool, "arguments": arguments})
    text: str = result["content"][0]["text"]
    return text


@asynccontextmanager
async def opened(url: str, **options: Any) -> AsyncIterator[WebSocketTransport]:
    """A connection that has shaken hands."""
    transport = await WebSocketTransport.connect(url, **options)
    try:
        await transport.request("initialize", INITIALIZE)
        await transport.notify("notifications/initialized")
        yield transport
    finally:
        await transport.close()


@asynccontextmanager
async def foreign(handler: Handler, subprotocols: tuple[str, ...] = ("mcp",), **options: Any) -> AsyncIterator[str]:
    """Another library's server."""
    offered = [Subprotocol(one) for one in subprotocols] or None
    async with serve(handler, "127.0.0.1", 0, subprotocols=offered, **options) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"


@asynccontextmanager
async def socket_server(answer: bytes | None) -> AsyncIterator[str]:
    """Answers whatever is said with these bytes and hangs up; with None it says nothing."""
    done = asyncio.Event()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        if answer is None:
            await done.wait()
        else:
            writer.write(answer)
        writer.close()

    async with await asyncio.start_server(handle, "127.0.0.1", 0) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        done.set()
        await asyncio.sleep(0)


# With our server


async def conversation(url: str) -> None:
    async with opened(url) as client:
        assert await call(client, "echo", text="é") == "é"
        texts = [str(number) for number in range(200)]
        assert await asyncio.gather(*(call(client, "echo", text=text) for text in texts)) == texts
        assert len(await call(client, "big", size=3_000_000)) == 3_000_000
        large = "x" * 50_000
        assert set(await asyncio.gather(*(call(client, "echo", text=large) for _ in range(200)))) == {large}

        def answer(data: bytes) -> None:
            asked = json.loads(data)
            if asked.get("method") == "elicitation/create":
                result = {"action": "accept", "content": {"name": "Ann"}}
                reply = {"jsonrpc": "2.0", "id": asked["id"], "result": result}
                replies.append(asyncio.ensure_future(client.send(json.dumps(reply).encode())))

        replies: list[asyncio.Future[None]] = []
        client.on_message(answer)
        assert await call(client, "ask") == "accept {'name': 'Ann'}"
        await asyncio.gather(*replies)
    assert (client.is_connected, client.close_code) == (False, 1000)


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_requests_are_answered_both_ways(run: Callable[[Awaitable[None]], None], tmp_path: Path) -> None:
    async def twice() -> None:
        await conversation(server.url)
        before = len(os.listdir("/proc/self/fd"))
        await conversation(server.url)
        assert len(os.listdir("/proc/self/fd")) == before
        assert asyncio.all_tasks() == {asyncio.current_task()}

    with LiveWebSocket(tmp_path) as server:
        run(twice())
    assert "Traceback" not in server.stderr


@pytest.mark.parametrize("how", ["kill", "terminate"])
async def test_the_death_of_the_server_ends_the_connection_once(how: str, tmp_path: Path) -> None:
    with LiveWebSocket(tmp_path) as server:
        async with opened(server.url) as client:
            ends: list[str] = []
            client.on_close(lambda: ends.append("end"))
            hanging = asyncio.create_task(call(client, "hang"))
            assert await call(client, "echo", text="under way") == "under way"
            getattr(server.process, how)()
            with pytest.raises(TransportClosedError, match=r"^Transport is closed$"):
                await hanging
            with pytest.raises(TransportClosedError):
                await client.send(b"{}")
        assert ends == ["end"]
        # A goodbye can be lost when the server's system resets the connection behind it.
        assert client.close_code in ((1006,) if how == "kill" else (1012, 1006))


@pytest.mark.parametrize(
    ("options", "headers", "status", "says"),
    [
        ("auth={'0123456789abcdef': 'ann'}", None, 401, "status 401: "),
        ("", {"Origin": "https://evil.example"}, 403, "status 403: Web pages of the origin 'https://evil.example'"),
        ("path='/elsewhere'", None, 404, "status 404: There is nothing here: the MCP server is at /elsewhere"),
    ],
    ids=["no token", "another site", "another path"],
)
async def test_a_refusal_says_why(
    options: str, headers: dict[str, str] | None, status: int, says: str, tmp_path: Path
) -> None:
    with LiveWebSocket(tmp_path, options) as server:
        with pytest.raises(ConnectError, match=says) as refusal:
            await WebSocketTransport.connect(server.url, headers=headers)
        assert (refusal.value.status, refusal.value.code) == (status, "CONNECT_FAILED")


async def test_headers_carry_the_token(tmp_path: Path) -> None:
    with LiveWebSocket(tmp_path, "auth={'0123456789abcdef': 'ann'}") as server:
        async with opened(server.url, headers={"Authorization": "Bearer 0123456789abcdef"}) as client:
            assert await call(client, "whoami") == "ann"


# With others


async def test_messages_may_come_in_fragments() -> None:
    async def handler(connection: ServerConnection) -> None:
        asked = json.loads(await connection.recv())
        data = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": "é" * 1000}, ensure_ascii=False)
        await connection.ping()
        await connection.send(data[at : at + 100] for at in range(0, len(data), 100))
        await connection.wait_closed()

    async with foreign(handler) as url:
        client = await WebSocketTransport.connect(url)
        assert await client.request("x") == "é" * 1000
        await client.close()


@pytest.mark.parametrize(("sent", "code"), [(b"{}", 1003), ("x" * 2000, 1009)], ids=["binary", "too long"])
async def test_what_may_not_be_sent_ends_the_connection(sent: Any, code: int) -> None:
    closed: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()

    async def handler(connection: ServerConnection) -> None:
        await connection.recv()
        await connection.send(sent)
        await connection.wait_closed()
        closed.set_result(connection.close_code)

    async with foreign(handler) as url:
        client = await WebSocketTransport.connect(url, limit=1000)
        with pytest.raises(TransportClosedError):
            await client.request("x")
        assert await closed == code
        await client.close()


async def test_a_server_that_does_not_read_makes_send_wait_and_close_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_client, "CLOSE_SECONDS", 0.2)
    done = asyncio.Event()

    async def handler(connection: ServerConnection) -> None:
        connection.transport.pause_reading()
        await connection.send('{"jsonrpc": "2.0", "method": "x"}')
        await done.wait()
        connection.transport.abort()

    async with foreign(handler) as url:
        client = await WebSocketTransport.connect(url)
        sending = [asyncio.create_task(client.send(b"x" * 1_000_000)) for _ in range(50)]
        _, waiting = await asyncio.wait(sending, timeout=0.5)
        assert len(waiting) > 30, "the system's buffers take some"
        async with asyncio.timeout(5):
            await client.close()
        outcomes = await asyncio.gather(*sending, return_exceptions=True)
        assert len([one for one in outcomes if isinstance(one, TransportClosedError)]) == len(waiting)
        done.set()


async def test_a_server_that_asks_and_never_reads_is_read_no_further() -> None:
    async def handler(connection: ServerConnection) -> None:
        connection.transport.pause_reading()
        for number in range(20_000):
            request = {"jsonrpc": "2.0", "id": number, "method": "ping", "params": ["x" * 5_000]}
            await connection.send(json.dumps(request))

    async with foreign(handler) as url:
        client = await WebSocketTransport.connect(url)
        answering: list[asyncio.Future[None]] = []
        client.on_message(lambda data: answering.append(asyncio.ensure_future(client.send(b"z" * 100_000))))
        socket: Any = client._socket
        async with asyncio.timeout(20):
            while socket.is_reading():  # noqa: ASYNC110  (what is waited for has no event of its own)
                await asyncio.sleep(0)
        assert ASKED_WHILE_FULL <= sum(not one.done() for one in answering) < ASKED_WHILE_FULL + 200
        client._abort()
        await client.close()
        await asyncio.gather(*answering, return_exceptions=True)


async def test_a_server_that_never_says_goodbye_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    accept = (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Protocol: mcp\r\nSec-WebSocket-Accept: %s\r\n\r\n"
    )
    done = asyncio.Event()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from websockets.utils import accept_key

        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        (key,) = [line.split(": ")[1] for line in head.split("\r\n") if line.lower().startswith("sec-websocket-key")]
        writer.write(accept % accept_key(key).encode())
        await done.wait()
        writer.close()

    async with await asyncio.start_server(handle, "127.0.0.1", 0) as server:
        url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        for cancelled in (False, True):
            monkeypatch.setattr(websocket_client, "CLOSE_SECONDS", 30.0 if cancelled else 0.1)
            client = await WebSocketTransport.connect(url)
            closing = asyncio.create_task(client.close())
            await asyncio.sleep(0)
            if cancelled:
                closing.cancel()
            async with asyncio.timeout(5):
                await asyncio.wait([closing])
            assert closing.cancelled() is cancelled
            assert client._gone.is_set()
        done.set()
        await asyncio.sleep(0)


# What is not a server of ours


async def refusal_of(url: str, **options: Any) -> str:
    with pytest.raises(ConnectError) as failure:
        await WebSocketTransport.connect(url, **options)
    assert len(str(failure.value)) < 700
    return str(failure.value)


async def test_a_server_without_the_subprotocol_is_refused() -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async with foreign(handler, subprotocols=()) as url:
        assert "speaks WebSocket, but not MCP" in await refusal_of(url)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "status 200: OK"),
        (b"HTTP/1.1 302 Found\r\nLocation: ws://evil/\r\nContent-Length: 0\r\n\r\n", "status 302: Found"),
        (b"HTTP/1.1 403 No\r\nContent-Length: 3\r\n\r\n\xff{}", "status 403: No"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "did not answer as a WebSocket server does"),
        (WRONG_KEY, "not valid"),
        (b"", "did not answer as a WebSocket server does"),
    ],
    ids=["a page", "a redirect", "garbage", "another protocol", "wrong key", "nothing"],
)
async def test_what_is_no_websocket_is_said_in_a_sentence(answer: bytes, says: str) -> None:
    async with socket_server(answer) as url:
        assert says in await refusal_of(url)


async def test_a_server_that_says_nothing_is_given_up_in_time() -> None:
    async with socket_server(None) as url:
        assert await refusal_of(url, open_timeout=0.2) == f"{url} did not answer within 0.2 seconds"


async def test_nobody_there() -> None:
    async with socket_server(b"") as url:
        pass
    assert (await refusal_of(url)).startswith(f"Cannot connect to {url}: ")


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8000/mcp", "127.0.0.1:8000", "", "ws://", "ws://x:99999/", "ws://user@x/", "ws://x/#y"]
)
async def test_an_address_of_something_else_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="address of a WebSocket"):
        await WebSocketTransport.connect(url)


@pytest.mark.parametrize("value", ["a\r\nHost: evil", "a\nb", "a\0"])
async def test_H29_a_header_cannot_bring_others_along(value: str) -> None:
    async with socket_server(b"") as url:
        with pytest.raises(ConfigurationError, match="header 'X-Name' has characters"):
            await WebSocketTransport.connect(url, headers={"X-Name": value})


def test_without_the_library_the_extra_is_named() -> None:
    code = """
import asyncio, sys
sys.modules["websockets"] = None
from cloche.transports.websocket.client import WebSocketTransport
try:
    asyncio.run(WebSocketTransport.connect("ws://127.0.0.1:1/"))
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "A WebSocket client needs the extra 'client': pip install 'cloche[client]'\n"


@pytest.mark.requirement(188)
def test_the_defaults_are_public() -> None:
    assert (websocket_client.OPEN_TIMEOUT, websocket_client.CLOSE_SECONDS) == (10.0, 2.0)
