"""Tabs of one browser that share an origin, driven from outside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.support.transport_site import TransportSite

LIBRARY = "/tests/web/transports/ways/library.js"
SERVING = "/tests/web/transports/ways/serving.html"
DEADLINE = 15_000


class Tabs:
    """Opens tabs; the names of `ways/library.js` are global in each of them."""

    def __init__(self, context: BrowserContext, site: TransportSite) -> None:
        self.context = context
        self.site = site

    def open(self) -> Page:
        """A tab with the library in it."""
        return self.go(self.context.new_page())

    def go(self, page: Page, query: str = "") -> Page:
        """Take a tab to another page."""
        page.set_default_timeout(DEADLINE)
        page.goto(f"{self.site.url}/empty.html{query}")
        return self.equip(page)

    def equip(self, page: Page) -> Page:
        """Put the library into the page that a tab shows."""
        page.evaluate(f"() => import({LIBRARY!r}).then(() => {{}})")
        return page

    def serving(self, **query: str) -> Page:
        """A tab with the reference server, when it answers."""
        page = self.context.new_page()
        page.set_default_timeout(DEADLINE)
        page.goto(f"{self.site.url}{SERVING}?" + "&".join(f"{name}={value}" for name, value in query.items()))
        page.wait_for_function("() => document.title === 'ready'")
        return page


@contextmanager
def tabs_of(browser: Browser, site: TransportSite, **options: Any) -> Iterator[Tabs]:
    """Tabs in a context of their own."""
    context = browser.new_context(**options)
    try:
        yield Tabs(context, site)
    finally:
        context.close()
