"""Who is calling over HTTP: no token, a stale one, a token without the scope, and what a tool then knows."""

from __future__ import annotations

import time
from typing import Any

import jwt
import pytest

from cloche import Context, Principal, Server
from cloche.auth import JwtVerifier
from tests.support.http_client import Answer, HttpClient

KEY = "a shared secret that is long enough for HS256"


def token(**claims: Any) -> bytes:
    whole = {"sub": "ada", "aud": "tests", "exp": time.time() + 60, **claims}
    return b"Bearer " + jwt.encode(whole, KEY, algorithm="HS256").encode()


def make_server() -> Server:
    server = Server("private")

    @server.tool
    async def who(ctx: Context) -> str:
        assert ctx.principal is not None
        return ctx.principal.id

    @server.tool(scopes=["write"])
    async def write() -> str:
        return "written"

    def is_root(principal: Principal | None) -> bool:
        return principal is not None and principal.id == "root"

    @server.tool(visible_to=is_root)
    async def secret() -> str:
        return "hidden"

    return server


async def call(client: HttpClient, name: str, authorization: bytes | None) -> Answer:
    extra = [] if authorization is None else [(b"authorization", authorization)]
    return await client.modern("tools/call", {"name": name, "arguments": {}}, *extra)


@pytest.mark.requirement(163)
async def test_a_call_needs_a_token_that_is_fresh_and_ours() -> None:
    server = make_server()
    verifier = JwtVerifier(key=KEY, audience="tests", algorithms=("HS256",))
    client = HttpClient(server.asgi(auth=verifier))
    for authorization in (None, b"Basic YTpi", b"Bearer nonsense", token(exp=time.time() - 3600), token(aud="others")):
        answer = await call(client, "who", authorization)
        assert answer.status == 401
        assert answer.headers["www-authenticate"].startswith("Bearer ")
        assert "nonsense" not in answer.body.decode()
    assert (await call(client, "who", token())).json["result"]["content"][0]["text"] == "ada"
    await server.close()


@pytest.mark.requirement(163)
async def test_a_tool_may_need_a_scope_or_be_there_for_some_only() -> None:
    server = make_server()
    verifier = JwtVerifier(key=KEY, audience="tests", algorithms=("HS256",))
    client = HttpClient(server.asgi(auth=verifier))
    refused = await call(client, "write", token())
    assert (refused.status, refused.json["error"]["code"]) == (403, -32003)
    assert 'error="insufficient_scope"' in refused.headers["www-authenticate"]
    assert (await call(client, "write", token(scope="read write"))).status == 200
    assert (await call(client, "secret", token())).json["error"]["message"] == "Unknown tool: secret"
    assert (await call(client, "secret", token(sub="root"))).status == 200
    for claims, visible in (
        ({}, {"who"}),
        ({"scope": "write"}, {"who", "write"}),
        ({"sub": "root"}, {"who", "secret"}),
    ):
        answer = await client.modern("tools/list", None, (b"authorization", token(**claims)))
        assert {tool["name"] for tool in answer.json["result"]["tools"]} == visible
    await server.close()
