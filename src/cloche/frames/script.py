"""The two-phase protocol as one JavaScript module, for pages without a build step."""

from __future__ import annotations

from cloche.web import bundled


def frames_script() -> str:
    """Both sides of the two-phase protocol as one module: write it to a file of your site and import it."""
    return bundled("frames.js")
