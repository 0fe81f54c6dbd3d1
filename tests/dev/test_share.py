"""The Share button: what a person does in the playground becomes one HTML file, which plays with no server at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.axe import violations
from tests.support.command import Running
from tests.support.playground import Screen, opened, playground
from tests.support.shared_file import Shared, shared_file

SERVER = '''
from cloche import Server

PAGE = """<h1>Bread</h1><p id="stock">…</p><button id="buy">Buy one</button>
<form id="login"><input name="pass" type="password"><button>Log in</button></form><p id="welcome"></p>
<script>
  const show = (result) => { stock.textContent = `${result.structuredContent.left} left`; };
  cloche.on("tool:result", show);
  buy.onclick = async () => show(await cloche.callTool("buy", {item: "bread"}));
  login.onsubmit = async (event) => {
    event.preventDefault();
    const said = await cloche.callTool("login", {secret: new FormData(login).get("pass")});
    welcome.textContent = said.content[0].text;
  };
</script>"""
server = Server("shop")

@server.tool(view=PAGE)
def look(item: str = "bread") -> dict[str, int]:
    """See what is left of something."""
    return {"left": 3}

@server.tool(visibility=["app"])
def buy(item: str) -> dict[str, int]:
    """Buy one."""
    return {"left": 2}

@server.tool(visibility=["app"])
def login(secret: str) -> str:
    """Log in."""
    return f"welcome, {secret}"
'''
PASSWORD = "correct-horse-battery"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("share")
    (folder / "shop.py").write_text(SERVER, "utf-8")
    with playground("shop.py", folder=folder) as process:
        yield process


def open_dialog(page: Page, button: str) -> None:
    page.get_by_role("banner").get_by_role("button", name=button).click()
    expect(page.get_by_role("dialog", name="Share a recording")).to_be_visible()


def record(screen: Screen, target: Path) -> None:
    """Somebody records, buys, logs in, and saves the file."""
    page = screen.page
    screen.view()
    screen.before_a_call()  # the view is shown again, with the recorder in front of it
    open_dialog(page, "Share")
    assert violations(page) == []
    page.get_by_role("button", name="Start recording").click()
    expect(page.get_by_role("banner").get_by_role("button", name="Recording")).to_be_visible()
    screen.view()
    view = page.locator("#outcome").frame_locator("mcp-app iframe").frame_locator("iframe")
    expect(view.locator("#stock")).to_have_text("3 left")
    view.locator("#buy").click()
    expect(view.locator("#stock")).to_have_text("2 left")
    view.locator("[name=pass]").click()  # a view that takes the keyboard by itself loses it
    view.locator("[name=pass]").fill(PASSWORD)
    view.get_by_role("button", name="Log in").click()
    expect(view.locator("#welcome")).to_have_text(f"welcome, {PASSWORD}")
    open_dialog(page, "Recording")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save HTML file").click()
    assert saved.value.suggested_filename == "recording.html"
    saved.value.save_as(target)
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("Saved recording.html")
    page.get_by_role("button", name="Stop recording").click()
    expect(page.get_by_role("banner").get_by_role("button", name="Share")).to_be_visible()


def play(shared: Shared) -> None:
    """A colleague plays it to its end, step by step."""
    page = shared.page
    expect(page.get_by_role("heading", name="look of shop")).to_be_visible()
    titles = page.locator("#steps .what")
    expect(titles).to_contain_text(["View of look", "Click", "buy", "login"])
    shared.press("Home")
    expect(page.get_by_text("No view is open at this step.")).to_be_visible()
    while shared.step < shared.steps:
        shared.press("ArrowRight")
    expect(shared.view.locator("#stock")).to_have_text("2 left")
    expect(shared.view.locator("#welcome")).to_have_text("welcome, cloche-recorded-password")


def test_what_is_done_in_the_playground_plays_from_a_file(browser: Browser, running: Running, tmp_path: Path) -> None:
    file = tmp_path / "recording.html"
    with opened(browser, running.url, bypass_csp=True, accept_downloads=True) as screen:
        record(screen, file)
    assert PASSWORD not in file.read_text("utf-8")
    with shared_file(browser, file) as shared:
        play(shared)
