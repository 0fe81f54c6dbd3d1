"""A WebSocket server of ours in a process of its own, and handshakes in bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from tests.support.http_client import modern
from tests.support.live_server import LiveServer

CODE = """
import asyncio, time
from cloche import Context, Limits, Principal, Server
from cloche.auth import Auth

server = Server("live", limits=Limits({limits}))

@server.tool
async def echo(text: str = "") -> str:
    return text

@server.tool
async def big(size: int) -> str:
    return "x" * size

@server.tool
async def hang() -> str:
    await asyncio.Event().wait()
    return "never"

@server.tool
async def whoami(ctx: Context) -> str:
    return ctx.principal.id if ctx.principal else "nobody"

@server.tool(scopes=["write"])
async def write() -> str:
    return "written"

@server.tool
async def ask(ctx: Context) -> str:
    answer = await ctx.elicit("Who?", {{"type": "object", "properties": {{"name": {{"type": "string"}}}}}})
    return f"{{answer.action}} {{answer.data}}"

async def verify(token):
    seconds = {{"short": 0.5, "long": 3600}}.get(token)
    return None if seconds is None else Principal(token, expires_at=time.time() + seconds)

asked = []

async def brittle(token):
    asked.append(token)
    return None if token == "brittle" and asked.count(token) > 3 else token

app = server.websocket({options})
"""


class LiveWebSocket(LiveServer):
    """`with LiveWebSocket(folder, options) as server` serves `server.websocket(options)`."""

    def __init__(self, folder: Path, options: str = "", *, limits: str = "", code: str = CODE, port: int = 0) -> None:
        folder.mkdir(exist_ok=True)
        super().__init__(folder, code.format(options=options, limits=limits), port=port)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/mcp"

    def open(self, origin: str | None = None, subprotocol: str | None = "mcp", **headers: str) -> ClientConnection:
        """A connection of a client that is not ours; raises `InvalidStatus` when it is refused."""
        return connect(
            self.url,
            origin=None if origin is None else Origin(origin),
            subprotocols=None if subprotocol is None else [Subprotocol(subprotocol)],
            additional_headers={name.replace("_", "-"): value for name, value in headers.items()},
            max_size=None,
            proxy=None,
        )

    def shake(self, *lines: str, host: str | None = None) -> tuple[int, dict[str, str], Any]:
        """Status, headers and body (JSON decoded) of a handshake that says exactly this."""
        head = [
            "GET /mcp HTTP/1.1",
            *([] if host == "" else [f"Host: {host or f'127.0.0.1:{self.port}'}"]),
            *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
            *("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: mcp"),
            *(*lines, "", ""),
        ]
        with self.connect() as sock:
            sock.sendall("\r\n".join(head).encode("latin-1"))
            data = b""
            while b"\r\n\r\n" not in data:
                part = sock.recv(65536)
                assert part, "closed without an answer"
                data += part
            start, _, body = data.partition(b"\r\n\r\n")
            status, *rest = start.decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
            while len(body) < int(headers.get("content-length", 0)):
                body += sock.recv(65536)
        is_json = headers.get("content-type") == "application/json"  # else the web server found it first
        return int(status.split()[1]), headers, json.loads(body) if is_json else body.decode()


def call(tool: str, request_id: Any = 1, **arguments: Any) -> str:
    """A call of the stateless era, which needs no handshake before."""
    body = modern("tools/call", {"name": tool, "arguments": arguments}, request_id)
    return msgspec.json.encode(body).decode()


def text_of(answer: Any) -> str:
    text: str = json.loads(answer)["result"]["content"][0]["text"]
    return text
