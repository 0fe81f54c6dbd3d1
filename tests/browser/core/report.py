"""Pages in a real Chromium, and what they report."""

from __future__ import annotations

import asyncio

import msgspec
from playwright.async_api import Browser, async_playwright

from tests.support.chromium import FLAGS
from tools.chromium import chromium

DEADLINE = 840.0
"""Seconds for everything; the pages themselves give up sooner when a Python falls silent."""


class Outcome(msgspec.Struct):
    """How one case, or the collection of one module, ended inside."""

    name: str
    outcome: str
    text: str


class Facts(msgspec.Struct):
    """Which Python it was."""

    platform: str
    version: tuple[int, int]
    scope: str
    cloche: str | None


class Report(msgspec.Struct):
    """What a page heard from its worker."""

    python: Facts | None
    """None when Python did not start."""
    collected: list[str]
    outcomes: list[Outcome]
    violations: list[str]
    """What the policy forbade, on the page and in the worker."""
    running: str | None
    """The case that was running when the worker was last heard from; None after an orderly end."""
    status: int | None
    """pytest's exit status."""
    output: str
    failure: str | None
    """Why there was no orderly end."""

    def failures(self) -> list[Outcome]:
        """Everything that did not pass."""
        return [one for one in self.outcomes if one.outcome != "passed"]


async def reports(urls: list[str]) -> list[Report]:
    """Open every URL in a page of its own, all at once, and wait for what each reports."""
    async with asyncio.timeout(DEADLINE), async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            return list(await asyncio.gather(*(report(browser, url) for url in urls)))
        finally:
            await browser.close()


async def report(browser: Browser, url: str) -> Report:
    """Open a page and wait for its report."""
    page = await browser.new_page()
    await page.goto(url)
    return msgspec.convert(await page.evaluate("() => window.report"), Report)
