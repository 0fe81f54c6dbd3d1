"""How tests launch Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from cloche.testing.browser import launch_flags

FLAGS = launch_flags()
"""The flags with which the test plugin opens views, too."""

MICROPHONE = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
"""A microphone that plays a tone, and a browser that gives it to every page whose policies allow it to ask."""


@contextmanager
def launched(executable: str, *flags: str) -> Iterator[Browser]:
    """A browser for a folder or a module of tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=[*FLAGS, *flags])
        yield browser
        browser.close()
