"""A page in a window of its own: Chromium without its bars where there is one, else the system's browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import webbrowser
from types import TracebackType
from typing import Self

from cloche.errors import ConfigurationError

SIZE = "900,720"
END_SECONDS = 3.0


class BrowserWindow:
    """A window with a profile of its own, which is deleted at the end."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._profile: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self._profile is not None:
            shutil.rmtree(self._profile, ignore_errors=True)

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
                words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
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


def _as_root() -> list[str]:
    """As root, as in many containers, Chromium starts only without its own sandbox."""
    return ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
