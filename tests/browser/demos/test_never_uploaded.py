"""A file that is opened in the JSON analyser never leaves the page: the browser's own network log counts every byte
that it sends through a socket. The control is a page that does upload it.
"""

from __future__ import annotations

import functools
import http.server
import json
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser.demos.conftest import TIMEOUT, Places
from tests.support.chromium import FLAGS
from tools.chromium import chromium
from tools.demos import HOST, serving

MEGABYTE = 1_000_000
MARK = "a sentence that stays on this machine"
PATIENCE = 4 * TIMEOUT
"""Milliseconds for the large file on a busy machine."""


@dataclass
class Sent:
    """What a browser sent in its life."""

    bytes: int
    requests: int
    bodies: int
    """Requests that were to carry something."""


def document(folder: Path, size: int) -> Path:
    """A JSON document of at least so many bytes."""
    file = folder / "notes.json"
    text = MARK + " and goes on " * 80
    with file.open("w", encoding="utf-8") as target:
        target.write('{"notes": [')
        count = 0
        while target.tell() < size:
            target.write(",\n" * (count > 0) + json.dumps({"id": count, "text": text, "open": count % 2 == 0}))
            count += 1
        target.write(f'], "count": {count}}}')
    return file


def log_of(driver: Playwright, folder: Path, do: Callable[[Page], None]) -> Sent:
    """What a browser of its own sends while `do` uses a page of it, as its network log says."""
    log = folder / "netlog.json"
    flags = [*FLAGS, f"--log-net-log={log}", "--net-log-capture-mode=IncludeSensitive"]
    browser = driver.chromium.launch(executable_path=chromium(), args=flags)
    page = browser.new_page()
    page.set_default_timeout(TIMEOUT)
    do(page)
    browser.close()
    return sent(log)


def sent(log: Path) -> Sent:
    """The log, counted: every kind of socket that has sent bytes."""
    found = json.loads(log.read_text(encoding="utf-8"))
    names = {number: name for name, number in found["constants"]["logEventTypes"].items()}
    size = requests = bodies = 0
    for event in found["events"]:
        name, params = names.get(event["type"], ""), event.get("params") or {}
        if name.endswith("BYTES_SENT"):
            size += int(params.get("byte_count", 0))
        elif name == "HTTP_TRANSACTION_SEND_REQUEST_HEADERS":
            requests += 1
        elif name == "HTTP_TRANSACTION_SEND_REQUEST_BODY":
            bodies += 1
    return Sent(size, requests, bodies)


def ask(page: Page, address: str, file: Path) -> None:
    """Open the file in the analyser's page, and query it."""
    page.goto(address)
    page.get_by_label("JSON file").set_input_files(file)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#settings")).to_contain_text("notes.json", timeout=PATIENCE)
    query = page.locator("[data-tool=query]")
    query.get_by_label("path").fill("$.notes[7].text")
    query.get_by_role("button", name="Call").click()
    expect(query.locator(".outcome")).to_contain_text(MARK, timeout=PATIENCE)


def ask_by_url(page: Page, demos: Places, file: Path) -> None:
    """The same from another origin's page: the file is picked in the dialog, and queried through the client."""
    page.goto(demos.client)
    page.get_by_role("group", name="Example:").get_by_role("button", name="JSON analyser").click()
    inside = page.get_by_role("dialog", name="Set up").frame_locator("iframe")
    inside.get_by_label("JSON file").set_input_files(file)
    inside.get_by_role("button", name="Save").click()
    server = page.locator("section.server[data-state=ready]")
    expect(server).to_contain_text("notes.json", timeout=PATIENCE)
    query = server.locator("[data-tool=query]")
    query.get_by_label("path").fill("$.notes[7].text")
    query.get_by_role("button", name="Call").click()
    expect(query.locator(".outcome")).to_contain_text(MARK, timeout=PATIENCE)


@pytest.mark.long
def test_a_file_never_leaves_the_page_when_another_one_uses_it(
    driver: Playwright, demos: Places, tmp_path: Path
) -> None:
    file = document(tmp_path, 4 * MEGABYTE)
    found = log_of(driver, tmp_path, lambda page: ask_by_url(page, demos, file))
    assert found.requests > 10, found
    assert found.bodies == 0, found
    assert found.bytes < 200_000, found


@pytest.mark.parametrize(
    "size", [8 * MEGABYTE, pytest.param(200 * MEGABYTE, marks=pytest.mark.long)], ids=["8 MB", "200 MB"]
)
def test_a_file_never_leaves_the_page(driver: Playwright, demos: Places, tmp_path: Path, size: int) -> None:
    file = document(tmp_path, size)
    address = demos.servers["json_analyser"]
    found = log_of(driver, tmp_path, lambda page: ask(page, address, file))
    assert found.requests > 10, found  # the log saw the page being loaded
    assert found.bodies == 0, found
    assert found.bytes < 100_000, found  # the headers of what was asked for


class TakesUploads(http.server.SimpleHTTPRequestHandler):
    """A host that has every byte it is sent."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(HTTPStatus.NO_CONTENT)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """A test's server is quiet."""


def test_the_log_would_see_an_upload(driver: Playwright, demos: Places, tmp_path: Path) -> None:
    """The page's policy lets it send to its own origin, and this one does."""
    file = document(tmp_path, MEGABYTE)

    def upload(page: Page) -> None:
        page.goto(address)
        page.get_by_label("JSON file").set_input_files(file)
        page.evaluate(
            """async () => {
                const [body] = document.querySelector("input[type=file]").files;
                await fetch("taken", { method: "POST", body });
            }"""
        )

    handler = functools.partial(TakesUploads, directory=str(demos.folder / "json_analyser"))
    with serving(http.server.ThreadingHTTPServer((HOST, 0), handler)) as address:
        found = log_of(driver, tmp_path, upload)
    assert found.bodies == 1, found
    assert found.bytes > MEGABYTE, found
