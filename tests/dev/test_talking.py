"""Servers that talk back, in the playground: their questions over the page, and a person as the model."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.support import talking
from tests.support.playground import opened, playground


def test_questions_are_answered_on_the_page(browser: Browser, tmp_path: Path) -> None:
    for maker in talking.MAKERS:
        code = f"import sys\nsys.path.insert(0, {os.getcwd()!r})\nfrom tests.support.talking import MAKERS\n"
        (tmp_path / f"by_{maker}.py").write_text(f"{code}server = MAKERS[{maker!r}]()\n", "utf-8")
    files = [f"by_{maker}.py" for maker in talking.MAKERS]
    with playground(*files, folder=tmp_path) as running, opened(browser, running.url) as screen:
        page = screen.page
        dialog, outcome = page.get_by_role("alertdialog"), page.locator("#outcome")
        for maker in talking.MAKERS:
            screen.choose_of(f"by-{maker}", "talk")
            screen.fill("about", "form")
            screen.call()
            expect(dialog).to_contain_text(f"“by-{maker}” asks")
            dialog.get_by_label("Your name").fill("Ann")
            dialog.get_by_label("size").select_option(label="Large")
            page.locator("button.accept[aria-disabled=false]").wait_for()
            dialog.get_by_role("button", name="Send").click()
            expect(outcome).to_contain_text("Ann")
            screen.fill("about", "sample")
            screen.call()
            expect(dialog).to_contain_text("Name a bread.")
            dialog.get_by_label("Answer of the model").fill("Pumpernickel")
            page.locator("button.accept[aria-disabled=false]").wait_for()
            dialog.get_by_role("button", name="Answer").click()
            expect(outcome).to_contain_text("Pumpernickel")
        page.reload()
        screen.choose_of("by-cloche", "talk")
        screen.fill("about", "form")
        screen.call()
        dialog.wait_for()
        page.keyboard.press("Escape")
        expect(outcome).to_contain_text("cancel")
