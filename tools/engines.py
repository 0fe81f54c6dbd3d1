"""Find Firefox and WebKit beside Chromium, and install them with apt when they are missing.

`python -m tools.engines` prints which of them are here; with `--install`, installs what is not. Only the standard
library is used.
"""

from __future__ import annotations

import shutil
import sys
from glob import glob

from tools.apt import install

PACKAGES = {"firefox": ("firefox-esr", "xvfb", "xdotool"), "webkit": ("webkit2gtk-driver", "xvfb", "xdotool")}
"""Each engine, and the packages of Debian that bring it. WebKitGTK is the engine of Safari, with other edges."""

MINIBROWSERS = "/usr/lib/*/webkit*/MiniBrowser"
FIREFOX = ("firefox-esr", "firefox")


def firefox() -> str | None:
    """The path of Firefox."""
    return next((path for name in FIREFOX if (path := shutil.which(name)) is not None), None)


def minibrowser() -> str | None:
    """The path of WebKitGTK's own browser, which no PATH has."""
    return next(iter(sorted(glob(MINIBROWSERS))), None)


def program(name: str) -> str:
    """The path of a command that an engine's package brings."""
    found = shutil.which(name)
    if found is None:
        raise SystemExit(f"{name} is not here: python -m tools.engines --install")
    return found


def installed() -> list[str]:
    """The engines that are here and can be driven."""
    here = {
        "firefox": firefox() is not None,
        "webkit": minibrowser() is not None and shutil.which("WebKitWebDriver") is not None,
    }
    has_display = all(map(shutil.which, ("Xvfb", "xdotool")))
    return [name for name, is_here in here.items() if is_here and has_display]


def install_missing() -> list[str]:
    """Install what is missing; every engine then."""
    for name, packages in PACKAGES.items():
        if name not in installed():
            install(*packages, named=name, by_hand=f"install {', '.join(packages)} by hand")
    missing = [name for name in PACKAGES if name not in installed()]
    if missing:
        raise SystemExit(f"apt-get installed {', '.join(missing)}, but it is not there: install it by hand.")
    return installed()


if __name__ == "__main__":
    print(" ".join(install_missing() if "--install" in sys.argv[1:] else installed()))
