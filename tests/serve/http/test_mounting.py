"""The server inside somebody else's app: Starlette and FastAPI, behind a proxy, in a container, in a test client."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from cloche import Context, Principal, Server
from cloche.auth import Auth

ORIGIN = "http://127.0.0.1:8000"
VERSION = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}
TOKEN = "a-token-of-sufficient-length"


def call(tool: str = "hello") -> dict[str, Any]:
    """A POST that calls a tool in the stateless era."""
    return {
        "json": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "_meta": META}},
        "headers": {"MCP-Protocol-Version": VERSION, "Mcp-Method": "tools/call", "Mcp-Name": tool},
    }


def text_of(response: Any) -> str:
    assert response.status_code == 200, response.text
    return str(response.json()["result"]["content"][0]["text"])


def error_of(response: Any) -> str:
    return str(response.json()["error"]["message"])


class Life:
    """A server whose lifespan leaves a trace."""

    def __init__(self, failures: int = 0) -> None:
        self.trace: list[str] = []
        self.failures = failures
        self.server = Server("mounted", lifespan=self.run)

        @self.server.tool
        async def hello(ctx: Context) -> str:
            return f"hello from {ctx.state}"

    @asynccontextmanager
    async def run(self, server: Server) -> AsyncIterator[str]:
        if self.failures:
            self.failures -= 1
            raise ConnectionError("the database is down at secret.internal")
        self.trace.append("open")
        loop = asyncio.get_running_loop()
        try:
            yield f"opening {self.trace.count('open')}"
        finally:
            assert asyncio.get_running_loop() is loop
            self.trace.append("close")


@asynccontextmanager
async def calling(app: Any, server: Server) -> AsyncIterator[httpx2.AsyncClient]:
    async with asyncio.timeout(10), httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN) as http:
        yield http
        await server.close()


async def index(request: Any) -> PlainTextResponse:
    return PlainTextResponse("home")


def in_starlette_route(app: Any) -> Any:
    return Starlette(routes=[Route("/", index), Route("/mcp", endpoint=app)])


def in_starlette_mount(app: Any) -> Any:
    return Starlette(routes=[Route("/", index), Mount("/mcp", app=app)])


def in_starlette_root_mount(app: Any) -> Any:
    return Starlette(routes=[Route("/", index), Mount("/", app=app)])


def in_fastapi_route(app: Any) -> Any:
    parent = FastAPI()
    parent.add_route("/", index)
    parent.router.routes.append(Route("/mcp", endpoint=app))
    return parent


def in_fastapi_mount(app: Any) -> Any:
    parent = FastAPI()
    parent.add_route("/", index)
    parent.mount("/mcp", app)
    return parent


PLACES = [in_starlette_route, in_starlette_mount, in_starlette_root_mount, in_fastapi_route, in_fastapi_mount]
everywhere = pytest.mark.parametrize("place", PLACES)


# Places


@everywhere
async def test_the_parent_and_the_server_each_answer(place: Any) -> None:
    life = Life()
    async with calling(place(life.server.asgi()), life.server) as http:
        assert (await http.get("/")).text == "home"
        url = "/mcp/" if "mount" in place.__name__ else "/mcp"
        assert text_of(await http.post(url, **call())) == "hello from opening 1"
        assert text_of(await http.post(url, **call())) == "hello from opening 1"
    assert life.trace == ["open", "close"]


@everywhere
@pytest.mark.parametrize("mode", ["legacy", VERSION])
async def test_an_official_client_finds_it_without_a_slash(place: Any, mode: str) -> None:
    life = Life()
    async with calling(place(life.server.asgi()), life.server) as http:
        target = streamable_http_client(f"{ORIGIN}/mcp", http_client=http)
        async with Client(target, mode=mode) as client:
            (content,) = (await client.call_tool("hello")).content
            assert content.text == "hello from opening 1"


@pytest.mark.parametrize("place", [in_starlette_root_mount, in_starlette_route, in_fastapi_route])
async def test_a_path_of_its_own_is_the_only_one(place: Any) -> None:
    life = Life()
    async with calling(place(life.server.asgi(path="/mcp")), life.server) as http:
        assert text_of(await http.post("/mcp", **call())) == "hello from opening 1"
        assert (await http.post("/other", **call())).status_code == 404


async def test_a_path_inside_a_mount_comes_after_the_mounts() -> None:
    life = Life()
    parent = Starlette(routes=[Mount("/api", app=life.server.asgi(path="/mcp"))])
    async with calling(parent, life.server) as http:
        assert text_of(await http.post("/api/mcp", **call())) == "hello from opening 1"
        missing = await http.post("/api/other", **call())
        assert (missing.status_code, error_of(missing)) == (
            404,
            "There is nothing here: the MCP server is at /mcp",
        )


async def test_two_servers_side_by_side() -> None:
    one, two = Life(), Life()
    parent = Starlette(routes=[Mount("/one", app=one.server.asgi()), Mount("/two", app=two.server.asgi())])
    async with calling(parent, one.server) as http:
        await http.post("/one/", **call())
        assert (one.trace, two.trace) == (["open"], [])
        await http.post("/two/", **call())
        await two.server.close()
    assert one.trace == two.trace == ["open", "close"]


# Auth, mounted: the challenge must lead somewhere


@pytest.mark.parametrize("path", [None, "/mcp"])
@pytest.mark.parametrize("mount", ["/api", ""])
async def test_the_challenge_of_a_mounted_server_leads_to_its_metadata(mount: str, path: str | None) -> None:
    life = Life()
    auth = Auth({TOKEN: Principal("alice")}, authorization_servers=["https://auth.example.com"])
    parent = Starlette(routes=[Mount(mount or "/", app=life.server.asgi(auth=auth, path=path))])
    async with calling(parent, life.server) as http:
        url = f"{ORIGIN}{mount}{path or '/'}"
        refused = await http.post(url, **call())
        assert refused.status_code == 401
        where = refused.headers["www-authenticate"].partition('resource_metadata="')[2].partition('"')[0]
        document = await http.get(where)
        assert document.status_code == 200, where
        assert document.json()["resource"].rstrip("/") == url.rstrip("/")
        request = call()
        request["headers"]["Authorization"] = f"Bearer {TOKEN}"
        assert text_of(await http.post(url, **request)) == "hello from opening 1"


# Names


NAMES = [
    ("tools.example.com", "a proxy that passes the public name on"),
    ("tools.example.com:8443", "the same on a port of its own"),
    ("mcp:8000", "another container of the same network"),
    ("testserver", "the test client of Starlette and FastAPI"),
    ("192.168.1.20:8000", "the machine's address in its network"),
]


@pytest.mark.parametrize("host", [host for host, _ in NAMES], ids=[why for _, why in NAMES])
async def test_an_unknown_name_is_refused_with_the_option_that_admits_it(host: str) -> None:
    life = Life()
    sentence = (
        f"This server does not answer to the host '{host}': to admit it, use hosts=['{host}'] in server.asgi, "
        f"or cloche run --allow-host {host}"
    )
    async with calling(in_starlette_route(life.server.asgi()), life.server) as http:
        refused = await http.post("/mcp", json=call()["json"], headers={**call()["headers"], "Host": host})
        assert (refused.status_code, error_of(refused)) == (421, sentence)
        assert text_of(await http.post("/mcp", **call())) == "hello from opening 1"
    async with calling(in_starlette_route(life.server.asgi(hosts=[host])), life.server) as http:
        admitted = await http.post("/mcp", json=call()["json"], headers={**call()["headers"], "Host": host})
        assert text_of(admitted) == "hello from opening 2"
        assert (await http.post("/mcp", json={}, headers={"Host": f"not-{host}"})).status_code == 421


async def test_an_unknown_origin_is_refused_with_the_option_that_admits_it() -> None:
    life = Life()
    origin = "https://app.example.com"
    headers = {**call()["headers"], "Origin": origin}
    async with calling(in_starlette_route(life.server.asgi()), life.server) as http:
        refused = await http.post("/mcp", json=call()["json"], headers=headers)
        assert refused.status_code == 403
        assert f"'{origin}'" in error_of(refused)
        assert f"origins=['{origin}'] in server.asgi, or cloche run --allow-origin {origin}" in error_of(refused)
    async with calling(in_starlette_route(life.server.asgi(origins=[origin])), life.server) as http:
        admitted = await http.post("/mcp", json=call()["json"], headers=headers)
        assert text_of(admitted) == "hello from opening 1"
        assert admitted.headers["access-control-allow-origin"] == origin


# FastAPI's test client, which makes a new event loop for every request unless it is entered


def test_fastapis_test_client_is_told_what_to_do_and_then_works() -> None:
    life = Life()
    refused = TestClient(in_fastapi_route(life.server.asgi())).post("/mcp", **call())
    assert refused.status_code == 421
    assert "use hosts=['testserver'] in server.asgi" in error_of(refused)
    client = TestClient(in_fastapi_route(life.server.asgi(hosts=["testserver"])))
    assert text_of(client.post("/mcp", **call())) == "hello from opening 1"


@everywhere
def test_one_server_on_one_loop_after_the_other(place: Any) -> None:
    life = Life()
    client = TestClient(place(life.server.asgi(hosts=["testserver"])))
    for number in (1, 2, 3):
        assert text_of(client.post("/mcp", **call())) == f"hello from opening {number}"
        assert life.trace == ["open", "close"] * number


@everywhere
def test_an_entered_test_client_has_one_loop_and_one_lifespan(place: Any) -> None:
    life = Life()
    with TestClient(place(life.server.asgi(hosts=["testserver"]))) as client:
        assert life.trace == []
        for _ in range(3):
            assert text_of(client.post("/mcp", **call())) == "hello from opening 1"
        assert life.trace == ["open"]
    assert life.trace == ["open", "close"]


def test_a_session_outlives_the_loop_it_was_made_on() -> None:
    life = Life()
    client = TestClient(in_fastapi_route(life.server.asgi(hosts=["testserver"])))
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    answer = client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    headers = {"Mcp-Session-Id": answer.headers["mcp-session-id"]}
    ready = client.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=headers)
    assert ready.status_code == 202
    message = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "hello"}}
    for number in (1, 2):
        assert text_of(client.post("/mcp", json=message, headers=headers)) == f"hello from opening {number}"
    assert client.delete("/mcp", headers=headers).status_code == 204
    assert client.post("/mcp", json=message, headers=headers).status_code == 404


# The lifespan


def test_on_its_own_the_app_opens_at_the_start_and_closes_at_the_end() -> None:
    life = Life()
    with TestClient(life.server.asgi(hosts=["testserver"])) as client:
        assert life.trace == ["open"]
        assert text_of(client.post("/", **call())) == "hello from opening 1"
    assert life.trace == ["open", "close"]


def test_a_parent_may_pass_its_own_lifespan_on() -> None:
    life = Life()

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        yield
        await life.server.close()

    parent = FastAPI(lifespan=lifespan)
    parent.mount("/mcp", life.server.asgi(hosts=["testserver"]))
    with TestClient(parent) as client:
        assert text_of(client.post("/mcp/", **call())) == "hello from opening 1"
    assert life.trace == ["open", "close"]


async def test_requests_that_come_at_once_share_one_opening() -> None:
    life = Life()
    async with calling(in_starlette_route(life.server.asgi()), life.server) as http:
        answers = await asyncio.gather(*(http.post("/mcp", **call()) for _ in range(5)))
        assert {text_of(answer) for answer in answers} == {"hello from opening 1"}
    assert life.trace == ["open", "close"]


async def test_a_lifespan_that_fails_is_a_clean_error_and_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    life = Life(failures=1)
    async with calling(in_starlette_route(life.server.asgi()), life.server) as http:
        with caplog.at_level(logging.ERROR, "cloche"):
            failed = await http.post("/mcp", **call())
        assert failed.json()["error"] == {"code": -32603, "message": "Internal error"}
        assert failed.json()["id"] == 1
        assert "the database is down" in caplog.text
        assert text_of(await http.post("/mcp", **call())) == "hello from opening 1"
    assert life.trace == ["open", "close"]


def test_a_lifespan_that_fails_at_the_start_stops_the_app(caplog: pytest.LogCaptureFixture) -> None:
    life = Life(failures=1)
    app = life.server.asgi(hosts=["testserver"])
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "lifespan.startup"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app({"type": "lifespan"}, receive, send))
    (failed,) = sent
    assert failed["type"] == "lifespan.startup.failed"
    assert failed["message"].startswith("the lifespan of mounted failed: the database is down")
    assert life.trace == []


async def test_a_lifespan_that_fails_while_closing_is_reported_and_ends_nothing_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @contextlib.asynccontextmanager
    async def broken(server: Server) -> AsyncIterator[str]:
        yield "fine"
        raise ConnectionError("could not say goodbye")

    server = Server("mounted", lifespan=broken)

    @server.tool
    async def hello(ctx: Context) -> str:
        return str(ctx.state)

    async with calling(in_starlette_route(server.asgi()), server) as http:
        assert text_of(await http.post("/mcp", **call())) == "fine"
    assert "could not say goodbye" in caplog.text
