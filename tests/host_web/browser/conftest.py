"""One browser for the folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import FLAGS
from tools.chromium import chromium

DEADLINE = 30_000


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=DEADLINE)
    with sync_playwright() as playwright:
        # Names of a product and of its sandbox, as in production, lead to this machine; its camera is pretended.
        cameras = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
        flags = [*FLAGS, "--host-resolver-rules=MAP *.example 127.0.0.1", *cameras]
        started = playwright.chromium.launch(executable_path=chromium(), args=flags)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page whose script errors fail the test."""
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(DEADLINE)
    errors: list[str] = []
    made.on("pageerror", lambda error: errors.append(str(error)))
    yield made
    context.close()
    assert errors == []
