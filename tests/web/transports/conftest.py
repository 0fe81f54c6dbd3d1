"""One browser and one site for the folder; each test has a page of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.chromium import launched
from tests.support.transport_site import TransportSite
from tools.chromium import chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched(chromium()) as started:
        yield started


@pytest.fixture(scope="package")
def site() -> Iterator[TransportSite]:
    with TransportSite() as made:
        yield made


@pytest.fixture
def page(browser: Browser, site: TransportSite) -> Iterator[Page]:
    """A page with nothing on it, at the site's first origin, in a context of its own."""
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(20_000)
    made.goto(f"{site.url}/empty.html")
    yield made
    context.close()
