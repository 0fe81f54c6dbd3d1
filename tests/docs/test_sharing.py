"""docs/sharing.md: its commands and its code make files that play, and the numbers on it are the real ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from cloche.testing.cassettes.shared_page import MAX_SHARED
from tests.support.chromium import FLAGS
from tests.support.command import cloche
from tests.support.recording import document_has, recorded
from tests.support.shared_file import shared_file
from tests.support.snippets import ROOT, all_snippets, blocks_of, run, working_in
from tools.chromium import chromium

PAGE = "docs/sharing.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project")


def record(browser: Browser, folder: Path) -> None:
    """The shop of the page about recordings, in which somebody buys bread."""
    shop = next(one for one in all_snippets() if one.document == "docs/record-and-replay.md" and one.file == "shop.py")
    path = folder / "run.cassette"
    with recorded(browser, run(shop, folder)["server"], "look", path, {"item": "bread"}, name="shop") as running:
        expect(running.view.locator("#stock")).to_have_text("3 left", timeout=30_000)
        running.view.locator("#buy").click()
        document_has(path, '"2 left"')


def test_the_commands_and_the_code_write_files_that_play(project: Path) -> None:
    attach = next(one for one in all_snippets() if one.document == PAGE)
    with working_in(project), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        record(browser, project)
        commands = re.findall(r"^cloche (share .+?)(?: {2,}#.*)?$", blocks_of(PAGE, "sh")[0], re.MULTILINE)
        assert [cloche(*command.split(), folder=project).returncode for command in commands] == [0, 0]
        (project / "run.html").rename(project / "typed.html")
        assert run(attach, project)["attach"]("run.cassette") == Path("run.html")
        texts = [(project / name).read_text("utf-8") for name in ("run.html", "typed.html", "demo.html")]
        assert texts[0] == texts[1] == texts[2]
        with shared_file(browser, project / "run.html") as shared:
            shared.press("End")
            expect(shared.view.locator("#stock")).to_have_text("2 left")
            shared.view.locator("#buy").click()  # in the recording, and asked for a second time
            expect(shared.view.locator("#stock")).to_have_text("2 left")
        browser.close()


def test_what_it_says_is_so() -> None:
    assert f"at most {MAX_SHARED >> 20} MB" in TEXT
    assert (ROOT / "tests" / "attacks" / "test_shared_file.py").exists()
    labels = re.findall(r"^\| \*(\w[\w ]*)\*", TEXT, re.MULTILINE)
    html = (ROOT / "src" / "cloche" / "web" / "share" / "index.html").read_text("utf-8")
    assert labels == ["Play", "Back", "Handshakes and lists"]
    assert all(f">{label}<" in html or f"> {label}<" in html for label in labels)
