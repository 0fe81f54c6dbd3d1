"""The view runtime in a real Chromium: frames without an origin, policies, failures, and sizes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from cloche.views import generate_bridge
from cloche.views.scripts import inject
from tests.support.chromium import launched
from tools.chromium import chromium

HOST = (Path(__file__).parent / "host.html").as_uri()
STRICT = "default-src 'none'; script-src 'unsafe-inline'"
SIZE = "ui/notifications/size-changed"
LOG = "notifications/message"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched(chromium()) as started:
        yield started


@contextmanager
def showing(browser: Browser, body: str, *, head: str = "", **options: Any) -> Iterator[Page]:
    """A host page that shows a view with this body, in a frame without an origin."""
    document = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
    page = browser.new_page()
    page.goto(HOST)
    html = inject(document, bridge=generate_bridge()) if not head else with_policy(document)
    page.evaluate("([html, options]) => mount(html, options)", [html, options])
    yield page
    page.close()


def with_policy(document: str) -> str:
    """The script after the policy in the head, so that the policy holds for it."""
    start, end = document.split("</head>")
    return f"{start}<script>{generate_bridge()}</script></head>{end}"


def heard(page: Page, method: str, count: int = 1) -> list[Any]:
    found: list[Any] = page.evaluate("([method, count]) => heard(method, count)", [method, count])
    return found


def heights(page: Page) -> list[int]:
    """Every height that the view asked for, once nothing more is under way."""
    heard(page, SIZE)
    page.evaluate("() => settled()")
    return [size["height"] for size in heard(page, SIZE)]


def policy(text: str) -> str:
    return f'<meta http-equiv="Content-Security-Policy" content="{text}">'


def test_a_frame_without_an_origin_under_the_strictest_policy_is_enough(browser: Browser) -> None:
    call = "(input) => cloche.callTool('echo', input).then((result) => cloche.log('info', result))"
    body = f"<script>cloche.on('tool:input', {call})</script>"
    with showing(
        browser, body, head=policy(STRICT), context={"theme": "dark", "styles": {"variables": {"--font-sans": "x"}}}
    ) as page:
        heard(page, "ui/notifications/initialized")
        page.evaluate("() => say({method: 'ui/notifications/tool-input', params: {arguments: {a: 1}}})")
        logs = heard(page, LOG)
        assert logs[0]["data"]["structuredContent"] == {"a": 1}
        page.evaluate("() => settled()")
        assert [log for log in heard(page, LOG) if log["level"] == "error"] == []
        frame = page.frames[1]
        assert frame.evaluate("() => origin") == "null"
        assert frame.evaluate("() => document.documentElement.dataset.theme") == "dark"
        assert frame.evaluate("() => getComputedStyle(document.documentElement).colorScheme") == "dark"
        assert frame.evaluate("() => document.documentElement.style.getPropertyValue('--font-sans')") == "x"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<script>throw new TypeError('at once')</script>", "TypeError: at once"),
        ("<script>Promise.reject(new Error('later'))</script>", "Error: later"),
        ("<script>cloche.on('bridge:ready', () => { throw Error('listener') })</script>", "Error: listener"),
        ("<img src='https://images.example/a.png'>", "Blocked by CSP: img-src https://images.example/a.png"),
        ("<script>try { eval('1') } catch {}</script>", "Blocked by CSP: script-src eval"),
        ("<script>undefined_function()</script>", "undefined_function is not defined"),
    ],
    ids=["throw", "rejection", "listener", "image", "eval", "name"],
)
def test_a_view_that_fails_says_why(browser: Browser, body: str, reason: str) -> None:
    with showing(browser, body, head=policy(STRICT)) as page:
        logs = heard(page, LOG)
        assert logs[0]["level"] == "error"
        assert reason in logs[0]["data"]


def test_a_script_that_does_not_load_is_named(browser: Browser) -> None:
    with showing(browser, "<script src='data:text/javascript;base64,%%%'></script>") as page:
        logs = heard(page, LOG)
        assert logs[0]["data"].startswith("Not loaded: data:")


def test_a_host_that_does_not_answer_is_told_so(browser: Browser) -> None:
    with showing(browser, "x", silent=True) as page:
        logs = heard(page, LOG)
        assert logs == [{"level": "error", "logger": "view", "data": "ui/initialize: no answer"}]


def test_a_flood_of_errors_is_cut_off(browser: Browser) -> None:
    with showing(browser, "<script>for (let i = 0; i < 500; i++) Promise.reject(i)</script>") as page:
        heard(page, LOG, 50)
        page.evaluate("() => settled()")
        assert len(heard(page, LOG)) == 50


BOX = "<div id=box style='height: {}px'></div>"
NO_MARGIN = "<style>body { margin: 0 }</style>"


def test_the_frame_follows_content_that_comes_late_and_goes(browser: Browser) -> None:
    with showing(browser, NO_MARGIN + BOX.format(320)) as page:
        assert heights(page) == [320]
        for height in (700, 90):
            page.frames[1].evaluate("(height) => { box.style.height = height + 'px' }", height)
            assert (heights(page))[-1] == height
        assert heights(page) == [320, 700, 90]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<style>body { margin: 0; height: 100vh }</style>text", [150]),
        ("<style>body { margin: 0; min-height: 100vh }</style>" + BOX.format(400), [400]),
        ("<style>html, body { margin: 0; height: 100% }</style>" + BOX.format(400), [400]),
        ("<style>html, body { margin: 0; height: 100% }</style>" + BOX.format(90), [90]),
    ],
    ids=["100vh", "min-100vh", "100%", "100%-less"],
)
def test_a_page_that_fills_its_frame_neither_hides_content_nor_grows(
    browser: Browser, body: str, expected: list[int]
) -> None:
    with showing(browser, body) as page:
        assert heights(page) == expected


def test_a_page_that_is_always_taller_than_its_frame_stops_growing(browser: Browser) -> None:
    with showing(browser, "<style>body { margin: 8px; height: 100vh }</style>text") as page:
        asked = heights(page)
        assert 1 <= len(asked) <= 4
        assert heights(page) == asked


def test_late_content_in_a_page_of_full_height_is_seen_and_scrolling_is_kept(browser: Browser) -> None:
    style = "<style>html, body, #list { margin: 0; height: 100% } #list { overflow: auto }</style>"
    with showing(browser, f"{style}<div id=list>{BOX.format(900)}</div>", most=300) as page:
        assert heights(page) == [900]
        frame = page.frames[1]
        frame.evaluate("() => { list.scrollTop = 250; box.style.height = '950px'; list.append('') }")
        assert heights(page) == [900, 950]
        assert frame.evaluate("() => list.scrollTop") == 250


def test_fullscreen_says_nothing_and_the_way_back_says_the_size_again(browser: Browser) -> None:
    with showing(browser, NO_MARGIN + BOX.format(320)) as page:
        assert heights(page) == [320]
        change = "(displayMode) => say({method: 'ui/notifications/host-context-changed', params: {displayMode}})"
        page.evaluate(change, "fullscreen")
        page.evaluate("() => { frame.style.height = '900px' }")
        page.frames[1].evaluate("() => { box.style.height = '500px' }")
        assert heights(page) == [320]
        page.frames[1].evaluate("() => { box.style.height = '320px' }")
        page.evaluate(change, "inline")
        assert heights(page) == [320, 320]
        assert page.evaluate("() => frame.clientHeight") == 320
