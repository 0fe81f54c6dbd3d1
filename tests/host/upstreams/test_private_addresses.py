"""Where a server that signs users in can send the host: nowhere that only the host can reach."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from cloche.errors import ConfigurationError, UpstreamError
from cloche.host.upstreams import Pool, Remote
from cloche.host.upstreams import private_addresses as addresses
from cloche.host.upstreams.oauth import Authorization, MemoryTokens, SignIns
from cloche.host.upstreams.private_addresses import GuardedTransport, kind_of, trusted_kinds
from tests.host.upstreams.test_sign_in import CALLBACK, world
from tests.host.upstreams.watching import call
from tests.support.authorization_server import DEADLINE, serving

KINDS = {
    "public": ["93.184.216.34", "2606:4700::1111", "64:ff9b::5db8:d822", "2002:5db8:d822::1"],
    "loopback": [
        "127.0.0.1",
        "127.9.9.9",
        "::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "::127.0.0.1",
    ],
    "private": ["10.0.0.1", "172.16.0.1", "192.168.1.1", "fc00::1", "fd12::1", "::ffff:10.0.0.1", "64:ff9b::a00:1"],
    "link-local": ["169.254.1.1", "fe80::1", "fe80::1%eth0", "::ffff:169.254.0.1"],
    "metadata": ["169.254.169.254", "fd00:ec2::254", "::ffff:169.254.169.254", "100.100.100.200", "168.63.129.16"],
    "reserved": ["0.0.0.0", "::", "224.0.0.1", "255.255.255.255", "ff02::1", "100.64.0.1", "240.0.0.1"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_addresses(kind: str) -> None:
    assert {address: kind_of(address) for address in KINDS[kind]} == dict.fromkeys(KINDS[kind], kind)


@pytest.mark.parametrize(
    ("url", "trusted"),
    [
        ("https://mcp.example/mcp", set()),
        ("https://93.184.216.34/mcp", set()),
        ("http://localhost:8000/mcp", {"loopback"}),
        ("http://127.0.0.1/mcp", {"loopback"}),
        ("http://[::1]/mcp", {"loopback"}),
        ("http://10.1.2.3/mcp", {"private"}),
        ("http://[fd12::1]/mcp", {"private"}),
        ("http://mcp/mcp", {"private", "loopback"}),
        ("http://mcp.prod.svc.cluster.local/mcp", {"private", "loopback"}),
        ("https://localhost.evil.example/mcp", set()),
        ("https://evil-internal/mcp", {"private", "loopback"}),
        ("https://notinternal.example/mcp", set()),
    ],
)
def test_what_the_products_own_words_admit(url: str, trusted: set[str]) -> None:
    assert trusted_kinds(Remote(url)) == trusted
    assert trusted_kinds(Remote(url, intranet=True)) == trusted | {"private"}


class Listener:
    """Answers every request with 200, and keeps what was asked."""

    def __init__(self) -> None:
        self.heads: list[str] = []

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        self.heads.append(head)
        answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok"
        if "/away" in head:
            answer = (
                b"HTTP/1.1 302 Found\r\nlocation: http://inside.example:%d/\r\ncontent-length: 0\r\n\r\n" % self.port
            )
        writer.write(answer)
        await writer.drain()
        writer.close()

    @asynccontextmanager
    async def at(self, address: str) -> AsyncIterator[int]:
        server = await asyncio.start_server(self, address, 0)
        self.port: int = server.sockets[0].getsockname()[1]
        async with server:
            yield self.port


PUBLIC, INSIDE = "127.0.0.2", "127.0.0.1"
"""Two addresses of this machine, of which the tests take one for a public one."""


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[list[str]]]:
    """What names resolve to, one answer after the other; the last one stays."""
    answers: dict[str, list[list[str]]] = {}

    async def resolve(host: str, port: int) -> list[str]:
        given = answers[host]
        return given.pop(0) if len(given) > 1 else given[0]

    monkeypatch.setattr(addresses, "resolve", resolve)
    monkeypatch.setattr(addresses, "kind_of", lambda address: "public" if address == PUBLIC else kind_of(address))
    monkeypatch.setattr(addresses, "getproxies", dict)
    return answers


async def test_a_name_is_resolved_once_judged_and_pinned(names: dict[str, list[list[str]]]) -> None:
    outside, inside = Listener(), Listener()
    async with outside.at(PUBLIC) as port, asyncio.timeout(20):
        server = await asyncio.start_server(inside, INSIDE, port)
        async with server:
            names["mcp.example"] = [[PUBLIC], [INSIDE]]  # the second look finds something else
            url = f"http://mcp.example:{port}/mcp"
            async with httpx2.AsyncClient(transport=GuardedTransport("notes", Remote(url))) as http:
                assert (await http.get(url)).text == "ok"
                assert outside.heads[0].startswith("GET /mcp HTTP/1.1\r\n")
                assert f"host: mcp.example:{port}\r\n" in outside.heads[0].lower()
                with pytest.raises(UpstreamError, match="is a loopback address"):
                    await http.get(url)
            names["mcp.example"] = [[PUBLIC, INSIDE]]  # one of both is enough
            async with httpx2.AsyncClient(transport=GuardedTransport("notes", Remote(url))) as http:
                with pytest.raises(UpstreamError, match="is a loopback address"):
                    await http.get(url)
            assert inside.heads == []
            names["mcp.example"] = [[INSIDE]]  # the control: without the look it is asked
            plain = httpx2.AsyncHTTPTransport()
            async with httpx2.AsyncClient(transport=plain) as http:
                await http.get(f"http://{INSIDE}:{port}/mcp")
            assert len(inside.heads) == 1


async def test_redirects_are_looked_at_like_everything_else(names: dict[str, list[list[str]]]) -> None:
    outside = Listener()
    names.update({"mcp.example": [[PUBLIC]], "inside.example": [[INSIDE]]})
    async with outside.at(PUBLIC) as port, asyncio.timeout(20):
        url = f"http://mcp.example:{port}/away"
        async with httpx2.AsyncClient(transport=GuardedTransport("notes", Remote(url)), follow_redirects=True) as http:
            with pytest.raises(
                UpstreamError, match=r"'http://inside.example:\d+', where the server leads, is a loopback"
            ):
                await http.get(url)


@pytest.mark.parametrize(
    ("own", "asked", "refused"),
    [
        ("https://mcp.example/mcp", "http://auth.example/x", "is not https"),
        ("https://mcp.example/mcp", "http://169.254.169.254/latest/meta-data", "is a metadata address"),
        ("https://mcp.example/mcp", "https://[::ffff:10.0.0.1]/x", "is a private address"),
        ("https://mcp.example/mcp", "https://0x7f000001/x", "is a loopback address"),
        ("https://mcp.example/mcp", "https://router.example/x", "is a private address"),
        ("https://mcp.example/mcp", "https://0.0.0.0/x", "is a reserved address"),
        ("http://localhost:1/mcp", "http://10.0.0.1/x", "is a private address"),
        ("http://localhost:1/mcp", "http://auth.example/x", "is not https"),
        ("http://10.0.0.1/mcp", "http://127.0.0.1/x", "is a loopback address"),
        ("http://10.0.0.1/mcp", "http://169.254.169.254/x", "is a metadata address"),
        ("https://router.example/mcp", "https://router.example/mcp", r"if it is yours, set Remote\(…, intranet=True\)"),
    ],
)
async def test_what_a_server_cannot_have_the_host_ask(
    own: str, asked: str, refused: str, names: dict[str, list[list[str]]]
) -> None:
    names.update({"auth.example": [[PUBLIC]], "router.example": [["192.168.1.1"]], "0x7f000001": [[INSIDE]]})
    async with httpx2.AsyncClient(transport=GuardedTransport("notes", Remote(own))) as http:
        with pytest.raises(UpstreamError, match=refused):
            await http.get(asked)


async def test_two_names_share_no_connection_even_at_one_address(names: dict[str, list[list[str]]]) -> None:
    transport = GuardedTransport("notes", Remote("https://one.example/mcp"))
    assert transport._transport("one.example", None) is transport._transport("one.example", None)
    assert transport._transport("one.example", None) is not transport._transport("two.example", None)
    await transport.aclose()


async def test_behind_a_proxy_names_are_left_to_it_and_addresses_are_not(
    names: dict[str, list[list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = Listener()
    async with proxy.at(INSIDE) as port, asyncio.timeout(20):
        monkeypatch.setattr(addresses, "getproxies", lambda: {"http": f"http://{INSIDE}:{port}"})
        monkeypatch.setattr(addresses, "proxy_bypass", lambda host: False)
        url = "http://mcp.example/mcp"
        async with httpx2.AsyncClient(transport=GuardedTransport("notes", Remote(url))) as http:
            assert (await http.get(url)).text == "ok"
            assert proxy.heads[0].startswith("GET http://mcp.example/mcp HTTP/1.1\r\n")
            with pytest.raises(UpstreamError, match="is a metadata address"):
                await http.get("http://169.254.169.254/x")
            with pytest.raises(UpstreamError, match="is not https"):
                await http.get("http://inside.example/x")


# What the product says of itself at an authorization server


def test_credentials_that_are_incomplete() -> None:
    for given, text in [
        ({"client_secret": "s"}, "also needs client_id"),
        ({"client_id": "c", "client_secret": "s"}, "issuer="),
        ({"client_metadata_url": "https://app.example"}, "with its path"),
        ({"client_metadata_url": "http://app.example/client.json"}, "https address"),
        ({"client_id": "c", "auth": "token"}, "give a token of your own"),
    ]:
        with pytest.raises(ConfigurationError, match=text):
            Remote("https://mcp.example/mcp", **given)  # type: ignore[arg-type]
    remote = Remote("https://mcp.example/mcp", client_id="c", client_secret="hidden", issuer="https://auth.example")
    assert remote.oauth
    assert remote.per_user
    assert "hidden" not in repr(remote)


async def test_a_client_that_is_registered_already_registers_no_more() -> None:
    async with world() as w:
        registered = httpx2.AsyncClient()
        issuer = (
            (await registered.get(w.url))
            .headers["www-authenticate"]
            .partition('resource_metadata="')[2]
            .partition('"')[0]
        )
        metadata = (await registered.get(issuer)).json()
        server: str = metadata["authorization_servers"][0]
        client = {
            "redirect_uris": [CALLBACK],
            "token_endpoint_auth_method": "client_secret_post",
            "grant_types": ["authorization_code", "refresh_token"],
            "scope": "read",
        }
        known = (await registered.post(f"{server.rstrip('/')}/register", json=client)).json()
        await registered.aclose()
        assert len(w.office.clients) == 1
        given: dict[str, Any] = {"client_id": known["client_id"], "client_secret": known["client_secret"]}

        async def never(user: str, name: str, site: str) -> bool:
            raise AssertionError("nobody is asked before a registration that does not take place")

        w.sign_ins._consent = never
        w.pool = Pool({"notes": Remote(w.url, **given, issuer=server)}, sign_ins=w.sign_ins)
        assert await w.who("ann") == "ann"
        assert len(w.office.clients) == 1
        await w.pool.close()
        w.pool = Pool({"notes": Remote(w.url, **given, issuer="https://auth.example")}, sign_ins=w.sign_ins)
        with pytest.raises(UpstreamError, match=r"not Remote\(issuer=…\)"):
            await w.who("bob")
        assert len(w.office.clients) == 1


async def test_a_client_metadata_document_is_the_client_where_that_is_understood() -> None:
    document = "https://app.example/client.json"
    wanted: list[Authorization] = []
    asked: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(f"{scope['method']} {scope['path']}")
        answers = {
            "/.well-known/oauth-protected-resource/mcp": {"resource": f"{own}/mcp", "authorization_servers": [own]},
            "/.well-known/oauth-authorization-server": {
                "issuer": own,
                "authorization_endpoint": f"{own}/authorize",
                "token_endpoint": f"{own}/token",
                "registration_endpoint": f"{own}/register",
                "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"],
                "client_id_metadata_document_supported": True,
            },
        }
        status = 401 if scope["path"] == "/mcp" else 200 if scope["path"] in answers else 404
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": json.dumps(answers.get(scope["path"], {})).encode()})

    async def keep(authorization: Authorization) -> bool:
        wanted.append(authorization)
        return False

    with socket.create_server(("127.0.0.1", 0)) as door:
        own = f"http://127.0.0.1:{door.getsockname()[1]}"
        async with asyncio.timeout(DEADLINE), serving(app, door, "off"):
            sign_ins = SignIns(keep, callback_url=CALLBACK)
            pool = Pool({"notes": Remote(f"{own}/mcp", client_metadata_url=document)}, sign_ins=sign_ins)
            with pytest.raises(UpstreamError, match="not agreed to"):
                await call(pool.get("notes", "ann"), "whoami")
            await pool.close()
    assert httpx2.URL(wanted[0].url).params["client_id"] == document
    assert "POST /register" not in asked


async def test_who_says_no_is_not_registered() -> None:
    async with world() as w:
        asked: list[tuple[str, str, str]] = []

        async def no(user: str, name: str, site: str) -> bool:
            asked.append((user, name, site))
            return False

        w.sign_ins = SignIns(w._authorize, consent=no, tokens=MemoryTokens(), callback_url=CALLBACK)
        w.pool = w.new_pool()
        with pytest.raises(UpstreamError, match="not agreed to"):
            await w.who("ann")
        assert w.office.clients == {}
        assert [(user, name) for user, name, _ in asked] == [("ann", "notes")]
        assert asked[0][2].startswith("127.0.0.1:")
