"""The browsers that attacks are tried in: one is started again when an attack, or the machine, has ended it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Error, Playwright

from cloche.testing.browser import FEATURES_OFF
from cloche.testing.browser import FLAGS as TESTING_FLAGS
from tests.attacks.net_log import NetLog
from tests.engines.driving import Engine
from tools.chromium import whole_chromium

FLAGS = [
    *(flag for flag in TESTING_FLAGS if not flag.startswith("--disable-features")),
    "--disable-features=" + ",".join(name for name in FEATURES_OFF if name != "IsolateSandboxedIframes"),
    "--no-sandbox",
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
]
"""The browser as people have it, with every feature on that a page can tell of; cameras are pretended, and allowed
once a page may ask.
"""

OPTIONS: dict[str, Any] = {
    "viewport": {"width": 900, "height": 2000},
    "permissions": ["geolocation", "clipboard-write"],
    "geolocation": {"latitude": 0, "longitude": 0},
}


class Started:
    """A browser that runs, or did."""

    def __init__(self, browser: BrowserContext | Engine, net_log: NetLog | None = None) -> None:
        self.browser = browser
        self.net_log = net_log
        self.gone = asyncio.Event()
        """Set when it ended before it was closed: what was tried in it meanwhile says nothing."""

    async def until_gone(self, work: Awaitable[None]) -> bool:
        """Wait for the work, or for the end of the browser; whether the work was done."""
        working, gone = asyncio.ensure_future(work), asyncio.ensure_future(self.gone.wait())
        try:
            await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in (working, gone):
                one.cancel()
            await asyncio.gather(working, gone, return_exceptions=True)
        return not self.gone.is_set()


class Chromium:
    """Chromium, private, or with a profile that lets frames of other sites store things, as most people's do."""

    def __init__(self, playwright: Playwright, *, stores: bool) -> None:
        self._playwright = playwright
        self._stores = stores
        self._stack = contextlib.AsyncExitStack()
        self._lock = asyncio.Lock()
        self._running: Started | None = None

    async def running(self) -> Started:
        """The browser, started when it is first wanted and whenever it has ended."""
        async with self._lock:
            if self._running is None or self._running.gone.is_set():
                await self.close()
                self._running = await self._start()
            return self._running

    async def close(self) -> None:
        """End it."""
        with contextlib.suppress(Error):  # it may have ended by itself
            await self._stack.aclose()

    async def _start(self) -> Started:
        if not self._stores:
            browser = await self._playwright.chromium.launch(executable_path=whole_chromium(), args=FLAGS)
            self._stack.push_async_callback(browser.close)
            return self._watched(await browser.new_context(**OPTIONS), None)
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        preferences = folder / "Default" / "Preferences"
        preferences.parent.mkdir(parents=True)
        preferences.write_text(json.dumps({"profile": {"cookie_controls_mode": 0}}), encoding="utf-8")
        log = NetLog(folder)
        context = await self._playwright.chromium.launch_persistent_context(
            folder, executable_path=whole_chromium(), args=[*FLAGS, log.flag], **OPTIONS
        )
        self._stack.push_async_callback(context.close)
        return self._watched(context, await self._stack.enter_async_context(log.followed(context)))

    def _watched(self, context: BrowserContext, log: NetLog | None) -> Started:
        started = Started(context, log)
        context.on("close", lambda _: started.gone.set())
        return started


async def name_of(browser: BrowserContext) -> str:
    """The browser's name and version."""
    page = await browser.new_page()
    session = await browser.new_cdp_session(page)
    found = await session.send("Browser.getVersion")
    await page.close()
    return str(found["product"]).replace("HeadlessChrome", "Chrome").replace("/", " ")
