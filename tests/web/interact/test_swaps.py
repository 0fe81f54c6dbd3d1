"""What comes back is put where it belongs: in order, beside its errors, and without losing the person's place."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.interact.conftest import Open

SHAPES = pytest.mark.parametrize("form", ["one file", "module"])
PLACE = '<button data-tool="go" data-target="#place" data-swap="{}">Go</button><div id="place"><i>old</i></div>'


def text(value: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value}], **more}


@SHAPES
@pytest.mark.parametrize(
    ("swap", "after"),
    [
        ("inner", '<div id="place"><b>new</b></div>'),
        ("outer", "<b>new</b>"),
        ("append", '<div id="place"><i>old</i><b>new</b></div>'),
        ("prepend", '<div id="place"><b>new</b><i>old</i></div>'),
        ("none", '<div id="place"><i>old</i></div>'),
    ],
)
def test_each_way_to_put_it(open_page: Open, form: str, swap: str, after: str) -> None:
    with open_page(PLACE.format(swap), form=form) as page:
        page.locator("button").click()
        page.wait_for_calls(1)
        expect(page.locator("button")).to_have_attribute("aria-busy", "true")
        expect(page.locator("#place")).to_have_attribute("aria-busy", "true")
        page.answer_html(0, "<b>new</b>")
        expect(page.locator("button")).not_to_have_attribute("aria-busy", "true")
        assert after in page.frame.evaluate("document.body.innerHTML")


def test_the_element_itself_is_the_place_unless_another_is_named(open_page: Open) -> None:
    with open_page(
        """<p data-tool="go" data-args='{"a": [1]}'>old</p>
        <ul><li><a data-tool="go" data-target="closest li">x</a></ul>"""
    ) as page:
        page.locator("p").click()
        assert page.wait_for_calls(1) == [["go", {"a": [1]}]]
        page.answer_html(0, "new")
        expect(page.locator("p")).to_have_text("new")
        page.locator("a").click()
        page.wait_for_calls(2)
        page.answer_html(1, "row")
        expect(page.locator("li")).to_have_text("row")


def test_an_older_answer_never_overwrites_a_newer_one(open_page: Open) -> None:
    with open_page(PLACE.format("inner")) as page:
        for count in (1, 2, 3):
            page.locator("button").click()
            page.wait_for_calls(count)
        page.answer_html(0, "first")
        expect(page.locator("#place")).to_have_text("first")
        page.answer_html(2, "third")
        page.answer_html(1, "second")
        expect(page.locator("#place")).to_have_text("third")
        expect(page.locator("#place")).not_to_have_attribute("aria-busy", "true")


def test_an_older_answer_does_not_reach_into_what_is_newer(open_page: Open) -> None:
    html = """<div id="list"><p id="row">old</p></div>
      <button id="one" data-tool="row" data-target="#row">1</button>
      <button id="all" data-tool="list" data-target="#list">2</button>"""
    with open_page(html) as page:
        page.locator("#one").click()
        page.wait_for_calls(1)
        page.locator("#all").click()
        page.wait_for_calls(2)
        page.answer_html(1, '<p id="row">newer</p>')
        page.answer_html(0, "older")
        expect(page.locator("#row")).to_have_text("newer")


def test_answers_find_the_element_that_replaced_theirs(open_page: Open) -> None:
    with open_page('<button data-tool="go" data-swap="outer">0</button>') as page:
        for count in (1, 2):
            page.locator("button").click()
            page.wait_for_calls(count)
        page.answer_html(0, '<button data-tool="go" data-swap="outer">1</button>')
        expect(page.locator("button")).to_have_text("1")
        page.answer_html(1, '<button data-tool="go" data-swap="outer">2</button>')
        expect(page.locator("button")).to_have_text("2")


def test_what_adds_up_comes_in_the_order_of_the_calls(open_page: Open) -> None:
    with open_page(PLACE.format("append")) as page:
        for count in (1, 2, 3):
            page.locator("button").click()
            page.wait_for_calls(count)
        for at in (2, 1, 0):
            page.answer_html(at, f"<b>{at}</b>")
        expect(page.locator("#place")).to_have_text("old012")


def test_text_is_text_whatever_it_looks_like(open_page: Open) -> None:
    with open_page(PLACE.format("inner")) as page:
        page.locator("button").click()
        page.wait_for_calls(1)
        page.answer(0, text("<img src=x onerror=errors.push('ran')>"))
        expect(page.locator("#place")).to_have_text("<img src=x onerror=errors.push('ran')>")
        page.locator("button").click()
        page.wait_for_calls(2)
        page.answer(1, text("plain", _meta={"cloche/html": "<b>rich</b><script>errors.push('ran')</script>"}))
        expect(page.locator("#place b")).to_have_text("rich")


def test_errors_are_said_beside_the_element_and_taken_back(open_page: Open) -> None:
    with open_page(PLACE.format("inner")) as page:
        alert = page.locator("button + [role=alert]")
        page.locator("button").click()
        page.wait_for_calls(1)
        page.answer(0, text("It is <closed>.", isError=True))
        expect(alert).to_have_text("It is <closed>.")
        expect(page.locator("button[data-error]")).to_have_count(1)
        expect(page.locator("#place")).to_have_text("old")
        page.locator("button").click()
        page.wait_for_calls(2)
        page.frame.evaluate("cloche.calls[1].reject(Error('no connection'))")
        expect(alert).to_have_text("no connection")
        page.locator("button").click()
        page.wait_for_calls(3)
        page.answer_html(2, "fine")
        expect(alert).to_have_text("")
        expect(page.locator("[data-error]")).to_have_count(0)
        expect(page.locator("[aria-busy]")).to_have_count(0)


def test_a_box_whose_call_failed_goes_back(open_page: Open) -> None:
    with open_page('<input type="checkbox" name="done" data-tool="go" data-swap="none">') as page:
        page.locator("input").check()
        assert page.wait_for_calls(1) == [["go", {"done": True}]]
        page.answer(0, text("No.", isError=True))
        expect(page.locator("input")).not_to_be_checked()


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ('<button data-tool="go" data-target="#nowhere">Go</button>', "data-target finds nothing: #nowhere"),
        ("""<button data-tool="go" data-args="{'a': 1}">Go</button>""", "JSON"),
    ],
    ids=["target", "arguments"],
)
def test_mistakes_of_the_author_are_said(open_page: Open, html: str, said: str) -> None:
    with open_page(html) as page:
        page.locator("button").click()
        expect(page.locator("[role=alert]")).to_contain_text(said)
        assert page.calls() == []


def test_elements_that_come_later_and_those_that_load(open_page: Open) -> None:
    with open_page('<p data-tool="first" data-trigger="load">…</p>') as page:
        assert page.wait_for_calls(1) == [["first", {}]]
        page.answer_html(0, '<button data-tool="second">Go</button><i data-tool="third" data-trigger="load">…</i>')
        assert page.wait_for_calls(2)[1] == ["third", {}]
        page.locator("button").click()
        assert page.wait_for_calls(3)[2] == ["second", {}]


def test_fields_call_when_they_change_or_while_one_types(open_page: Open) -> None:
    html = """<select name="year" data-tool="pick" data-swap="none"><option>2025<option>2026</select>
      <input name="q" data-tool="find" data-trigger="input" data-target="#hits"><p id="hits"></p>"""
    with open_page(html) as page:
        page.locator("select").select_option("2026")
        assert page.wait_for_calls(1) == [["pick", {"year": "2026"}]]
        page.locator("input").press_sequentially("bread")
        calls = page.wait_for_calls(2)
        page.frame.wait_for_function("cloche.calls.at(-1).given[1].q == 'bread'")
        assert len(calls) < 1 + len("bread")  # not one call per key
        expect(page.locator("input")).to_be_focused()


ROWS = "".join(
    f'<li><input name="n" value="row {at}"><button data-tool="del" data-target="#list">x</button>' for at in range(60)
)
LIST = f'<div id="outside" style="height: 300px; overflow: auto"><ul id="list">{ROWS}</ul></div>'


def test_focus_selection_and_scroll_stay(open_page: Open) -> None:
    html = f'<div id="all">{LIST}</div><button id="again" data-tool="go" data-target="#all">Again</button>'
    with open_page(html) as page:
        page.frame.evaluate(
            """() => {
              outside.scrollTop = 700;
              const field = list.querySelectorAll("input")[30];
              field.focus({ preventScroll: true });
              field.setSelectionRange(1, 3);
              again.click();
            }"""
        )
        page.wait_for_calls(1)
        page.answer_html(0, LIST)
        state = page.frame.evaluate(
            """() => {
              const field = document.activeElement;
              const at = [...list.querySelectorAll("input")].indexOf(field);
              return [at, field.selectionStart, field.selectionEnd, outside.scrollTop];
            }"""
        )
        assert state == [30, 1, 3, 700]


def test_the_focus_goes_to_the_next_row_when_its_row_is_gone(open_page: Open) -> None:
    with open_page(LIST) as page:
        page.locator("button").nth(3).focus()
        page.locator("button").nth(3).press("Enter")
        page.wait_for_calls(1)
        page.answer_html(
            0, ROWS.replace('<li><input name="n" value="row 3">', "", 1).replace("x</button>", "y</button>")
        )
        expect(page.locator("button").nth(3)).to_be_focused()


def test_what_is_typed_meanwhile_is_kept_and_what_was_sent_is_not(open_page: Open) -> None:
    form = """<form id="f" data-tool="add" data-target="#f" data-swap="outer">
      <input name="title"><button>Add</button></form>"""
    with open_page(form) as page:
        page.locator("input").fill("sent")
        page.locator("input").press("Enter")
        page.wait_for_calls(1)
        page.answer_html(0, form)
        expect(page.locator("input")).to_have_value("")
        expect(page.locator("input")).to_be_focused()
        page.locator("input").fill("sent")
        page.locator("input").press("Enter")
        page.wait_for_calls(2)
        page.locator("input").press_sequentially(" and more")
        page.answer_html(1, form)
        expect(page.locator("input")).to_have_value("sent and more")
