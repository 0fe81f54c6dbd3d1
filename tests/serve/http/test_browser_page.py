"""The address of a server in a browser: a page that says what this is. Clients get what they always got."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.support.chromium import FLAGS
from tests.support.command import CLOCHE, INITIALIZE, serving, write
from tools.chromium import chromium

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
TOKEN = "s3cr3t-s3cr3t-s3cr3t"
HOSTILE = "<script>document.title = 'taken'</script>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, CLOCHE.replace('"pantry"', f'"pantry", title="{HOSTILE}"'))
    write(tmp_path, f"{TOKEN} ada\n", "tokens")
    return tmp_path


def test_a_browser_gets_a_page_and_a_client_does_not(folder: Path) -> None:
    with serving("server.py", "--http", "0", folder=folder) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page()
        problems: list[str] = []
        page.on("console", lambda said: problems.append(said.text))
        answer = page.goto(running.url)
        assert answer is not None
        assert answer.status == 200
        assert page.title() == HOSTILE  # as text
        assert page.get_by_role("heading", level=1).inner_text() == HOSTILE
        assert running.url in page.locator("pre").first.inner_text()
        page.set_viewport_size({"width": 360, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert problems == []
        browser.close()
        status, text, headers = running.exchange(None, "GET", accept=BROWSER)
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "default-src 'none'" in headers["content-security-policy"]
        assert HOSTILE not in text
        events = "text/event-stream"
        for accept in (events, f"application/json, {events}", "*/*", f"{BROWSER}, {events}"):
            status, _, headers = running.exchange(None, "GET", accept=accept)
            assert (status, headers["content-type"]) != (200, "text/html; charset=utf-8")
        assert running.exchange(INITIALIZE, accept=f"application/json, {BROWSER}")[0] == 200
        assert running.exchange(None, "GET", path="/elsewhere", accept=BROWSER)[0] == 404
        assert running.exchange(None, "GET", host="evil.example", accept=BROWSER)[0] != 200


def test_a_server_with_tokens_tells_no_stranger_its_name(folder: Path) -> None:
    with serving("server.py", "--http", "0", "--token-file", "tokens", folder=folder) as running:
        status, text, _ = running.exchange(None, "GET", accept=BROWSER)
        assert status == 200
        assert "CLOCHE_TOKEN" in text
        assert "taken" not in text
        assert running.exchange(INITIALIZE)[0] == 401
        assert running.exchange(None, "GET", accept="text/event-stream")[0] == 401
