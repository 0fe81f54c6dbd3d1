"""The browser of `cloche webmcp`: one of its own, with a profile that is kept, or one that runs already."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cloche.errors import ConfigurationError, ConnectError, LocalError, MissingExtraError, shorten
from cloche.testing.browser import VARIABLE, find_chromium, launch_flags
from cloche.webmcp.page_dialogs import PageDialogs

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Playwright

LOAD_SECONDS = 30.0
NATIVE = "--enable-features=WebMCP"


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """Which browser shows the page, and how."""

    url: str
    profile: Path | None = None
    attach: str | None = None
    show: bool = False


def check_installed() -> None:
    """Raise when there is no Playwright."""
    if find_spec("playwright") is None:
        raise MissingExtraError("cloche webmcp", "webmcp")


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """A page that is loaded."""

    page: Page
    dialogs: PageDialogs | None
    """What puts its dialogs away; None where there is a window, and a person who can answer."""


@asynccontextmanager
async def opened_page(options: BrowserOptions) -> AsyncIterator[OpenedPage]:
    """The page, loaded; at the end it is closed, and a browser that was started for it ends."""
    from playwright.async_api import Error, async_playwright

    async with AsyncExitStack() as stack:
        playwright = await stack.enter_async_context(async_playwright())
        context = await _context(playwright, options, stack)
        page = await context.new_page()
        if options.attach is not None:
            stack.push_async_callback(_close, page)
        # A page may open dialogs while it is loaded, and waits for each.
        dialogs = PageDialogs(page) if await _is_headless(page, options) else None
        if dialogs is None:
            page.on("dialog", lambda _: None)  # or Playwright would answer in the person's place
        try:
            await page.goto(options.url, timeout=LOAD_SECONDS * 1000)
        except Error as error:
            raise ConnectError(f"{shorten(options.url, 200)} cannot be opened: {_first_line(error)}") from None
        yield OpenedPage(page, dialogs)


async def _is_headless(page: Page, options: BrowserOptions) -> bool:
    if options.attach is None:
        return not options.show
    return "Headless" in str(await page.evaluate("navigator.userAgent"))


async def _context(playwright: Playwright, options: BrowserOptions, stack: AsyncExitStack) -> BrowserContext:
    from playwright.async_api import Error

    kind = playwright.chromium
    if options.attach is not None:
        try:
            browser = await kind.connect_over_cdp(options.attach)
        except Error as error:
            raise ConnectError(
                f"No browser answers at {shorten(options.attach, 100)}: start Chromium with "
                f"--remote-debugging-port=9222 {NATIVE} ({_first_line(error)})"
            ) from None
        stack.push_async_callback(browser.close)  # which ends the connection, not the browser
        return browser.contexts[0] if browser.contexts else await browser.new_context()
    launching: dict[str, Any] = {
        "executable_path": _chromium(kind.executable_path),
        "args": [*launch_flags(), NATIVE],
        "headless": not options.show,
    }
    try:
        if options.profile is not None:
            context = await kind.launch_persistent_context(options.profile, **launching)
            stack.push_async_callback(context.close)
            return context
        started = await kind.launch(**launching)
    except Error as error:
        fix = "is another browser using this --profile?" if options.profile else "does it start by hand?"
        raise LocalError(f"Chromium did not start: {fix} ({_first_line(error)})") from None
    stack.push_async_callback(started.close)
    return await started.new_context()


def _chromium(of_playwright: str) -> str:
    try:
        return find_chromium(of_playwright)
    except ConfigurationError:
        raise ConfigurationError(
            "cloche webmcp opens the page in Chromium, and none was found here: run `playwright install chromium`, "
            f"or install Chromium or Chrome, or set {VARIABLE} to the path of one"
        ) from None


async def _close(page: Page) -> None:
    if not page.is_closed():
        await page.close()


def _first_line(error: Exception) -> str:
    return shorten(str(error).partition("\n")[0], 200)
