"""What a token may do is asked of the token that came with the request, in both eras."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from cloche import Context, Principal, Server
from cloche.auth import Auth

NARROW, WIDE, FOREIGN, NOTHING = (f"{name}-token-of-sufficient-length" for name in ("narrow", "wide", "foreign", "no"))
TOKENS = {
    NARROW: Principal("alice", scopes=frozenset({"read"})),
    WIDE: Principal("alice", scopes=frozenset({"read", "write"})),
    FOREIGN: Principal("mallory", scopes=frozenset({"read", "write"})),
    NOTHING: Principal("bob"),
}
URL = "http://127.0.0.1:8000/mcp"
CHALLENGE = 'Bearer realm="mcp", error="insufficient_scope", scope="{}", resource_metadata="{}"'
METADATA = "http://127.0.0.1:8000/.well-known/oauth-protected-resource/mcp"
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
eras = pytest.mark.parametrize("modern", [False, True], ids=["handshake", "stateless"])


class Caller:
    """A client in either era that can change its token from request to request."""

    def __init__(self, http: httpx2.AsyncClient, modern: bool) -> None:
        self.http = http
        self.modern = modern
        self.session: dict[str, str] = {}

    async def send(self, token: str, method: str, **params: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream", **self.session}
        if self.modern:
            headers |= {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
            headers |= {"Mcp-Name": params["name"]} if "name" in params else {}
            params["_meta"] = META
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if not method.startswith("notifications/"):
            message["id"] = 1
        return await self.http.post(URL, json=message, headers=headers)

    async def begin(self, token: str) -> None:
        if self.modern:
            return
        info = {"name": "test", "version": "1"}
        answer = await self.send(token, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=info)
        self.session = {"Mcp-Session-Id": answer.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25"}
        assert (await self.send(token, "notifications/initialized")).status_code == 202

    async def tools(self, token: str) -> set[str]:
        answer = await self.send(token, "tools/list")
        return {tool["name"] for tool in answer.json()["result"]["tools"]}


@asynccontextmanager
async def caller(modern: bool, **options: Any) -> AsyncIterator[Caller]:
    server = Server("notes")

    @server.tool(scopes=["write"])
    async def save(ctx: Context) -> str:
        assert ctx.principal is not None
        return " ".join(sorted(ctx.principal.scopes))

    @server.tool
    async def look(ctx: Context) -> str:
        assert ctx.principal is not None
        return " ".join(sorted(ctx.principal.scopes))

    app = server.asgi(auth=Auth(TOKENS, **options), path="/mcp")
    async with asyncio.timeout(10), httpx2.AsyncClient(transport=httpx2.ASGITransport(app)) as http:
        yield Caller(http, modern)
        await app.close()


@eras
async def test_a_token_without_the_servers_scopes_is_told_what_it_lacks(modern: bool) -> None:
    async with caller(modern, scopes=["read"]) as one:
        await one.begin(NARROW)
        refused = await one.send(NOTHING, "tools/list")
        assert refused.status_code == 403
        challenge = refused.headers["www-authenticate"]
        assert challenge.startswith(CHALLENGE.format("read", METADATA))
        assert refused.json()["error"] == {
            "code": -32003,
            "message": "This needs the scope 'read'",
            "data": {"requiredScopes": ["read"]},
        }
        assert (await one.send(NARROW, "tools/list")).status_code == 200


async def test_scopes_are_needed_to_open_streams_and_to_end_sessions() -> None:
    async with caller(False, scopes=["read"]) as one:
        await one.begin(NARROW)
        for method in ("GET", "DELETE"):
            headers = {"Authorization": f"Bearer {NOTHING}", "Accept": "text/event-stream", **one.session}
            assert (await one.http.request(method, URL, headers=headers)).status_code == 403
        assert await one.tools(NARROW) == {"look"}


@eras
async def test_the_metadata_and_preflights_need_no_token(modern: bool) -> None:
    async with caller(modern, scopes=["read"], authorization_servers=["https://auth.example.com"]) as one:
        document = await one.http.get(METADATA)
        assert document.json()["scopes_supported"] == ["read"]
        assert (await one.http.options(URL)).status_code == 204


@eras
async def test_each_request_has_the_scopes_of_its_own_token(modern: bool) -> None:
    async with caller(modern) as one:
        await one.begin(NARROW)
        assert await one.tools(NARROW) == {"look"}
        refused = await one.send(NARROW, "tools/call", name="save")
        assert refused.status_code == 403
        assert refused.headers["www-authenticate"].startswith(CHALLENGE.format("write", METADATA))
        # The same caller comes back with a better token ...
        granted = await one.send(WIDE, "tools/call", name="save")
        assert granted.json()["result"]["content"][0]["text"] == "read write"
        assert await one.tools(WIDE) == {"look", "save"}
        # ... which does nothing for the old one.
        assert (await one.send(NARROW, "tools/call", name="save")).status_code == 403
        assert await one.tools(NARROW) == {"look"}
        seen = await one.send(NARROW, "tools/call", name="look")
        assert seen.json()["result"]["content"][0]["text"] == "read"


async def test_a_session_that_began_with_a_wide_token_does_not_widen_others() -> None:
    async with caller(False) as one:
        await one.begin(WIDE)
        assert (await one.send(WIDE, "tools/call", name="save")).status_code == 200
        assert (await one.send(NARROW, "tools/call", name="save")).status_code == 403
        assert (await one.send(FOREIGN, "tools/call", name="save")).status_code == 404
