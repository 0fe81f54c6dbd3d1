"""The client's page in a browser: servers of other origins are added, set up, connected, shown, called and removed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.demos.conftest import Places


def panel(page: Page, title: str) -> Locator:
    """What the page shows of one server."""
    return page.locator("section.server", has=page.get_by_role("heading", name=title, exact=True))


def added(page: Page, demos: Places, title: str) -> Locator:
    """A server that was added by clicking its example."""
    if page.url != demos.client:
        page.goto(demos.client)
    page.get_by_role("button", name=title).click()
    return page.locator("section.server:not([hidden])")


def test_pi_is_computed_shown_cancelled_and_kept(page: Page, demos: Places) -> None:
    server = added(page, demos, "Pi calculator")
    expect(server).to_have_attribute("data-state", "ready")
    expect(page.locator("#list")).to_contain_text("Pi calculator")
    tool = server.locator("[data-tool=calculate_pi]")
    points = tool.get_by_label("points")
    expect(points).to_have_value("500000")  # its example

    points.fill("20000")
    tool.get_by_role("button", name="Call").click()
    expect(tool.locator(".outcome")).to_contain_text("20,000 points fell into the quarter of a circle")
    picture = tool.locator(".outcome img")
    assert picture.evaluate("(image) => [image.naturalWidth, image.naturalHeight]") == [160, 160]

    points.fill("5000000")
    tool.get_by_role("button", name="Call").click()
    expect(tool.locator(".progress")).to_contain_text("π ≈ 3.")
    tool.get_by_role("button", name="Cancel").click()
    expect(tool.get_by_role("status").first).to_have_text("Cancelled")
    # Python goes on to answer, and what was thrown is there.
    points.fill("1000")
    tool.get_by_role("button", name="Call").click()
    expect(tool.locator(".status")).to_contain_text("Done")

    frame = server.locator(".window")
    expect(frame).to_be_hidden()
    server.get_by_role("button", name="Show").click()
    expect(frame).to_be_visible()
    server.get_by_role("button", name="Hide").click()
    expect(frame).to_be_hidden()

    # The next visit connects by itself.
    page.reload()
    expect(panel(page, "Pi calculator")).to_have_attribute("data-state", "ready")
    page.get_by_role("button", name="Remove").click()
    expect(page.locator("#list li")).to_have_count(0)
    expect(page.get_by_label("Add a server by its address")).to_be_focused()
    assert page.evaluate("() => localStorage.getItem('servers')") == "[]"


def test_the_json_analyser_is_set_up_in_a_dialog_and_answers(page: Page, demos: Places) -> None:
    server = added(page, demos, "JSON analyser")
    dialog = page.get_by_role("dialog", name="Set up")
    expect(dialog).to_contain_text(demos.servers["json_analyser"].rstrip("/"))
    inside = dialog.frame_locator("iframe")
    inside.get_by_role("button", name="Save").click()
    expect(server).to_have_attribute("data-state", "ready")
    query = panel(page, "JSON analyser: Books").locator("[data-tool=query]")
    query.locator("summary").click()
    if query.get_attribute("open") is None:
        query.locator("summary").click()
    query.get_by_role("button", name="Call").click()
    expect(query.locator(".outcome")).to_contain_text("A field guide to bells")
    query.get_by_label("path").fill("$.books[")
    query.get_by_role("button", name="Call").click()
    expect(query.locator(".outcome")).to_contain_text("This is no JSONPath expression")

    server.get_by_role("button", name="Set up again").click()
    inside.get_by_label("Begin with the example").select_option(label="Planets")
    inside.get_by_role("button", name="Save").click()
    expect(panel(page, "JSON analyser: Planets")).to_have_attribute("data-state", "ready")


def test_a_person_who_cancels_the_setup_has_added_nothing(page: Page, demos: Places) -> None:
    added(page, demos, "JSON analyser")
    dialog = page.get_by_role("dialog", name="Set up")
    dialog.get_by_role("button", name="Cancel").first.click()
    expect(page.locator("#add-problem")).to_contain_text("cancelled")
    expect(page.locator("#list li")).to_have_count(0)
    expect(dialog).to_be_hidden()


def test_the_mermaid_editor_is_always_seen(page: Page, demos: Places) -> None:
    server = added(page, demos, "Mermaid editor")
    expect(server).to_have_attribute("data-state", "ready")
    expect(server.locator(".window")).to_be_visible()
    expect(server.get_by_role("button", name="Hide")).to_have_count(0)
    draw = server.locator("[data-tool=draw]")
    draw.get_by_role("button", name="Call").click()
    expect(draw.locator(".outcome")).to_contain_text("The diagram is shown.")
    read = server.locator("[data-tool=read]")
    read.get_by_role("button", name="Call").click()
    expect(read.locator(".outcome")).to_contain_text("sequenceDiagram")
    draw.get_by_label("diagram").fill("nonsense")
    draw.get_by_role("button", name="Call").click()
    expect(draw.locator(".outcome")).to_contain_text("A diagram begins with its kind")


@pytest.mark.parametrize(
    ("address", "told"),
    [("not an address", "Enter a whole address"), ("file:///etc/hosts", "Enter a whole address")],
)
def test_what_is_no_address_is_refused_in_a_sentence(page: Page, demos: Places, address: str, told: str) -> None:
    page.goto(demos.client)
    page.get_by_label("Add a server by its address").fill(address)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text(told)
    expect(page.locator("#list li")).to_have_count(0)


def test_an_address_of_the_clients_own_origin_is_refused(page: Page, demos: Places) -> None:
    page.goto(demos.client)
    page.get_by_label("Add a server by its address").fill(demos.client + "elsewhere.html")
    page.keyboard.press("Enter")
    expect(page.locator("#add-problem")).to_contain_text("a server needs an origin of its own")
