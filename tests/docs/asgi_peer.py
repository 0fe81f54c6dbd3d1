"""One HTTP request to an ASGI app, and curl's command lines as such requests."""

from __future__ import annotations

import json
import shlex
from typing import Any
from urllib.parse import urlsplit

from starlette.testclient import TestClient

from tests.support.memory_peer import META, STATELESS

BASE = "http://127.0.0.1:8000"


def client(app: Any, base: str = BASE) -> TestClient:
    """A client that calls the app by this address, and follows no redirects: MCP clients must not have to."""
    return TestClient(app, base_url=base, follow_redirects=False)


def call(tool: str, arguments: dict[str, Any] | None = None, **headers: str) -> dict[str, Any]:
    """The body and headers of a tool call of the stateless era, as keywords of `TestClient.post`."""
    meta = {META + "protocolVersion": STATELESS, META + "clientCapabilities": {}}
    params = {"name": tool, "arguments": arguments or {}, "_meta": meta}
    sent = {"mcp-protocol-version": STATELESS, "mcp-method": "tools/call", "mcp-name": tool}
    sent["accept"] = "application/json, text/event-stream"
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    return {"json": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, "headers": sent}


def text_of(body: dict[str, Any]) -> str:
    """The text of a tool's result."""
    return "\n".join(block["text"] for block in body["result"]["content"])


class Curl:
    """What a `curl` command line in a document asks for."""

    def __init__(self, command: str) -> None:
        words = shlex.split(command.replace("\\\n", " "))
        assert words[0] == "curl"
        self.headers: dict[str, str] = {}
        self.data: Any = None
        rest = iter(words[1:])
        for word in rest:
            if word in ("-H", "--header"):
                name, _, value = next(rest).partition(":")
                self.headers[name.lower()] = value.strip()
            elif word in ("-d", "--data"):
                self.data = json.loads(next(rest))
            elif not word.startswith("-"):
                self.url = word
        self.path = urlsplit(self.url).path
        self.method = "GET" if self.data is None else "POST"
