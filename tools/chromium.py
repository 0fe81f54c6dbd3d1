"""Find Chromium, and install it with apt when there is none.

`python -m tools.chromium` prints the path of the browser as people have it; with `--shell`, of the same engine without
the windows around it, which shows a page in a quarter of the time. Only the standard library is used.
"""

from __future__ import annotations

import os
import shutil
import sys

from tools.apt import install

VARIABLE = "CLOCHE_CHROMIUM"
"""The environment variable that names the browser to test with."""

SHELL = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
NAMED = "Chromium"
BY_HAND = "install Chromium by hand, so that `chromium` is on the PATH"


def chromium() -> str:
    """The path of the browser to test with: the named one, or the one that people have."""
    return os.environ.get(VARIABLE) or whole_chromium()


def whole_chromium() -> str:
    """The path of a Chromium as people have it, installed on first use."""
    found = find()
    if found is None:
        install("chromium", named=NAMED, by_hand=BY_HAND)
        found = find()
    if found is None:
        raise SystemExit(f"apt-get installed the package chromium, but no command of that name: {BY_HAND}.")
    return found


def shell() -> str:
    """The path of Chromium's engine without windows, installed on first use; where there is none, of the whole."""
    whole = whole_chromium()
    if shutil.which(SHELL) is None and shutil.which("apt-get") is not None:
        try:
            install(
                "chromium", SHELL, named=NAMED, by_hand=BY_HAND
            )  # both, because they share files of the same version
        except SystemExit as error:
            print(f"testing with {whole}, which takes longer: {error}", file=sys.stderr)
    return shutil.which(SHELL) or whole


def find() -> str | None:
    """The path of the first Chromium on the PATH."""
    return next((path for name in NAMES if (path := shutil.which(name)) is not None), None)


if __name__ == "__main__":
    print(shell() if "--shell" in sys.argv[1:] else whole_chromium())
