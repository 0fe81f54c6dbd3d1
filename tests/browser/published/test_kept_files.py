"""A file in the setup of a published server: read where it lies, there after a reload, and forgotten when asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from cloche.browser import write_site
from tests.browser.published.conftest import HERE, OUTER, POLICY, TIMEOUT, HeadedSite, outer_script
from tests.support.file_site import Site

KEPT = """() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("cloche settings", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("files");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
        const asked = opening.result.transaction("files").objectStore("files").getAll();
        asked.onsuccess = () => (opening.result.close(), resolve(asked.result.map(({ name, size }) => [name, size])));
    };
})"""


@dataclass
class Notes:
    """Where the server is, and the page that may use it."""

    own: str
    outer: str


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory, runtime: Path) -> Iterator[Notes]:
    folder = tmp_path_factory.mktemp("notes") / "site"
    with Site(POLICY) as outer:
        outer.add("/outer.html", OUTER)
        outer.add("/outer.js", outer_script())
        write_site(HERE / "notes.py", folder, allow_origins=[outer.url], runtime=runtime)
        with HeadedSite(folder) as own:
            yield Notes(f"{own.url}/index.html", outer.url)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(TIMEOUT)
    yield made
    context.close()


def test_a_file_of_the_setup_is_there_after_a_reload_until_it_is_forgotten(
    page: Page, notes: Notes, tmp_path: Path
) -> None:
    file = tmp_path / "größe 50%.txt"
    file.write_text("the first note\nand another\n")
    page.goto(notes.own)
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    page.get_by_label("Document").set_input_files(empty)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#setup .field .problem", has_text="This file is empty")).to_be_visible(timeout=TIMEOUT)
    assert page.evaluate(KEPT) == []

    asked: list[Request] = []

    def keep(request: Request) -> None:
        asked.append(request)

    page.context.on("request", keep)
    page.get_by_label("Document").set_input_files(file)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#settings")).to_contain_text(file.name, timeout=TIMEOUT)
    panel = page.locator("[data-tool=first]")
    panel.get_by_role("button", name="Call").click()
    expect(panel.locator(".outcome")).to_contain_text("the first note (27 bytes)", timeout=TIMEOUT)
    # It went nowhere.
    assert [one.url for one in asked] == []
    assert page.evaluate(KEPT) == [[file.name, 27]]

    page.reload()
    expect(page.locator("#settings")).to_contain_text(file.name)
    panel.get_by_role("button", name="Call").click()
    expect(panel.locator(".outcome")).to_contain_text("the first note (27 bytes)", timeout=TIMEOUT)
    page.get_by_role("button", name="Change").click()
    expect(page.locator("#setup .field", has_text="Document")).to_contain_text(file.name)
    # What is kept can be saved again as it is.
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#setup")).to_be_hidden(timeout=TIMEOUT)
    panel.get_by_role("button", name="Call").click()
    expect(panel.locator(".outcome")).to_contain_text("the first note (27 bytes)", timeout=TIMEOUT)

    with page.expect_navigation():
        page.get_by_role("button", name="Forget", exact=True).click()
    expect(page.locator("#setup")).to_be_visible()
    assert page.evaluate(KEPT) == []
    assert page.evaluate("() => localStorage.length") == 0


def test_a_file_that_is_gone_is_an_error_of_the_tool_and_asked_for_after_a_reload(
    page: Page, notes: Notes, tmp_path: Path
) -> None:
    """A private window, as here, keeps only where the file lies."""
    file = tmp_path / "notes.txt"
    file.write_text("soon gone\n")
    page.goto(notes.own)
    page.get_by_label("Document").set_input_files(file)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#settings")).to_contain_text(file.name, timeout=TIMEOUT)
    file.unlink()
    panel = page.locator("[data-tool=first]")
    panel.get_by_role("button", name="Call").click()
    expect(panel.locator(".outcome")).to_contain_text("I/O error", timeout=TIMEOUT)
    page.reload()
    expect(page.locator("#setup")).to_be_visible(timeout=TIMEOUT)
    expect(panel.get_by_role("button", name="Call")).to_be_disabled()
    expect(page.locator("#settings")).to_be_hidden()


def test_a_client_uses_the_file_that_was_picked_in_the_setup(page: Page, notes: Notes, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("for the client\n")
    page.goto(f"{notes.outer}/outer.html")
    page.evaluate("(url) => { outer.use(url); outer.begin(); }", notes.own)
    frame = page.frame_locator("iframe")
    frame.get_by_label("Document").set_input_files(file)
    frame.get_by_role("button", name="Save").click()
    saved = page.evaluate("() => outer.saved()")
    assert saved["displayName"] == "notes.txt", saved
    assert page.evaluate("() => outer.connect()") == "connected"
    result = page.evaluate("() => outer.call('first', {})")
    assert "content" in result, result
    assert result["content"][0]["text"] == "for the client (15 bytes)"
    # A file that is gone is a setup that is gone.
    inner = next(one for one in page.frames if one.parent_frame)
    inner.evaluate("() => indexedDB.deleteDatabase('cloche settings')")
    again = {name: saved[name] for name in ("sessionId", "transportVisibility", "permissions")}
    page.evaluate("([url, saved]) => outer.use(url, saved)", [notes.own, again])
    assert "failed" in page.evaluate("() => outer.connect()")
    assert page.evaluate("() => outer.required()")["message"] == "Notes is not set up for this page yet"
