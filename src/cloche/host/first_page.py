"""A host that makes elements and never hears of a page says so, once: an element without its script shows nothing."""

from __future__ import annotations

import asyncio
import logging

SECONDS = 20.0
"""What a page may take from the making of its element to its connection."""


class FirstPage:
    """Whether any page has found this host, and how far it got."""

    def __init__(self, logger: logging.Logger, seconds: float = SECONDS) -> None:
        self.at: str | None = None
        """Where the host is wrapped; None before it is."""
        self.has_script = False
        """Whether a page has loaded the script."""
        self.is_connected = False
        """Whether a page has connected."""
        self._logger = logger
        self._seconds = seconds
        self._is_expected = False

    def expect(self) -> None:
        """An element was made, so a page should come."""
        if self._is_expected or self.is_connected:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # in a thread, whose loop is elsewhere: the next one may not be
            return
        self._is_expected = True
        loop.call_later(self._seconds, self._look)

    def _look(self) -> None:
        if not self.is_connected:
            self._logger.warning("No page has shown the element made %g s ago: %s", self._seconds, self._advice())

    def _advice(self) -> str:
        if self.at is None:
            return "this process serves no pages for it, run what host.wrap(app) returns instead of app"
        script = f'<script type="module" src="{self.at}/mcp-app.js"></script>'
        if self.has_script:
            return (
                f"{self.at}/mcp-app.js was loaded and did not connect, is it {script}, and do WebSockets get through?"
            )
        return (
            f"none has loaded {self.at}/mcp-app.js. The page needs {script}, and what host.wrap(app) returns has to be "
            "what the web server runs, not mounted inside another app"
        )
