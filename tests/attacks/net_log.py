"""Chromium's own log of what it does on the network: the names that its resolver is asked for."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Error, Page

NAME = "net-log.json"
FENCE = "nobody-"
PORT = 61_234
"""Where nobody listens; a port that browsers refuse would not be looked up."""
PAUSE = 0.1
"""Seconds between two looks at the file, which nothing tells of."""


class NetLog:
    """The log of one browser while it is written.

    Chromium writes what it has when there is enough of it. So a page of our own looks up a name now and then, which
    makes enough; once such a name is in the file, everything that happened before it is, too.
    """

    def __init__(self, folder: Path) -> None:
        self.flag = f"--log-net-log={folder / NAME}"
        self._file = folder / NAME
        self._read = 0
        self._kind = -1
        self._waiting: dict[str, Callable[[str], None]] = {}
        self._looked_up = 0
        """How many names of our own were looked up, and how many of them were read."""
        self._seen = 0
        self._moved = asyncio.Event()

    def on_lookup(self, name: str, found: Callable[[str], None]) -> None:
        """Call `found` as soon as this name is looked up."""
        self._waiting[name] = found

    async def caught_up(self) -> None:
        """Wait until everything is read that has happened so far."""
        next_one = self._looked_up + 1
        while self._seen < next_one and not self._following.done():
            self._moved.clear()
            await self._moved.wait()
        if self._following.done():
            self._following.result()

    @contextlib.asynccontextmanager
    async def followed(self, browser: BrowserContext) -> AsyncIterator[NetLog]:
        """Read it until the end of the block."""
        page = await browser.new_page()
        self._following = asyncio.create_task(self._follow(page))
        self._following.add_done_callback(lambda _: self._moved.set())
        try:
            yield self
        finally:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)

    async def _follow(self, page: Page) -> None:
        while not page.is_closed():  # the browser may end under an attack, and another one has a log of its own
            self._looked_up += 1
            with contextlib.suppress(Error):  # nobody is there
                await page.goto(f"http://{FENCE}{self._looked_up}.localhost:{PORT}/", wait_until="commit", timeout=2000)
            self._look()
            await asyncio.sleep(PAUSE)

    def _look(self) -> None:
        with self._file.open("rb") as file:
            file.seek(self._read)
            *lines, _ = file.read().split(b"\n")
        for line in lines:
            self._read += len(line) + 1
            self._line(line)
        self._moved.set()

    def _line(self, line: bytes) -> None:
        if self._kind < 0 and line.startswith(b'{"constants"'):
            constants = json.loads(line.rstrip(b",") + b"}")["constants"]
            self._kind = constants["logEventTypes"]["HOST_RESOLVER_MANAGER_REQUEST"]
        elif f'"type":{self._kind}}}'.encode() in line:
            self._asked(json.loads(line.rstrip(b",")).get("params", {}).get("host", ""))

    def _asked(self, host: str) -> None:
        name = urlsplit(host if "://" in host else f"//{host}").hostname or ""
        if name.startswith(FENCE):
            self._seen = int(name.removeprefix(FENCE).removesuffix(".localhost"))
        elif name in self._waiting:
            self._waiting.pop(name)(f"a lookup of {name}")
