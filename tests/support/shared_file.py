"""A shared recording, opened from the disk by somebody who has no network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, FrameLocator, Page, expect

DEADLINE = 60.0


class Shared:
    """The file in a browser."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.set_default_timeout(DEADLINE * 1000)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    @property
    def view(self) -> FrameLocator:
        """The view that is shown."""
        return self.page.frame_locator("#stage").frame_locator("iframe")

    @property
    def step(self) -> int:
        """The number of the step that is looked at, from 1; 0 before the first."""
        return int(self._place[0])

    @property
    def steps(self) -> int:
        """How many there are."""
        return int(self._place[1])

    @property
    def _place(self) -> list[str]:
        place = self.page.locator("#place")
        expect(place).to_have_text(re.compile(r"^\d+ / \d+$"))
        return place.inner_text().split(" / ")

    def press(self, key: str) -> None:
        """Press a key on the page, and wait until the step that it leads to is there."""
        last, before = self.steps, self.step
        goal = {"Home": 0, "End": last, "ArrowRight": min(last, before + 1), "ArrowLeft": max(0, before - 1)}[key]
        self.page.keyboard.press(key)
        self.at(goal)

    def at(self, step: int) -> None:
        """Wait until this step is shown, and the view is where it was at it."""
        expect(self.page.locator("#place")).to_have_text(re.compile(rf"^{step} / "), timeout=DEADLINE * 1000)
        expect(self.page.locator("main")).not_to_have_attribute("aria-busy", "true", timeout=DEADLINE * 1000)


@contextmanager
def shared_file(browser: Browser, file: Path, **options: Any) -> Iterator[Shared]:
    """The file, opened from the disk with the network cut off; in the end nothing was asked of it."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "offline": True, **options})
    try:
        shared = Shared(context.new_page())
        shared.page.goto(file.as_uri())
        yield shared
        assert shared.requests == [file.as_uri()]
        assert shared.errors == []
    finally:
        context.close()
