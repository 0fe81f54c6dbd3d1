"""H21, H24, H25, H28 where only a socket tells: memory, hanging connections, a process that is killed."""

from __future__ import annotations

import json
import re
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.http_client import MODERN, message, modern
from tests.support.live_server import LiveServer, read_answer

CODE = """
import asyncio
from cloche import Context, Limits, Server

server = Server("live", limits=Limits({limits}), secret="0123456789abcdef0123456789abcdef")

@server.tool
async def echo(text: str = "") -> str:
    return text

@server.tool
async def hang() -> str:
    await asyncio.Event().wait()
    return "never"

@server.tool
def update(times: int) -> str:
    for _ in range(times):
        server.resource_updated("x://" + "y" * 500)
    return "done"

@server.tool
async def order(ctx: Context) -> str:
    def place():
        with open({orders!r}, "a") as file:
            file.write("placed\\n")
        return 7
    number = await ctx.once("order", place)
    answer = await ctx.elicit("Sure?", {{"type": "object", "properties": {{}}}}, key="sure")
    return f"order {{number}} {{answer.action}}"

app = server.asgi()
"""


def live(folder: Path, limits: str = "", port: int = 0) -> LiveServer:
    return LiveServer(folder, CODE.format(limits=limits, orders=str(folder / "orders.txt")), port=port)


def call(tool: str, request_id: Any = 1, **arguments: Any) -> dict[str, Any]:
    return modern("tools/call", {"name": tool, "arguments": arguments}, request_id)


def text_of(answer: tuple[int, dict[str, str], bytes]) -> str:
    found: str = json.loads(answer[2])["result"]["content"][0]["text"]
    return found


def send_chunks(server: LiveServer, megabytes: int) -> tuple[int, int]:
    """POST so much without saying how much; returns the status and how much the server's memory grew at most."""
    before = peak = server.memory()
    lines = ["Transfer-Encoding: chunked", f"MCP-Protocol-Version: {MODERN}"]
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    with server.connect() as sock:
        sock.sendall(server.head(*lines))
        try:
            for _ in range(megabytes):
                sock.sendall(chunk)
                peak = max(peak, server.memory())
            sock.sendall(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            pass  # the server has heard enough
        try:
            status = read_answer(sock)[0]
        except (ConnectionError, TimeoutError):
            status = 0  # what it said was lost with the connection it closed
        peak = max(peak, server.memory())
    return status, peak - before


@pytest.mark.requirement(159)
def test_H21_fifty_megabytes_in_chunks_leave_the_memory_flat(tmp_path: Path) -> None:
    (tmp_path / "lifted").mkdir()
    with live(tmp_path) as server, live(tmp_path / "lifted", "message_bytes=100_000_000") as lifted:
        assert text_of(server.modern(call("echo", text="warm"))) == "warm"
        assert text_of(lifted.modern(call("echo", text="warm"))) == "warm"
        for _ in range(2):
            status, growth = send_chunks(server, 50)
            assert status in (413, 0)
            assert growth < 16 << 20
        assert text_of(server.modern(call("echo", text="still here"))) == "still here"
        assert "Traceback" not in server.stderr

        status, growth = send_chunks(lifted, 50)
        assert status == 400
        assert growth > 40 << 20


@pytest.mark.requirement(159)
def test_H21_a_length_that_is_too_large_is_refused_before_the_body(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        for megabytes in (5, 50):
            with server.connect() as sock:
                sock.sendall(server.head(f"Content-Length: {megabytes << 20}", f"MCP-Protocol-Version: {MODERN}"))
                status, _, body = read_answer(sock)
            assert status == 413
            assert len(body) < 300
        assert text_of(server.modern(call("echo", text="still here"))) == "still here"


def test_H24_a_hundred_half_bodies_are_closed_and_the_others_served(tmp_path: Path) -> None:
    (tmp_path / "lifted").mkdir()
    with live(tmp_path, "body_seconds=0.5") as server, live(tmp_path / "lifted", "body_seconds=60.0") as lifted:

        def half_bodies(target: LiveServer) -> list[socket.socket]:
            opened = []
            for _ in range(100):
                sock = target.connect(timeout=15)
                sock.sendall(target.head("Content-Length: 100", f"MCP-Protocol-Version: {MODERN}") + b'{"json')
                opened.append(sock)
            return opened

        slow, held = half_bodies(server), half_bodies(lifted)
        assert text_of(server.modern(call("echo", text="served"))) == "served"
        for sock in slow:
            assert read_answer(sock)[0] == 408
            sock.close()
        for sock in held:
            sock.setblocking(False)
            with pytest.raises(BlockingIOError):
                sock.recv(1)
            sock.close()
        assert text_of(lifted.modern(call("echo", text="still here"))) == "still here"
    assert "Traceback" not in server.stderr + lifted.stderr


def listen(server: LiveServer) -> socket.socket:
    body = modern("subscriptions/listen", {"notifications": {"resourceSubscriptions": ["x://" + "y" * 500]}}, "l")
    data = json.dumps(body).encode()
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.settimeout(15)
    sock.connect(("127.0.0.1", server.port))
    lines = [f"Content-Length: {len(data)}", f"MCP-Protocol-Version: {MODERN}", "Mcp-Method: subscriptions/listen"]
    sock.sendall(server.head(*lines) + data)
    seen = b""
    while b"acknowledged" not in seen:
        seen += sock.recv(1024)
    return sock


def test_H25_a_socket_that_never_reads_is_cut_off(tmp_path: Path) -> None:
    (tmp_path / "lifted").mkdir()
    with live(tmp_path, "queue=100") as server, live(tmp_path / "lifted", "queue=10**7") as lifted:
        stuck = listen(server)
        endless = listen(lifted)
        grown = {}
        for target in (server, lifted):
            target.modern(call("update", times=1))
            before = target.memory()
            for _ in range(20):
                assert text_of(target.modern(call("update", times=2000))) == "done"
            grown[target] = target.memory() - before
        assert "too slow" in server.stderr
        assert "too slow" not in lifted.stderr
        assert grown[server] < 12 << 20
        assert grown[lifted] > 20 << 20
        stuck.close()
        endless.close()
        assert text_of(server.modern(call("echo", text="still here"))) == "still here"


def test_H28_killed_in_the_middle_of_a_call_and_started_again(tmp_path: Path) -> None:
    server = live(tmp_path)
    with server:
        initialize = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        _, headers, _ = server.post(message("initialize", initialize))
        session = f"Mcp-Session-Id: {headers['mcp-session-id']}"
        assert server.post(message("ping"), session)[0] == 200
        asking = call("order")
        asking["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = {"elicitation": {}}
        asked = json.loads(server.modern(asking)[2])["result"]
        assert asked["resultType"] == "input_required"

        data = json.dumps(call("hang")).encode()
        lines = [f"MCP-Protocol-Version: {MODERN}", "Mcp-Method: tools/call", "Mcp-Name: hang"]
        waiting = [server.connect() for _ in range(20)]
        for sock in waiting:
            sock.sendall(server.head(f"Content-Length: {len(data)}", *lines) + data)
        assert text_of(server.modern(call("echo", text="all under way"))) == "all under way"
        server.kill()
        began = time.perf_counter()
        for sock in waiting:
            with pytest.raises(ConnectionError):
                read_answer(sock)
            sock.close()
        assert time.perf_counter() - began < 1.0  # nobody is left hanging

    with live(tmp_path, port=server.port) as again:
        status, _, body = again.post(message("ping"), session)
        assert status == 404
        assert b"initialize again" in body
        _, headers, _ = again.post(message("initialize", initialize))
        assert again.post(message("ping"), f"Mcp-Session-Id: {headers['mcp-session-id']}")[0] == 200
        # The call that was under way is repeated with what it remembers: its effect is not.
        asking["params"] |= {
            "requestState": asked["requestState"],
            "inputResponses": {"sure": {"action": "accept", "content": {}}},
        }
        assert text_of(again.modern(asking)) == "order 7 accept"
    assert (tmp_path / "orders.txt").read_text() == "placed\n"
    # The control: repeated without its memory, it places a second order.
    with live(tmp_path) as forgetful:
        del asking["params"]["requestState"], asking["params"]["inputResponses"]
        forgetful.modern(asking)
    assert (tmp_path / "orders.txt").read_text() == "placed\n" * 2


def test_a_client_that_hangs_up_leaves_no_traceback(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        data = json.dumps(call("hang")).encode()
        lines = [f"MCP-Protocol-Version: {MODERN}", "Mcp-Method: tools/call", "Mcp-Name: hang"]
        for sent in (data, data[:20], b""):
            for _ in range(5):
                with server.connect() as sock:
                    sock.sendall(server.head(f"Content-Length: {len(data)}", *lines) + sent)
        for _ in range(3):
            assert text_of(server.modern(call("echo", text="still here"))) == "still here"
    assert not re.search("Traceback|Exception|Error", server.stderr), server.stderr
