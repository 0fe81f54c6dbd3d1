"""Servers by URL, in both eras: found, lost, restarted, refused."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from cloche.errors import TransportError, UpstreamError
from cloche.host.upstreams import Remote, open_upstream
from tests.host.upstreams.watching import Watched, call, closing
from tests.support.live_server import LiveServer

CODE = """
import asyncio, os
from cloche import Context, Server
from cloche.auth import Auth, StaticTokens

server = Server("live", "1.0")

@server.tool
async def pid() -> int:
    return os.getpid()

@server.tool
async def hang(ctx: Context) -> str:
    await ctx.progress(1, 2, "began")
    await asyncio.Event().wait()
    return "never"

@server.tool
async def big(ctx: Context) -> str:
    await ctx.progress(1, 2)
    return "x" * 3_000_000

@server.tool
async def grow() -> str:
    @server.tool
    async def late() -> str:
        return "here"
    return "grown"

@server.tool
async def who(ctx: Context) -> str:
    return ctx.principal.id if ctx.principal else "nobody"

AUTH = None
inner = server.asgi(path="/mcp", auth=AUTH)

async def app(scope, receive, send):
    # A server of before 2026-07-28 does not know the method that asks for the era.
    if LEGACY and scope["type"] == "http" and (b"mcp-method", b"server/discover") in scope["headers"]:
        body = b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32601, "message": "Method not found"}}'
        await send({"type": "http.response.start", "status": 404, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": body})
        return
    await inner(scope, receive, send)
"""


def code(*, legacy: bool = False, auth: str = "None") -> str:
    return f"LEGACY = {legacy}\n" + CODE.replace("AUTH = None", f"AUTH = {auth}")


def live(folder: Path, *, port: int = 0, **options: Any) -> LiveServer:
    return LiveServer(folder, code(**options), port=port)


eras = pytest.mark.parametrize("legacy", [True, False], ids=["handshake", "stateless"])


@eras
async def test_a_url(tmp_path: Path, legacy: bool) -> None:
    with live(tmp_path, legacy=legacy) as server:
        async with closing(open_upstream("live", f"http://127.0.0.1:{server.port}/mcp")) as upstream:
            watched = Watched(upstream)
            assert int(await call(upstream, "pid")) == server.process.pid
            assert upstream.server_info == {"name": "live", "version": "1.0"}
            assert len(await call(upstream, "big")) == 3_000_000
            assert "late" not in {tool["name"] for tool in await upstream.tools()}
            await watched.until("ready")
            await call(upstream, "grow")
            await watched.until("tools")
            assert "late" in {tool["name"] for tool in await upstream.tools()}


@eras
async def test_a_server_that_was_restarted_is_found_again(tmp_path: Path, legacy: bool) -> None:
    with live(tmp_path, legacy=legacy) as first:
        async with closing(open_upstream("live", f"http://127.0.0.1:{first.port}/mcp")) as upstream:
            await call(upstream, "grow")
            assert "late" in {tool["name"] for tool in await upstream.tools()}
            watched = Watched(upstream)
            first.kill()
            with live(tmp_path, legacy=legacy, port=first.port) as second:
                assert int(await call(upstream, "pid")) == second.process.pid
                await watched.until("tools")
                assert "late" not in {tool["name"] for tool in await upstream.tools()}
                await upstream.close()


@eras
async def test_killed_in_the_middle_of_a_call_the_call_fails_at_once(tmp_path: Path, legacy: bool) -> None:
    with live(tmp_path, legacy=legacy) as first:
        async with closing(open_upstream("live", f"http://127.0.0.1:{first.port}/mcp")) as upstream:
            began = asyncio.Event()
            pending = asyncio.create_task(upstream.call_tool("hang", {}, on_progress=lambda _: began.set()))
            await began.wait()
            first.kill()
            killed = time.monotonic()
            with pytest.raises(TransportError):
                await pending
            assert time.monotonic() - killed < 5.0
            with live(tmp_path, legacy=legacy, port=first.port) as second:
                watched = Watched(upstream)
                while upstream.status != "ready":
                    await watched.until("ready")
                assert int(await call(upstream, "pid")) == second.process.pid
                await upstream.close()


async def test_nobody_there_is_told_and_the_next_request_tries_again(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        port = server.port
    async with closing(open_upstream("live", f"http://127.0.0.1:{port}/mcp")) as upstream:
        with pytest.raises(UpstreamError, match="cannot be reached: nobody answers there"):
            await upstream.tools()
        assert upstream.status == "failed"
        with live(tmp_path, port=port) as server:
            assert int(await call(upstream, "pid")) == server.process.pid
            assert (upstream.status, upstream.problem) == ("ready", None)
            await upstream.close()


TOKENS = 'Auth(StaticTokens({"s3cret-s3cret-s3cret": "ann"}))'


async def test_a_token_or_a_function_that_gives_one(tmp_path: Path) -> None:
    given: list[str] = []

    async def token() -> str:
        given.append("s3cret-s3cret-s3cret")
        return "s3cret-s3cret-s3cret"

    with live(tmp_path, auth=TOKENS) as server:
        url = f"http://127.0.0.1:{server.port}/mcp"
        for auth in ("s3cret-s3cret-s3cret", token, lambda: "s3cret-s3cret-s3cret"):
            async with closing(open_upstream("live", Remote(url, auth=auth))) as upstream:
                assert await call(upstream, "who") == "ann"
        assert given
        async with closing(
            open_upstream("live", Remote(url, headers={"Authorization": "Bearer s3cret-s3cret-s3cret"}))
        ) as upstream:
            assert await call(upstream, "who") == "ann"


async def test_a_wrong_token_is_told_without_showing_it(tmp_path: Path) -> None:
    with live(tmp_path, auth=TOKENS) as server:
        remote = Remote(f"http://127.0.0.1:{server.port}/mcp", auth="made-up-token")
        async with closing(open_upstream("live", remote)) as upstream:
            with pytest.raises(UpstreamError, match="wants to know who is asking") as caught:
                await upstream.tools()
            assert "made-up-token" not in str(caught.value)


async def test_a_page_that_is_no_server_is_told(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        async with closing(open_upstream("live", f"http://127.0.0.1:{server.port}/nothing")) as upstream:
            with pytest.raises(UpstreamError, match="answered with HTTP 404"):
                await upstream.tools()
