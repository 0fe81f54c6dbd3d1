"""The page of each demo, opened by a person: on the second visit it needs no network."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.demos.conftest import Places
from tools.demos import DEMOS


@pytest.mark.parametrize("name", [demo.name for demo in DEMOS])
def test_the_second_visit_needs_no_network(page: Page, demos: Places, name: str) -> None:
    page.goto(demos.servers[name])
    expect(page.locator("#state")).to_have_text("Ready")
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.context.set_offline(True)
    page.goto(demos.servers[name])
    expect(page.locator("#state")).to_have_text("Ready")
    assert page.evaluate("() => !!navigator.serviceWorker.controller")
