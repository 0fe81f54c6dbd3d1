"""The attacks on a local server, tried over WebSocket; each succeeds where the protection is off."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from tests.support.websocket_server import LiveWebSocket, call, text_of

NAIVE = """
import asyncio, json
{options}{limits}
tasks = set()

async def app(scope, receive, send):
    await receive()
    await send({{"type": "websocket.accept", "subprotocol": "mcp"}})
    while (event := await receive())["type"] == "websocket.receive":
        asked = json.loads(event["text"])
        text = "x" * asked["params"]["arguments"]["size"]
        answer = json.dumps({{"id": asked["id"], "result": {{"content": [{{"text": text}}]}}}})
        task = asyncio.create_task(send({{"type": "websocket.send", "text": answer}}))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
"""
EVIL = "https://evil.example"


def refused(server: LiveWebSocket, origin: str | None = None, **options: str) -> tuple[int, str]:
    """Status and sentence of a refusal."""
    with pytest.raises(InvalidStatus) as refusal:
        server.open(origin, **options)
    text: str = json.loads(refusal.value.response.body or b"")["error"]["message"]
    assert 0 < len(text) < 700
    return refusal.value.response.status_code, text


@pytest.mark.requirement(158)
def test_H03_a_page_of_another_site_cannot_hijack_a_websocket(tmp_path: Path) -> None:
    """A browser opens a WebSocket for any page, without a preflight: only the Origin tells."""
    with LiveWebSocket(tmp_path / "a") as server, LiveWebSocket(tmp_path / "b", f"origins=[{EVIL!r}]") as control:
        others = ["null", f"http://127.0.0.1:{server.port}.evil.example", f"{EVIL}:443", "https://evil.example.org"]
        for origin in (EVIL, *others):
            status, text = refused(server, origin)
            assert status == 403
            assert f"origins=['{origin}'] in server.websocket" in text
        with server.open(f"http://127.0.0.1:{server.port}") as own, server.open() as program:
            for connection in (own, program):
                connection.send(call("echo", text="welcome"))
                assert text_of(connection.recv()) == "welcome"

        with control.open(EVIL) as hijacked:
            hijacked.send(call("echo", text="stolen"))
            assert text_of(hijacked.recv()) == "stolen"
        assert refused(control, others[-1])[0] == 403


def test_H04_a_page_of_another_local_server_is_another_site(tmp_path: Path) -> None:
    with LiveWebSocket(tmp_path) as server:
        for origin in ("http://localhost:9", f"http://127.0.0.1:{server.port + 1}", "http://127.0.0.1"):
            assert refused(server, origin)[0] == 403
        with server.open(f"https://127.0.0.1:{server.port}"):
            pass  # behind a proxy that ends TLS, this is its own page


def test_H05_a_page_that_hides_its_origin_is_refused(tmp_path: Path) -> None:
    with LiveWebSocket(tmp_path / "a") as server, LiveWebSocket(tmp_path / "b", 'origins=["*"]') as control:
        assert refused(server, sec_fetch_site="cross-site")[0] == 403
        with control.open(sec_fetch_site="cross-site") as hijacked:
            hijacked.send(call("echo", text="stolen"))
            assert text_of(hijacked.recv()) == "stolen"


@pytest.mark.parametrize("host", ["evil.com", "127.0.0.1.evil.com:{port}", "localhost", "127.0.0.1:1", "", "a.b, c.d"])
def test_H01_dns_rebinding_does_not_get_as_far_as_a_connection(host: str, tmp_path: Path) -> None:
    with LiveWebSocket(tmp_path / "a") as server, LiveWebSocket(tmp_path / "b", 'hosts=["*"]') as control:
        status, _, body = server.shake(host=host.format(port=server.port))
        assert status in (400, 421)
        assert len(str(body)) < 900
        assert server.shake(host=f"localhost:{server.port}")[0] == 101
        if host and "," not in host:  # what is not a host name at all is refused even then
            assert control.shake(host=host.format(port=control.port))[0] == 101


def test_H02_a_header_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with LiveWebSocket(tmp_path, f"origins=[{EVIL!r}]") as server:
        own = f"Origin: http://127.0.0.1:{server.port}"
        assert server.shake(own)[0] == 101
        for pair in ((own, f"Origin: {EVIL}"), (f"Origin: {EVIL}", own), (f"Host: 127.0.0.1:{server.port}",)):
            assert server.shake(*pair)[0] == 400


@pytest.mark.requirement(163)
def test_without_a_token_nobody_gets_in(tmp_path: Path) -> None:
    options = 'auth={"s3cret-token-of-alice": Principal("alice", {"write"}), "s3cret-token-of-bob": "bob"}'
    with LiveWebSocket(tmp_path / "a", options) as server, LiveWebSocket(tmp_path / "b") as control:
        for header in ("X: y", "Authorization: Bearer wrong", "Authorization: Basic YTpi"):
            status, headers, body = server.shake(header)
            assert status == 401
            metadata = f'resource_metadata="http://127.0.0.1:{server.port}/.well-known/oauth-protected-resource"'
            assert metadata in headers["www-authenticate"]
            assert body["error"]["code"] == -32600
        assert server.shake("Authorization: Bearer s3cret-token-of-bob", f"Origin: {EVIL}")[0] == 403
        seen = {}
        for name in ("alice", "bob"):
            with server.open(authorization=f"Bearer s3cret-token-of-{name}") as connection:
                connection.send(call("whoami"))
                who = text_of(connection.recv())
                connection.send(call("write"))
                seen[who] = json.loads(connection.recv())
        assert seen["alice"]["result"]["content"][0]["text"] == "written"
        assert seen["bob"]["error"]["code"] in (-32003, -32602)

        with control.open() as connection:
            connection.send(call("whoami"))
            assert text_of(connection.recv()) == "nobody"


@pytest.mark.requirement(163)
def test_a_connection_does_not_outlive_its_token(tmp_path: Path) -> None:
    with (
        LiveWebSocket(tmp_path, "auth=verify") as server,
        server.open(authorization="Bearer long") as lasting,
        server.open(authorization="Bearer short") as brief,
    ):
        brief.send(call("whoami"))
        assert text_of(brief.recv()) == "short"
        with pytest.raises(ConnectionClosed):
            brief.recv(timeout=10)
        assert (brief.close_code, brief.close_reason) == (1008, "The token has expired")
        lasting.send(call("whoami"))
        assert text_of(lasting.recv(timeout=10)) == "long"


@pytest.mark.requirement(163)
def test_a_connection_ends_when_its_token_is_taken_back(tmp_path: Path) -> None:
    with (
        LiveWebSocket(tmp_path, "auth=Auth(brittle, recheck_seconds=0.05)") as server,
        server.open(authorization="Bearer lasting") as lasting,
        server.open(authorization="Bearer brittle") as brittle,
    ):
        with pytest.raises(ConnectionClosed):
            brittle.recv(timeout=10)
        assert (brittle.close_code, brittle.close_reason) == (1008, "The token is not valid")
        lasting.send(call("whoami"))
        assert text_of(lasting.recv(timeout=10)) == "lasting"


@pytest.mark.requirement(159)
def test_H21_a_message_that_is_too_long_ends_the_connection_and_no_other(tmp_path: Path) -> None:
    lifted = LiveWebSocket(tmp_path / "b", limits="message_bytes=10**8")
    with LiveWebSocket(tmp_path / "a") as server, lifted as control:
        with server.open() as bystander:
            for size in (5_000_000, 50_000_000):  # ours is the first limit, uvicorn's the second
                with server.open() as connection:
                    try:
                        connection.send(call("echo", text="x" * size))
                        connection.recv(timeout=20)
                    except ConnectionClosed:
                        pass
                    assert connection.close_code == 1009
            bystander.send(call("echo", text="still here"))
            assert text_of(bystander.recv()) == "still here"
        with control.open() as connection:
            connection.send(call("echo", text="x" * 5_000_000))
            assert len(text_of(connection.recv())) == 5_000_000


def test_a_binary_frame_ends_the_connection(tmp_path: Path) -> None:
    with LiveWebSocket(tmp_path) as server, server.open() as connection:
        connection.send(call("echo", text="x").encode())
        with pytest.raises(ConnectionClosed):
            connection.recv(timeout=10)
        assert (connection.close_code, connection.close_reason) == (1003, "Messages are text frames")


@pytest.mark.parametrize(
    ("text", "code"),
    [("hello", -32700), ("{}", -32600), ("[" * 100_000, -32700), ('{"jsonrpc":"2.0","id":1e999,"method":"x"}', -32700)],
    ids=["no JSON", "no message", "deep", "infinite"],
)
def test_H15_what_is_no_message_is_answered_in_a_sentence(text: str, code: int, tmp_path: Path) -> None:
    with LiveWebSocket(tmp_path) as server, server.open() as connection:
        connection.send(text)
        answer = connection.recv()
        assert json.loads(answer)["error"]["code"] in (code, -32600)
        assert len(answer) < 300
        connection.send(call("echo", text="still here"))
        assert text_of(connection.recv()) == "still here"


def test_connections_are_bounded(tmp_path: Path) -> None:
    with LiveWebSocket(tmp_path, limits="connections=2") as server:
        with server.open() as first, server.open():
            status, _, body = server.shake()
            assert (status, body["error"]["code"]) == (503, -32000)
            assert body["error"]["message"] == "2 connections are open, and that is the limit: try again later"
            first.close()
            until = time.monotonic() + 10
            while server.shake()[0] != 101:
                assert time.monotonic() < until
        assert "Traceback" not in server.stderr


def flood(server: LiveWebSocket, number: int, size: int) -> socket.socket:
    """Ask for much on a connection that nobody reads."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.connect(("127.0.0.1", server.port))
    head = [
        *("GET /mcp HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket", "Connection: Upgrade"),
        *("Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: mcp"),
        *("", ""),
    ]
    sock.sendall("\r\n".join(head).encode())
    assert b" 101 " in sock.recv(4096)
    sock.settimeout(1.0)
    try:
        for one in range(number):
            sock.sendall(Frame(Opcode.TEXT, call("big", one, size=size).encode()).serialize(mask=True))
    except TimeoutError:
        pass  # it no longer reads us
    return sock


def test_H25_a_client_that_asks_and_never_reads_costs_a_bounded_amount(tmp_path: Path) -> None:
    number, size = 2000, 50_000
    with LiveWebSocket(tmp_path / "a") as server, LiveWebSocket(tmp_path / "b", code=NAIVE) as control:
        with server.open() as bystander:
            bystander.send(call("echo", text="warm"))
            bystander.recv()
            before = server.memory()
            with flood(server, number, size):
                for _ in range(200):  # while it answers us, it has time enough for the other
                    bystander.send(call("echo", text="served"))
                    assert text_of(bystander.recv()) == "served"
                assert server.memory() - before < 25 << 20
        # Hung up on, it forgets the rest.
        with server.open() as bystander:
            bystander.send(call("echo", text="still here"))
            assert text_of(bystander.recv()) == "still here"
        assert "Traceback" not in server.stderr

        with control.open() as warm:
            warm.send(call("big", size=1))
            warm.recv()
            before = control.memory()
            with flood(control, number, size):
                until = time.monotonic() + 20
                while control.memory() - before < 60 << 20:
                    assert time.monotonic() < until, "the control is bounded too: this shows nothing"
