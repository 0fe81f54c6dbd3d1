"""Forms call tools in frames that may submit forms and in frames that may not; fields give typed arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.interact.conftest import Open

FORM = """
<form data-tool="save" data-target="#out">
  <input name="title" required> <button name="how" value="fast">Save</button>
</form><div id="out"></div>
"""
FORMS = pytest.mark.parametrize("forms", [True, False], ids=["allow-forms", "no allow-forms"])
SHAPES = pytest.mark.parametrize("form", ["one file", "module"])


def test_chromium_fires_no_submit_without_allow_forms(open_page: Open) -> None:
    """The reason for what follows: what is tested here fails without it."""
    for forms, fired in [(True, 1), (False, 0)]:
        with open_page("<form><input name=a><button>Go</button></form>", forms=forms, names=()) as page:
            page.frame.evaluate(
                "() => { window.fired = 0; addEventListener('submit', (e) => { e.preventDefault(); fired++ }) }"
            )
            page.locator("button").click()
            assert page.frame.evaluate("fired") == fired


@FORMS
@SHAPES
def test_a_button_submits(open_page: Open, forms: bool, form: str) -> None:
    with open_page(FORM, forms=forms, form=form) as page:
        page.locator("input").fill("bread")
        page.locator("button").click()
        assert page.wait_for_calls(1) == [["save", {"title": "bread", "how": "fast"}]]
        page.answer_html(0, "<b>saved</b>")
        expect(page.locator("#out b")).to_have_text("saved")


@FORMS
def test_enter_submits_with_and_without_a_button(open_page: Open, forms: bool) -> None:
    with open_page(FORM + '<form data-tool="find"><input name="q"></form>', forms=forms) as page:
        page.locator("[name=title]").fill("bread")
        page.locator("[name=title]").press("Enter")
        page.wait_for_calls(1)
        page.locator("[name=q]").fill("milk")
        page.locator("[name=q]").press("Enter")
        calls = page.wait_for_calls(2)
        assert calls == [["save", {"title": "bread", "how": "fast"}], ["find", {"q": "milk"}]]


@FORMS
def test_enter_in_a_text_area_is_a_new_line(open_page: Open, forms: bool) -> None:
    with open_page('<form data-tool="save"><textarea name="t"></textarea><input name="x"></form>', forms=forms) as page:
        page.locator("textarea").press("Enter")
        assert page.locator("textarea").input_value() == "\n"
        page.locator("input").press("Enter")
        assert page.wait_for_calls(1) == [["save", {"t": "\n", "x": ""}]]


@FORMS
def test_what_is_not_valid_is_not_sent(open_page: Open, forms: bool) -> None:
    with open_page(FORM, forms=forms) as page:
        page.locator("button").click()
        assert page.frame.evaluate("document.activeElement.name") == "title"  # reportValidity leads there
        page.locator("input").press("Enter")
        assert page.calls() == []
        page.locator("input").fill("x")
        page.locator("button").click()
        assert len(page.wait_for_calls(1)) == 1


@FORMS
def test_a_script_may_submit_where_forms_are_allowed(open_page: Open, forms: bool) -> None:
    with open_page(FORM, forms=forms) as page:
        page.locator("input").fill("x")
        page.frame.evaluate("document.forms[0].requestSubmit()")
        page.frame.evaluate("new Promise((done) => setTimeout(done, 20))")
        assert page.calls() == ([["save", {"title": "x"}]] if forms else [])


def test_a_button_may_have_a_tool_of_its_own(open_page: Open) -> None:
    html = """<form data-tool="save"><input name="id" data-json value="3">
      <button>Save</button><button data-tool="remove" formnovalidate>Remove</button>
      <button type="button">Nothing</button></form>"""
    with open_page(html) as page:
        page.locator("text=Nothing").click()
        page.locator("text=Remove").click()
        assert page.wait_for_calls(1) == [["remove", {"id": 3}]]


FIELDS = """
<form data-tool="save" data-args='{"id": 7}'>
  <input name="text" value="a"> <input name="number" type="number" value="05">
  <input name="share" type="range" value="50">
  <input name="none" type="number"> <input name="day" type="date"> <input name="mail" type="email">
  <input name="yes" type="checkbox" checked> <input name="no" type="checkbox">
  <input name="some" type="checkbox" value="a" checked> <input name="some" type="checkbox" value="b">
  <input name="some" type="checkbox" value="c" checked> <input name="empty" type="checkbox" value="z">
  <input name="size" type="radio" value="S"> <input name="size" type="radio" value="L" checked>
  <input name="unset" type="radio" value="u">
  <select name="one"><option>x<option selected>y</select>
  <select name="many" multiple><option selected>x<option>y<option selected>z</select>
  <select name="typed" data-json><option value="1">one<option value="2" selected>two</select>
  <textarea name="long">line</textarea> <input type="hidden" name="secret" value="s">
  <input name="off" value="x" disabled> <fieldset disabled><input name="inside" value="x"></fieldset>
  <input value="nameless"> <input name="__proto__" value="polluted">
  <button name="other" value="1" type="button">b</button>
  <button>Go</button>
</form>
"""


@FORMS
def test_fields_give_what_they_are(open_page: Open, forms: bool) -> None:
    with open_page(FIELDS, forms=forms) as page:
        page.locator("text=Go").click()
        ((name, given),) = page.wait_for_calls(1)
        assert name == "save"
        assert {key: value for key, value in given.items() if value is not None} == {
            "id": 7, "text": "a", "number": 5, "share": 50, "yes": True, "no": False, "some": ["a", "c"], "empty": [],
            "size": "L", "one": "y", "many": ["x", "z"], "typed": 2, "long": "line", "secret": "s",
        }  # fmt: skip
        assert page.frame.evaluate("({}).polluted") is None


FILES = """<form data-tool="up">
  <input type="file" name="one"><input type="file" name="all" multiple><button>Go</button>
</form>"""


def test_files_are_read(open_page: Open, tmp_path: Path) -> None:
    paths = [tmp_path / "a.txt", tmp_path / "b.bin", tmp_path / "empty.txt"]
    for path, data in zip(paths, [b"hello", bytes(range(256)) * 2000, b""], strict=True):
        path.write_bytes(data)
    with open_page(FILES) as page:
        page.locator("[name=one]").set_input_files(paths[0])
        page.locator("[name=all]").set_input_files(paths[1:])
        page.locator("button").click()
        ((_, given),) = page.wait_for_calls(1)
        assert given["one"] == {"name": "a.txt", "mimeType": "text/plain", "data": "aGVsbG8="}
        sizes: list[Any] = [(one["name"], len(one["data"])) for one in given["all"]]
        assert sizes == [("b.bin", 682668), ("empty.txt", 0)]


def test_a_form_without_files_still_calls(open_page: Open) -> None:
    with open_page(FILES) as page:
        page.locator("button").click()
        ((_, given),) = page.wait_for_calls(1)
        assert given == {"one": None, "all": []}  # undefined, which JSON leaves out
