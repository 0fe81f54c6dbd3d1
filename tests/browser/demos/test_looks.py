"""The client's page for everybody: narrow and wide, light and dark, by keyboard, and for those who hear it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.demos.conftest import TIMEOUT, Places
from tests.support.axe import violations

FITS = "() => document.documentElement.scrollWidth <= innerWidth"


def looked_at(page: Page) -> list[str]:
    """What is wrong with the page as it is now, in every size and both themes."""
    found = []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            found += [f"{width} {theme}: {one}" for one in violations(page)]
        if not page.evaluate(FITS):
            found.append(f"{width}: it is wider than the window")
    return found


def test_nobody_is_left_out(browser: Browser, demos: Places) -> None:
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    page.goto(demos.client)
    expect(page.locator("#cards button")).to_have_count(len(demos.servers))
    assert looked_at(page) == []

    # By keyboard alone: the address is filled in, Enter adds it.
    page.set_viewport_size({"width": 1280, "height": 844})
    page.keyboard.press("Tab")
    expect(page.get_by_label("Add a server by its address")).to_be_focused()
    page.keyboard.press("Enter")
    server = page.locator("section.server:not([hidden])")
    expect(server).to_have_attribute("data-state", "ready")
    expect(server.get_by_role("heading", level=2)).to_be_focused()
    page.keyboard.press("Tab")
    expect(server.get_by_role("button", name="Show")).to_be_focused()
    page.keyboard.press("Enter")
    expect(server.locator(".window")).to_be_visible()
    server.locator("[data-tool=calculate_pi]").get_by_label("points").fill("1000")
    page.keyboard.press("Enter")
    expect(server.locator("[data-tool=calculate_pi] .outcome img")).to_be_visible()
    assert looked_at(page) == []

    # The dialogs, too.
    page.get_by_role("group", name="Example:").get_by_role("button", name="Camera").click()
    expect(page.get_by_role("dialog", name="asks to")).to_be_visible()
    assert looked_at(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#add-problem")).to_contain_text("not approved")
    assert looked_at(page) == []
    context.close()


@pytest.mark.parametrize("name", ["pi", "camera"])
def test_the_page_of_a_server_fits_a_phone(page: Page, demos: Places, name: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(demos.servers[name])
    expect(page.locator("[data-tool]").first).to_be_visible()
    assert page.evaluate(FITS)
