"""Every tool, resource, prompt and message has an address; the back button and the keyboard lead there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.dev.test_playground import PAGE, SERVER
from tests.support.command import Running
from tests.support.playground import opened, playground


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("addresses") / "lab"
    folder.mkdir()
    (folder / "server.py").write_text(SERVER, "utf-8")
    (folder / "page.html").write_text(PAGE, "utf-8")
    with playground("server.py", folder=folder, deadline=300) as process:
        yield process


def test_the_back_button_leads_back_and_an_address_opens_in_another_tab(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        page, heading = screen.page, screen.page.locator("main h2:visible").first
        root = running.url.partition("#")[0]
        expect(page).to_have_url(f"{root}#/tool/lab/show")  # the token is no longer in it
        expect(screen.view().locator("#word")).to_have_text("hello")
        screen.fill("word", "dusk")
        screen.call()
        expect(screen.view().locator("#word")).to_have_text("dusk")
        screen.choose("lab://notes")
        expect(page).to_have_url(f"{root}#/resource/lab/lab%3A%2F%2Fnotes")
        screen.call("Read")
        expect(page.locator("#outcome")).to_contain_text("remember the milk")
        screen.choose("greet")
        expect(page).to_have_url(f"{root}#/prompt/lab/greet")
        page.go_back()
        expect(heading).to_contain_text("notes")
        page.go_back()
        expect(heading).to_have_text("show")
        expect(screen.view().locator("#word")).to_have_text("dusk")  # shown again, not called again
        tab = page.context.new_page()
        tab.goto(f"{root}#/tool/lab/forecast")
        expect(tab.locator("#item h2")).to_have_text("forecast")
        tab.goto(f"{root}#/tool/lab/nothing")
        expect(tab.locator("#item")).to_contain_text("lab has no tool nothing")
        tab.goto(f"{root}#/nowhere/at/all")
        expect(tab.locator("#page")).to_contain_text("There is no such page")


def test_the_keyboard_alone(browser: Browser, running: Running) -> None:
    with opened(browser, running.url) as screen:
        page = screen.page
        screen.choose("show")
        page.locator("h1").click()
        page.keyboard.press("?")
        help_ = page.get_by_role("dialog", name="Keys")
        for words in ("Find a tool", "Light or dark", "Call again"):
            expect(help_).to_contain_text(words)
        page.keyboard.press("Escape")
        expect(help_).to_be_hidden()
        page.keyboard.press("/")
        page.keyboard.type("f")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("navigation").get_by_role("button", name="fail")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Call", exact=True)).to_be_focused()
        expect(page).to_have_url(f"{running.url.partition('#')[0]}#/tool/lab/fail")
        page.keyboard.press("/")
        page.get_by_label("Find a tool").fill("forec")
        page.keyboard.press("Enter")
        expect(page.get_by_label("city")).to_be_focused()
