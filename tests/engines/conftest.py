"""Each engine once for all tests of the folder, on a loop of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from cloche.testing.background import BackgroundLoop
from tests.engines.driving import DriverError
from tests.engines.firefox import Firefox
from tests.engines.webkit import WebKit

ENGINES = {"firefox": Firefox, "webkit": WebKit}

DEADLINE = 30.0
"""Seconds that anything on a page may take."""


class Browser:
    """An engine for plain tests; `open(url)` gives a page."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._loop = BackgroundLoop(name)
        self._engine = self._loop.run(ENGINES[name]().start())
        self.pages: list[Page] = []

    def open(self, url: str) -> Page:
        """A new page at this address."""
        made = Page(self._loop, self._loop.run(self._engine.new_page()))
        self.pages.append(made)
        made.goto(url)
        return made

    def close(self) -> None:
        """End it."""
        self._loop.run(self._engine.close())
        self._loop.close()


class Page:
    """A page of an engine; `run` and `until` take the source of a JavaScript function."""

    def __init__(self, loop: BackgroundLoop, page: Any) -> None:
        self._loop, self._page = loop, page

    def goto(self, url: str) -> None:
        """Go to an address."""
        self._loop.run(self._page.goto(url))

    def run(self, function: str, argument: Any = None, *, frame: tuple[int, ...] | None = ()) -> Any:
        """Call it in the page, in the frame at a path of indexes, or with None in the innermost frame."""
        return self._loop.run(self._page.evaluate_in(frame, function, argument))

    def until(self, function: str, argument: Any = None, *, frame: tuple[int, ...] | None = ()) -> Any:
        """Call it until it returns something true."""
        end = time.monotonic() + DEADLINE
        while True:
            found: Any = None
            problem: Exception | None = None
            try:
                found = self.run(function, argument, frame=frame)
            except DriverError as error:  # the frame may not be there yet
                problem = error
            if found:
                return found
            assert time.monotonic() < end, f"{function} never came true: {found!r} {problem or ''}"
            self._loop.run(asyncio.sleep(0.05))

    def close(self) -> None:
        """Close it."""
        self._loop.run(self._page.close())


@pytest.fixture(scope="package", params=list(ENGINES))
def running(request: pytest.FixtureRequest) -> Iterator[Browser]:
    made = Browser(request.param)
    yield made
    made.close()


@pytest.fixture
def browser(running: Browser) -> Iterator[Browser]:
    """An engine without pages."""
    yield running
    while running.pages:
        running.pages.pop().close()
