"""Files in a published page: Python reads what a person picks where it lies, and what a tool writes can be saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from cloche.browser import write_site
from tests.browser.published.conftest import HERE, TIMEOUT, fill, sent_with
from tests.support.file_site import Site

LINE = b"one line of a file that stays here\n"
CALLED = """async ([name, input]) => {
    const tool = (await document.modelContext.getTools()).find((one) => one.name == name);
    return await document.modelContext.executeTool(tool, input).catch(({ message }) => message);
}"""


@pytest.fixture(scope="module")
def filer(tmp_path_factory: pytest.TempPathFactory, runtime: Path) -> Iterator[str]:
    """Where the published server is."""
    made = write_site(HERE / "filer.py", tmp_path_factory.mktemp("filer") / "site", runtime=runtime)
    with Site("", sent_with(made.folder)) as site:
        fill(site, made.folder)
        yield f"{site.url}/index.html"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(TIMEOUT)
    yield made
    context.close()


def measured(page: Page, filer: str, file: Path, lines: int) -> list[Request]:
    """Pick a file and have a tool read it; the requests since it was picked."""
    asked: list[Request] = []

    def keep(request: Request) -> None:
        asked.append(request)

    page.context.on("request", keep)
    page.goto(filer)
    # The service worker fetches the site once more: that must be over.
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    expect(page.locator("#state")).to_have_text("Ready", timeout=TIMEOUT)
    # The log has what the worker asks for, too.
    assert any(one.url.endswith("python.json") for one in asked)
    asked.clear()
    for line in range(lines // 1000):
        if line == 0:
            file.write_bytes(b"")
        with file.open("ab") as target:
            target.write(LINE * 1000)
    panel = page.locator("[data-tool=measure]")
    panel.get_by_label("file").set_input_files(file)
    panel.get_by_role("button", name="Call").click()
    expect(panel.locator(".outcome")).to_contain_text(f"{file.name}: {len(LINE) * lines} bytes, {lines} lines")
    return asked


def test_a_picked_file_is_read_and_never_sent_and_a_written_one_is_saved(
    page: Page, filer: str, tmp_path: Path
) -> None:
    file = tmp_path / "größe 50%.txt"
    # More than a message has room for.
    assert measured(page, filer, file, lines=120_000) == []

    # No client names another file of Python's: not the server's own, and none beside what was picked.
    for path in ("/server/filer.py", "/files/1/../../server/filer.py", "/files/1/..", "relative"):
        assert "Invalid arguments for measure" in page.evaluate(CALLED, ["measure", {"file": path}]), path

    panel = page.locator("[data-tool=shout]")
    panel.get_by_label("file").set_input_files(file)
    panel.get_by_role("button", name="Call").click()
    with page.expect_download() as download:
        panel.get_by_role("button", name="Save loud-größe 50%.txt").click()
    assert Path(download.value.path()).read_bytes() == LINE.upper() * 120_000


@pytest.mark.long
def test_a_file_of_200_megabytes_is_read_where_it_lies(page: Page, filer: str, tmp_path: Path) -> None:
    assert measured(page, filer, tmp_path / "large.txt", lines=6_000_000) == []
