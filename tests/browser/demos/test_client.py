"""The client's page in a browser: servers of other origins are added, set up, connected, shown, called and removed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Locator, Page, expect

from tests.browser.demos.conftest import Places

COLOURS = """(canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
}"""


def panel(page: Page, title: str) -> Locator:
    """What the page shows of one server."""
    return page.locator("section.server", has=page.get_by_role("heading", name=title, exact=True))


def view(server: Locator) -> FrameLocator:
    """The view of the last call, inside the page of the server, inside this page."""
    # One that is about to be removed stands before it.
    return server.frame_locator(".window iframe").frame_locator("iframe.view").last.frame_locator("iframe")


def added(page: Page, demos: Places, title: str) -> Locator:
    """A server that was added by clicking its example."""
    if page.url != demos.client:
        page.goto(demos.client)
    page.get_by_role("group", name="Example:").get_by_role("button", name=title).click()
    return page.locator("section.server:not([hidden])")


@pytest.mark.requirement(130, 136, 137)
def test_pi_is_computed_shown_cancelled_and_kept(page: Page, demos: Places) -> None:
    server = added(page, demos, "Pi calculator")
    expect(server).to_have_attribute("data-state", "ready")
    expect(page.locator("#list")).to_contain_text("Pi calculator")
    tool = server.locator("[data-tool=calculate_pi]")
    points = tool.get_by_label("points")
    expect(points).to_have_value("2000000")  # its example

    frame = server.locator(".window")
    expect(frame).to_be_hidden()
    server.get_by_role("button", name="Show").click()
    expect(frame).to_be_visible()
    points.fill("20000")
    tool.get_by_role("button", name="Call").click()
    expect(tool.locator(".outcome")).to_contain_text("20,000 points fell into the quarter of a circle")
    picture = tool.locator(".outcome img")
    assert picture.evaluate("(image) => [image.naturalWidth, image.naturalHeight]") == [160, 160]
    board = view(server)
    expect(board.locator("#facts")).to_contain_text("of 20,000 points inside")

    # Nobody could wait for the end of this one. The view draws while Python computes.
    points.fill("50000000")
    tool.get_by_role("button", name="Call").click()
    expect(tool.locator(".progress")).to_contain_text("π ≈ 3.")
    expect(board.get_by_role("button", name="Throw")).to_be_disabled()
    assert board.locator("canvas").evaluate(COLOURS) > 2
    tool.get_by_role("button", name="Cancel").click()
    expect(tool.locator(".status")).to_have_text("Cancelled")
    # Python goes on to answer, and what was thrown is there.
    points.fill("1000")
    tool.get_by_role("button", name="Call").click()
    expect(tool.locator(".status")).to_contain_text("Done")
    server.get_by_role("button", name="Hide").click()
    expect(frame).to_be_hidden()

    # The next visit connects by itself.
    page.reload()
    expect(panel(page, "Pi calculator")).to_have_attribute("data-state", "ready")
    page.get_by_role("button", name="Remove").click()
    expect(page.locator("#list li")).to_have_count(0)
    expect(page.get_by_label("Add a server by its address")).to_be_focused()
    assert page.evaluate("() => localStorage.getItem('servers')") == "[]"


@pytest.mark.requirement(137)
def test_the_json_analyser_is_set_up_with_a_file_and_answers(page: Page, demos: Places, tmp_path: Path) -> None:
    server = added(page, demos, "JSON analyser")
    dialog = page.get_by_role("dialog", name="Set up")
    expect(dialog).to_contain_text(demos.servers["json_analyser"].rstrip("/"))
    inside = dialog.frame_locator("iframe")
    file = tmp_path / "tea.json"
    file.write_text('{"kettle": ')
    inside.get_by_label("JSON file").set_input_files(file)
    inside.get_by_role("button", name="Save").click()
    expect(inside.locator(".field .problem", has_text="This is not JSON")).to_be_visible()
    file.write_text('{"kettle": {"steps": ["boil", "pour", "wait"]}}')
    inside.get_by_label("JSON file").set_input_files([])
    inside.get_by_label("JSON file").set_input_files(file)
    inside.get_by_role("button", name="Save").click()
    expect(server).to_have_attribute("data-state", "ready")
    query = panel(page, "JSON analyser: tea.json").locator("[data-tool=query]")
    query.get_by_label("path").fill("$.kettle.steps[1:]")
    query.get_by_role("button", name="Call").click()
    expect(query.locator(".outcome")).to_contain_text("2 matches in tea.json")
    query.get_by_label("path").fill("$.kettle[")
    query.get_by_role("button", name="Call").click()
    expect(query.locator(".outcome")).to_contain_text("This is no JSONPath expression")

    # The browser has kept the file for this server; without it, there is an example.
    page.reload()
    expect(panel(page, "JSON analyser: tea.json")).to_have_attribute("data-state", "ready")
    query.get_by_label("path").fill("$.kettle.steps[0]")
    query.get_by_role("button", name="Call").click()
    expect(query.locator(".outcome")).to_contain_text("boil")
    server.get_by_role("button", name="Set up again").click()
    inside.get_by_role("button", name="Forget settings").click()
    inside.get_by_role("button", name="Save").click()
    query = panel(page, "JSON analyser: Books").locator("[data-tool=query]")
    query.get_by_role("button", name="Call").click()
    expect(query.locator(".outcome")).to_contain_text("A field guide to bells")


def test_a_person_who_cancels_the_setup_has_added_nothing(page: Page, demos: Places) -> None:
    added(page, demos, "JSON analyser")
    dialog = page.get_by_role("dialog", name="Set up")
    dialog.get_by_role("button", name="Cancel").first.click()
    expect(page.locator("#add-problem")).to_contain_text("cancelled")
    expect(page.locator("#list li")).to_have_count(0)
    expect(dialog).to_be_hidden()


@pytest.mark.requirement(130, 137)
def test_the_mermaid_editor_is_always_seen_and_both_edit(page: Page, demos: Places) -> None:
    server = added(page, demos, "Mermaid editor")
    expect(server).to_have_attribute("data-state", "ready")
    expect(server.locator(".window")).to_be_visible()
    expect(server.get_by_role("button", name="Hide")).to_have_count(0)
    assert server.locator("[data-tool]").evaluate_all("(all) => all.map((one) => one.dataset.tool)") == ["draw", "read"]
    draw, read = server.locator("[data-tool=draw]"), server.locator("[data-tool=read]")
    draw.get_by_role("button", name="Call").click()
    expect(draw.locator(".outcome")).to_contain_text("The diagram is shown.")
    editor = view(server)
    expect(editor.locator("#drawn svg")).to_contain_text("Draw how tea is made")

    # The person changes it, and the model reads that.
    editor.get_by_role("textbox").fill("flowchart LR\n  kettle --> cup")
    expect(editor.locator("#drawn svg")).to_contain_text("kettle")
    editor.get_by_role("textbox").fill("flowchart LR\n  kettle --> ")
    expect(editor.get_by_role("alert")).to_contain_text("Parse error")
    expect(editor.get_by_role("status")).to_have_text("The model sees your changes")
    read.get_by_role("button", name="Call").click()
    expect(read.locator(".outcome")).to_contain_text("kettle")
    expect(read.locator(".outcome")).to_contain_text("Parse error")
    draw.get_by_label("diagram").fill("nonsense")
    draw.get_by_role("button", name="Call").click()
    expect(draw.locator(".outcome")).to_contain_text("A diagram begins with its kind")


@pytest.mark.requirement(137)
def test_the_camera_is_asked_for_and_lent(page: Page, demos: Places) -> None:
    added(page, demos, "Camera")
    consent = page.get_by_role("dialog", name="asks to")
    expect(consent).to_contain_text("Use the camera to take a picture each time")
    consent.get_by_role("button", name="Don’t allow").click()
    expect(page.locator("#add-problem")).to_contain_text("Required permissions were not approved: camera")
    expect(page.locator("#list li")).to_have_count(0)

    server = added(page, demos, "Camera")
    consent.get_by_role("button", name="Allow", exact=True).click()
    page.get_by_role("dialog", name="Set up").frame_locator("iframe").get_by_role("button", name="Save").click()
    expect(server).to_have_attribute("data-state", "ready")
    assert server.locator(".window iframe").evaluate("(frame) => frame.allow").startswith("camera http://")
    server.get_by_role("button", name="Show").click()
    tool = server.locator("[data-tool=take_snapshot]")
    tool.get_by_label("width").fill("320")
    tool.get_by_role("button", name="Call").click()
    expect(tool.locator(".outcome img")).to_be_visible()
    assert tool.locator(".outcome img").evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 320
    expect(view(server).get_by_role("status")).to_contain_text("320 × 240 pixels")


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


def test_a_client_of_an_origin_that_is_not_allowed_reads_which_is(page: Page, demos: Places) -> None:
    """The most common mistake: `localhost` and `127.0.0.1` are two origins."""
    elsewhere = demos.client.replace("127.0.0.1", "localhost")
    page.goto(elsewhere)
    page.get_by_role("group", name="Example:").get_by_role("button", name="Pi calculator").click()
    expect(page.locator("#add-problem")).to_contain_text(f"does not allow the origin {elsewhere.rstrip('/')}")
    expect(page.locator("#list li")).to_have_count(0)
