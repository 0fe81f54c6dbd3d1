"""The components in the playground's gallery: each is a tool whose form has its props, filled in by one click."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.support.playground import opened, playground
from tests.support.snippets import ROOT

SHOWN = {"table": "Rye bread", "heat-map": "Orders by day and hour", "form": "Book a table", "tabs": "Query"}
"""Components whose props are of different kinds, and what is seen of each."""


def test_each_component_is_tried_with_its_props_as_a_form(browser: Browser) -> None:
    with playground("components.py", folder=ROOT / "examples") as running, opened(browser, running.url) as screen:
        expect(screen.view().get_by_text("Revenue by month")).to_be_visible()
        for name, words in SHOWN.items():
            screen.choose_of("components", f"render-{name}")
            screen.page.get_by_role("button", name="Sample values").click()
            screen.call()
            expect(screen.view().get_by_text(words).first).to_be_visible()
        assert screen.problems == []
