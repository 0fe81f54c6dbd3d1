"""docs/coming-from-fastmcp.md: their names are in their packages, ours in ours, and the differences are real."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cloche import Server
from cloche.errors import RegistrationError
from tests.docs.asgi_peer import call, client, text_of
from tests.docs.test_names import MISSING, resolve_python
from tests.support.command import environment, serving
from tests.support.memory_peer import MemoryPeer
from tests.support.snippets import ROOT, all_snippets, run, save

PAGE = "docs/coming-from-fastmcp.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
CELL = r"(`[\w.]+(?:\(\w+=\))?`|–)"
ROWS = re.findall(rf"^\| {CELL} \| {CELL} \| {CELL} \|$", TEXT, re.MULTILINE)
THEIRS = sorted({name.strip("`") for row in ROWS for name in row[:2] if name != "–"})
OURS = sorted({row[2].strip("`") for row in ROWS if row[2] != "–"})


def options_of(thing: Any) -> set[str]:
    """The names of the parameters; those of an overloaded function are in its overloads."""
    signatures: list[Callable[..., Any]] = [thing]
    if inspect.isfunction(thing):
        signatures += typing.get_overloads(thing)
    return {name for one in signatures for name in inspect.signature(one).parameters}


def exists(name: str) -> bool:
    path, _, option = name.removesuffix("=)").partition("(")
    thing = resolve_python(path)
    return thing is not MISSING and (not option or option in options_of(thing))


def test_every_row_of_the_table_is_read() -> None:
    lines = [line for line in TEXT.splitlines() if line.startswith(("| `", "| – ")) and line.count("|") == 4]
    assert len(lines) == len(ROWS) > 50


@pytest.mark.parametrize("name", OURS)
def test_our_name_exists(name: str) -> None:
    assert exists(name)


@pytest.fixture(scope="module")
def theirs() -> dict[str, bool]:
    """Looked up in another process: importing the peers must not change this one."""
    code = (
        "import json, sys, warnings; warnings.simplefilter('ignore')\n"
        "from tests.docs.test_coming_from_fastmcp import THEIRS, exists\n"
        "print(json.dumps({name: exists(name) for name in THEIRS}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    found: dict[str, bool] = json.loads(done.stdout)
    return found


def test_every_name_of_theirs_exists(theirs: dict[str, bool]) -> None:
    assert [name for name, there in theirs.items() if not there] == []


def test_a_name_that_does_not_exist_is_noticed() -> None:
    assert not exists("cloche.Server.add_tool")
    assert not exists("cloche.Server(tags=)")
    assert not exists("cloche.Server.tool(tags=)")
    assert exists("cloche.Server.tool(timeout=)")


def test_what_the_page_says_is_missing_is_missing() -> None:
    assert not {"mount", "custom_route", "from_openapi", "add_transform"} & set(dir(Server))


# Before and after


def module(file: str, folder: Path) -> dict[str, Any]:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == file]
    return run(snippet, folder)


def test_the_new_server_answers_where_it_is_mounted(tmp_path: Path) -> None:
    with client(module("new_app.py", tmp_path)["app"]) as http:
        assert text_of(http.post("/mcp", **call("price", {"item": "bread"})).json()) == "4"


def test_the_old_server_is_served_as_it_is(tmp_path: Path) -> None:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == "old_server.py"]
    save(snippet, tmp_path)
    with serving("old_server.py", "--http", "127.0.0.1:0", folder=tmp_path) as running:
        assert running.said[0] == "shop: 1 tool, 1 resource, 0 prompts"
        assert running.request({}, host="mcp.example.com")[0] == 421


# Differences

PEERS = """
import asyncio, json, logging, warnings
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
import fastmcp, mcp
from mcp.server import MCPServer
from starlette.testclient import TestClient

def registered(server):
    @server.tool()
    def text(number: int = 1) -> str:
        return f"number {number!r}"

    @server.tool()
    def boom() -> str:
        raise ValueError("no luck")

    def double() -> str:
        return "first"
    server.tool(name="double")(double)

    def other() -> str:
        return "second"
    server.tool(name="double")(other)
    return server

async def look(client, **options):
    async with client:
        async def call(name, **arguments):
            result = await client.call_tool(name, arguments, **options)
            return [result.content[0].text, result.structured_content, bool(result.is_error)]
        return {
            "text": await call("text"), "lax": await call("text", number="3"), "extra": await call("text", nope=1),
            "boom": await call("boom"), "double": await call("double"),
        }

def host(app):
    with TestClient(app) as http:
        answer = http.post("/mcp", json={}, headers={"host": "mcp.example.com"})
        return [answer.status_code, answer.text[:40]]

ours, theirs = registered(fastmcp.FastMCP("x")), registered(MCPServer("x"))
found = {
    "fastmcp": asyncio.run(look(fastmcp.Client(ours), raise_on_error=False)),
    "mcp": asyncio.run(look(mcp.Client(theirs))),
}
found["fastmcp"]["host"], found["mcp"]["host"] = host(ours.http_app()), host(theirs.streamable_http_app())
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def peers() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", PEERS], capture_output=True, text=True, timeout=120, check=True, env=environment()
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_what_the_page_says_of_the_peers(peers: dict[str, Any]) -> None:
    fastmcp, mcp = peers["fastmcp"], peers["mcp"]
    for peer in (fastmcp, mcp):
        assert peer["text"] == ["number 1", {"result": "number 1"}, False]
        assert peer["lax"][0] == "number 3"
    assert fastmcp["extra"][2] is True
    assert mcp["extra"][2] is False
    assert "no luck" in fastmcp["boom"][0]
    assert "no luck" not in mcp["boom"][0]
    assert (fastmcp["double"][0], mcp["double"][0]) == ("second", "first")
    assert fastmcp["host"][0] != 421
    assert mcp["host"] == [421, "Invalid Host header"]


async def test_what_the_page_says_of_us() -> None:
    server = Server("x")

    @server.tool
    def text(number: int = 1) -> str:
        return f"number {number!r}"

    @server.tool
    def boom() -> str:
        raise ValueError("no luck")

    with pytest.raises(RegistrationError, match="registered already"):
        server.register_tool(boom)
    assert server.timeout == 60
    async with MemoryPeer(server) as peer:
        assert await peer.call("text") == {"content": [{"type": "text", "text": "number 1"}]}
        assert (await peer.call("text", {"number": "3"}))["isError"] is True
        assert 'did you mean "number"?' in (await peer.call("text", {"numbr": 1}))["content"][0]["text"]
        assert "no luck" in (await peer.call("boom"))["content"][0]["text"]
        server.mask_errors = True
        assert (await peer.call("boom"))["content"][0]["text"] == "The tool boom failed"
