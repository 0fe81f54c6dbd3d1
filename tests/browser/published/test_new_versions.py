"""Another version is published while a tab is open: the tab goes on, the next visit has it, and a later one needs no
network.
"""

from __future__ import annotations

import time
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect

from cloche.browser import write_site
from tests.browser.published.conftest import TIMEOUT, fill, sent_with
from tests.support.file_site import Site

SECONDS = 30.0
SERVER = """
import msgspec

from cloche import Server

server = Server("clock", version="{version}")


@server.tool
def which() -> str:
    \"\"\"The version that runs.\"\"\"
    return "This is {version}"


@server.tool
async def crash() -> str:
    \"\"\"Ends Python: the recursion is deeper than its stack, and another one is started.\"\"\"
    return str(msgspec.json.decode(b"[" * 5_000 + b"]" * 5_000))
"""
WAITING = "async () => !!(await navigator.serviceWorker.getRegistration())?.waiting"


def published(folder: Path, version: str, runtime: Path, site: Site) -> None:
    """Put a version on the host, in place of the one that is there."""
    (folder / "server.py").write_text(SERVER.format(version=version))
    made = write_site(folder / "server.py", folder / "site", runtime=runtime, snapshot=False)
    site.headers = sent_with(made.folder)
    fill(site, made.folder)


def visited(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    page.goto(url)
    return page


def which(page: Page) -> str:
    """The version that Python has."""
    panel = page.locator("[data-tool=which]")
    panel.get_by_role("button", name="Call").click()
    expect(panel.locator(".status")).to_contain_text("Done in", timeout=TIMEOUT)
    return panel.locator(".outcome").inner_text().strip()


def test_a_new_version_strands_no_tab(browser: Browser, tmp_path: Path, runtime: Path) -> None:
    context = browser.new_context()
    with Site("") as site:
        published(tmp_path, "1.0", runtime, site)
        page = visited(context, f"{site.url}/")
        expect(page.locator("#state")).to_have_text("Ready", timeout=TIMEOUT)
        # Even the tab of the first visit is served from what is kept.
        page.wait_for_function("() => navigator.serviceWorker.controller")
        assert "This is 1.0" in which(page)

        published(tmp_path, "2.0", runtime, site)
        page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_function(WAITING, timeout=TIMEOUT)
        # The open tab goes on, also when it has to start Python once more; what is on the host now does not fit it.
        crash = page.locator("[data-tool=crash]")
        with page.expect_console_message(lambda line: "Python was started again" in line.text, timeout=TIMEOUT):
            crash.get_by_role("button", name="Call").click()
        assert "This is 1.0" in which(page)
        page.close()

        # The next visit has it. A browser hands over a moment after the last tab is gone.
        until = time.monotonic() + SECONDS
        while True:
            page = visited(context, f"{site.url}/")
            version = page.locator("header small").inner_text()
            if version == "2.0" or time.monotonic() > until:
                break
            page.close()
        assert version == "2.0"
        expect(page.locator("#state")).to_have_text("Ready", timeout=TIMEOUT)
        assert "This is 2.0" in which(page)
        names = page.evaluate("() => caches.keys()")
        assert len(names) == 1, names
        page.close()

        # Nothing of it comes from the network any more.
        site.missed.clear()
        context.set_offline(True)
        page = visited(context, f"{site.url}/")
        expect(page.locator("#state")).to_have_text("Ready", timeout=TIMEOUT)
        assert "This is 2.0" in which(page)
    context.close()
