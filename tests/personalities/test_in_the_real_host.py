"""The same views in the real host, which shows them in the manner that it is given."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from cloche.host import Host
from cloche.testing.personalities import PERSONALITIES
from tests.browser.chromium import FLAGS
from tests.page.product import Product
from tests.personalities.views import VIEWS, telling_server
from tools.chromium import chromium

DEADLINE = 20_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    host = Host({"telling": telling_server()}, secret="0123456789abcdef")
    host.on_message(lambda *_: None)
    with Product(host) as made:
        yield made


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def shown(page: Page, product: Product, *names: str) -> None:
    """Open the views of these tools, one below the other."""
    page.goto(product.page("".join(product.embed(f"telling.{name}", {"start": 7}) for name in names)))


def expect_text(page: Page, number: int, text: str) -> None:
    view = page.frame_locator(f"mcp-app:nth-of-type({number + 1}) >> iframe").frame_locator("iframe")
    expect(view.locator("#out")).to_have_text(text, timeout=DEADLINE)


def test_without_a_manner_the_host_keeps_to_the_specification(page: Page, product: Product) -> None:
    shown(page, product, *VIEWS)
    for number, view in enumerate(VIEWS.values()):
        expect_text(page, number, view.strict)


@pytest.mark.parametrize("name", VIEWS)
def test_views_that_are_opened_after_a_change_follow_the_manner(name: str, page: Page, product: Product) -> None:
    product.host.manner = PERSONALITIES[name].manner
    try:
        shown(page, product, name)
        expect_text(page, 0, VIEWS[name].emulated)
    finally:
        product.host.manner = PERSONALITIES["strict"].manner
