"""A store of Python in the page is there again after a reload, and says when the browser keeps no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.page.conftest import opened
from tests.browser.page.site import PythonSite


@pytest.fixture
def page(browser: Browser, site: PythonSite) -> Iterator[Page]:
    """A page with storage of its own."""
    yield from opened(browser, site.page())


def start(page: Page) -> None:
    page.evaluate("() => lab.start('kept', {url: '/kept/python.json'})")
    page.evaluate("() => lab.connect('kept')")


def call(page: Page, tool: str, **arguments: object) -> Any:
    answer = page.evaluate("(of) => lab.call('kept', ...of)", [tool, arguments])
    return answer["result"]["structuredContent"]["result"]


def about(page: Page, is_so: str) -> Any:
    """What the server says of its storage, once that is so."""
    return page.evaluate(
        """async (key) => {
            const end = Date.now() + 30_000;
            while (Date.now() < end) {
                const about = (await lab.call("kept", "about")).result.structuredContent;
                if (key == "saved" ? about.saved > 0 : about.error) return about;
            }
            throw Error("waited for " + key);
        }""",
        is_so,
    )


@pytest.mark.requirement(73, 179)
def test_a_store_in_the_page_is_there_again_after_a_reload(page: Page) -> None:
    # Before the first write: then the browser notes how much there is.
    quota = {"origin": page.evaluate("origin"), "quotaSize": 3_000_000}
    page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", quota)
    start(page)
    assert call(page, "add", by=3) == 3
    assert about(page, "saved")["mode"] == "indexeddb"
    call(page, "fill", size=6_000_000)
    assert about(page, "error")["error"] == "The browser's storage is full: the last changes are in memory only"
    page.evaluate("() => lab.servers.kept.server.close()")
    page.reload()
    page.wait_for_function("() => globalThis.lab")
    start(page)
    assert call(page, "add", by=4) == 7
