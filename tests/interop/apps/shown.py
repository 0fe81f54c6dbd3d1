"""A view of somebody else's server on a page of the product, and what the product hears of it."""

from __future__ import annotations

import queue
from pathlib import Path
from typing import Any

from playwright.sync_api import FrameLocator, Page, expect

from cloche.host import Host

DEADLINE = 30_000
"""Milliseconds; a view of seven megabytes is slow to start on a busy machine."""


class Heard:
    """What views said to the product."""

    def __init__(self) -> None:
        self._said: queue.Queue[tuple[str, Any]] = queue.Queue()

    def listen(self, host: Host) -> None:
        """Be the product's hooks."""
        host.on_message(lambda _, message: self._said.put(("message", message.text)))
        host.on_model_context(lambda _, context: self._said.put(("context", context)))
        host.on_log(lambda _, log: self._said.put(("log", log)))
        host.on_error(lambda _, problem: self._said.put(("error", problem)))

    def next(self, kind: str) -> Any:
        """The next thing of a kind; others before it are passed over, except that a view failed."""
        while True:
            found, value = self._said.get(timeout=DEADLINE / 1000)
            assert kind == "error" or found != "error", value
            if found == kind:
                return value

    def forget(self) -> None:
        """Nothing was said."""
        while not self._said.empty():
            self._said.get_nowait()


class Shown:
    """`shown.view` finds things in the view; `shown.allow()` answers the element's question with yes."""

    def __init__(self, page: Page, url: str, heard: Heard, folder: Path) -> None:
        self.page = page
        self.heard = heard
        self._folder = folder
        self.expected_errors: tuple[str, ...] = ()
        """How lines begin that a view may write to the console as errors."""
        self.is_granted = False
        """Whether the view has a permission."""
        self._errors: set[str] = set()
        page.set_default_timeout(DEADLINE)
        page.on("pageerror", lambda error: self._errors.add(str(error)))
        page.on("console", lambda line: self._errors.add(line.text) if line.type == "error" else None)
        page.goto(url)

    @property
    def view(self) -> FrameLocator:
        """Inside the view: the frame in the sandbox's frame, which has one more around it when the view was granted a
        permission.
        """
        outside = self.page.frame_locator("mcp-app iframe")
        return (outside.frame_locator("iframe") if self.is_granted else outside).frame_locator("iframe")

    def ready(self) -> Shown:
        """Wait until the view has shaken hands."""
        self.page.wait_for_function("() => document.querySelector('mcp-app').state === 'ready'", timeout=DEADLINE)
        return self

    def allow(self, title: str) -> None:
        """Read the question, and agree."""
        expect(self.page.get_by_role("alertdialog", name=title)).to_be_visible(timeout=DEADLINE)
        self.page.locator("mcp-app button.accept[aria-disabled=false]").click()

    def expect_text(self, selector: str, text: Any) -> None:
        """Wait until something in the view reads so."""
        expect(self.view.locator(selector)).to_have_text(text, timeout=DEADLINE)

    def height(self) -> float:
        """The height that the element has."""
        box = self.page.locator("mcp-app").bounding_box()
        assert box is not None
        return box["height"]

    def picture(self, name: str) -> bytes:
        """What it looks like; kept with the test's files."""
        return self.page.screenshot(path=self._folder / f"{name}.png")

    def close(self) -> None:
        """Leave the page; nothing may have gone wrong in it."""
        self.page.close()
        unexpected = [line for line in self._errors if not line.startswith(self.expected_errors)]
        assert unexpected == [], unexpected
