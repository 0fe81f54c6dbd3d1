"""Servers that talk back, in the playground: questions over the page, a person as the model, progress and logs."""

from __future__ import annotations

import json
import os
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.support import talking
from tests.support.axe import violations
from tests.support.form_filling import FILLED, ZONE, fill_everything
from tests.support.playground import Screen, opened, playground, until

MODELS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "CLOCHE_MODEL", "CLOCHE_MODEL_URL")


def answer(screen: Screen, button: str) -> None:
    screen.page.locator("button.accept[aria-disabled=false]").wait_for()
    screen.page.get_by_role("alertdialog").get_by_role("button", name=button).click()


def test_questions_progress_and_logs_by_each_library(browser: Browser, tmp_path: Path) -> None:
    for maker in talking.MAKERS:
        code = f"import sys\nsys.path.insert(0, {os.getcwd()!r})\nfrom tests.support.talking import MAKERS\n"
        (tmp_path / f"by_{maker}.py").write_text(f"{code}server = MAKERS[{maker!r}]()\n", "utf-8")
    files = [f"by_{maker}.py" for maker in talking.MAKERS]
    with (
        playground(*files, folder=tmp_path, **dict.fromkeys(MODELS, "")) as running,
        opened(browser, running.url, timezone_id=ZONE, bypass_csp=True) as screen,
    ):
        # The page calls the first tool with a view by itself: it goes on to run beside everything else.
        expect(screen.page.locator("#outcome .progress").first).to_contain_text("heating")
        for place, maker in enumerate(talking.MAKERS):
            screen.choose_of(f"by-{maker}", "talk")
            answers_a_form_and_as_the_model(screen, maker, look=place == 0)
            screen.choose_of(f"by-{maker}", "hold")
            if place == 0:  # whoever comes back finds what is still running
                screen.page.get_by_role("button", name="Cancel").click()
                expect(screen.status).to_contain_text("Cancelled after")
            sees_how_far_it_is_and_cancels(screen, maker, tmp_path / f"{maker}.trace")
        answers_in_the_chat(screen)
        page = screen.page
        page.reload()
        screen.choose_of("by-cloche", "talk")
        screen.fill("about", "form")
        screen.call()
        page.get_by_role("alertdialog").wait_for()
        page.keyboard.press("Escape")
        expect(page.locator("#outcome")).to_contain_text("cancel")


def answers_a_form_and_as_the_model(screen: Screen, maker: str, *, look: bool) -> None:
    dialog, outcome = screen.page.get_by_role("alertdialog"), screen.page.locator("#outcome")
    screen.fill("about", "form")
    screen.call()
    expect(dialog).to_contain_text(f"“by-{maker}” asks")
    assert not look or violations(screen.page) == []
    fill_everything(dialog)
    answer(screen, "Send")
    expect(outcome).to_contain_text("Ring twice")
    screen.tab("Content")
    until(lambda: json.loads(outcome.locator("pre.text").first.inner_text()) == ["accept", FILLED], "every field")
    screen.fill("about", "sample")
    screen.call()
    expect(dialog).to_contain_text("Name a bread.")
    assert not look or violations(screen.page) == []
    dialog.get_by_label("Answer of the model").fill("Pumpernickel")
    answer(screen, "Answer")
    expect(outcome).to_contain_text("Pumpernickel")
    if look:
        screen.fill("about", "url")
        screen.call()
        expect(dialog).to_contain_text(talking.URL)
        assert violations(screen.page) == []
        dialog.get_by_role("button", name="Decline").click()
        expect(outcome).to_contain_text("decline")


def sees_how_far_it_is_and_cancels(screen: Screen, maker: str, trace: Path) -> None:
    screen.fill("trace", str(trace))
    screen.call()
    bar = screen.page.locator("#outcome .progress", has_text="%")
    expect(bar).to_contain_text("25 % · heating")
    expect(bar.get_by_role("progressbar")).to_have_attribute("value", "1")
    expect(screen.side("Output")).to_contain_text(f'by-{maker}: warning disks: {{"disk":"full"}}')
    screen.page.get_by_role("button", name="Cancel").click()
    expect(screen.status).to_contain_text("Cancelled after")
    expect(bar).to_be_hidden()
    until(trace.exists, "the end of the tool at the server")


def answers_in_the_chat(screen: Screen) -> None:
    """A tool that a model calls asks the person, over the conversation."""
    page = screen.page
    page.get_by_role("link", name="Chat").click()
    page.locator("#chat-script").fill('call talk {"about": "form"}\nsay Thank you.\n')
    page.get_by_role("textbox", name="Message").fill("Where shall it go?")
    page.get_by_role("button", name="Send", exact=True).click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text(talking.MESSAGE)
    dialog.get_by_label("Your name").fill("Ann")
    answer(screen, "Send")
    log = page.get_by_role("log")
    expect(log.locator(".said-by.assistant")).to_contain_text("Thank you.")
    log.locator(".said-by.tool summary").first.click()
    expect(log.locator(".said-by.tool")).to_contain_text("Ring twice")
