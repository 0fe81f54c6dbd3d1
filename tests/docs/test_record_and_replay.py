"""docs/record-and-replay.md: its server is recorded, its tests play it, and what it says of the file is complete."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from playwright.sync_api import expect, sync_playwright

from cloche.testing.cassettes.lines import MAX_LINE, MAX_TOTAL, PASSWORD, AnyLine
from cloche.testing.cassettes.scripts import MAX_DOCUMENT
from tests.support.chromium import FLAGS
from tests.support.recording import document_has, recorded
from tests.support.snippets import ROOT, all_snippets, blocks_of, run, working_in
from tools.chromium import chromium

PAGE = "docs/record-and-replay.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page, and the recording that it speaks of."""
    folder = tmp_path_factory.mktemp("project")
    server, test = [snippet for snippet in all_snippets() if snippet.document == PAGE]
    (folder / test.file).write_text(test.code, "utf-8")
    with working_in(folder), sync_playwright() as playwright:
        shop = run(server, folder)["server"]
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        path = folder / "run.cassette"
        with recorded(browser, shop, "look", path, {"item": "bread"}, name="shop") as running:
            expect(running.view.locator("#stock")).to_have_text("3 left", timeout=30_000)
            document_has(path, '"3 left"')
            running.view.locator("#buy").click()
            document_has(path, '"2 left"')
        browser.close()
    (folder / "shop.py").unlink()  # no server
    return folder


def ended(project: Path, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=project, capture_output=True, text=True, timeout=240, check=False
    )
    return done.returncode, done.stdout


def test_the_tests_of_the_page_pass(project: Path) -> None:
    status, output = ended(project, "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "test_replay.py")
    assert (status, "3 passed" in output) == (0, True), output


def test_the_difference_is_shown_as_on_the_page(project: Path) -> None:
    lines = (project / "run.cassette").read_text("utf-8").splitlines(keepends=True)
    later = [line.replace('"left":2', '"left":1') if line.startswith('{"kind":"got"') else line for line in lines]
    (project / "changed.cassette").write_text("".join(later), "utf-8")
    status, output = ended(project, "cloche", "replay", "changed.cassette")
    shown = blocks_of(PAGE, "text")[0]
    assert status == 1
    assert re.sub(r"\d+\.\d s", "… s", output) == re.sub(r"\d+\.\d s", "… s", shown)


def test_what_it_says_of_the_file_is_complete() -> None:
    kinds = {kind.__struct_config__.tag for kind in get_args(AnyLine)}
    rows = "".join(re.findall(r"^\| (`[^|]+) \|", TEXT, re.MULTILINE))
    assert set(re.findall(r"`([a-z-]+)`", rows)) - {"kind"} == kinds
    assert (MAX_LINE, MAX_TOTAL, MAX_DOCUMENT) == (32 << 20, 256 << 20, 200_000)
    assert PASSWORD in TEXT
