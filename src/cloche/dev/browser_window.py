"""A page in a window of its own: Chromium without its bars where there is one, else the system's browser."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import webbrowser
from contextlib import suppress
from types import TracebackType
from typing import Self

from cloche.errors import ConfigurationError

SIZE = "900,720"
END_SECONDS = 3.0
REMOVE_AGAIN_SECONDS = 0.05


class BrowserWindow:
    """A window with a profile of its own, which is deleted at the end."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._profile: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        if self.process is not None:
            _end(self.process)
        if self._profile is not None:
            _remove(self._profile)

    def show(self, url: str) -> bool:
        """Open the window; False when there is no display or no browser."""
        if not has_display():
            return False
        program = chromium()
        if program is None:
            return webbrowser.open(url)
        self._profile = tempfile.mkdtemp(prefix="cloche-window-")
        words = [program, f"--app={url}", f"--user-data-dir={self._profile}", f"--window-size={SIZE}"]
        words += ["--no-first-run", "--no-default-browser-check", *_as_root()]
        try:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            return webbrowser.open(url)
        return True


def chromium() -> str | None:
    """The path of a Chromium, Chrome or Edge, if there is one."""
    from cloche.testing.browser import find_chromium

    try:
        return find_chromium()
    except ConfigurationError:
        return None


def has_display() -> bool:
    """Whether windows can be shown."""
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _end(browser: subprocess.Popen[bytes]) -> None:
    """End the browser, then its helper processes, which would put files back into its profile."""
    if browser.poll() is None:
        browser.terminate()
        try:
            browser.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            browser.kill()
            browser.wait()
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(browser.pid, signal.SIGKILL)


def _remove(profile: str) -> None:
    """Again while it is there: what was killed a moment ago may have had a file half written."""
    deadline = time.monotonic() + END_SECONDS
    shutil.rmtree(profile, ignore_errors=True)
    while os.path.exists(profile) and time.monotonic() < deadline:
        time.sleep(REMOVE_AGAIN_SECONDS)
        shutil.rmtree(profile, ignore_errors=True)


def _as_root() -> list[str]:
    """As root, as in many containers, Chromium starts only without its own sandbox."""
    return ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
