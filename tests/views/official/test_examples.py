"""The examples, shown by the official host, with their real servers behind it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from cloche.testing.sync_client import SyncClient
from cloche.views import view_uri_of
from tests.support.official_app.harness import LAYOUTS, VERSIONS, Hosted, Theatre

LINES = [{"points": [[0, 50], [100, 50]], "colour": "#ff0000"}, {"points": [[50, 0], [50, 100]]}]
RED, NOTHING = [255, 0, 0, 255], [0, 0, 0, 0]


@dataclass(frozen=True)
class Shown:
    """An example's view, and the server behind it."""

    hosted: Hosted
    client: SyncClient

    def call(self, tool: str, arguments: dict[str, Any]) -> None:
        """What a host does when the model calls a tool: its input and then its result go to the view."""
        self.hosted.bridge("sendToolInput", {"arguments": arguments})
        self.hosted.bridge("sendToolResult", self.client.request("tools/call", {"name": tool, "arguments": arguments}))

    def until_text(self, selector: str, text: str) -> None:
        """Wait until an element of the view says this."""
        condition = "([selector, text]) => document.querySelector(selector)?.textContent === text"
        self.hosted.view.wait_for_function(condition, arg=[selector, text])

    def complaints(self) -> list[Any]:
        """What the view or the official library reported as wrong."""
        logged = [params for name, params in self.hosted.kept("handled") if name == "loggingmessage"]
        return [*logged, *self.hosted.kept("errors")]


Show = Callable[[str, str], Shown]


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=LAYOUTS)
def show(request: pytest.FixtureRequest, stage: Theatre, version: str) -> Iterator[Show]:
    """Opens the view of a tool of an example, freshly imported."""
    with ExitStack() as stack:

        def opened(example: str, tool: str) -> Shown:
            module = importlib.reload(importlib.import_module(f"examples.{example}"))
            client = stack.enter_context(SyncClient(module.server))
            listed = {one["name"]: one for one in client.request("tools/list")["tools"]}
            uri = view_uri_of(listed[tool])
            assert uri is not None
            (content,) = client.request("resources/read", {"uri": uri})["contents"]

            def answer(params: dict[str, Any]) -> Any:
                return client.request("tools/call", params)

            hosted = stack.enter_context(stage.hosted(content["text"], version, request.param, server=answer))
            hosted.until_handled("initialized")
            return Shown(hosted, client)

        yield opened


def test_the_clock_shows_the_time_and_asks_again(show: Show) -> None:
    shown = show("clock", "now")
    time_of_day = r"() => /^\d\d:\d\d:\d\d$/.test(document.querySelector('time').textContent)"
    shown.call("now", {})
    shown.hosted.view.wait_for_function(time_of_day)
    shown.hosted.view.evaluate("() => { document.querySelector('time').textContent = '' }")
    shown.hosted.view.click("button")
    shown.hosted.view.wait_for_function(time_of_day)
    assert shown.hosted.until_handled("calltool")["name"] == "now"
    assert shown.complaints() == []


def test_the_to_do_list_works_without_a_line_of_its_own_javascript(show: Show) -> None:
    shown = show("todo_view", "todos")
    shown.call("todos", {})
    shown.until_text("p.none", "Nothing to do. Add the first thing above.")
    shown.hosted.view.fill("[name=title]", "Buy <b>bread</b>")
    shown.hosted.view.click("form button")
    shown.until_text("li label", "Buy <b>bread</b>")
    shown.hosted.view.click("li input")
    shown.hosted.view.wait_for_selector("li.done")
    shown.hosted.view.click("li button")
    shown.hosted.view.wait_for_selector("p.none")
    assert shown.complaints() == []


def test_the_chart_is_drawn(show: Show) -> None:
    shown = show("chart", "chart")
    shown.call("chart", {"data": "city,people\nParis,2\nRome,3\n"})
    shown.hosted.view.wait_for_selector("svg rect")
    assert shown.hosted.view.locator("svg rect").count() == 2
    assert shown.complaints() == []


def pixel(shown: Shown, x: int, y: int) -> list[int]:
    """A point of the canvas, in its own pixels: red, green, blue, opacity."""
    return list(
        shown.hosted.view.evaluate(
            "([x, y]) => [...document.querySelector('canvas').getContext('2d').getImageData(x, y, 1, 1).data]", [x, y]
        )
    )


def test_the_canvas_draws_while_the_model_writes(show: Show) -> None:
    shown = show("canvas", "draw")
    shown.hosted.bridge("sendToolInputPartial", {"arguments": {"title": "A cr", "lines": LINES[:1]}})
    shown.until_text("p", "A cr …")
    assert pixel(shown, 250, 250) == RED
    assert pixel(shown, 500, 100) == NOTHING
    half = {"points": [[50, 0], [50]]}
    shown.hosted.bridge("sendToolInputPartial", {"arguments": {"title": "A cross", "lines": [LINES[0], half]}})
    shown.until_text("p", "A cross …")
    shown.call("draw", {"title": "A cross", "lines": LINES})
    shown.until_text("p", "A cross")
    assert pixel(shown, 500, 100) == [0x33, 0x66, 0x99, 255]
    assert shown.complaints() == []


def test_what_the_user_draws_is_told_to_the_model(show: Show) -> None:
    shown = show("canvas", "draw")
    shown.call("draw", {"title": "A cross", "lines": LINES})
    shown.until_text("p", "A cross")
    box = shown.hosted.view.locator("canvas").bounding_box()
    assert box is not None
    mouse = shown.hosted.page.mouse
    mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.25)
    mouse.down()
    mouse.move(box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.25)
    mouse.up()
    (drawn,) = shown.hosted.until_handled("updatemodelcontext")["structuredContent"]["drawnByUser"]
    assert drawn["points"] == [[25, 25], [75, 25]]


def test_a_file_is_uploaded(show: Show) -> None:
    shown = show("upload", "upload")
    shown.call("upload", {})
    file = {"name": "poem.txt", "mimeType": "text/plain", "buffer": "Grüße\nan alle".encode()}
    shown.hosted.view.set_input_files("input[type=file]", file)  # type: ignore[arg-type]
    shown.hosted.view.fill("[name=note]", "short")
    shown.hosted.view.click("button")
    shown.until_text("li", "poem.txt: 3 words in 2 lines (short)")
    kept = {"name": "poem.txt", "note": "short", "words": 3, "lines": 2}
    assert shown.client.call_tool("upload").data == {"documents": [kept]}
    assert shown.complaints() == []


def test_a_file_that_is_no_text_is_refused_in_the_form(show: Show) -> None:
    shown = show("upload", "upload")
    shown.hosted.view.set_input_files("input[type=file]", {"name": "a.bin", "mimeType": "", "buffer": b"\xff\xfe\x00"})
    shown.hosted.view.click("button")
    shown.until_text("[role=alert]", "a.bin is not a text in UTF-8.")


def test_without_a_file_nothing_is_called(show: Show) -> None:
    shown = show("upload", "upload")
    shown.hosted.view.click("button")
    assert shown.hosted.view.evaluate("() => document.activeElement.name") == "file"
    assert [name for name, _ in shown.hosted.kept("handled") if name == "calltool"] == []
