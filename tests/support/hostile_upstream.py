"""A server that answers as it is told to, byte by byte: over HTTP, or as a program.

`Scripts` maps a method to a function of the request's id and parameters that gives the pieces of the answer; a piece
is bytes, or a number of seconds to wait. What has no script is answered as an honest server would.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

Piece = bytes | float
Script = Callable[[Any, dict[str, Any]], Iterable[Piece]]
Scripts = dict[str, Script]

INITIALIZED = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {"listChanged": True}, "resources": {}},
    "serverInfo": {"name": "hostile", "version": "1"},
}
TOOL = {"name": "answer", "inputSchema": {"type": "object"}}


def message(request_id: Any, result: Any) -> bytes:
    """An honest answer."""
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": result}, separators=(",", ":")).encode()


def raw(request_id: Any, result: bytes) -> bytes:
    """An answer whose result is given as JSON."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (json.dumps(request_id).encode(), result)


def text_result(size: int) -> bytes:
    """A result with a text so long."""
    return b'{"content":[{"type":"text","text":"%b"}]}' % (b"x" * size)


def honest(method: str, request_id: Any) -> bytes:
    """What an honest server would answer."""
    if method == "initialize":
        return message(request_id, INITIALIZED)
    if method == "tools/list":
        return message(request_id, {"tools": [TOOL]})
    if method == "tools/call":
        return raw(request_id, text_result(2))
    error = {"code": -32601, "message": "Method not found"}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": error}).encode()


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n"


def body(data: bytes, *headers: bytes) -> list[Piece]:
    """One HTTP answer."""
    lines = b"".join(header + b"\r\n" for header in headers)
    return [HEAD + lines + b"content-length: %d\r\n\r\n" % len(data), data]


def events(*messages: bytes) -> list[Piece]:
    """The same as a stream of events."""
    head = HEAD.replace(b"application/json", b"text/event-stream") + b"\r\n"
    return [head, *(b"data: " + one + b"\n\n" for one in messages)]


@asynccontextmanager
async def over_http(scripts: Scripts) -> AsyncIterator[str]:
    """Serve it; the URL. A script here gives the whole HTTP answer."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, ValueError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = next((int(line[15:]) for line in head.split("\r\n") if line.startswith("content-length:")), 0)
            given = json.loads(await reader.readexactly(length) or b"{}")
            for piece in _answer(head, given, scripts):
                if isinstance(piece, bytes):
                    writer.write(piece)
                    await writer.drain()
                else:
                    await asyncio.sleep(piece)
        with contextlib.suppress(OSError):
            writer.close()
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=2**20)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.close()


def _answer(head: str, given: dict[str, Any], scripts: Scripts) -> Iterable[Piece]:
    if not head.startswith("post"):
        return [b"HTTP/1.1 405 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"]
    method, request_id = given.get("method", ""), given.get("id")
    if method in scripts:
        return scripts[method](request_id, given.get("params") or {})
    if request_id is None:
        return [b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"]
    return body(honest(method, request_id))
