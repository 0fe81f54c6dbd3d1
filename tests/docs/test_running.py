"""docs/running.md: the apps answer where the page says, the refusals are the ones shown, the tables are complete."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cloche import Context, Limits, Server
from cloche.cli.run import run as run_command
from cloche.server import limits as limits_module
from cloche.transports.websocket.client import WebSocketTransport
from tests.docs.asgi_peer import Curl, call, client, text_of
from tests.support.command import HEADERS, INITIALIZE, cloche, environment, serving, started
from tests.support.live_server import LiveServer
from tests.support.memory_peer import HANDSHAKE, MemoryPeer
from tests.support.snippets import ROOT, all_snippets, blocks_of, run, save

PAGE = "docs/running.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


def block(language: str, containing: str) -> str:
    (found,) = [text for text in blocks_of(PAGE, language) if containing in text]
    return found


def module(file: str, folder: Path) -> dict[str, Any]:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == file]
    return run(snippet, folder)


@pytest.fixture
def server_file(tmp_path: Path) -> Path:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == "server.py"]
    return save(snippet, tmp_path)


# The commands


@pytest.mark.parametrize("command", [["server.py"], ["-m", "cloche", "run", "server.py"]])
def test_both_commands_serve_stdio(server_file: Path, command: list[str]) -> None:
    message = call("price", {"item": "bread"})["json"]
    done = subprocess.run(
        [sys.executable, *command],
        cwd=server_file.parent,
        input=json.dumps(message) + "\n",
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=True,
        env=environment(PYTHONUTF8="1"),
    )
    assert text_of(json.loads(done.stdout)) == "bread: 4 €"


def test_the_commands_are_those_that_are_tested_here() -> None:
    commands = [line for text in blocks_of(PAGE, "sh") for line in text.splitlines() if "cloche install" not in line]
    assert {command.split(" -H")[0] for command in commands} == {
        "python server.py",
        "cloche run server.py",
        "cloche run server.py --http 127.0.0.1:8000",
        "python -c \"from server import server; server.run('http', host='127.0.0.1', port=8000)\"",
        "cloche run server.py --http 0.0.0.0:8000",
        "cloche run server.py --websocket 127.0.0.1:8000",
        "python -c \"from server import server; server.run('websocket', host='127.0.0.1', port=8000)\"",
        "curl -s http://127.0.0.1:8000/mcp",
    }


def test_the_lines_about_clients_work(server_file: Path) -> None:
    lines = [line.split("#")[0].split() for line in block("sh", "cloche install").splitlines()]
    assert len(lines) == 4
    folder = server_file.parent
    for line in lines:
        done = cloche(*line[1:], folder=folder, HOME=str(folder), XDG_CONFIG_HOME=".config")
        assert done.returncode == 0, done.stderr
        said = done.stdout.splitlines()
        written = done.stdout if "--print" in line else Path(said[0].split(" in ", 1)[1]).read_text("utf-8")
        assert str(server_file) in written


def test_the_python_line_serves_http(server_file: Path) -> None:
    code = block("sh", "server.run('http'").split('"')[1].replace("8000", "0")
    with started(["-c", code], server_file.parent) as running:
        asked = call("price", {"item": "bread"})
        status, body = running.request(asked["json"], **asked["headers"])
        assert (status, text_of(json.loads(body))) == (200, "bread: 4 €")


@pytest.mark.parametrize("kind", ["command", "python"])
async def test_the_lines_about_websocket_serve_it(kind: str, server_file: Path) -> None:
    if kind == "command":
        command = ["-m", *block("sh", "--websocket").replace(":8000", ":0").split()]
    else:
        command = ["-c", block("sh", "server.run('websocket'").split('"')[1].replace("8000", "0")]
    with started(command, server_file.parent, until="ws://") as running:
        assert await price_over_websocket(running.url) == "bread: 4 €"


async def test_both_ways_at_one_address(server_file: Path) -> None:
    folder = server_file.parent
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == "both_ways.py"]
    with LiveServer(folder, save(snippet, folder).read_text(encoding="utf-8")) as running:
        assert text_of(json.loads(running.modern(call("price", {"item": "bread"})["json"])[2])) == "bread: 4 €"
        assert await price_over_websocket(f"ws://127.0.0.1:{running.port}/mcp") == "bread: 4 €"


async def price_over_websocket(url: str) -> str:
    transport = await WebSocketTransport.connect(url)
    try:
        params = call("price", {"item": "bread"})["json"]["params"]
        return text_of({"result": await transport.request("tools/call", params)})
    finally:
        await transport.close()


def test_curl_is_refused_as_shown(server_file: Path) -> None:
    with serving("server.py", "--http", "127.0.0.1:0", folder=server_file.parent) as running:
        for said, status in (("Host: mcp", 421), ("Origin: https", 403)):
            curl = Curl(block("sh", said))
            got, body = running.request(curl.data, **curl.headers)
            (wanted,) = [h for name, h in curl.headers.items() if name in ("host", "origin")]
            assert (got, json.loads(body)) == (status, json.loads(block("json", f"'{wanted}'")))


def test_a_public_address_is_refused_as_shown(server_file: Path) -> None:
    done = cloche("run", "server.py", "--http", "0.0.0.0:8000", folder=server_file.parent)
    assert done.stderr == block("text", "0.0.0.0")


def test_the_table_of_options_is_complete() -> None:
    shown = [one for one in run_command.params if not getattr(one, "hidden", False)]  # a former name is not
    options = {name for one in shown for name in one.opts if name.startswith("--")}
    assert set(re.findall(r"^\| `(--[a-z-]+)` \|", TEXT, re.MULTILINE)) == options


# Mounted


@pytest.mark.parametrize(
    ("file", "path", "status"),
    [
        ("starlette_app.py", "/mcp", 200),
        ("mounted_app.py", "/mcp", 307),
        ("mounted_app.py", "/mcp/", 200),
        ("fastapi_app.py", "/mcp", 200),
    ],
)
def test_the_app_answers_where_the_page_says(file: str, path: str, status: int, tmp_path: Path) -> None:
    with client(module(file, tmp_path)["app"]) as http:
        answer = http.post(path, **call("price", {"item": "bread"}))
        assert answer.status_code == status
        if status == 200:
            assert text_of(answer.json()) == "bread: 4 €"


def test_the_apps_own_routes_still_answer(tmp_path: Path) -> None:
    with client(module("starlette_app.py", tmp_path)["app"]) as http:
        assert http.get("/").text == "Hello"
    with client(module("fastapi_app.py", tmp_path)["app"]) as http:
        assert http.get("/prices").json() == {"bread": 4}


def test_the_test_client_is_refused_as_shown(tmp_path: Path) -> None:
    with client(module("fastapi_app.py", tmp_path)["app"], base="http://testserver") as http:
        answer = http.post("/mcp", **call("price", {"item": "bread"}))
        assert answer.status_code == 421
        assert answer.json() == json.loads(block("json", "'testserver'"))


def test_mounted_the_lifespan_opens_with_the_first_request_and_closes_with_the_server(tmp_path: Path) -> None:
    from contextlib import asynccontextmanager

    from starlette.applications import Starlette
    from starlette.routing import Route

    seen: list[str] = []

    @asynccontextmanager
    async def opening(server: Server) -> Any:
        seen.append("open")
        yield
        seen.append("closed")

    server = Server("x", lifespan=opening)

    @server.tool
    async def look() -> str:
        return " ".join(seen)

    @asynccontextmanager
    async def outer(app: Any) -> Any:
        yield
        seen.append("ending")
        await server.close()
        seen.append("ended")

    app = Starlette(routes=[Route("/mcp", endpoint=server.asgi())], lifespan=outer)
    with client(app) as http:
        assert seen == []
        assert text_of(http.post("/mcp", **call("look")).json()) == "open"
    assert seen == ["open", "ending", "closed", "ended"]


# Hosts and origins


@pytest.mark.parametrize(
    ("rule", "admitted", "refused"),
    [
        ("mcp.example.com", ["mcp.example.com"], ["mcp.example.com:8000", "example.com"]),
        ("shop:8000", ["shop:8000"], ["shop", "shop:9000"]),
        ("shop:*", ["shop:8000", "shop"], ["shops:8000"]),
        ("*.internal.example.com", ["a.internal.example.com"], ["internal.example.com", "example.com"]),
        ("*", ["anything.at.all"], []),
    ],
)
def test_the_table_of_hosts(rule: str, admitted: list[str], refused: list[str]) -> None:
    assert f"| `{rule}` |" in TEXT
    with client(Server("x").asgi(hosts=[rule])) as http:
        asked = {"jsonrpc": "2.0", "method": "notifications/x"}
        statuses = {host: http.post("/", json=asked, headers={"host": host}).status_code for host in admitted + refused}
        assert {host for host, status in statuses.items() if status != 421} == set(admitted)
        assert http.post("/", json=asked).status_code != 421, "loopback stays"


def test_the_proxied_app_answers_to_its_names(tmp_path: Path) -> None:
    with client(module("proxied.py", tmp_path)["app"]) as http:
        for host in ("mcp.example.com", "shop:8000", "x.internal.example.com", "127.0.0.1:8000"):
            assert http.post("/mcp", **call("price", {"item": "bread"}, host=host)).status_code == 200


def test_a_named_origin_gets_what_browsers_need(tmp_path: Path) -> None:
    with client(module("called_by_pages.py", tmp_path)["app"]) as http:
        page = {"origin": "https://app.example.com"}
        preflight = http.options("/mcp", headers={**page, "access-control-request-headers": "mcp-method"})
        assert (preflight.status_code, preflight.headers["access-control-allow-headers"]) == (204, "mcp-method")
        answer = http.post("/mcp", **call("price", {"item": "bread"}, **page))
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == page["origin"]


# Limits, sessions, processes


def test_the_table_of_limits_is_the_struct() -> None:
    (body,) = [one.body for one in ast.parse(inspect.getsource(limits_module)).body if isinstance(one, ast.ClassDef)]
    meanings: dict[str, str] = {}
    for field, doc in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert isinstance(doc, ast.Expr)
            meanings[field.target.id] = str(ast.literal_eval(doc.value))
    defaults = msgspec.to_builtins(Limits())
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| (.*) \|$", TEXT, re.MULTILINE)
    assert rows == [(name, f"{defaults[name]:,.0f}", meaning) for name, meaning in meanings.items()]


def test_without_sessions_a_question_is_refused_as_shown() -> None:
    server = Server("x")

    @server.tool
    async def ask(ctx: Context) -> str:
        return (await ctx.elicit("Sure?", {"type": "object", "properties": {}})).action

    with client(server.asgi(sessionless=True)) as http:
        hello = http.post("/", json=INITIALIZE, headers=HEADERS)
        assert "mcp-session-id" not in hello.headers
        request = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ask"}}
        answer = http.post("/", json=request, headers={**HEADERS, "mcp-protocol-version": HANDSHAKE})
        assert answer.json()["error"] == json.loads(block("json", "-32000"))


def test_a_session_goes_on_with_another_replica(tmp_path: Path) -> None:
    replicas = module("replicas.py", tmp_path)
    with client(replicas["first"].asgi()) as first, client(replicas["second"].asgi()) as second:
        session = first.post("/", json=INITIALIZE, headers=HEADERS).headers["mcp-session-id"]
        headers = {**HEADERS, "mcp-session-id": session, "mcp-protocol-version": HANDSHAKE}
        request = {"jsonrpc": "2.0", "id": 2, "method": "resources/list"}
        (listed,) = second.post("/", json=request, headers=headers).json()["result"]["resources"]
        assert listed["uri"] == "shop://prices"


async def test_an_update_on_one_replica_is_heard_on_the_other(tmp_path: Path) -> None:
    replicas = module("replicas.py", tmp_path)
    async with MemoryPeer(replicas["second"]) as peer, MemoryPeer(replicas["first"]):
        await peer.request("resources/subscribe", {"uri": "shop://prices"})
        replicas["first"].resource_updated("shop://prices")
        heard = await peer.next_notification("notifications/resources/updated")
        assert heard["params"] == {"uri": "shop://prices"}
