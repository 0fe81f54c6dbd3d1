"""Finding a Chromium and starting it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cloche.errors import ConfigurationError, MissingExtraError

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

VARIABLE = "CLOCHE_CHROMIUM"
"""The environment variable that names the browser to use."""

COMMANDS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge")
APPLICATIONS = ("Google Chrome", "Chromium", "Microsoft Edge")
WINDOWS_PROGRAMS = (r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe")

FEATURES_OFF = (
    # What drops down from the address bar is a page of its own in every window: nobody sees it, and it costs more than
    # a view.
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
    # A sandboxed frame in a process of its own starts before Playwright watches it: its first requests are missed.
    "IsolateSandboxedIframes",
    # The last such flag counts, so what Playwright switches off is named again as far as it matters here.
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)

FLAGS = (
    "--disable-gpu",
    "--site-per-process",  # as every desktop browser does; a Chromium without windows does it when told to
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=" + ",".join(FEATURES_OFF),
)


def launch_flags() -> list[str]:
    """What Chromium is started with. As root, as in many containers, it starts only without its own sandbox."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*FLAGS, "--no-sandbox"] if as_root else [*FLAGS]


def find_chromium(of_playwright: str | None = None) -> str:
    """The path of the browser: the one `CLOCHE_CHROMIUM` names, Playwright's own, or one that is installed."""
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise ConfigurationError(f"{VARIABLE} is {named!r}, and no program is there: set it to a Chromium's path")
        return found
    if of_playwright and Path(of_playwright).is_file():
        return of_playwright
    installed = next((path for place in _places() if (path := shutil.which(place))), None)
    if installed is None:
        raise ConfigurationError(
            "Views are tested in a real browser and none was found here: run `playwright install chromium`, "
            f"or install Chromium or Chrome, or set {VARIABLE} to the path of one."
        )
    return installed


def _places() -> list[str]:
    """Commands and paths where a browser may be."""
    if sys.platform == "darwin":
        return [*COMMANDS, *(f"/Applications/{name}.app/Contents/MacOS/{name}" for name in APPLICATIONS)]
    if sys.platform == "win32":
        roots = [os.environ.get(name, "") for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")]
        return [str(Path(root) / program) for root in roots if root for program in WINDOWS_PROGRAMS]
    return list(COMMANDS)


class Chromium:
    """The browser of a test run, the same for all views: started by the first one; with a window unless `headless`."""

    def __init__(self, *, headless: bool = True) -> None:
        self._headless = headless
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    async def browser(self) -> Browser:
        """The running browser."""
        if self._browser is not None and self._browser.is_connected():
            return self._browser
        if self._playwright is None:
            self._playwright = await _start_playwright()
        kind = self._playwright.chromium
        path = find_chromium(kind.executable_path)
        self._browser = await kind.launch(executable_path=path, args=launch_flags(), headless=self._headless)
        return self._browser

    async def close(self) -> None:
        """End the browser and what drives it."""
        browser, playwright = self._browser, self._playwright
        self._browser = self._playwright = None
        try:
            if browser is not None:
                await browser.close()
        finally:
            if playwright is not None:
                await playwright.stop()


async def _start_playwright() -> Playwright:
    try:
        from playwright.async_api import async_playwright
    except ModuleNotFoundError as error:
        if error.name != "playwright":
            raise
        raise MissingExtraError("Testing views", "test") from None
    return await async_playwright().start()
