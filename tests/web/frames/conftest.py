"""One browser, one site and one outer page for the folder. It is the whole browser: the one without windows lets frames
of other sites store things, which people's browsers deny in private windows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.chromium import launched
from tests.web.frames.site import FrameSite
from tools.chromium import whole_chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched(whole_chromium()) as started:
        yield started


@pytest.fixture(scope="package")
def site() -> Iterator[FrameSite]:
    with FrameSite() as made:
        yield made


@pytest.fixture(scope="package")
def page(browser: Browser, site: FrameSite) -> Iterator[Page]:
    """The outer page. In a context like a private window the browser denies storage to frames of another site."""
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(30_000)
    opened(made, site)
    yield made
    context.close()


def opened(page: Page, site: FrameSite, *, at: str | None = None) -> Page:
    """The outer page, which knows the other origins."""
    page.goto(f"{at or site.own}/outer.html")
    sites = json.dumps({"port": site.port, "name": site.name})
    page.evaluate("(sites) => sessionStorage.setItem('sites', sites)", sites)
    return page
