"""A published page runs nothing that was changed on its host, and says which file it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cloche.browser import write_bundle
from cloche.browser.integrity import integrity_of
from tests.browser.published.conftest import HERE, TIMEOUT, Places, fill, sent_with
from tests.support.file_site import Site

LOADED = (
    *("python.json", "web/python/worker.js", "web/python/page.js", "sources.zip", "packages.zip.gz"),
    *(f"pyodide/{name}" for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")),
    "snapshots/switching.bin.gz",
)
"""What the page loads from python/, one file of each kind."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(TIMEOUT)
    yield made
    context.close()


def changed(places: Places, name: str) -> Iterator[Site]:
    """The site with one byte more in a file: harmless, and not what was published."""
    folder = places.site.folder
    with Site("", sent_with(folder)) as site:
        fill(site, folder)
        site.add(f"/{name}", (folder / name).read_bytes() + b"\n")
        yield site


@pytest.mark.parametrize("name", LOADED)
def test_a_changed_file_is_refused_by_name(name: str, page: Page, places: Places) -> None:
    for site in changed(places, f"python/{name}"):
        page.goto(f"{site.url}/index.html")
        told = page.locator(".panel.error p").first
        expect(told).to_have_text(
            f"{site.url}/python/{name} has been changed on its host since it was published, so it is not used: "
            "load the page again, and if that does not help, the site has to be published again",
            timeout=TIMEOUT,
        )
        expect(page.locator("#state")).to_have_text("Not running")


@pytest.mark.parametrize("name", ["page.js", "page.css"])
def test_a_page_whose_script_or_looks_were_changed_says_so_itself(name: str, page: Page, places: Places) -> None:
    for site in changed(places, name):
        page.goto(f"{site.url}/index.html")
        expect(page.locator("#not-started")).to_be_visible(timeout=TIMEOUT)
        expect(page.locator("#not-started")).to_contain_text("has been changed on its host since it was published")
        expect(page.locator("#state")).to_have_text("")


def test_what_a_page_loads_is_all_in_its_lists(places: Places) -> None:
    folder = places.site.folder
    listed = json.loads((folder / "python" / "python.json").read_text())["integrity"]
    files = {path.relative_to(folder / "python").as_posix() for path in (folder / "python").rglob("*")}
    assert set(LOADED) - {"python.json"} <= set(listed) <= files
    wrong = [name for name, word in listed.items() if integrity_of((folder / "python" / name).read_bytes()) != word]
    assert wrong == []
    assert set(places.site.bundle.integrity) == {"python.json", "web/python/worker.js"}


def test_a_bundle_for_a_page_of_ones_own_checks_what_its_manifest_names(
    page: Page, runtime: Path, tmp_path: Path
) -> None:
    """Without the two words that the page has to know, only the manifest and the worker's script may be changed."""
    made = write_bundle(HERE / "filer.py", tmp_path / "python", runtime=runtime, snapshot=False)
    script = b"""import { startPythonServer } from "./python/web/python/start.js";
        globalThis.start = (integrity) => startPythonServer({ url: "./python/", integrity }).ready.then(
            () => "ready", (error) => error.message);"""
    with Site() as site:
        fill(site, tmp_path)
        site.add("/page.html", b'<!doctype html><script type="module" src="page.js"></script>')
        site.add("/page.js", script)
        worker = (tmp_path / "python" / "web" / "python" / "worker.js").read_bytes()
        site.add("/python/web/python/worker.js", worker + b"\n")
        page.goto(f"{site.url}/page.html")
        page.wait_for_function("() => globalThis.start")
        refused = page.evaluate("(integrity) => start(integrity)", made.integrity)
        assert refused.startswith(f"{site.url}/python/web/python/worker.js has been changed on its host")
        # The control: nobody said what the script must be.
        assert page.evaluate("() => start()") == "ready"
        site.add("/python/sources.zip", (tmp_path / "python" / "sources.zip").read_bytes() + b"\n")
        refused = page.evaluate("() => start()")
        assert refused.startswith(f"{site.url}/python/sources.zip has been changed on its host")
