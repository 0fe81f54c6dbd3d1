"""Python in the page: a server as a folder of files that a browser runs. Names are loaded when they are first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloche.lazy import lazy_names

if TYPE_CHECKING:
    from cloche.browser.bundle import Bundle, write_bundle
    from cloche.browser.camera import take_picture
    from cloche.browser.runtime import PYODIDE_VERSION, fetch_runtime
    from cloche.browser.site import Site, write_site

_HOMES = {
    "Bundle": "browser.bundle",
    "PYODIDE_VERSION": "browser.runtime",
    "fetch_runtime": "browser.runtime",
    "Site": "browser.site",
    "take_picture": "browser.camera",
    "write_bundle": "browser.bundle",
    "write_site": "browser.site",
}

__all__ = ["PYODIDE_VERSION", "Bundle", "Site", "fetch_runtime", "take_picture", "write_bundle", "write_site"]
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
