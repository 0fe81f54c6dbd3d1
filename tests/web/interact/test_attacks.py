"""W01 and W02 in a real browser: what succeeds with naive formatting fails with the builder, in the same run."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from cloche.views import h, json_script, raw
from tests.web.interact import stage

RAN = "window.hacked = true"


def naive_script(data: str) -> str:
    return f"<script>window.data = {json.dumps({'title': data})}</script>"


def safe_script(data: str) -> str:
    read = raw("window.data = JSON.parse(document.getElementById('data').textContent)")
    return h(json_script("data", {"title": data}), h.script(read))


ATTACKS: dict[str, tuple[str, Callable[[str], str], Callable[[str], str]]] = {
    "W01 end of the script": (f"</script><script>{RAN}</script>", naive_script, safe_script),
    "W01 handler in text": (
        f"<img src=data:, onerror='{RAN}'>",
        lambda data: f"<p>{data}</p>",
        h.p,
    ),
    "W02 out of a quoted attribute": (
        f'" onfocus="{RAN}" autofocus x="',
        lambda data: f'<input value="{data.replace("<", "&lt;")}">',
        lambda data: h.input(value=data),
    ),
    "W02 out of a single-quoted attribute": (
        f"' onfocus='{RAN}' autofocus x='",
        lambda data: f"<input value='{data.replace('<', '&lt;')}'>",
        lambda data: h.input(value=data),
    ),
    "W02 out of the whole element": (
        f'"><svg onload="{RAN}">',
        lambda data: f'<p title="{data}"></p>',
        lambda data: h.p(title=data),
    ),
    "a link that is a script": (
        f"\x01java\nscript:{RAN}",
        lambda data: f'<a href="{data}">link</a><script>document.querySelector("a").click()</script>',
        lambda data: h(h.a("link", href=data), h.script(raw('document.querySelector("a").click()'))),
    ),
}


@pytest.mark.requirement(160)
@pytest.mark.parametrize("name", ATTACKS)
def test_the_attack_works_on_naive_pages_and_not_on_built_ones(chromium: Browser, name: str) -> None:
    data, naive, built = ATTACKS[name]
    outcomes = []
    for html in (naive(data), built(data)):
        page = chromium.new_page()
        page.set_content(f"<!doctype html><body>{html}</body>")
        outcomes.append(page.evaluate("new Promise((done) => setTimeout(() => done(window.hacked === true), 100))"))
        if "data = " in html and html == built(data):
            assert page.evaluate("window.data.title") == data  # nothing is lost on the way
        page.close()
    assert outcomes == [True, False]


@pytest.mark.parametrize(
    ("fragment", "called"),
    [
        (lambda title: f"<p>{title}</p>", ["go", "delete_everything"]),
        (h.p, ["go"]),
    ],
    ids=["naive", "built"],
)
def test_data_cannot_bring_buttons_of_its_own(
    chromium: Browser, fragment: Callable[[str], str], called: list[str]
) -> None:
    """An element that calls a tool is as good as a script: only what the author wrote may be one."""
    title = '<i data-tool="delete_everything" data-trigger="load"></i>'
    with stage.stage(chromium, '<button data-tool="go" data-target="#out">Go</button><div id="out"></div>') as page:
        page.locator("button").click()
        page.wait_for_calls(1)
        page.answer_html(0, fragment(title))
        page.frame.evaluate("new Promise((done) => setTimeout(done, 50))")
        assert [name for name, _ in page.calls()] == called


def test_scripts_in_a_fragment_do_not_run(chromium: Browser) -> None:
    with stage.stage(chromium, '<button data-tool="go" data-target="#out">Go</button><div id="out"></div>') as page:
        page.locator("button").click()
        page.wait_for_calls(1)
        page.answer_html(0, f"<p>new</p><script>{RAN}</script>")
        assert page.locator("#out p").inner_text() == "new"
        assert page.frame.evaluate("window.hacked") is None
