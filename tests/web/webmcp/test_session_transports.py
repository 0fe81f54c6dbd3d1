"""A session of `connect()` is an MCP server over every transport that a page has, workers and ports among them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.chromium import launched
from tests.support.transport_site import TransportSite
from tests.web.webmcp.test_webmcp import HERE
from tools.chromium import chromium

WAYS = (
    *("emitter", "channel", "session in a worker", "client in a worker", "a port that a worker was given"),
    *("shared worker", "broadcast", "tab", "frame", "window"),
)
RUN = "async (way) => await (await import('/tests/web/webmcp/session_ways.js')).ways[way]()"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched(chromium()) as started:
        yield started


@pytest.fixture(scope="module")
def site() -> Iterator[TransportSite]:
    with TransportSite() as made:
        made.add_folder("/tests/web/webmcp", HERE)
        yield made


@pytest.fixture
def page(browser: Browser, site: TransportSite) -> Iterator[Page]:
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(25_000)
    made.goto(f"{site.url}/empty.html")
    yield made
    context.close()


def test_every_way_is_tried(page: Page) -> None:
    named = page.evaluate("async () => Object.keys((await import('/tests/web/webmcp/session_ways.js')).ways)")
    assert named == list(WAYS)


@pytest.mark.requirement(141, 186)
@pytest.mark.parametrize("way", WAYS)
def test_a_session_over_this_transport(page: Page, way: str) -> None:
    who, found, wrong, document, last, late, after = page.evaluate(RUN, way)
    assert who == {"client": "agent", "state": "connected"}
    assert found == {"results": ["a"]}
    assert wrong.startswith("Invalid arguments for search: query must be string")
    assert (document, last) == ("all", "it ends")
    assert (late, after) == ("closed", "Transport is closed")
