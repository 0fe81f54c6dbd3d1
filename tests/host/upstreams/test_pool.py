"""Whose upstream is whose."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from cloche import Context, Server
from cloche.errors import ConfigurationError, TransportClosedError, UnknownNameError, UpstreamError
from cloche.host import Host
from cloche.host.upstreams import Command, Pool, Remote, open_upstream
from tests.host.upstreams.watching import DEADLINE, Watched, call


def counting_server() -> Server:
    server = Server("counting")

    @server.tool
    async def who(ctx: Context) -> str:
        return ctx.principal.id if ctx.principal else "nobody"

    return server


async def test_one_users_connection_is_never_anothers() -> None:
    asked: list[str] = []

    def of_user(user: str) -> Server:
        asked.append(user)
        return counting_server()

    shared = MCPServer("shared")
    pool = Pool({"cloche": counting_server(), "own": of_user, "shared": shared})
    for name in ("cloche", "own"):
        assert pool.get(name, "ann") is pool.get(name, "ann")
        assert pool.get(name, "ann") is not pool.get(name, "bob")
        assert await call(pool.get(name, "bob"), "who") == "bob"
        assert await call(pool.get(name, "ann"), "who") == "ann"
    assert asked == ["ann", "bob"]
    assert pool.get("shared", "ann") is pool.get("shared", "bob")
    await pool.close()


async def test_closing_ends_every_connection() -> None:
    pool = Pool({"cloche": counting_server()})
    ann, bob = pool.get("cloche", "ann"), pool.get("cloche", "bob")
    await call(ann, "who")
    await call(bob, "who")
    assert (ann.status, bob.status) == ("ready", "ready")
    await pool.close()
    assert (ann.status, bob.status) == ("closed", "closed")
    with pytest.raises(TransportClosedError):
        await bob.tools()
    with pytest.raises(ConfigurationError, match="closed"):
        pool.get("cloche", "ann")


async def test_a_closed_session_ends_the_connections_of_its_user_and_of_nobody_else() -> None:
    server = counting_server()
    host = Host({"cloche": server}, secret=b"s" * 32)
    ann, bob = host.session("ann"), host.session("bob")
    of_ann, of_bob = ann.upstream("cloche"), bob.upstream("cloche")
    await call(of_ann, "who")
    await call(of_bob, "who")
    await ann.close()
    assert (of_ann.status, of_bob.status) == ("idle", "ready")
    again = host.session("ann").upstream("cloche")
    assert again is not of_ann
    assert await call(again, "who") == "ann"
    await host.close()
    assert (again.status, of_bob.status) == ("closed", "closed")


async def test_a_connection_that_nobody_uses_is_let_go_and_comes_back() -> None:
    server = counting_server()
    pool = Pool({"cloche": server}, idle_seconds=0.05)
    upstream = pool.get("cloche", "ann")
    watched = Watched(upstream)
    await call(upstream, "who")
    await watched.until("ready", "idle")
    assert not server.is_connected
    assert pool.get("cloche", "ann") is upstream  # somebody watches it
    assert await call(upstream, "who") == "ann"
    await pool.close()


async def test_an_idle_one_that_nobody_watches_is_forgotten_but_still_closed() -> None:
    pool = Pool({"cloche": counting_server()}, idle_seconds=0.05)
    upstream = pool.get("cloche", "ann")
    await call(upstream, "who")
    rested = asyncio.Event()
    rest = upstream.rest

    async def resting() -> None:
        await rest()
        rested.set()

    upstream.rest = resting  # type: ignore[method-assign]
    await asyncio.wait_for(rested.wait(), DEADLINE)
    assert pool.get("cloche", "ann") is not upstream
    assert await call(upstream, "who") == "ann"
    await pool.close()
    assert upstream.status == "closed"


async def test_a_call_under_way_is_no_idleness() -> None:
    server = Server("slow")
    go = asyncio.Event()

    @server.tool
    async def wait() -> str:
        await go.wait()
        return "done"

    pool = Pool({"slow": server}, idle_seconds=0.02)
    looks = 0
    look = pool._look

    def looking() -> None:
        nonlocal looks
        looks += 1
        if looks == 5:
            go.set()
        look()

    pool._look = looking  # type: ignore[method-assign]
    assert await call(pool.get("slow", "ann"), "wait") == "done"
    await pool.close()


async def test_an_invented_server_is_refused() -> None:
    pool = Pool({"cloche": counting_server()})
    with pytest.raises(UnknownNameError, match="Unknown server: admin"):
        pool.get("admin", "ann")
    await pool.close()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (42, "not 42"),
        ([], "A command is a list of words"),
        (["x", 1], "A command is a list of words"),
        ("file:///etc/passwd", "needs an http or https URL"),
        ("weather", "needs an http or https URL"),
    ],
    ids=["number", "empty", "mixed", "file", "word"],
)
def test_what_is_no_server_is_refused_when_the_host_is_made(spec: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        Pool({"x": spec})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"url": "https://ann:secret@example.com/mcp"}, "no name or password"),
        ({"url": "https://example.com", "auth": "t", "oauth": True}, "a token of your own"),
        ({"url": "javascript:alert(1)"}, "http or https"),
    ],
    ids=["password", "both", "scheme"],
)
def test_a_remote_that_cannot_work_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        Remote(**options)


def test_secrets_are_not_shown() -> None:
    remote = Remote("https://example.com/mcp", auth="s3cret", headers={"X-Key": "s3cret"})
    command = Command(["run"], env={"KEY": "s3cret"})
    assert "s3cret" not in repr(remote) + repr(command)


def test_who_signs_in_must_be_somebody() -> None:
    with pytest.raises(ConfigurationError, match="only be opened for a user"):
        open_upstream("notes", Remote("https://example.com/mcp", oauth=True))


async def test_a_function_of_the_user_that_fails_is_told_for_that_user_only() -> None:
    def of_user(user: str) -> Server:
        if user == "eve":
            raise KeyError("no token of eve")
        return counting_server()

    pool = Pool({"own": of_user})
    with pytest.raises(UpstreamError, match="cannot be opened for this user") as caught:
        pool.get("own", "eve")
    assert "no token" not in str(caught.value)
    assert await call(pool.get("own", "ann"), "who") == "ann"
    await pool.close()


async def test_a_function_of_the_user_is_a_plain_one() -> None:
    async def of_user(_: str) -> Server:
        return counting_server()

    pool = Pool({"own": of_user})
    with pytest.raises(ConfigurationError, match="is async"):
        pool.get("own", "ann")
    await pool.close()


@pytest.mark.parametrize(
    ("spec", "package"),
    [("http://127.0.0.1:1/mcp", "httpx2"), (MCPServer("x"), "mcp_types")],
    ids=["url", "object"],
)
async def test_what_is_not_installed_is_named(spec: Any, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "cloche.host.upstreams.official_client", raising=False)
    upstream = open_upstream("x", spec)
    with pytest.raises(UpstreamError, match=r"pip install 'cloche\[host\]'"):
        await upstream.tools()
    await upstream.close()
