"""The requests that clients of both eras send, as ASGI scopes and as bytes on a socket."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import msgspec

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
HOST = "127.0.0.1:8000"
PATH = "/mcp"
RESOURCE = "bench://page"

_BOTH = "application/json, text/event-stream"
_CLIENT = {"name": "bench", "version": "1.0"}
_META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": _CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request to an MCP endpoint."""

    headers: list[tuple[bytes, bytes]]
    body: bytes = b""
    method: str = "POST"

    def scope(self) -> dict[str, Any]:
        """What a server such as uvicorn hands to an application for this request."""
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "server": ("127.0.0.1", 8000),
            "client": ("127.0.0.1", 50000),
            "scheme": "http",
            "method": self.method,
            "root_path": "",
            "path": PATH,
            "raw_path": PATH.encode(),
            "query_string": b"",
            "headers": self.headers,
            "state": {},
        }

    def wire(self) -> bytes:
        """The request as HTTP/1.1 bytes."""
        lines = [f"{self.method} {PATH} HTTP/1.1".encode(), *(name + b": " + value for name, value in self.headers)]
        return b"\r\n".join([*lines, b"", self.body])


def modern(method: str, params: dict[str, Any], *, name: str = "", host: str = HOST, id: int = 1) -> Request:
    """A self-contained request of the stateless era."""
    extra = {"mcp-protocol-version": MODERN, "mcp-method": method}
    if name:
        extra["mcp-name"] = name
    return _post({"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, "_meta": _META}}, extra, host)


def legacy(method: str, params: dict[str, Any], session: str, *, host: str = HOST) -> Request:
    """A request inside an initialised session."""
    return _post({"jsonrpc": "2.0", "id": 2, "method": method, "params": params}, _session_headers(session), host)


def initialize(host: str = HOST) -> Request:
    params = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": _CLIENT}
    return _post({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}, {}, host)


def initialized(session: str, host: str = HOST) -> Request:
    return _post({"jsonrpc": "2.0", "method": "notifications/initialized"}, _session_headers(session), host)


def delete(session: str, host: str = HOST) -> Request:
    return Request(_headers(_session_headers(session), host), method="DELETE")


def open_stream(session: str, host: str = HOST) -> Request:
    """The GET that a legacy client opens for what the server says unasked."""
    return Request(_headers(_session_headers(session), host, accept="text/event-stream"), method="GET")


def listen(host: str = HOST, id: int = 1) -> Request:
    """The request that a client of the stateless era opens for updates of one resource."""
    wanted = {"notifications": {"resourceSubscriptions": [RESOURCE]}}
    return modern("subscriptions/listen", wanted, host=host, id=id)


def call_tool(era: str, name: str, value: int, *, session: str = "", host: str = HOST) -> Request:
    params = {"name": name, "arguments": {"value": value}}
    if era == MODERN:
        return modern("tools/call", params, name=name, host=host)
    return legacy("tools/call", params, session, host=host)


def spaced(request: Request) -> Request:
    """The same request as Python's `json.dumps` writes it."""
    body = json.dumps(json.loads(request.body)).encode()
    length = str(len(body)).encode()
    return Request([(name, length if name == b"content-length" else value) for name, value in request.headers], body)


def _post(message: dict[str, Any], extra: dict[str, str], host: str) -> Request:
    body = msgspec.json.encode(message)
    content = {"content-type": "application/json", "content-length": str(len(body))}
    return Request(_headers({**content, **extra}, host), body)


def _session_headers(session: str) -> dict[str, str]:
    return {"mcp-session-id": session, "mcp-protocol-version": LEGACY}


def _headers(extra: dict[str, str], host: str, accept: str = _BOTH) -> list[tuple[bytes, bytes]]:
    usual = {"host": host, "accept": accept, "accept-encoding": "gzip, deflate", "connection": "keep-alive"}
    return [(name.encode(), value.encode()) for name, value in {**usual, "user-agent": "bench/1.0", **extra}.items()]
