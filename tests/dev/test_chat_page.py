"""The chat's page: a script answers, a tool's view stands in the conversation and speaks in it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from cloche.dev.servers import of_file
from tests.dev.test_playground import PAGE, SERVER
from tests.support.axe import violations
from tests.support.playground import opened, playground

SCRIPT = 'say **Here** it is.\ncall show {"word": "glass"}\n\nsay It is a word.\n'


def test_a_script_shows_a_view_that_speaks_in_the_conversation(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER, "utf-8")
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    empty = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "CLOCHE_MODEL", "CLOCHE_MODEL_URL"), "")
    with (
        playground("server.py", folder=tmp_path, **empty) as running,
        opened(browser, running.url, bypass_csp=True, viewport={"width": 1440, "height": 1000}) as screen,
    ):
        page = screen.page
        page.get_by_role("link", name="Chat").click()
        expect(page.get_by_text("A script answers, and nothing is sent anywhere.")).to_be_visible()
        page.locator("#chat-script").fill("shout\n")
        page.get_by_role("textbox", name="Message").fill("Hi")
        page.get_by_role("button", name="Send", exact=True).click()
        expect(page.locator(".chat-form").get_by_role("alert")).to_contain_text("Line 1 of the script is not a step")
        page.locator("#chat-script").fill(SCRIPT)
        page.get_by_role("textbox", name="Message").press("Enter")
        log = page.get_by_role("log")
        expect(log.locator(".said-by.assistant strong")).to_have_text("Here")
        expect(log.locator(".said-by.tool")).to_contain_text("Done in")
        view = page.frame_locator(".chat-log mcp-app iframe").frame_locator("iframe")
        expect(view.locator("#word")).to_have_text("glass")
        assert violations(page) == []
        view.locator("#say").click()
        expect(log.locator(".said-by.user").nth(1)).to_contain_text("What does it mean?")
        name = of_file(tmp_path / "server.py", ["cloche"]).name
        expect(log.locator(".said-by.user h3").nth(1)).to_have_text(f"View of {name}")
        expect(log.locator(".said-by.assistant").nth(1)).to_contain_text("It is a word.")
        page.reload()
        expect(log.locator(".said-by")).to_have_count(5)
        expect(view.locator("#word")).to_have_text("glass")
        page.locator("#page").get_by_role("button", name="Clear").click()
        expect(log.locator(".said-by")).to_have_count(0)
