"""examples/todo.py, unchanged, over stdio, HTTP, mounted in an ASGI app, in a worker and in a frame: one test."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.page.conftest import ROOT
from tests.browser.page.peers import PagePeer, Peer, PythonPeer
from tests.support.command import serving
from tests.support.live_server import LiveServer

EXAMPLE = ROOT / "examples" / "todo.py"

MOUNTED = f"""
import runpy
from starlette.applications import Starlette
from starlette.routing import Mount

server = runpy.run_path({str(EXAMPLE)!r})["server"]
app = Starlette(routes=[Mount("/tools", server.asgi())])
"""


@contextmanager
def stdio(folder: Path, page: Page) -> Iterator[Peer]:
    with PythonPeer([sys.executable, str(EXAMPLE)]) as peer:
        yield peer


@contextmanager
def http(folder: Path, page: Page) -> Iterator[Peer]:
    with serving(str(EXAMPLE), "--http", "0", folder=folder) as running, PythonPeer(running.url) as peer:
        yield peer


@contextmanager
def wrapped(folder: Path, page: Page) -> Iterator[Peer]:
    with LiveServer(folder, MOUNTED) as live, PythonPeer(f"http://127.0.0.1:{live.port}/tools") as peer:
        yield peer


@contextmanager
def worker(folder: Path, page: Page) -> Iterator[Peer]:
    page.evaluate("() => lab.start('todo', {url: '/todo/'})")
    yield PagePeer(page, "todo")
    page.evaluate("() => lab.servers.todo.server.close()")


@contextmanager
def frame(folder: Path, page: Page) -> Iterator[Peer]:
    page.evaluate("() => lab.frame('framed', '/pages/framed.html')")
    yield PagePeer(page, "framed")
    page.evaluate("() => document.querySelector('iframe').remove()")


Way = Callable[[Path, Page], AbstractContextManager[Peer]]
WAYS: list[Way] = [stdio, http, wrapped, worker, frame]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_the_example_runs_unchanged_over(way: Way, tmp_path: Path, page: Page) -> None:
    with way(tmp_path, page) as peer:

        def call(tool: str, **arguments: object) -> dict[str, object]:
            result: dict[str, object] = peer.ask("tools/call", name=tool, arguments=arguments)["result"]
            return result

        tools = peer.ask("tools/list")["result"]["tools"]
        assert sorted(tool["name"] for tool in tools) == ["add", "complete", "list", "remove"]
        assert peer.ask("resources/read", uri="todo://all")["result"]["contents"][0]["text"] == "Nothing to do."
        peer.subscribe("todo://all")

        assert call("add", title="Buy bread")["structuredContent"] == {"id": 1, "title": "Buy bread", "done": False}
        call("add", title="Bake cake")
        assert call("complete", id=1)["structuredContent"] == {"id": 1, "title": "Buy bread", "done": True}
        assert peer.updated(3) == ["todo://all"] * 3
        still_open = call("list", include_done=False)["structuredContent"]
        assert still_open == {"result": [{"id": 2, "title": "Bake cake", "done": False}]}

        missing = call("complete", id=9)
        assert missing["isError"] is True
        assert missing["content"] == [
            {"type": "text", "text": "There is no to-do 9: call list to see which there are."}
        ]
        assert call("add", title="")["isError"] is True

        listed = peer.ask("resources/read", uri="todo://all")["result"]["contents"][0]
        assert (listed["mimeType"], listed["text"]) == ("text/plain", "[x] 1. Buy bread\n[ ] 2. Bake cake")
        single = peer.ask("resources/read", uri="todo://2")["result"]["contents"][0]
        assert json.loads(single["text"]) == {"id": 2, "title": "Bake cake", "done": False}
        assert peer.ask("resources/read", uri="todo://7")["error"]["code"] == -32002

        (message,) = peer.ask("prompts/get", name="plan_day", arguments={"hours": "3"})["result"]["messages"]
        assert message["content"]["text"] == "Plan my next 3 hours. These are open:\n[ ] 2. Bake cake"
        assert call("remove", id=2)["content"] == [{"type": "text", "text": "Removed: Bake cake"}]
