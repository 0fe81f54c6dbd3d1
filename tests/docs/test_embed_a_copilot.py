"""docs/embed-a-copilot.md, done as it says: its product, and its copilot in a frame; and its numbers and words."""

from __future__ import annotations

import re
import sys
from importlib import resources
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect, sync_playwright

from cloche.host import HostLimits
from tests.support.chromium import FLAGS
from tests.support.served import Served
from tests.support.snippets import ROOT, blocks_of, snippets_of
from tools.chromium import chromium

PAGE = "docs/embed-a-copilot.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
PAGE_OF_IT = (
    '<!doctype html><html lang="en"><title>Helper</title><body><script type="module" src="copilot.js"></script>'
)
DEADLINE = 20_000


def test_the_copilot_of_the_page_has_the_tools_of_its_product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (product,) = snippets_of("embed-a-copilot.md", TEXT)
    (script,) = blocks_of(PAGE, "js")
    (tmp_path / product.file).write_text(product.code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("product", None)
    import product as made  # type: ignore[import-not-found]

    def serve(route: Route) -> None:
        """Another company's site."""
        path = route.request.url.removeprefix("https://helper.example/")
        if path.startswith("cloche/"):
            body = (resources.files("cloche.web") / "dist" / path.removeprefix("cloche/")).read_text(encoding="utf-8")
        else:
            body = script.replace("https://product.example", served.url("")) if path else PAGE_OF_IT
        route.fulfill(body=body, content_type="text/javascript" if path else "text/html")

    with Served(made.app) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page()
        page.route("https://helper.example/**", serve)
        page.goto(served.url())
        said = page.frame_locator("mcp-copilot iframe").locator("body")
        expect(said).to_have_text('2 tools: ["Search","Sign-in"]', timeout=DEADLINE)
        expect(page.locator("mcp-copilot")).to_contain_text("Helper")
        browser.close()
    sys.modules.pop("product")


def test_the_numbers_and_names_of_the_page_are_the_codes_own() -> None:
    assert f"`HostLimits(copilot_calls={HostLimits().copilot_calls})`" in TEXT
    source = (resources.files("cloche.host") / "copilot_page.py").read_text(encoding="utf-8")
    noted = re.findall(r'self\.note\("(copilot-\w+)"', source)
    assert {*re.findall(r"`(copilot-(?!tool)\w+)`", TEXT)} == {*noted}
    example = ROOT / re.findall(r"^python -m (\S+)$", TEXT, re.MULTILINE)[0].replace(".", "/")
    assert example.with_suffix(".py").is_file()
