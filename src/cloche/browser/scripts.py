"""The scripts of a server that is bundled for the browser."""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path


def write_scripts(target: Path) -> None:
    """Write them: what a page imports, and what the worker waits for as one file each."""
    with resources.as_file(resources.files("cloche.web") / "dist" / "site") as site:
        shutil.copytree(site, target, dirs_exist_ok=True)
