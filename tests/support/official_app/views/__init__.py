"""The views that the tests show: one on the official App, one on our runtime, driven with the same vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cloche.views.scripts import generate_bridge
from tests.support.official_app.bundles import bundle

HERE = Path(__file__).parent


def page(runtime: str, script: str, more: str = "") -> str:
    """A view: a runtime, something that has a size, a script of this folder, and whatever else."""
    body = '<div id="box" style="height: 40px"></div>'
    driver = (HERE / script).read_text(encoding="utf-8")
    return (
        f"<!doctype html><html><head><meta charset=utf-8><script>{runtime}</script></head>"
        f"<body>{body}<script>{driver}</script>{more}</body></html>"
    )


def official_view(version: str) -> str:
    """The official App, of the version that hosts it."""
    return page(bundle(version, "app"), "official.js")


def our_view(version: str = "", *, more: str = "", trusted_origins: Sequence[str] = ()) -> str:
    """Our runtime with all its adapters; the same for every host."""
    return page(generate_bridge(trusted_origins=trusted_origins), "ours.js", more)


VIEWS = {"official App": official_view, "ours": our_view}
"""Every view that is asked the same questions; each takes the version of the library that hosts it."""
