"""H01 to H08: who may talk to a local server at all."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from cloche.auth import StaticTokens
from cloche.serve.guard import Guard
from tests.serve.security.surface import Surface, check_next_works, check_refusal
from tests.support.http_client import HOST, HttpClient, message, modern, modern_headers

BODY = modern("tools/call", {"name": "echo", "arguments": {"text": "attack"}})
CALL = [
    (b"content-type", b"application/json"),
    (b"accept", b"application/json, text/event-stream"),
    *modern_headers(BODY),
]
DATA = json.dumps(BODY).encode()
OPEN: dict[str, Any] = {"hosts": ["*"], "origins": ["*"]}
"""The protection off."""

EVIL_HOSTS = ["evil.com", "evil.com:8000", "127.0.0.1.evil.com:8000", "localhost.evil.com:8000", "evil.com.:8000"]


async def attack(client: HttpClient, *headers: tuple[bytes, bytes]) -> Any:
    return await client.raw("POST", [*headers, *CALL], DATA)


@pytest.mark.parametrize("host", EVIL_HOSTS)
async def test_H01_dns_rebinding_is_refused_before_anything_is_read(host: str) -> None:
    surface = Surface()
    client = surface.client()
    # No body is ever fed: an answer means that nothing was read.
    refused = await client.start("POST", [(b"host", host.encode()), *CALL]).answer()
    text = check_refusal(refused, 421)
    assert host in text
    initialize = message("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}})
    await client.raw("POST", [(b"host", host.encode()), *CALL[:2]], json.dumps(initialize).encode())
    assert surface.ran == []
    assert len(client.app.handshake.table) == 0  # type: ignore[attr-defined]
    await check_next_works(client)

    control = Surface()
    if not host.endswith(".:8000"):  # what is not a host name at all is refused even then
        assert (await attack(control.client(**OPEN), (b"host", host.encode()))).text == "attack"
        assert control.ran == ["attack"]


GOOD_HOSTS = ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "LocalHost:8000"]
BAD_HOSTS = [
    "127.0.0.1",
    "localhost",
    "[::1]",
    "127.0.0.1:8001",
    "localhost:80",
    "localhost.",
    "localhost.:8000",
    "127.0.0.1:08000",
    "127.0.0.1:8000:8000",
    "127.0.0.1:8000@evil.com",
    "evil@127.0.0.1:8000",
    "127.0.0.1:8000,evil.com",
    "127.0.0.1:8000/",
    " 127.0.0.1:8000",
    "127.1:8000",
    "2130706433:8000",
    "0.0.0.0:8000",
    "[::ffff:127.0.0.1]:8000",
    "[::]:8000",
    "",
    "\xa0",
    "a" * 5000,
]


@pytest.mark.parametrize("host", GOOD_HOSTS)
async def test_H02_the_names_of_this_machine_with_the_bound_port_are_admitted(host: str) -> None:
    assert (await attack(Surface().client(), (b"host", host.encode()))).text == "attack"


@pytest.mark.parametrize("host", BAD_HOSTS)
async def test_H02_other_spellings_of_the_host_are_refused(host: str) -> None:
    surface = Surface()
    client = surface.client()
    check_refusal(await attack(client, (b"host", host.encode("latin-1"))), 421)
    assert surface.ran == []
    await check_next_works(client)


async def test_H02_without_a_host_or_with_two_it_is_refused() -> None:
    surface = Surface()
    client = surface.client()
    assert "Host" in check_refusal(await attack(client), 400)
    for pair in (["127.0.0.1:8000", "evil.com"], ["evil.com", "127.0.0.1:8000"], ["127.0.0.1:8000"] * 2):
        headers = [(b"host", host.encode()) for host in pair]
        assert "twice" in check_refusal(await attack(client, *headers), 400)
    assert surface.ran == []


async def test_H02_the_port_may_be_left_out_where_it_is_the_default() -> None:
    surface = Surface()
    on_80 = HttpClient(surface.server.asgi(), port=80)
    assert (await attack(on_80, (b"host", b"localhost"))).text == "attack"
    check_refusal(await attack(on_80, (b"host", b"localhost:8000")), 421)
    unknown = HttpClient(surface.server.asgi(), port=None)
    check_refusal(await attack(unknown, (b"host", b"localhost")), 421)


EVIL_ORIGINS = [
    "http://evil.com",
    "null",
    "http://127.0.0.1.evil.com",
    "http://127.0.0.1:8000.evil.com",
    "http://127.0.0.1:80000",
    "http://127.0.0.1:8000@evil.com",
    "https://localhost:1",
    "chrome-extension://abcdefghijklmnop",
    "file://",
    "HTTP://127.0.0.1:8000/",
    "",
    "http://" + "a" * 5000,
]


@pytest.mark.requirement(158)
@pytest.mark.parametrize("origin", EVIL_ORIGINS)
async def test_H03_pages_of_other_origins_are_refused(origin: str) -> None:
    surface = Surface()
    client = surface.client()
    answer = await attack(client, HOST, (b"origin", origin.encode()))
    text = check_refusal(answer, 403)
    assert origin[:60].replace("'", "?") in text
    assert "access-control-allow-origin" not in answer.headers
    assert surface.ran == []
    await check_next_works(client)

    control = Surface()
    assert (await attack(control.client(**OPEN), HOST, (b"origin", origin.encode()))).text == "attack"


@pytest.mark.requirement(158)
@pytest.mark.parametrize("origin", ["http://localhost:9", "http://127.0.0.1:8888", "http://localhost:8000"])
async def test_H04_another_page_on_this_machine_is_another_origin(origin: str) -> None:
    surface = Surface()
    check_refusal(await attack(surface.client(), HOST, (b"origin", origin.encode())), 403)
    assert surface.ran == []
    own = await attack(surface.client(), HOST, (b"origin", b"http://127.0.0.1:8000"))
    assert own.text == "attack"
    assert "access-control-allow-origin" not in own.headers  # its own origin needs no permission

    named = await attack(surface.client(origins=[origin]), HOST, (b"origin", origin.encode()))
    assert named.text == "attack"
    assert named.headers["access-control-allow-origin"] == origin


@pytest.mark.requirement(158)
@pytest.mark.parametrize("site", ["cross-site", "same-site", "Cross-Site", "anything"])
async def test_H05_a_cross_site_request_without_an_origin_is_refused(site: str) -> None:
    surface = Surface()
    client = surface.client()
    text = check_refusal(await attack(client, HOST, (b"sec-fetch-site", site.encode())), 403)
    assert site in text
    assert "origins=" in text
    assert surface.ran == []
    for harmless in (b"same-origin", b"none"):
        assert (await attack(client, HOST, (b"sec-fetch-site", harmless))).text == "attack"

    control = Surface()
    assert (await attack(control.client(**OPEN), HOST, (b"sec-fetch-site", site.encode()))).text == "attack"


@pytest.mark.parametrize(
    "kind",
    [
        b"text/plain",
        b"text/plain;application/json",
        b"application/x-www-form-urlencoded",
        b"multipart/form-data; boundary=x",
        b"application/jsonp-evil",
        b"application/json-seq",
        b"application/json, text/plain",
        b"",
        None,
    ],
)
async def test_H06_what_a_form_can_send_is_never_executed(kind: bytes | None) -> None:
    surface = Surface()
    client = surface.client()
    typed = [(b"content-type", kind)] if kind is not None else []
    refused = await client.raw("POST", [HOST, *CALL[1:], *typed], DATA)
    check_refusal(refused, 415)
    assert surface.ran == []
    # The same bytes under the right name run: it is the type that stopped them.
    json_type = (b"content-type", b"Application/JSON; charset=utf-8")
    assert (await client.raw("POST", [HOST, *CALL[1:], json_type], DATA)).text == "attack"


def granted(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    found = {name.decode(): value.decode() for name, value in headers}
    return {name: value for name, value in found.items() if name.startswith("access-control-")}


PREFLIGHT = [
    HOST,
    (b"access-control-request-method", b"POST"),
    (b"access-control-request-headers", b"content-type, mcp-session-id, x-evil"),
]


@pytest.mark.parametrize("origin", [b"http://evil.com", b"null", b"https://app.example.evil.com"])
async def test_H07_a_preflight_of_an_unknown_origin_is_granted_nothing(origin: bytes) -> None:
    client = Surface().client(origins=["https://app.example"])
    evil = await client.raw("OPTIONS", [*PREFLIGHT, (b"origin", origin)])
    check_refusal(evil, 403)
    assert granted(evil.raw_headers) == {}

    good = await client.raw("OPTIONS", [*PREFLIGHT, (b"origin", b"https://app.example")])
    grants = granted(good.raw_headers)
    assert good.status == 204
    assert grants["access-control-allow-origin"] == "https://app.example"
    assert "x-evil" not in grants["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in grants

    control = await Surface().client(**OPEN).raw("OPTIONS", [*PREFLIGHT, (b"origin", origin)])
    assert granted(control.raw_headers)["access-control-allow-origin"] in (origin.decode(), "*")
    assert "access-control-allow-credentials" not in granted(control.raw_headers)


METHODS = ["GET", "POST", "DELETE", "OPTIONS", "HEAD", "PUT", "PATCH", "TRACE", "CONNECT", "PROPFIND"]
PATHS = [
    "/mcp",
    "/",
    "/mcp/",
    "//mcp",
    "/sse",
    "/messages",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/favicon.ico",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", METHODS)
async def test_H08_every_method_and_path_is_behind_the_same_guard(method: str, path: str) -> None:
    surface = Surface()
    options: dict[str, Any] = {"auth": StaticTokens({"secret-token-0123456789": "ann"}), "path": "/mcp"}
    client = surface.client(**options)
    for attacker, status in (((b"host", b"evil.com"), 421), ((b"origin", b"http://evil.com"), 403)):
        head = [attacker] if attacker[0] == b"host" else [HOST, attacker]
        refused = await client.raw(method, [*head, *CALL], DATA, path)
        check_refusal(refused, status)

    control = Surface().client(**options, **OPEN)
    passed = await control.raw(method, [(b"host", b"evil.com"), (b"origin", b"http://evil.com"), *CALL], DATA, path)
    assert passed.status not in (421, 403)
    assert passed.status < 500


async def test_H08_the_guard_covers_every_route_of_another_app_and_its_sockets() -> None:
    reached: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["type"])
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"inside"})

    async def open_socket(guard: Guard, host: bytes) -> list[Any]:
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(event: Any) -> None:
            sent.append(event)

        scope = {"type": "websocket", "headers": [(b"host", host)], "server": ("127.0.0.1", 8000), "path": "/inspector"}
        await guard(scope, receive, send)
        return sent

    guard = Guard(app)
    for path in ("/", "/static/app.js", "/sandbox", "/inspector"):
        check_refusal(await HttpClient(guard).raw("GET", [(b"host", b"evil.com")], path=path), 421)
    assert [event["type"] for event in await open_socket(guard, b"evil.com")] == ["websocket.close"]
    assert reached == []
    assert (await HttpClient(guard).raw("GET", [HOST])).body == b"inside"
    assert await open_socket(guard, b"127.0.0.1:8000") == []
    assert reached == ["http", "websocket"]

    assert (await HttpClient(Guard(app, hosts=["*"])).raw("GET", [(b"host", b"evil.com")])).body == b"inside"


async def test_H08_a_websocket_is_closed_at_once() -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(event: Any) -> None:
        sent.append(event)

    await Surface().server.asgi()({"type": "websocket", "headers": [], "path": "/mcp"}, receive, send)
    assert [(event["type"], event["code"]) for event in sent] == [("websocket.close", 1008)]


# A refusal is not a riddle: it names what came, and what to write


@pytest.mark.parametrize("host", ["mcp.example.com", "tools-service:8000", "web", "10.0.0.5:8080", "[fe80::1]:8000"])
async def test_a_421_names_the_host_and_the_option_that_admits_it(host: str) -> None:
    text = check_refusal(await attack(Surface().client(), (b"host", host.encode())), 421)
    assert repr(host) in text
    assert f"hosts=[{host!r}]" in text
    assert f"--allow-host {host}" in text
    assert (await attack(Surface().client(hosts=[host]), (b"host", host.encode()))).text == "attack"


async def test_a_403_names_the_origin_and_the_option_that_admits_it() -> None:
    origin = (b"origin", b"https://app.example.com")
    text = check_refusal(await attack(Surface().client(), HOST, origin), 403)
    assert "origins=['https://app.example.com']" in text
    assert "--allow-origin https://app.example.com" in text
    assert (await attack(Surface().client(origins=["https://app.example.com"]), HOST, origin)).text == "attack"


def test_the_test_client_of_fastapi_is_told_which_host_to_admit() -> None:
    surface = Surface()
    headers = {name.decode(): value.decode() for name, value in CALL}
    with TestClient(mounted(surface.server.asgi())) as client:
        refused = client.post("/tools/mcp", content=DATA, headers=headers)
    assert refused.status_code == 421
    text = refused.json()["error"]["message"]
    assert "'testserver'" in text
    assert "hosts=['testserver']" in text
    with TestClient(mounted(surface.server.asgi(hosts=["testserver"]))) as client:
        admitted = client.post("/tools/mcp", content=DATA, headers=headers)
    assert admitted.json()["result"]["content"][0]["text"] == "attack"


def mounted(app: Any) -> FastAPI:
    product = FastAPI()
    product.mount("/tools", app)
    return product
