"""The playground as a person has it: `cloche dev` as a process of its own, its page in a real Chromium."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Frame, Locator, Page, expect

from tests.support.command import Running, started

DEADLINE = 60.0
NARROW = 640
"""Pixels below which the list of servers is folded."""

expect.set_options(timeout=DEADLINE * 1000)


@contextmanager
def playground(*targets: str, folder: Path, deadline: float = 120.0, **env: str) -> Iterator[Running]:
    """`cloche dev … --no-open` on a free port; `url` is what it printed, token included."""
    command = ["-m", "cloche", "dev", "--no-open", "--port", "0", *targets]
    with started(command, folder, deadline=deadline, **env) as running:
        yield running


def until(condition: Callable[[], Any], what: str) -> Any:
    """What `condition` gives, once it is something: the page's policy allows no script to wait inside of it.

    A frame that is replaced while it is asked has no answer yet.
    """
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        with suppress(Error):
            found = condition()
            if found:
                return found
        time.sleep(0.05)
    raise AssertionError(f"this never came: {what}")


class Screen:
    """The page, in words."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.set_default_timeout(DEADLINE * 1000)

    def show_list(self) -> None:
        """Unfold the list of servers, which is folded on a phone."""
        size = self.page.viewport_size
        if size is not None and size["width"] < NARROW:
            toggle = self.page.locator("#nav-toggle")
            expect(toggle).to_be_visible()
            if toggle.get_attribute("aria-expanded") == "false":
                toggle.click()
            expect(toggle).to_have_attribute("aria-expanded", "true")

    def choose(self, tool: str) -> None:
        self._open(self.page.get_by_role("navigation").get_by_role("button", name=tool).first)

    def choose_of(self, server: str, name: str) -> None:
        section = self.page.get_by_role("navigation").locator(
            "section", has=self.page.get_by_role("heading", name=server, exact=True)
        )
        self._open(section.get_by_role("button", name=re.compile("^" + re.escape(name).replace("/", r"\/") + "( |$)")))

    def _open(self, entry: Locator) -> None:
        # The page before may have the same heading and the same fields: the list says which one is shown.
        self.show_list()
        entry.click()
        expect(entry).to_have_attribute("aria-current", "true")
        self.page.locator("#item h2").wait_for()

    def toggle_theme(self) -> None:
        self.page.get_by_role("button", name="Theme").click()

    def fill(self, label: str, text: str) -> None:
        self.page.locator("#item").get_by_label(label).fill(text)

    def call(self, verb: str = "Call") -> None:
        self.before_a_call()
        self.page.get_by_role("button", name=verb, exact=True).click()

    def before_a_call(self) -> None:
        # The page may have called something by itself. What is shown now is not what `view()` is to find: it stays
        # until the result of this call is there.
        expect(self.page.locator("#trial")).not_to_have_attribute("aria-busy", "true")
        self.page.evaluate("() => document.querySelector('mcp-app')?.setAttribute('data-earlier', '')")

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def view(self) -> Frame:
        """The view inside both frames, when it is shown."""
        state = "() => document.querySelector('mcp-app:not([data-earlier])')?.state"
        until(lambda: self.page.evaluate(state) == "ready", "the view")
        frame: Frame = until(self._innermost, "the frame of the view")
        return frame

    def _innermost(self) -> Frame | None:
        return next((frame for frame in reversed(self.page.frames) if frame.url == "about:srcdoc"), None)

    def copied(self, text: str) -> str:
        """The clipboard, once this stands in it."""
        read = "() => navigator.clipboard.readText()"
        found: str = until(lambda: (now := self.page.evaluate(read)) and text in now and now, f"{text} to be copied")
        return found

    @property
    def status(self) -> Locator:
        return self.page.locator("#outcome .status")

    def side(self, name: str) -> Locator:
        tab = self.page.locator("#side-tabs").get_by_role("tab", name=name)
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        return self.page.locator("#side-body")


@contextmanager
def opened(browser: Browser, url: str, **options: Any) -> Iterator[Screen]:
    """The page, and nothing uncaught in it at the end."""
    context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
    page = context.new_page()
    screen = Screen(page)
    try:
        page.goto(url)
        yield screen
        assert screen.problems == []
    finally:
        context.close()
