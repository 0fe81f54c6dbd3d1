"""docs/publish-as-a-web-page.md: the command builds what the page says, and a person can use it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
from playwright.sync_api import expect, sync_playwright

from cloche.cli.build import build
from tests.docs.test_run_in_the_browser import SECONDS, plain_server
from tests.support.chromium import FLAGS
from tests.support.snippets import ROOT, all_snippets, blocks_of, save
from tools.chromium import chromium

PAGE = "docs/publish-as-a-web-page.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


def test_the_command_builds_what_a_person_uses(tmp_path: Path) -> None:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == "server.py"]
    save(snippet, tmp_path)
    command = next(text for text in blocks_of(PAGE, "sh") if "cloche build" in text)
    words = [sys.executable, "-m", *command.split()]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    listed = re.findall(r"^\| (`[^|]+`) \| [^|]+\|$", TEXT.partition("| in the folder |")[2], re.MULTILINE)
    names = {name for row in listed[:5] for name in re.findall(r"`([^`]+)`", row)}
    assert names == {f"{one.name}/" if one.is_dir() else one.name for one in (tmp_path / "site").iterdir()}
    with plain_server(tmp_path / "site") as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page()
        page.set_default_timeout(SECONDS * 1000)
        page.goto(url)
        page.get_by_label("Your name").fill("Ada")
        page.get_by_label("Key").fill("key-1")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#settings")).to_contain_text("Greetings for Ada", timeout=SECONDS * 1000)
        page.get_by_role("button", name="Call").click()
        expect(page.locator(".outcome")).to_contain_text("Hello, Ada!", timeout=SECONDS * 1000)
        browser.close()


def test_every_option_of_the_command_is_in_the_table() -> None:
    table = TEXT[TEXT.index("| `-o DIR` |") : TEXT.index("| in the folder |")]
    for option in build.params:
        if isinstance(option, click.Option):
            assert any(f"`{name}" in table for name in (*option.opts, *option.secondary_opts)), option.name
