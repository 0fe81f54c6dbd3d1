"""Python serves and asks over every transport of the page, by the classes that have the same names in Python.

In the service worker of an extension Python cannot start: modules cannot be imported there once it runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from cloche.testing.behaviour import CASES as CASES_OF_PYTHON
from cloche.testing.behaviour.task_cases import TASK_CASES
from tests.browser.page.conftest import opened
from tests.browser.page.site import PythonSite
from tests.browser.page.waiting import answer_of
from tests.support.page_cases import CASES

RUN = """async (kind) => {
    const { runCases } = await import("/tests/web/transports/runner.js");
    const { everywhere } = await import("/ways.js");
    return await runCases(everywhere[kind], {deadline: 30_000, total: 50_000});
}"""


@pytest.fixture(scope="module")
def framed(browser: Browser, site: PythonSite) -> Iterator[Page]:
    """A page with a frame in which Python has started."""
    for page in opened(browser, site.page()):
        answer_of(page, "async () => (await import('/ways.js')).startFrame('everywhere')")
        yield page


@pytest.mark.requirement(1, 25, 43)
@pytest.mark.parametrize("kind", ["port", "window", "frame", "broadcast", "tab", "shared"])
def test_the_javascript_cases_pass_against_python(kind: str, framed: Page) -> None:
    outcomes = answer_of(framed, RUN, kind)
    assert [one for one in outcomes if one["failure"] is not None] == []
    assert len(outcomes) == CASES


@pytest.fixture(scope="module")
def asking(browser: Browser, site: PythonSite) -> Iterator[Page]:
    """A page with servers in JavaScript, and a frame in which Python has started, which has a frame of its own."""
    for page in opened(browser, site.page()):
        answer_of(
            page,
            """async () => {
                const { serveEverywhere, startFrame } = await import("/ways.js");
                serveEverywhere();
                await startFrame("asking");
            }""",
        )
        yield page


@pytest.mark.requirement(1, 26, 43)
@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("kind", ["port", "window", "frame", "broadcast", "sealed", "tab"])
def test_python_cases_pass_against_javascript(kind: str, version: str, asking: Page) -> None:
    told = answer_of(asking, "async (asked) => (await import('/ways.js')).askedByPython(...asked)", [kind, version])
    outcomes = json.loads(told)
    assert [one for one in outcomes if one["failure"] is not None] == []
    assert len(outcomes) == len(CASES_OF_PYTHON) - len(TASK_CASES) - (2 if kind == "sealed" else 1)
