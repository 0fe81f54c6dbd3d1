"""How tests launch Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from playwright.sync_api import Browser, Playwright, sync_playwright

from cloche.testing.browser import launch_flags

FLAGS = launch_flags()
"""The flags with which the test plugin opens views, too."""

MICROPHONE = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
"""A microphone that plays a tone, and a browser that gives it to every page whose policies allow it to ask."""


class Steady:
    """A browser that is launched again when it has ended, so that the tests after that one still have it."""

    def __init__(self, launch: Callable[[], Browser]) -> None:
        self._launch = launch
        self._browser = launch()

    def __getattr__(self, name: str) -> Any:
        if not self._browser.is_connected():
            self._browser = self._launch()
        return getattr(self._browser, name)


def steady(playwright: Playwright, executable: str, *flags: str) -> Browser:
    """A browser for many tests."""
    options: dict[str, Any] = {"executable_path": executable, "args": [*FLAGS, *flags]}
    return cast(Browser, Steady(lambda: playwright.chromium.launch(**options)))


@contextmanager
def launched(executable: str, *flags: str) -> Iterator[Browser]:
    """The same, closed at the end of the block."""
    with sync_playwright() as playwright:
        browser = steady(playwright, executable, *flags)
        yield browser
        browser.close()
