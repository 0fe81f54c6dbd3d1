"""`WebSocketApp` where the web server matters: without extensions, mounted, and run by `cloche run --websocket`."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import time
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from cloche import Server
from cloche.errors import ConfigurationError
from tests.support.command import CLOCHE, FILES, Running, refusal, started, write
from tests.support.http_client import HttpClient
from tests.support.websocket_server import LiveWebSocket, call, text_of

BASE = "http://127.0.0.1:8000"
REFUSED = (InvalidStatus, InvalidMessage, ConnectionClosed, OSError)


def make_server() -> Server:
    server = Server("pantry")

    @server.tool
    async def echo(text: str) -> str:
        return text

    return server


# The app


async def shake(app: Any, *headers: tuple[bytes, bytes], extensions: Any) -> list[MutableMapping[str, Any]]:
    """What the app sends in answer to a handshake; it is hung up on when it accepts."""
    sent: list[MutableMapping[str, Any]] = []
    events = iter([{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1005}])

    async def receive() -> MutableMapping[str, Any]:
        return next(events)

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "websocket",
        "scheme": "ws",
        "path": "/",
        "subprotocols": ["mcp"],
        "extensions": extensions,
        "server": ("127.0.0.1", 8000),
        "headers": [(b"host", b"127.0.0.1:8000"), *headers],
    }
    await app(scope, receive, send)
    return sent


EVIL = (b"origin", b"https://evil.example")


async def test_a_refusal_is_an_answer_of_http_where_the_web_server_can_send_one() -> None:
    app = make_server().websocket()
    head, body = await shake(app, EVIL, extensions={"websocket.http.response": {}})
    assert (head["type"], head["status"]) == ("websocket.http.response.start", 403)
    assert (body["type"], json.loads(body["body"])["error"]["code"]) == ("websocket.http.response.body", -32600)


@pytest.mark.parametrize("extensions", [None, {}], ids=["none", "others"])
async def test_elsewhere_a_refusal_closes_the_handshake(extensions: Any) -> None:
    app = make_server().websocket()
    assert await shake(app, EVIL, extensions=extensions) == [{"type": "websocket.close", "code": 1008}]
    (accepted,) = await shake(app, extensions=extensions)
    assert accepted == {"type": "websocket.accept", "subprotocol": "mcp"}
    assert not app.connections


def test_a_client_that_asks_for_no_subprotocol_is_told_to(tmp_path: Path) -> None:
    with LiveWebSocket(tmp_path) as server:
        for subprotocol in (None, "graphql-ws"):
            with pytest.raises(InvalidStatus) as refused:
                server.open(subprotocol=subprotocol)
            assert refused.value.response.status_code == 400
            assert b"Sec-WebSocket-Protocol: mcp" in (refused.value.response.body or b"")


async def test_a_request_that_is_no_handshake_is_told_what_to_do() -> None:
    server = make_server()
    client = HttpClient(server.websocket(auth={"0123456789abcdef": "ann"}))  # type: ignore[arg-type]
    answer = await client.raw("GET", [(b"host", b"127.0.0.1:8000")], b"")
    assert (answer.status, answer.headers["upgrade"]) == (426, "websocket")
    assert "ws://" in answer.error["message"]
    assert (await client.raw("GET", [(b"host", b"evil.example")], b"")).status == 421


@pytest.mark.parametrize("origins", ["https://a.example", ["a.example"]], ids=["a text", "no origin"])
def test_options_that_cannot_work_are_refused(origins: Any) -> None:
    with pytest.raises(ConfigurationError):
        make_server().websocket(origins=origins)
    with pytest.raises(ConfigurationError, match="begin with '/'"):
        make_server().websocket(path="mcp")


def test_mounted_in_fastapi_beside_http() -> None:
    server = make_server()
    app = FastAPI()
    app.router.routes += [
        Route("/mcp", endpoint=server.asgi()),
        WebSocketRoute("/mcp", endpoint=server.websocket()),
        Mount("/deep", routes=[Mount("/er", app=server.websocket(path="/ws"))]),
    ]
    with TestClient(app, base_url=BASE) as http:
        for path in ("/mcp", "/deep/er/ws"):
            with http.websocket_connect(f"ws://127.0.0.1:8000{path}", subprotocols=["mcp"]) as connection:
                connection.send_text(call("echo", text=path))
                assert text_of(connection.receive_text()) == path
        with (
            pytest.raises(WebSocketDenialResponse) as refused,
            http.websocket_connect("ws://127.0.0.1:8000/deep/er/other", subprotocols=["mcp"]),
        ):
            pass
        assert refused.value.status_code == 404


def test_the_lifespan_opens_and_closes_with_the_app(tmp_path: Path) -> None:
    code = """
from contextlib import asynccontextmanager
from cloche import Server
{options}{limits}
@asynccontextmanager
async def opening(server):
    print("opened", file=sys.stderr)
    yield
    print("closed", file=sys.stderr)

app = Server("x", lifespan=opening).websocket()
"""
    with LiveWebSocket(tmp_path, code=code) as server, server.open() as connection:
        server.process.send_signal(signal.SIGTERM)
        with pytest.raises(ConnectionClosed):
            connection.recv(timeout=10)
        assert connection.close_code == 1012
        server.process.wait(timeout=10)
        assert server.stderr.split() == ["opened", "closed"]


async def test_closing_the_server_says_goodbye(tmp_path: Path) -> None:
    server = make_server()
    app = server.websocket()
    sent: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
    events: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
    events.put_nowait({"type": "websocket.connect"})
    scope = {
        "type": "websocket",
        "scheme": "ws",
        "path": "/",
        "subprotocols": ["mcp"],
        "extensions": {},
        "server": ("127.0.0.1", 8000),
        "headers": [(b"host", b"127.0.0.1:8000")],
    }
    serving = asyncio.create_task(app(scope, events.get, sent.put))
    assert (await sent.get())["type"] == "websocket.accept"
    await server.close()
    goodbye = await sent.get()
    assert (goodbye["type"], goodbye["code"]) == ("websocket.close", 1001)
    await serving
    assert not app.connections
    assert not server.is_connected


# The command


def open_at(url: str) -> ClientConnection:
    return connect(url, subprotocols=[Subprotocol("mcp")], proxy=None)


def add(running: Running) -> str:
    with open_at(running.url) as connection:
        connection.send(call("add", a=1, b=2))
        return text_of(connection.recv())


def test_the_command_serves_and_stops_at_once_with_a_connection_open(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    command = ["-m", "cloche", "run", "server.py", "--websocket", "127.0.0.1:0"]
    with started(command, tmp_path, until="ws://") as running:
        assert running.url.startswith("ws://127.0.0.1:")
        assert running.url.endswith("/mcp")
        assert add(running) == "3"
        assert running.request({}, "GET")[0] == 426
        with open_at(running.url) as connection:
            assert running.stop() == 0
            with pytest.raises(ConnectionClosed):
                connection.recv(timeout=10)
        assert running.process.stderr is not None
        assert running.process.stderr.read() == ""


def test_connections_count_against_their_address_until_they_end(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    command = ["-m", "cloche", "run", "server.py", "--websocket", "127.0.0.1:0", "--max-connections", "2"]
    with started(command, tmp_path, until="ws://") as running:
        for _ in range(5):
            assert patiently(running) == "3"
        with open_at(running.url), open_at(running.url), running.connect() as third:
            assert third.recv(4096).startswith(b"HTTP/1.1 503 ")
        assert patiently(running) == "3"


def patiently(running: Running) -> str:
    """The server notices a moment later than we that a connection has ended."""
    until = time.monotonic() + 10
    while True:
        try:
            return add(running)
        except REFUSED:
            assert time.monotonic() < until


def test_the_command_reads_no_more_than_the_servers_limit(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE.replace('Server("pantry")', 'Server("pantry", limits=Limits(message_bytes=1000))'))
    (tmp_path / "server.py").write_text("from cloche import Limits\n" + (tmp_path / "server.py").read_text())
    with started(["-m", "cloche", "run", "server.py", "--websocket", "0"], tmp_path, until="ws://") as running:
        with open_at(running.url) as connection:
            connection.send("x" * 1001)
            with pytest.raises(ConnectionClosed):
                connection.recv(timeout=10)
            assert connection.close_code == 1009
        assert add(running) == "3"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--websocket", "0.0.0.0:0"], "can be reached from other machines"),
        (["--websocket", "1", "--http", "2"], "--http and --websocket are two ways to serve"),
        (["--websocket", "0", "--sessionless"], "--sessionless is for HTTP"),
        (["--websocket", "ws://x/"], "--websocket takes HOST:PORT, not a URL"),
    ],
    ids=["public", "both", "stateless", "a URL"],
)
def test_what_the_command_refuses(arguments: list[str], says: str, tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    assert says in refusal("run", "server.py", *arguments, folder=tmp_path)


def test_servers_of_others_are_not_served_over_websocket(tmp_path: Path) -> None:
    write(tmp_path, FILES["fastmcp"])
    assert "this is one of fastmcp: use --http" in refusal("run", "server.py", "--websocket", "0", folder=tmp_path)


def test_the_address_may_be_left_out(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    with socket.socket() as taken:  # so that the port it takes by itself shows in what it says
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", 8000))
            taken.listen()
        except OSError:
            pass  # somebody else has it, which does as well
        assert "port 8000 on 127.0.0.1 is taken" in refusal("run", "server.py", "--websocket", folder=tmp_path, code=1)
