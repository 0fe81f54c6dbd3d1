"""The components in the playground's gallery: each is a tool whose form has its props, filled in by one click."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from cloche import Components
from tests.support.playground import opened, playground
from tests.support.snippets import ROOT

SHOWN = {"table": "Rye bread", "heat-map": "Orders by day and hour", "form": "Book a table", "tabs": "Query"}
"""Components whose props are of different kinds, and what is seen of each."""


def test_each_component_is_tried_with_its_props_as_a_form(browser: Browser) -> None:
    names = [one.name for one in Components()]
    assert set(SHOWN) < set(names)
    with playground("components.py", folder=ROOT / "examples") as running, opened(browser, running.url) as screen:
        expect(screen.view().get_by_text("Revenue by month")).to_be_visible()
        instances: set[str | None] = set()
        for number, name in enumerate(names):
            screen.choose_of("components", f"render-{name}")
            screen.page.get_by_role("button", name="Sample values").click()
            screen.call()
            if name in SHOWN:
                expect(screen.view().get_by_text(SHOWN[name]).first).to_be_visible()
            root = screen.view().locator(".cc-root:has(> *)")
            for seen in instances:
                expect(root).not_to_have_attribute("data-instance", str(seen))
            instances.add(root.get_attribute("data-instance"))
            assert len(instances) == number + 1
            expect(screen.view().get_by_role("alert")).to_have_count(0)
        assert screen.problems == []
