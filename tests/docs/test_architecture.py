"""docs/architecture.md: each walk is the way that a real call takes."""

from __future__ import annotations

import importlib
import re

from cloche import Server, View
from tests.support.host_page import Page, hosting, ticket_in
from tests.support.http_client import HttpClient
from tests.support.snippets import ROOT
from tests.support.walks import TEXT, followed, missing, walk


def clock() -> Server:
    server = Server("clock")

    @server.tool(view=View("<!doctype html><p>12:00</p>"))
    async def show(zone: str) -> str:
        return zone

    return server


async def test_an_http_call() -> None:
    client = HttpClient(clock().asgi(path="/mcp"))
    with followed() as calls:
        answer = await client.call("show", zone="UTC")
    assert answer.text == "UTC"
    assert missing(walk("An HTTP call"), calls) == []


async def test_a_tool_with_a_view_and_a_views_call() -> None:
    async with hosting({"clock": clock()}) as host:
        with followed() as calls:
            call = await host.session("ann").start("clock.show", {"zone": "UTC"})
            page = (await Page().open(host, ticket_in(call.embed()))).greet()
        assert missing(walk("A tool with a view"), calls) == []
        with followed() as calls:
            result = await page.result("tools/call", {"name": "show", "arguments": {"zone": "CET"}})
        assert result["content"][0]["text"] == "CET"
        assert missing(walk("A view's call"), calls) == []


def test_a_message_into_python_in_the_page_names_functions_that_exist() -> None:
    """`tests/browser/page/test_server.py` makes the call; here a name that is misspelled is found without a browser."""
    for step in walk("A message into Python in the page"):
        module, attributes = step, []
        while not (ROOT / "src/cloche" / f"{module.replace('.', '/')}.py").is_file():
            module, _, last = module.rpartition(".")
            assert module, step
            attributes.insert(0, last)
        found: object = importlib.import_module(f"cloche.{module}")
        for name in attributes:
            found = getattr(found, name)
        assert callable(found)
    for name in re.findall(r"`(web/[\w/.-]+)`", TEXT):
        assert (ROOT / "src/cloche" / name).is_file(), name


def test_a_step_that_does_not_happen_or_comes_too_early_is_found() -> None:
    assert missing(["a", "b"], ["x", "a", "y", "b"]) == []
    assert missing(["a", "b", "c"], ["b", "a", "c"]) == ["b", "c"]


def test_the_four_walks_are_there() -> None:
    titles = re.findall(r"^## (.*)$", TEXT, re.MULTILINE)
    assert titles == ["An HTTP call", "A tool with a view", "A view's call", "A message into Python in the page"]
