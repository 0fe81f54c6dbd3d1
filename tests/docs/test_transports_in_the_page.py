"""The scripts of docs/transports-in-the-page.md run, on the origins that the page names.

A block of JavaScript begins with `// file: name.js` and is served under that name, with a page `name.html` around it,
on every origin. `console.log(…); // text` in a block says what must stand in the console.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, sync_playwright

from cloche.views.page_client import page_client
from tests.support.chromium import FLAGS
from tests.support.snippets import ROOT
from tools.chromium import chromium

TEXT = (ROOT / "docs/transports-in-the-page.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```js\n// file: (?P<name>[\w-]+\.js)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
SCRIPTS = {found["name"]: found["code"] for found in BLOCK.finditer(TEXT)}
PRINTED = re.compile(r"console\.log\(.*\); // (.*)$", re.MULTILINE)
SHOP = "https://shop.example"

PAGES = {
    "one-page": "one-page",
    "with-worker": "with-worker",
    "with-frame": "with-frame",
    "with-popup": "popup",
    "with-tab": "with-tab",
    "with-moving-tab": "with-moving-tab",
    "with-care": "with-care",
}
"""The pages that are opened, and the script that prints."""

OTHER_TABS = {"with-tab": "tab-with-server", "with-moving-tab": "moving-tab"}
"""What another tab shows."""

BESIDE = {"sums", "ask", "worker", "app", "popup", *OTHER_TABS.values()}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


def serve(route: Route) -> None:
    """One file of the documentation's sites."""
    path = re.sub(r"^https?://[^/]+/", "", route.request.url)
    name = path.rpartition(".")[0]
    if path.startswith("cloche/"):
        body = (resources.files("cloche.web") / path.removeprefix("cloche/")).read_text(encoding="utf-8")
    elif path.endswith(".html"):
        body = f'<!doctype html><body><button>open</button><script type="module" src="{name}.js"></script>'
    else:
        body = SCRIPTS[path]
    route.fulfill(body=body, content_type="text/html" if path.endswith(".html") else "text/javascript")


def test_every_block_is_run() -> None:
    assert len(re.findall(r"^```(?:js|javascript)", TEXT, re.MULTILINE)) == len(SCRIPTS)
    assert set(SCRIPTS) == {f"{name}.js" for name in {*PAGES, *BESIDE}}
    assert {name for name in SCRIPTS if PRINTED.search(SCRIPTS[name])} == {f"{name}.js" for name in PAGES.values()}


@pytest.mark.parametrize("name", PAGES)
def test_the_page_prints_what_it_says(browser: Browser, name: str) -> None:
    context = browser.new_context()
    context.route("**/*", serve)
    page = context.new_page()
    page.set_default_timeout(20_000)
    with context.expect_console_message(timeout=20_000) as printed:
        page.goto(f"{SHOP}/{name}.html")
        if name == "with-popup":
            page.click("button")
        if name in OTHER_TABS:
            context.new_page().goto(f"{SHOP}/{OTHER_TABS[name]}.html")
    assert printed.value.text == "\n".join(PRINTED.findall(SCRIPTS[f"{PAGES[name]}.js"]))
    context.close()


def test_the_one_file_is_written(tmp_path: Path) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=30)
    assert (tmp_path / "page-client.js").read_text(encoding="utf-8") == page_client()


def test_the_command_copies_the_scripts_and_is_the_one_of_the_example(tmp_path: Path) -> None:
    (command,) = re.findall(r'^python -c "(.*)"$', TEXT, re.MULTILINE)
    assert command in (ROOT / "examples/extension/README.md").read_text(encoding="utf-8")
    subprocess.run([sys.executable, "-c", command], cwd=tmp_path, check=True, timeout=30)
    for needed in set(re.findall(r'"\./(cloche/[\w/-]+\.js)"', "".join(SCRIPTS.values()))):
        assert (tmp_path / needed).is_file(), needed
    assert not list(tmp_path.rglob("_*"))
