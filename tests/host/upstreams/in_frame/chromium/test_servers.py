"""Servers by URL in a product's page: set up in a dialog, kept by the product, called by an agent in Python."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.host.upstreams.in_frame.chromium.shop import Shop, reached
from tests.support.axe import violations
from tests.web.frames.site import FrameSite


def test_set_up_called_reloaded_shown_and_removed(page: Page, shop: Shop, pages: FrameSite) -> None:
    shop.has(pages.port, visibility={"requirement": "optional", "description": "The name"}, needs="hard")
    element = shop.visit(page)
    reached(element, "new")
    shop.refuses("the user has not set it up")
    assert violations(page, "mcp-server") == []
    element.get_by_role("button", name="Set up").click()
    reached(element, "ready")
    expect(element.get_by_role("status")).to_have_text("Saved")
    first = shop.call("whoami")
    assert (first["origin"], first["pinned"], first["name"]) == (pages.port, shop.own, "Ada")
    assert shop.kept()["sessionId"] == first["sessionId"]
    assert "ephemeralMessage" not in shop.kept()
    # It is shown when the person wants to see it.
    frame = element.locator("iframe[title=Server]")
    expect(frame).to_be_hidden()
    element.get_by_role("button", name="Show").click()
    expect(frame).to_be_visible()
    element.get_by_role("button", name="Hide").click()
    expect(frame).to_be_hidden()
    # The next visit needs no setup, and finds what the server stored.
    page.reload()
    reached(element, "ready")
    again = shop.call("whoami")
    assert (again["sessionId"], again["name"]) == (first["sessionId"], "Ada")
    element.get_by_role("button", name="Remove").click()
    reached(element, "new")
    shop.refuses("the user removed it")
    page.reload()
    reached(element, "new")
    assert shop.kept() is None
    actions = [entry.action for entry in shop.host.timeline.entries(server="demo")]
    assert {"frame-opened", "frame-set-up", "offered", "call", "frame-lost", "offer-ended"} <= {*actions}


def test_the_setup_is_over_the_page_and_can_be_cancelled(page: Page, shop: Shop, pages: FrameSite) -> None:
    shop.has(pages.port, options={"requiresVisibleSetup": True}, wait="1")
    element = shop.visit(page)
    reached(element, "new")
    element.get_by_role("button", name="Set up").click()
    dialog = element.get_by_role("dialog", name="Set up a server")
    expect(dialog).to_contain_text(pages.port)  # whose page this is, in the product's own words
    assert dialog.evaluate("(dialog) => dialog.matches(':modal')")
    assert violations(page, "mcp-server") == []
    dialog.get_by_role("button", name="Cancel").click()
    assert reached(element, "error") == "The user cancelled it"
    expect(dialog).to_be_hidden()
    shop.refuses("The user cancelled it")


def test_a_required_server_is_seen_and_the_visitor_is_asked_first(page: Page, shop: Shop, pages: FrameSite) -> None:
    shop.has(pages.port, ask="once", visibility={"requirement": "required"})
    element = shop.visit(page)
    reached(element, "new")
    element.get_by_role("button", name="Set up").click()
    reached(element, "ready")
    expect(element.locator("iframe[title=Server]")).to_be_visible()
    expect(element.get_by_role("button", name="Hide")).to_be_hidden()
    shop.start("whoami")
    expect(page.get_by_role("alertdialog")).to_contain_text("whoami")


def test_a_server_that_wants_another_setup_says_so_and_gets_one(page: Page, shop: Shop, pages: FrameSite) -> None:
    shop.has(pages.port, needs="hard")
    shop.keep()  # on another computer: this browser has nothing stored
    element = shop.visit(page)
    told = reached(element, "error")
    assert told == "The server has to be set up again (CONFIG_CHANGED): No name is stored"
    shop.refuses(told)
    element.get_by_role("button", name="Set up again").click()
    reached(element, "ready")
    assert shop.answers("whoami")["sessionId"] == "mcp-kept"


def test_a_page_that_reloads_is_lost_until_it_is_reconnected(page: Page, shop: Shop, pages: FrameSite) -> None:
    shop.has(pages.port)
    shop.keep()
    element = shop.visit(page)
    reached(element, "ready")
    shop.run(shop.start("run", script="leave").result())
    told = reached(element, "error")
    shop.refuses(told)
    element.get_by_role("button", name="Reconnect").click()
    reached(element, "ready")
    assert shop.answers("whoami")["origin"] == pages.port


def test_a_setup_that_fails_is_told_in_the_servers_words(page: Page, shop: Shop, pages: FrameSite) -> None:
    shop.has(pages.port, fail="AUTH_FAILED")
    element = shop.visit(page)
    reached(element, "new")
    element.get_by_role("button", name="Set up").click()
    assert reached(element, "error") == "The setup failed: It was not to be"
    assert shop.kept() is None


def test_permissions_are_asked_for_over_the_page(page: Page, shop: Shop, pages: FrameSite) -> None:
    camera = {"name": "camera", "phase": ["transport"], "required": False, "purpose": "To take a picture"}
    shop.has(pages.port, options={"requestedPermissions": [camera]})
    element = shop.visit(page)
    reached(element, "new")
    element.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("camera: To take a picture")
    page.locator("button.accept[aria-disabled=false]").click()
    reached(element, "ready")
    assert shop.answers("whoami")["camera"] is True
    assert shop.kept()["permissions"] == [{"name": "camera", "phase": ["transport"]}]
