"""The warning that no page opened an element that the host made: an element without its script shows nothing."""

from __future__ import annotations

import asyncio
import logging

SECONDS = 20.0
"""What a page may take from the making of its element to its connection."""

QUIET_SECONDS = 60.0
"""Between two warnings: a page that many people load is told of once a minute."""

MAX_EXPECTED = 1000
"""Elements that are waited for at a time."""


class MissingPageWarning:
    """Warns in the log when no page opens an element in time, and says what is probably missing."""

    def __init__(self, logger: logging.Logger, seconds: float = SECONDS) -> None:
        self.at: str | None = None
        """Where the host is wrapped; None before it is."""
        self.has_script = False
        """Whether a page has loaded the script."""
        self.is_connected = False
        """Whether a page has connected."""
        self._logger = logger
        self._seconds = seconds
        self._expected: set[str] = set()
        self._told_at: float | None = None

    def expect(self, call: str) -> None:
        """An element for this call was made, so a page should open it."""
        if call in self._expected or len(self._expected) >= MAX_EXPECTED:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # in a thread, whose loop is elsewhere: the next one may not be
            return
        self._expected.add(call)
        loop.call_later(self._seconds, self._look, call, loop)

    def opened(self, call: str) -> None:
        """A page opened the element of this call."""
        self._expected.discard(call)

    def _look(self, call: str, loop: asyncio.AbstractEventLoop) -> None:
        if call not in self._expected:
            return
        self._expected.discard(call)
        now = loop.time()
        if self._told_at is None or now - self._told_at >= QUIET_SECONDS:
            self._told_at = now
            self._logger.warning("No page has shown the element made %g s ago: %s", self._seconds, self._advice())

    def _advice(self) -> str:
        if self.at is None:
            return "this process serves no pages for it, run what host.wrap(app) returns instead of app"
        script = f'<script type="module" src="{self.at}/mcp-app.js"></script>'
        if self.is_connected:
            return f"other pages have connected, so if somebody looked at this one, it lacks {script}"
        if self.has_script:
            return (
                f"{self.at}/mcp-app.js was loaded and did not connect, is it {script}, and do WebSockets get through?"
            )
        return (
            f"none has loaded {self.at}/mcp-app.js. The page needs {script}, and what host.wrap(app) returns has to be "
            "what the web server runs, not mounted inside another app"
        )
