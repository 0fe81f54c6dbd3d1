"""What the wrapper answers itself: to whom, with what, and that everything else is the product's."""

from __future__ import annotations

import asyncio
import gzip
import re
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from cloche import Csp
from cloche.errors import ConfigurationError
from cloche.host import Host
from cloche.host.web.sandbox_urls import Claim
from cloche.host.web.wrapper import Wrapper
from tests.support.host_surface import (
    FRAME,
    SECRET,
    HandshakeError,
    connect,
    get,
    make_server,
    product,
    show,
    ticket_of,
    wrapped,
)
from tests.support.http_client import Answer

EVIL_HOSTS = [
    "evil.com",
    "evil.com:8000",
    "127.0.0.1.evil.com:8000",
    "localhost.evil.com:8000",
    "localhost:8001",
    "0.0.0.0:8000",
]
EVIL_ORIGINS = [
    "http://evil.com",
    "null",
    "http://localhost:9",
    "https://localhost:1",
    "http://127.0.0.1.evil.com",
    "file://",
]


def paths(wrapper: Wrapper) -> list[str]:
    """Every route, and one below each that takes more."""
    return [f"/cloche/{name}{'x' if name.endswith('/') else ''}" for name in wrapper.routes.table] + [
        "/cloche/mcp-app.js",
        "/cloche/nothing",
    ]


def is_of_product(answer: Answer) -> bool:
    return "x-product" in answer.headers


@pytest.mark.parametrize("host", EVIL_HOSTS)
async def test_H08_H01_another_host_name_is_refused_on_every_route(host: str) -> None:
    async with wrapped() as wrapper:
        for path in paths(wrapper):
            answer = await get(wrapper, path, host=host)
            assert answer.status == 421, path
            assert b"Host(origins=" in answer.body
            assert not is_of_product(answer)
        with pytest.raises(HandshakeError) as refused:
            await connect(wrapper, host=host, origin=f"http://{host}")
        assert refused.value.status == 421
    async with wrapped(origins=[f"http://{host}"]) as control:
        assert (await get(control, "/cloche/mcp-app.js", host=host)).status == 200


async def test_H02_without_a_host_or_with_two_it_is_refused_on_every_route() -> None:
    async with wrapped() as wrapper:
        for path in paths(wrapper):
            assert (await get(wrapper, path, host="")).status == 400
            assert (await get(wrapper, path, (b"host", b"localhost:8000"))).status == 400


@pytest.mark.requirement(148, 149)
@pytest.mark.parametrize("origin", EVIL_ORIGINS)
async def test_H03_H04_pages_of_other_origins_are_refused_on_every_route(origin: str) -> None:
    async with wrapped() as wrapper:
        for path in paths(wrapper):
            answer = await get(wrapper, path, (b"origin", origin.encode()))
            assert answer.status == 403, path
            assert "access-control-allow-origin" not in answer.headers
        with pytest.raises(HandshakeError) as refused:
            await connect(wrapper, origin=origin)
        assert refused.value.status == 403
        assert "Host(origins=" in refused.value.text


async def test_H05_a_page_of_another_site_that_hides_its_origin_is_refused_on_every_route() -> None:
    async with wrapped() as wrapper:
        for path in paths(wrapper):
            for site in (b"cross-site", b"same-site"):
                loaded = [(b"sec-fetch-site", site), (b"sec-fetch-mode", b"no-cors"), (b"sec-fetch-dest", b"script")]
                assert (await get(wrapper, path, *loaded)).status == 403
                framed = [(b"sec-fetch-site", site), (b"sec-fetch-mode", b"navigate"), (b"sec-fetch-dest", b"iframe")]
                assert (await get(wrapper, path, *framed)).status == 403
                # Where authorization servers send people is the one page that others may send a browser to.
                status = (await get(wrapper, path, (b"sec-fetch-site", site))).status
                assert status == (200 if path == "/cloche/oauth/callback" else 403)
        with pytest.raises(HandshakeError) as refused:
            await connect(wrapper, origin=None)
        assert refused.value.status == 403


async def test_H07_a_configured_front_end_on_another_origin_is_let_in_by_name_only() -> None:
    front = "https://front.example.com"
    async with wrapped(origins=[front]) as wrapper:
        answer = await get(wrapper, "/cloche/mcp-app.js", (b"origin", front.encode()))
        assert answer.status == 200
        assert answer.headers["access-control-allow-origin"] == front
        assert "access-control-allow-credentials" not in answer.headers
        own = await get(wrapper, "/cloche/mcp-app.js", (b"origin", b"http://localhost:8000"))
        assert "access-control-allow-origin" not in own.headers
        socket = await connect(wrapper, origin=front)
        await socket.drop()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE"])
async def test_H06_nothing_of_ours_is_changed_by_a_request(method: str) -> None:
    async with wrapped() as wrapper:
        for path in paths(wrapper):
            assert (await get(wrapper, path, method=method)).status == 405


async def test_other_paths_and_other_sockets_are_the_products_and_untouched() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope, receive, send))

    async with wrapped(app=app) as wrapper:
        for path in ("/", "/cloche", "/clochette/x", "/api/cloche/socket", "/cloche/../x"[:7]):
            for kind in ("http", "websocket"):
                scope = {"type": kind, "path": path, "headers": [(b"host", b"evil.com"), (b"origin", b"null")]}
                receive, send = object(), object()
                await wrapper(scope, receive, send)  # type: ignore[arg-type]
                assert seen.pop() == (scope, receive, send)
        assert seen == []


async def test_scripts_are_compressed_for_those_who_can_read_it() -> None:
    async with wrapped() as wrapper:
        plain = await get(wrapper, "/cloche/mcp-app.js", (b"accept-encoding", b"br, gzip;q=0"))
        packed = await get(wrapper, "/cloche/mcp-app.js", (b"accept-encoding", b"deflate, gzip, br"))
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body
        assert len(packed.body) < len(plain.body) / 2
        for answer in (plain, packed):
            assert "accept-encoding" in answer.headers["vary"]
            assert answer.headers["content-length"] == str(len(answer.body))
            known = (b"if-none-match", answer.headers["etag"].encode())
            for coding in (b"gzip", b"identity"):
                again = await get(wrapper, "/cloche/mcp-app.js", known, (b"accept-encoding", coding))
                assert (again.status, again.body) == (304, b"")


async def test_scripts_are_served_and_only_scripts() -> None:
    async with wrapped() as wrapper:
        entry = await get(wrapper, "/cloche/mcp-app.js")
        assert entry.status == 200
        assert entry.headers["content-type"].startswith("text/javascript")
        # One file: nothing is found out about only when another has come.
        assert not re.search(rb"\bimport[ {*\"']|\bfrom\"", entry.body)
        # A page that uses a server by URL loads the protocol for it, and no other page does.
        assert re.sub(rb'import\(new URL\("frames\.js",\w+\)', b"", entry.body, count=1).count(b"import(") == 0
        assert b"cloche-config" not in entry.body  # of the self-test
        assert entry.headers["cache-control"] == "no-cache"
        offer = await get(wrapper, "/cloche/offer.js")
        assert offer.body == b'export * from "./mcp-app.js";\n'
        for script in ("app-frame.js", "frames.js", "webmcp.js"):
            assert (await get(wrapper, f"/cloche/{script}")).status == 200
        module = await get(wrapper, "/cloche/web/host/app-child.js")
        assert (module.status, module.headers["cache-control"]) == (200, "no-cache")
        again = await get(wrapper, "/cloche/mcp-app.js", (b"if-none-match", entry.headers["etag"].encode()))
        assert (again.status, again.body) == (304, b"")
        for name in (
            "",
            "web/",
            "web/__init__.py",
            "web/../__init__.py",
            "web/host/",
            "web/sandbox/proxy.html",
            "web/dist/mcp-app.js",
            "socket",
        ):
            answer = await get(wrapper, f"/cloche/{name}")
            assert answer.status == 404, name
            assert not is_of_product(answer)


async def sandbox_of(wrapper: Wrapper) -> tuple[str, str]:
    """Host name and path of a view's proxy page."""
    socket = await connect(wrapper)
    view = await show(wrapper, socket)
    await socket.drop()
    url = urlsplit(view.packet["sandbox"]["url"])
    return url.netloc, f"{url.path}?{url.query}"


@pytest.mark.requirement(110, 151)
async def test_the_sandbox_serves_its_one_page_with_the_policy_in_its_headers() -> None:
    async with wrapped() as wrapper:
        host, path = await sandbox_of(wrapper)
        assert host.endswith(".localhost:8000")
        answer = await get(wrapper, path, *FRAME, host=host)
        assert answer.status == 200
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert policy.endswith("frame-ancestors http://localhost:8000")
        assert answer.headers["connection-allowlist"] == "()"
        assert "camera=()" in answer.headers["permissions-policy"]
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert b'content="http://localhost:8000"' in answer.body
        assert b" src=" not in answer.body
        assert answer.body.lower().count(b"</script>") == 1


async def test_a_stranger_s_view_reaches_no_port_of_this_machine_and_does_where_its_server_is_none() -> None:
    local = ["http://localhost:9200", "http://127.0.0.1:9300", "https://192.168.0.1", "https://*.api.localhost"]
    server = make_server(csp=Csp(connect=[*local, "https://api.example.com"], resources=local, frames=local))
    for strangers, reached in ((frozenset({"dice"}), False), (frozenset(), True)):
        async with wrapped(server) as wrapper:
            wrapper.host.strangers = strangers
            host, path = await sandbox_of(wrapper)
            headers = (await get(wrapper, path, *FRAME, host=host)).headers
            for name in ("content-security-policy", "connection-allowlist"):
                text = headers[name].removesuffix("frame-ancestors http://localhost:8000")
                assert [one for one in local if one in text] == (local if reached else []), name
                assert "https://api.example.com" in text


async def test_W28_a_sandbox_name_answers_nothing_else() -> None:
    async with wrapped() as wrapper:
        host, path = await sandbox_of(wrapper)
        for other in (
            "/",
            "/cloche/mcp-app.js",
            "/cloche/self-test",
            "/cloche/socket",
            "/sw.js",
            "/cloche/sandbox/",
            "/api",
        ):
            answer = await get(wrapper, other, *FRAME, host=host)
            assert answer.status == 404, other
            assert not is_of_product(answer)
            assert "sandbox" in answer.headers["content-security-policy"]
        for method in ("POST", "HEAD", "OPTIONS"):
            assert (await get(wrapper, path, *FRAME, host=host, method=method)).status == 404
        with pytest.raises(HandshakeError):
            await connect(wrapper, host=host, origin=f"http://{host}")


@pytest.mark.parametrize(
    "dest", [None, b"document", b"serviceworker", b"script", b"empty", b"embed", b"object", b"worker"]
)
async def test_the_proxy_page_is_for_frames_only(dest: bytes | None) -> None:
    async with wrapped() as wrapper:
        host, path = await sandbox_of(wrapper)
        headers = [] if dest is None else [(b"sec-fetch-dest", dest)]
        assert (await get(wrapper, path, *headers, host=host)).status == 404
        assert (await get(wrapper, path, *FRAME, host=host)).status == 200


async def test_the_address_of_a_proxy_page_cannot_be_made_up_or_taken_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with wrapped() as wrapper:
        host, path = await sandbox_of(wrapper)
        where, _, token = path.partition("?p=")
        other = wrapper.routes.sandboxes.origin("git", page="http://localhost:8000", address="http://localhost:8000")
        elsewhere = urlsplit(other).netloc
        for wrong in ("", "x", token[:-1], token[:-2] + "AA", token + "A", "." + token, token.split(".")[0]):
            assert (await get(wrapper, f"{where}?p={wrong}", *FRAME, host=host)).status == 404
        assert (await get(wrapper, path, *FRAME, host=elsewhere)).status == 404
        assert (await get(wrapper, path, *FRAME, host="localhost:8000")).status == 403
        body = await get(wrapper, f"/cloche/body/{token}")
        assert body.status == 404
        monkeypatch.setattr("cloche.host.web.sandbox_urls.time.time", lambda: 4e9)
        assert (await get(wrapper, path, *FRAME, host=host)).status == 404


async def test_a_body_is_fetched_by_its_signed_address_and_by_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        view = await show(wrapper, socket)
        path = f"/cloche/{view.packet['html']}"
        answer = await get(wrapper, path)
        assert (answer.status, b"<p>dice</p>" in answer.body) == (200, True)
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert "sandbox" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"
        for wrong in ("", "x", path.rpartition("/")[2][:-1], "../socket"):
            assert (await get(wrapper, f"/cloche/body/{wrong}")).status == 404
        with monkeypatch.context() as patch:
            patch.setattr("cloche.host.web.bodies.time.time", lambda: 4e9)
            assert (await get(wrapper, path)).status == 404
        socket.say({"close": 1})
        await socket.drop()
        assert (await get(wrapper, path)).status == 404
        assert len(wrapper.routes.mounts.bodies) == 0


async def test_names_of_the_products_own_under_localhost_reach_the_product() -> None:
    async with wrapped() as wrapper:
        assert is_of_product(await get(wrapper, "/", host="shop.localhost:8000"))
        assert is_of_product(await get(wrapper, "/", host="localhost:8000"))
    async with wrapped(sandbox="https://{name}.usercontent.example", origins=["https://app.example.com"]) as wrapper:
        assert is_of_product(await get(wrapper, "/", host="app.example.com"))
        answer = await get(wrapper, "/", host="anything.usercontent.example")
        assert (answer.status, is_of_product(answer)) == (404, False)


async def test_behind_a_proxy_with_tls_the_pages_own_word_decides_the_scheme() -> None:
    options: dict[str, Any] = {"sandbox": "https://{name}.usercontent.example", "origins": ["https://app.example.com"]}
    async with wrapped(**options) as wrapper:
        socket = await connect(wrapper, host="app.example.com", origin="https://app.example.com")
        view = await show(wrapper, socket)
        await socket.drop()
        assert view.packet["sandbox"]["origin"].endswith(".usercontent.example")
        url = urlsplit(view.packet["sandbox"]["url"])
        answer = await get(wrapper, f"{url.path}?{url.query}", *FRAME, host=url.netloc)
        assert answer.headers["content-security-policy"].endswith("frame-ancestors https://app.example.com")


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        pytest.param("192.168.1.20:8000", "http://192.168.1.20:8000", id="lan-address"),
        pytest.param("localhost:8000", "https://shop-8000.app.github.dev", id="codespaces"),
        pytest.param("127.0.0.1:8000", "https://app.example.com", id="reverse-proxy"),
    ],
)
async def test_where_no_sandbox_can_be_had_the_element_gets_the_sentence(host: str, origin: str) -> None:
    async with wrapped(origins=[origin]) as wrapper:
        socket = await connect(wrapper, host=host, origin=origin)
        socket.say({"open": 1, "ticket": await ticket_of(wrapper)})
        error = (await socket.frame("error", view=1))["error"]
        assert error["code"] == "sandbox"
        assert "Host(sandbox='https://{name}.usercontent.example')" in error["message"]
        await socket.drop()


async def test_a_view_with_permissions_has_an_origin_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    from cloche.host import Policy

    policy = Policy(permission="allow")
    async with wrapped(make_server(permissions=["camera"]), policy=policy) as wrapper:
        socket = await connect(wrapper)
        one, two = await show(wrapper, socket, 1), await show(wrapper, socket, 2)
        await socket.drop()
        assert one.packet["sandbox"]["origin"] != two.packet["sandbox"]["origin"]
        assert one.packet["frame"] == {"sandbox": "allow-scripts allow-forms allow-same-origin", "allow": "camera"}
        outside = urlsplit(one.packet["sandbox"]["url"])
        around = await get(wrapper, f"{outside.path}?{outside.query}", *FRAME, host=outside.netloc)
        origin = one.packet["sandbox"]["origin"]
        assert f"{outside.scheme}://{outside.netloc}" not in (origin, two.packet["sandbox"]["origin"])
        assert f"frame-src {origin}/cloche/sandbox;" in around.headers["content-security-policy"]
        assert f'camera=(self "{origin}")' in around.headers["permissions-policy"]
        found = re.search(r'name="cloche-inside" content="([^"]+)"', around.body.decode())
        assert found is not None
        url = urlsplit(unescape(found[1]))
        assert f"{url.scheme}://{url.netloc}" == origin
        answer = await get(wrapper, f"{url.path}?{url.query}", *FRAME, host=url.netloc)
        assert "camera=(self)" in answer.headers["permissions-policy"]
        assert "microphone=()" in answer.headers["permissions-policy"]
        assert f"{outside.scheme}://{outside.netloc}" in answer.headers["content-security-policy"]
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        one, two = await show(wrapper, socket, 1), await show(wrapper, socket, 2)
        await socket.drop()
        assert one.packet["sandbox"]["origin"] == two.packet["sandbox"]["origin"]
        assert one.packet["frame"] == {"sandbox": "allow-scripts allow-forms", "allow": ""}


@pytest.mark.parametrize("at", ["", "/", "cloche", "/cloche/", "/höst"])
def test_a_path_that_is_none_is_refused_when_wrapping(at: str) -> None:
    host = Host({"dice": make_server()}, secret=SECRET)
    with pytest.raises(ConfigurationError, match="at="):
        host.wrap(product, at=at)


@pytest.mark.requirement(148)
def test_every_origin_is_no_origin() -> None:
    host = Host({"dice": make_server()}, secret=SECRET, origins=["*"])
    with pytest.raises(ConfigurationError, match="name yours"):
        host.wrap(product)


async def run_lifespan(app: Any) -> list[str]:
    """What a web server hears that starts and stops the app."""
    events = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
    heard: list[str] = []

    async def receive() -> dict[str, str]:
        return next(events)

    async def send(event: dict[str, str]) -> None:
        heard.append(event["type"])

    await app({"type": "lifespan"}, receive, send)
    return heard


async def test_the_lifespan_goes_through_and_the_host_closes_with_the_product() -> None:
    order: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "lifespan"
        while True:
            event = await receive()
            order.append(f"{event['type']} {'closed' if host.closed else 'open'}")
            await send({"type": f"{event['type']}.complete"})
            if event["type"] == "lifespan.shutdown":
                return

    host = Host({"dice": make_server()}, secret=SECRET)
    assert await run_lifespan(host.wrap(app)) == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert order == ["lifespan.startup open", "lifespan.shutdown open"]
    assert host.closed


async def test_a_product_without_a_lifespan_gets_ours() -> None:
    host = Host({"dice": make_server()}, secret=SECRET)
    assert await run_lifespan(host.wrap(product)) == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert host.closed


async def test_a_product_whose_start_fails_fails() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        raise RuntimeError("no database")

    host = Host({"dice": make_server()}, secret=SECRET)
    with pytest.raises(RuntimeError, match="no database"):
        await run_lifespan(host.wrap(app))
    assert host.closed


async def test_another_path_is_used_everywhere() -> None:
    async with wrapped(at="/apps/ui") as wrapper:
        assert (await get(wrapper, "/apps/ui/mcp-app.js")).status == 200
        assert is_of_product(await get(wrapper, "/cloche/mcp-app.js"))
        socket = await connect(wrapper)
        view = await show(wrapper, socket)
        url = urlsplit(view.packet["sandbox"]["url"])
        assert url.path == "/apps/ui/sandbox"
        assert (await get(wrapper, f"{url.path}?{url.query}", *FRAME, host=url.netloc)).status == 200
        assert (await get(wrapper, f"/apps/ui/{view.packet['html']}")).status == 200
        await socket.drop()


async def test_a_root_path_of_the_web_server_is_not_part_of_ours() -> None:
    async with wrapped() as wrapper:
        reached: list[int] = []

        async def send(event: Any) -> None:
            reached.append(event.get("status", 0))

        scope = {
            "type": "http",
            "method": "GET",
            "path": "/api/cloche/mcp-app.js",
            "root_path": "/api",
            "query_string": b"",
            "headers": [(b"host", b"localhost:8000")],
            "server": ("127.0.0.1", 8000),
        }
        await wrapper(scope, asyncio.Event().wait, send)  # type: ignore[arg-type]
        assert reached[0] == 200


def test_the_claim_of_an_address_carries_no_secret() -> None:
    assert set(Claim.__struct_fields__) == {
        "name", "csp", "permissions", "host", "e", "own", "more", "kind", "inside", "around", "lasts",
    }  # fmt: skip
    plain = msgspec.json.encode(Claim("a.localhost", {}, [], "http://localhost", 1))
    assert b"more" not in plain  # only where a profile adds to the policy


async def test_a_relaxed_server_has_what_was_allowed_and_no_origin_more() -> None:
    from cloche.host import HostLimits, Policy

    policies = []
    for policy in (Policy(), Policy(relax={"dice": ["unsafe-eval", "blob-workers", "data-modules"]})):
        async with wrapped(policy=policy, limits=HostLimits(first_height=250)) as wrapper:
            socket = await connect(wrapper)
            shown = await show(wrapper, socket, 1)
            await socket.drop()
            assert shown.packet["limits"]["firstHeight"] == 250
            url = urlsplit(shown.packet["sandbox"]["url"])
            answer = await get(wrapper, f"{url.path}?{url.query}", *FRAME, host=url.netloc)
            policies.append(answer.headers)
    strict, relaxed = policies
    assert "eval" not in strict["content-security-policy"]
    assert "script-src 'unsafe-inline' 'unsafe-eval' data:;" in relaxed["content-security-policy"]
    assert "worker-src blob:" in relaxed["content-security-policy"]
    assert relaxed["connection-allowlist"] == strict["connection-allowlist"] == "()"
