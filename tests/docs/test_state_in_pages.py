"""The pages of docs/state-in-pages.md, all of them open at once on the server that it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.chromium import launched
from tests.support.framework_pages import PageSite, bundled_page
from tests.support.snippets import ROOT, all_snippets, run
from tools.chromium import chromium

DOCUMENT = "docs/state-in-pages.md"
TEXT = (ROOT / DOCUMENT).read_text(encoding="utf-8")
BLOCK = re.compile(r"^```jsx?\n// file: (?P<name>[\w-]+\.jsx?)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
SCRIPTS = {found["name"]: found["code"] for found in BLOCK.finditer(TEXT)}
PAGES = {"vanilla.js", "react.jsx", "vue-page.js"}


@pytest.fixture
def browser() -> Iterator[Browser]:
    with launched(chromium()) as started:
        yield started


def test_every_block_is_run() -> None:
    assert len(re.findall(r"^```(?:js|jsx|javascript|html)\b", TEXT, re.MULTILINE)) == len(SCRIPTS)
    assert set(SCRIPTS) == {*PAGES, "connect.js"}


def test_the_pages_show_the_store_and_change_it(browser: Browser, tmp_path: Path) -> None:
    (snippet,) = [one for one in all_snippets() if one.document == DOCUMENT and one.file == "shopping.py"]
    found = run(snippet, tmp_path)
    (tmp_path / "connect.js").write_text(SCRIPTS["connect.js"], encoding="utf-8")
    with PageSite(found["server"]) as site:
        site.files["/connect.js"] = SCRIPTS["connect.js"].encode()
        pages: dict[str, Page] = {}
        for name in sorted(PAGES):
            code = SCRIPTS[name]
            script = bundled_page(tmp_path, code) if name.endswith("x") else code.encode()
            pages[name] = browser.new_page()
            pages[name].goto(site.show(Path(name).stem, script))
            expect(pages[name].locator("li")).to_have_text(["bread"])
        shown = ["bread"]
        for page in pages.values():
            if page.get_by_role("button").count():
                page.get_by_role("button", name="Milk").click()
                shown.append("milk")
            page.locator("li").first.click()
            shown[0] = "bread" if shown[0] == "✓ bread" else "✓ bread"
            for other in pages.values():
                expect(other.locator("li")).to_have_text(shown)
        for name in PAGES - {"vanilla.js"}:
            expect(pages[name].locator("footer")).to_have_text("2 left, connected")
        assert [item.name for item in found["store"].state.items] == ["bread", "milk", "milk"]


def test_the_command_is_the_one_of_the_other_page() -> None:
    command, _ = re.findall(r'^python -c "(.*)"$', TEXT, re.MULTILINE)
    assert command in (ROOT / "docs/transports-in-the-page.md").read_text(encoding="utf-8")
