"""A tool that never comes back is stopped, every other call has an outcome, and the next one works."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.page.conftest import opened
from tests.browser.page.site import PythonSite

START = """(deadline) => {
    lab.start("lab", {url: "/lab/", deadline});
    const declined = {action: "decline"};
    const later = () => new Promise((resolve) => setTimeout(resolve, 1.8 * deadline, declined));
    return lab.connect("lab", {handlers: {"elicitation/create": later}});
}"""

TOGETHER = """async (tools) => {
    const answers = await Promise.all(tools.map((tool) => lab.call("lab", tool)));
    return answers.map(({result, error}) => error ? error.message : [result.isError ?? false, result.content[0].text]);
}"""


@pytest.fixture(scope="module")
def isolated(browser: Browser, isolated_site: PythonSite) -> Iterator[Page]:
    """A lab whose memory the page can write an interrupt to."""
    for page in opened(browser, isolated_site.page()):
        assert page.evaluate("() => crossOriginIsolated")
        page.evaluate(START, 1500)
        yield page


@pytest.fixture(scope="module")
def plain(browser: Browser, site: PythonSite) -> Iterator[Page]:
    """A lab that can only be ended."""
    for page in opened(browser, site.page()):
        assert not page.evaluate("() => crossOriginIsolated")
        page.evaluate(START, 1500)
        yield page


def together(page: Page, *tools: str) -> list[Any]:
    found: list[Any] = page.evaluate(TOGETHER, list(tools))
    return found


def restarts(page: Page) -> int:
    found: int = page.evaluate("() => lab.servers.lab.server.restarts")
    return found


STOPPED = [True, "The tool did not finish in time and was stopped"]
GONE = "The server is gone; it may have done what was asked"
TIME_IS_UP = [True, "The tool did not finish within 1.5 seconds"]


@pytest.mark.parametrize("tool", ["spin", "spin_on_the_loop"])
def test_under_isolation_it_is_interrupted_and_python_lives_on(tool: str, isolated: Page) -> None:
    before = together(isolated, "count")[0][1]
    # What was asked meanwhile is answered, by the same Python: it has not forgotten.
    assert together(isolated, tool, "count") == [STOPPED, [False, str(int(before) + 1)]]
    assert together(isolated, "count") == [[False, str(int(before) + 2)]]
    assert restarts(isolated) == 0


def test_a_call_that_is_only_slow_is_cancelled_and_nobody_else_is_disturbed(isolated: Page) -> None:
    assert together(isolated, "hang") == [TIME_IS_UP]
    assert together(isolated, "hanging") == [[False, "0"]]
    assert restarts(isolated) == 0


def test_while_a_person_is_asked_the_clock_stands_still(isolated: Page) -> None:
    """The person takes nearly twice as long as a call may, and what is done with the answer takes time too."""
    assert together(isolated, "asks") == [[False, "decline"]]


def test_what_cannot_be_interrupted_is_ended_even_there(isolated: Page) -> None:
    assert together(isolated, "stubborn") == [TIME_IS_UP]
    assert restarts(isolated) == 1
    assert together(isolated, "count") == [[False, "1"]]


def test_elsewhere_the_worker_is_replaced_and_every_call_has_an_outcome(plain: Page) -> None:
    assert together(plain, "count", "count") == [[False, "1"], [False, "2"]]
    plain.evaluate("() => lab.subscribe('lab', 'lab://count')")
    outcomes = plain.evaluate(
        """async () => {
            const stuck = lab.call("lab", "spin");
            await new Promise((resolve) => setTimeout(resolve, 1250));
            // Asked later, so its own time is not up when the worker is ended.
            const other = lab.call("lab", "count");
            return [await stuck, await other];
        }"""
    )
    assert outcomes[0]["result"]["content"][0]["text"] == TIME_IS_UP[1]
    assert (outcomes[1]["error"]["code"], outcomes[1]["error"]["message"]) == (-32000, GONE)
    # The next call works without another word of the client: the greeting was said again for it.
    assert together(plain, "count") == [[False, "1"]]
    assert plain.evaluate("() => lab.servers.lab.kept.restarts") == [
        {"reason": "a call did not finish within 1.5 s", "restarts": 1}
    ]


def test_after_that_the_subscription_holds(plain: Page) -> None:
    """The client is told that what it read may have changed, and of every change from then on."""
    plain.wait_for_function("() => lab.servers.lab.kept.updates.length >= 2")
    together(plain, "count")
    plain.wait_for_function("() => lab.servers.lab.kept.updates.length >= 3")
    assert set(plain.evaluate("() => lab.servers.lab.kept.updates")) == {"lab://count"}


def test_a_python_that_broke_down_is_replaced_at_once(plain: Page) -> None:
    assert together(plain, "crash") == [GONE]
    reasons = [one["reason"] for one in plain.evaluate("() => lab.servers.lab.kept.restarts")]
    assert reasons[-1].startswith("Python broke down (")
    assert together(plain, "count") == [[False, "1"]]
