"""Keeps Playwright's driver running through a race of its own, see steady_driver.cjs."""

from __future__ import annotations

import json
import os
from pathlib import Path

SCRIPT = Path(__file__).with_suffix(".cjs")


def keep_drivers_running() -> None:
    """Have every driver that this process and its children start load the script; other programs of Node pass it by."""
    option = f"--require {json.dumps(str(SCRIPT))}"
    options = os.environ.get("NODE_OPTIONS", "")
    if option not in options:
        os.environ["NODE_OPTIONS"] = f"{options} {option}".strip()
