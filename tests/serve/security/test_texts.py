"""H29 to H31: texts that end up in a header, a log line, a file name or a URL."""

from __future__ import annotations

import logging
import re
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from cloche import Server
from cloche.auth import StaticTokens
from cloche.wire.headers import decode_value, encode_value
from cloche.wire.uri_template import UriTemplate
from tests.serve.security.surface import Surface, check_next_works, check_refusal
from tests.support.http_client import HttpClient, Legacy, message

# H29

INJECTED = [
    "x\r\nSet-Cookie: a=b",
    "x\nSet-Cookie: a=b",
    "x\x00y",
    "../../etc/passwd",
    "x\x1b[31m",
    "é" * 20,
    "x" * 9000,
]


def assert_clean(headers: list[tuple[bytes, bytes]]) -> None:
    for name, value in headers:
        assert not re.search(rb"[\x00-\x1f\x7f]", name + value), (name, value)


@pytest.mark.parametrize("text", INJECTED)
async def test_H29_a_session_id_with_line_breaks_is_unknown_and_comes_back_in_no_header(text: str) -> None:
    client = Surface().client()
    forged = Legacy(client, text, "2025-11-25")
    for answer in (await forged.call("echo", text="x"), await forged.get().answer(), await forged.delete()):
        check_refusal(answer, 404)
        assert_clean(answer.raw_headers)
        assert "Set-Cookie" not in answer.body.decode()
    await check_next_works(client)


@pytest.mark.parametrize("text", INJECTED)
async def test_H29_nothing_a_peer_sends_reaches_a_header_of_the_answer(text: str) -> None:
    data = text.encode()
    options: dict[str, Any] = {"hosts": ["*"], "origins": ["*"], "auth": StaticTokens({"token-0123456789abc": "ann"})}
    for app_options in ({}, options):
        client = Surface().client(**app_options)
        for header in (
            b"host",
            b"mcp-protocol-version",
            b"mcp-name",
            b"mcp-method",
            b"last-event-id",
            b"authorization",
        ):
            answer = await client.post(message("ping"), (header, data))
            assert answer.status in (400, 401, 404, 421), answer
            assert_clean(answer.raw_headers)
            assert len(answer.body) < 1500


async def test_H29_what_is_logged_has_no_line_of_the_peer_s_making(caplog: pytest.LogCaptureFixture) -> None:
    @asynccontextmanager
    async def broken(server: Any) -> Any:
        raise RuntimeError("no database")
        yield

    forged = "x\r\n2026-01-01 CRITICAL root: forged"
    client = HttpClient(Server("broken", lifespan=broken).asgi())
    answer = await client.post(message(forged), (b"mcp-session-id", (await _session(client)).encode()))
    assert answer.error["code"] == -32603
    surface = Surface()
    other = surface.client()
    session = await other.initialize()
    await session.request(forged)
    await session.call(forged)
    await session.request("resources/subscribe", {"uri": forged})
    surface.server.bus.subscribe("resource:" + forged, lambda data: 1 / 0)  # type: ignore[arg-type, return-value]
    surface.server.resource_updated(forged)
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 2
    assert all("forged" in line and "\n" not in line and "\r" not in line for line in lines)

    # The control: the same name, written as it came.
    logging.getLogger("careless").error("the request %s failed", forged)
    assert "\n" in caplog.records[-1].getMessage()


async def _session(client: HttpClient) -> str:
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    return (await client.post(message("initialize", params))).headers["mcp-session-id"]


@pytest.mark.parametrize("text", [*INJECTED, " x ", "=?base64?eA==?=", "日本", ""])
async def test_H29_a_name_travels_in_a_header_without_breaking_out_of_it(text: str) -> None:
    value = encode_value(text).encode("ascii")
    assert not re.search(rb"[\x00-\x1f\x7f]", value)
    assert decode_value(value) == text


# H30

TRAVERSALS = [
    "files://../secret.txt",
    "files://..%2fsecret.txt",
    "files://%2e%2e/secret.txt",
    "files://%2e%2e%2fsecret.txt",
    "files://%2E%2E%2Fsecret.txt",
    "files://.%2e/secret.txt",
    "files://sub/../../secret.txt",
    "files://sub/%2e%2e/%2e%2e/secret.txt",
    "files://sub%2f..%2f..%2fsecret.txt",
    "files://..%5csecret.txt",
    "files://%c0%ae%c0%ae/secret.txt",
    "files://./../secret.txt",
    "files://secret.txt%00.md",
    "files://open.md%0a",
    "files://open.md?admin=true",
    "files://open.md%3fadmin=true",
    "files://open.md#x",
    "files://open.md%23x",
]


def file_server(root: Path, template: str) -> tuple[Server, list[str]]:
    server = Server("files")
    asked: list[str] = []

    @server.resource(template)
    def read(path: str) -> str:
        asked.append(path)
        return (root / path).read_text()  # as careless as such functions are

    return server, asked


def folder(tmp_path: Path) -> Path:
    root = tmp_path / "public"
    (root / "sub").mkdir(parents=True)
    (root / "open.md").write_text("open")
    (root / "sub" / "deep.md").write_text("deep")
    (tmp_path / "secret.txt").write_text("SECRET")
    return root


@pytest.mark.parametrize("template", ["files://{path}", "files://{+path}", "files://{path*}"])
async def test_H30_no_uri_leaves_the_folder(template: str, tmp_path: Path) -> None:
    root = folder(tmp_path)
    server, asked = file_server(root, template)
    client = HttpClient(server.asgi())
    absolute = str(tmp_path / "secret.txt")
    for uri in [*TRAVERSALS, f"files://{absolute}", f"files://{absolute.replace('/', '%2F')}"]:
        answer = await client.modern("resources/read", {"uri": uri})
        check_refusal(answer, (200, 400), -32602)
        assert b"SECRET" not in answer.body
    assert asked == []
    good = await client.modern("resources/read", {"uri": "files://open.md"})
    assert good.result["contents"][0]["text"] == "open"
    if template != "files://{path}":
        good = await client.modern("resources/read", {"uri": "files://sub/deep.md"})
        assert good.result["contents"][0]["text"] == "deep"


async def test_H30_what_is_encoded_twice_is_decoded_once(tmp_path: Path) -> None:
    root = folder(tmp_path)
    server, asked = file_server(root, "files://{path}")
    client = HttpClient(server.asgi())
    for uri in ("files://%252e%252e%252fsecret.txt", "files://..%252fsecret.txt", "files://%25252e%25252e"):
        answer = await client.modern("resources/read", {"uri": uri})
        check_refusal(answer, (200, 400), -32602)
        assert b"SECRET" not in answer.body
    assert asked == ["%2e%2e%2fsecret.txt", "..%2fsecret.txt", "%252e%252e"]


def test_H30_a_naive_matcher_gives_the_secret_away(tmp_path: Path) -> None:
    root = folder(tmp_path)
    leaked = []
    for uri in TRAVERSALS:
        found = re.fullmatch(r"files://(?P<path>.+)", uri)
        assert found
        try:
            leaked.append((root / unquote(found["path"])).read_text())
        except (OSError, ValueError):
            continue
    assert leaked.count("SECRET") >= 8


async def test_H30_a_query_has_the_names_of_its_template_and_no_others() -> None:
    server = Server("weather")
    asked: list[tuple[str, str]] = []

    @server.resource("weather://{city}{?units}")
    def read(city: str, units: str = "metric") -> str:
        asked.append((city, units))
        return "sunny"

    client = HttpClient(server.asgi())
    for query in ("admin=true", "units=a&admin=true", "units=a&units=b", "units=../../x", "units=%00", "units=%ff"):
        check_refusal(await client.modern("resources/read", {"uri": f"weather://paris?{query}"}), (200, 400))
    assert asked == []
    await client.modern("resources/read", {"uri": "weather://paris?units=imperial%26admin%3Dtrue"})
    await client.modern("resources/read", {"uri": "weather://paris"})
    assert asked == [("paris", "imperial&admin=true"), ("paris", "metric")]


async def test_H30_no_uri_makes_the_server_try_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work to answer grows with the URI; with a matcher that tries, cubically, and everybody else waits for it."""
    server = Server("calendar")
    asked: list[tuple[str, str, str]] = []

    @server.resource("date://{year}-{month}-{day}")
    def read(year: str, month: str, day: str) -> str:
        asked.append((year, month, day))
        return "sunny"

    client = HttpClient(server.asgi())

    async def cost(length: int) -> float:
        started = time.thread_time()
        refused = await client.modern("resources/read", {"uri": "date://" + "-" * length + "/"})
        check_refusal(refused, (200, 400), -32602)
        return time.thread_time() - started

    await client.modern("resources/read", {"uri": "date://2026-11-18"})
    assert asked == [("2026", "11", "18")]
    assert min([await cost(8000) / await cost(2000) for _ in range(5)]) < 8
    tries = re.compile(r"date://([^/?#\s]+)-([^/?#\s]+)-([^/?#\s]+)")
    monkeypatch.setattr(UriTemplate, "_find", lambda _self, uri: tries.fullmatch(uri))
    assert await cost(720) / await cost(180) > 16


# H31

VALUES = [
    "../admin",
    "..",
    "1?admin=true",
    "1#",
    "1/../../admin",
    "//evil.com",
    "@evil.com",
    "evil.com:80@x",
    "\\\\evil.com\\x",
    "1%2f..%2fadmin",
    "1\r\nHost: evil.com",
    "1 HTTP/1.1",
    "é",
    ";x=1",
    "&x=1",
]


@pytest.mark.parametrize("value", VALUES)
def test_H31_a_value_stays_the_one_segment_it_is(value: str) -> None:
    template = UriTemplate("https://api.internal/users/{id}/posts{?page}")
    url = template.expand({"id": value, "page": value})
    parts = urlsplit(url)
    assert (parts.scheme, parts.netloc, parts.fragment) == ("https", "api.internal", "")
    assert parts.path.count("/") == 3
    assert parts.path.startswith("/users/")
    assert parts.path.endswith("/posts")
    assert unquote(parts.path.split("/")[2]) == value
    assert parts.query.count("=") == 1
    assert not re.search(r"[\s\x00-\x1f]", url)


def test_H31_pasting_values_into_a_url_changes_where_it_goes() -> None:
    changed = []
    for value in VALUES:
        parts = urlsplit(f"https://api.internal/users/{value}/posts")
        if parts.path.count("/") != 3 or parts.query or parts.fragment:
            changed.append(value)
    assert len(changed) >= 6
    assert urlsplit("https://api.internal{path}".replace("{path}", "@evil.com")).hostname == "evil.com"


@pytest.mark.parametrize("value", ["//evil.com", "@evil.com", "a/../../x", "a?b=c", "a#b", "\\evil"])
def test_H31_a_path_of_several_segments_keeps_its_host_and_has_no_query(value: str) -> None:
    parts = urlsplit(UriTemplate("https://api.internal/files/{+path}").expand({"path": value}))
    assert (parts.netloc, parts.query, parts.fragment) == ("api.internal", "", "")
