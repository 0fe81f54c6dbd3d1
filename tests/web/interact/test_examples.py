"""The examples, used as a person would, in a real browser."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType

import pytest

from cloche.testing.open_view import ViewOpener

SALES = "Day,Sold\nMonday,12\nTuesday & after,30\nWednesday,-8.5\n"


@pytest.fixture
def todo() -> Iterator[ModuleType]:
    module = importlib.import_module("examples.todo_view")
    module.todos.clear()
    yield module
    module.todos.clear()


def test_a_to_do_list_without_javascript(open_view: ViewOpener, todo: ModuleType) -> None:
    view = open_view(todo.server, "todos")
    view.expect(".none").to_have_text("Nothing to do. Add the first thing above.")
    view.type("[name=title]", "Buy bread")
    view.press("[name=title]", "Enter")
    view.expect("li label").to_have_text("Buy bread")
    view.expect("[name=title]").to_be_focused()
    view.expect("[name=title]").to_have_value("")
    view.type("[name=title]", "<img src=x onerror=alert(1)>")
    view.click(text="Add")
    view.expect("li").to_have_count(2)
    view.expect("h2").to_have_text("To do, 2 left")
    view.click("li:nth-child(1) input")
    view.expect("li.done").to_have_text("Buy breadRemove")
    view.expect("li:nth-child(1) input").to_be_focused()
    view.click("li:nth-child(2) button")
    view.expect("li").to_have_count(1)
    assert [todo.title for todo in todo.todos.values()] == ["Buy bread"]
    assert [call.name for call in view.calls] == ["add", "add", "toggle", "remove"]
    view.check()


def test_what_went_wrong_stands_beside_the_button(open_view: ViewOpener, todo: ModuleType) -> None:
    todo.todos[1] = todo.Todo(1, "Buy bread")
    view = open_view(todo.server, "todos")
    todo.todos.clear()
    view.click("li input")
    view.expect("li [role=alert]").to_have_text("This to-do is gone.")
    view.fail("add", "The list is full.")
    view.type("[name=title]", "Bake cake")
    view.click(text="Add")
    view.expect("form + [role=alert]").to_have_text("The list is full.")
    view.expect("[name=title]").to_have_value("Bake cake")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 900])
def test_a_chart_in_svg(open_view: ViewOpener, theme: str, width: int) -> None:
    server = importlib.import_module("examples.chart").server
    view = open_view(
        server, "chart", {"data": SALES, "title": "Sold", "unit": "€"}, theme=theme, width=width, height=400
    )
    view.expect("rect").to_have_count(3)
    view.expect("g:nth-child(2) > text").to_have_text("30 €")
    assert view.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shades = view.evaluate("getComputedStyle(document.body).backgroundColor").strip("rgb()").split(", ")
    assert (int(shades[0]) > 200) is (theme == "light")
    view.click(text="Save as CSV")
    assert "Tuesday & after,30" in str(view.wait_for("download"))
    view.check()


def test_a_chart_of_nothing_says_why(open_view: ViewOpener) -> None:
    server = importlib.import_module("examples.chart").server
    view = open_view(server, "chart", {"data": "a,1\nb,two\n"})
    view.expect("[role=alert]").to_have_text("Line 2 is not a name and a number: b,two")
