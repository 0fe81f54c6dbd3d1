"""One Chromium with WebMCP of its own and one without, for all tests here, and the pages that they read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, Page, async_playwright

from cloche.testing.background import BackgroundLoop
from tests.support.chromium import FLAGS
from tests.webmcp.pages import PageSite
from tools.chromium import whole_chromium

DEADLINE = 40.0
NATIVE = "--enable-features=WebMCP"


class Browsers:
    """Both browsers, on a loop of their own; `run` waits for a case there."""

    def __init__(self) -> None:
        self.background = BackgroundLoop("cloche-webmcp")
        self._running: dict[str, Browser] = {}
        self._playwright: Any = None

    def run(self, case: Coroutine[Any, Any, Any]) -> Any:
        async def in_time() -> Any:
            async with asyncio.timeout(DEADLINE):
                return await case

        return self.background.run(in_time())

    async def browser(self, kind: str) -> Browser:
        """The `native` browser or the `plain` one; started again when it has ended."""
        if self._playwright is None:
            self._playwright = await async_playwright().start()
        running = self._running.get(kind)
        if running is None or not running.is_connected():
            # The whole browser: the engine alone has no WebMCP.
            flags = [*FLAGS, NATIVE] if kind == "native" else FLAGS
            running = await self._playwright.chromium.launch(executable_path=whole_chromium(), args=flags)
            self._running[kind] = running
        return running

    @asynccontextmanager
    async def page(self, kind: str, url: str = "") -> AsyncIterator[Page]:
        """A page in a context of its own."""
        context = await (await self.browser(kind)).new_context()
        page = await context.new_page()
        page.set_default_timeout(20_000)
        try:
            if url:
                await page.goto(url)
            yield page
        finally:
            await context.close()

    def close(self) -> None:
        async def end() -> None:
            for browser in self._running.values():
                await browser.close()
            if self._playwright is not None:
                await self._playwright.stop()

        self.background.run(end())
        self.background.close()


@pytest.fixture(scope="package")
def browsers() -> Iterator[Browsers]:
    started = Browsers()
    yield started
    started.close()


@pytest.fixture(scope="package")
def site() -> Iterator[PageSite]:
    with PageSite() as served:
        yield served
