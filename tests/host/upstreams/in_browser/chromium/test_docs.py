"""`docs/tools-in-the-visitors-tab.md`, done as it says: its product, its page and its worker, in a browser."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page

from cloche.host import HostLimits, InBrowser
from cloche.host.policy import CONSENT_SECONDS
from cloche.host.upstreams.remote import Asking
from cloche.host.web import mounts
from tests.support.served import Served
from tests.support.snippets import snippets_of

DOCUMENT = Path("docs/tools-in-the-visitors-tab.md")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of the page, as a reader would have them."""
    written = DOCUMENT.read_text(encoding="utf-8")
    for name, code in re.findall(r"^```js\n// file: (\S+)\n(.*?)^```", written, re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(code, encoding="utf-8")
    (product, *_) = snippets_of(DOCUMENT.name, written)
    (tmp_path / product.file).write_text(product.code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_the_three_files_of_the_page_work_together(folder: Path, page: Page) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["page.js", "product.py", "worker.js"]
    sys.modules.pop("product", None)
    import product  # type: ignore[import-not-found]

    with Served(product.app) as served:
        with page.expect_console_message(lambda said: said.text.startswith("offered")):
            page.goto(served.url())
        answer = page.evaluate_handle("() => ({ told: fetch('/agent').then((response) => response.json()) })")
        page.locator("button.accept[aria-disabled=false]").wait_for()
        assert "Buy bread" in page.get_by_role("alertdialog").inner_text()
        page.get_by_role("button", name="Allow once").click()
        assert answer.evaluate("async ({ told }) => (await told).content[0].text") == "There are 1 notes"
        page.goto("about:blank")
    sys.modules.pop("product")


def test_the_numbers_and_words_of_the_page_are_the_codes_own() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    limits = HostLimits()
    words = re.findall(r'^\| `"(\w+)"`', text, re.MULTILINE)
    assert set(words) == set(Asking.__args__)  # type: ignore[attr-defined]
    assert words[0] == InBrowser().ask
    assert f"within {CONSENT_SECONDS:g} seconds" in text
    assert f"the page has {mounts.KEEP_SECONDS:g} seconds" in text
    assert f"at most {limits.tabs} tabs" in text
    assert f"{limits.message_depth} levels deep" in text
    assert f"{limits.rate:g} per second" in text
