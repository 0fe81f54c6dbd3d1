"""One browser for the folder, and pages of servers under two other origins. It is the whole browser: the one without
windows lets frames of other sites store things.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.host.upstreams.in_frame.chromium.shop import Shop
from tests.support.chromium import launched
from tests.web.frames.site import FrameSite
from tools.chromium import whole_chromium

TIMEOUT = 20_000


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=TIMEOUT)
    with launched(whole_chromium()) as started:
        yield started


@pytest.fixture(scope="package")
def pages() -> Iterator[FrameSite]:
    """`pages.port` is another origin than the product's, `pages.name` another site."""
    with FrameSite() as made:
        yield made


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(bypass_csp=True)
    made = context.new_page()
    made.set_default_timeout(TIMEOUT)
    yield made
    context.close()


@pytest.fixture
def shop() -> Iterator[Shop]:
    with Shop() as made:
        yield made
