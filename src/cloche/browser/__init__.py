"""Python in the page: a server as a folder of files that a browser runs. Names are loaded when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloche.browser.bundle import Bundle, write_bundle
    from cloche.browser.runtime import PYODIDE_VERSION, fetch_runtime

_HOMES = {
    "Bundle": "cloche.browser.bundle",
    "PYODIDE_VERSION": "cloche.browser.runtime",
    "fetch_runtime": "cloche.browser.runtime",
    "write_bundle": "cloche.browser.bundle",
}

__all__ = ["PYODIDE_VERSION", "Bundle", "fetch_runtime", "write_bundle"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'cloche.browser' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
