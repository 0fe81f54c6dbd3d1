"""A server in a worker: what the page hears of its start, what it hands over, and the cases of every server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.page.conftest import opened
from tests.browser.page.site import PythonSite
from tests.support.page_cases import CASES
from tests.support.walks import missing, walk

CONFIG = {"units": "metric", "nested": {"list": [1, None]}}
TOKEN = {"token": "secret-1", "id": "ada", "scopes": ["read", "write"]}


@pytest.fixture(scope="module")
def lab(page: Page) -> Iterator[Page]:
    """The lab, asked for something before Python has started."""
    page.evaluate(
        "(options) => lab.start('lab', {url: '/lab/python.json', ...options})", {"config": CONFIG, "token": TOKEN}
    )
    page.evaluate("() => { lab.early = lab.connect('lab').then(() => lab.call('lab', 'told')) }")
    yield page
    page.evaluate("() => lab.servers.lab.server.close()")


def kept(page: Page, name: str, what: str) -> list[Any]:
    found: list[Any] = page.evaluate("([name, what]) => lab.servers[name].kept[what]", [name, what])
    return found


def call(page: Page, name: str, tool: str, **arguments: object) -> dict[str, Any]:
    answer: dict[str, Any] = page.evaluate("(of) => lab.call(...of)", [name, tool, arguments])
    found: dict[str, Any] = answer.get("result", answer)
    return found


@pytest.mark.requirement(5, 7, 10, 26)
def test_what_is_asked_before_python_is_ready_is_answered_when_it_is(lab: Page) -> None:
    told = lab.evaluate("() => lab.early")["result"]["structuredContent"]
    assert told == {
        "config": CONFIG,
        "auth": "secret-1",
        "id": "ada",
        "scopes": ["read", "write"],
        "python": [3, 14],
        "platform": "emscripten",
    }
    assert call(lab, "lab", "guarded")["content"][0]["text"] == "let in"


def test_a_start_is_told_stage_by_stage(lab: Page) -> None:
    progress = kept(lab, "lab", "progress")
    assert [one["stage"] for one in progress] == ["runtime", "snapshot", "packages", "import", "ready"]
    fractions = [one["fraction"] for one in progress]
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1]) == (0, 1)
    times = [one["ms"] for one in progress]
    assert times == sorted(times)
    assert "note" not in progress[-1]


def test_a_message_takes_the_way_that_the_documentation_describes(lab: Page) -> None:
    call(lab, "lab", "follow")
    assert call(lab, "lab", "guarded")["content"][0]["text"] == "let in"
    calls = call(lab, "lab", "followed")["structuredContent"]["result"]
    assert missing(walk("A message into Python in the page"), calls) == []


def test_what_python_prints_reaches_the_page(lab: Page) -> None:
    call(lab, "lab", "say", text="hello\nworld")
    told = [(one["stream"], one["text"]) for one in kept(lab, "lab", "output")]
    assert told == [("stdout", "hello"), ("stdout", "world"), ("stderr", "HELLO"), ("stderr", "WORLD")]


def test_a_plain_function_waits_for_the_loop(lab: Page) -> None:
    """In a worker restored from a snapshot, too: Python must know that this browser can switch stacks."""
    answer = lab.evaluate(
        """async () => {
            const told = [];
            const onProgress = (one) => told.push(one.progress);
            const answer = await lab.call("lab", "progress_from_a_function", {}, {onProgress});
            return [answer.result.content[0].text, told];
        }"""
    )
    assert answer == ["waited", [1]]


@pytest.mark.requirement(6)
def test_two_starts_from_one_snapshot_draw_different_numbers(lab: Page) -> None:
    lab.evaluate("() => lab.start('twin', {url: '/lab'})")
    lab.evaluate("() => lab.connect('twin')")
    ours, theirs = (call(lab, name, "chance")["structuredContent"]["result"] for name in ("lab", "twin"))
    assert all(one != other for one, other in zip(ours, theirs, strict=True)), (ours, theirs)
    lab.evaluate("() => lab.servers.twin.server.close()")
    assert lab.evaluate("() => lab.call('twin', 'count').catch((error) => error.code)") == "TRANSPORT_CLOSED"


def test_the_snapshot_is_not_kept_beside_the_memory_that_it_became(lab: Page) -> None:
    """It has 30 MB."""
    assert call(lab, "lab", "snapshot_bytes")["structuredContent"] == {"result": 0}


@pytest.mark.requirement(11, 12, 26)
def test_the_javascript_cases_pass_against_python(lab: Page) -> None:
    lab.evaluate("() => lab.early")
    outcomes = lab.evaluate(
        """async () => {
            const { runCases } = await import("/tests/web/transports/runner.js");
            const { port } = await import("/ways.js");
            return await runCases(port, {deadline: 10_000});
        }"""
    )
    assert [one for one in outcomes if one["failure"] is not None] == []
    assert len(outcomes) == CASES


def test_nothing_is_forbidden_and_nothing_is_missing(lab: Page, site: PythonSite) -> None:
    """The policy allows no inline script, no eval, nothing from elsewhere, and no worker but from here."""
    assert lab.evaluate("() => lab.violations") == []
    assert site.missed == []
    assert all(url.endswith("/web/python/worker.js") for url in lab.evaluate("() => lab.urls"))


def test_in_a_frame_without_an_origin_the_worker_starts_from_a_data_url(
    browser: Browser, open_site: PythonSite
) -> None:
    for page in opened(browser, open_site.page("opaque")):
        frame = page.frames[1]
        frame.wait_for_function("() => globalThis.lab")
        assert frame.evaluate("() => self.origin") == "null"
        url = f"{open_site.url}/lab/"
        # The other way is refused there: so it is not for nothing.
        refused = frame.evaluate(
            """(url) => new Promise((resolve) => {
                try {
                    new Worker(url, {type: "module"}).onerror = () => resolve("error");
                } catch (error) { resolve(error.name); }
            })""",
            url + "web/python/worker.js",
        )
        assert refused == "SecurityError"
        frame.evaluate("(url) => lab.start('opaque', {url})", url)
        assert frame.evaluate("() => lab.failure('opaque')") is None
        frame.evaluate("() => lab.connect('opaque')")
        assert frame.evaluate("() => lab.call('opaque', 'count')")["result"]["structuredContent"] == {"result": 1}
        assert re.match(r"data:text/javascript,", frame.evaluate("() => lab.urls.at(-1)"))
        assert frame.evaluate("() => lab.violations") == []
