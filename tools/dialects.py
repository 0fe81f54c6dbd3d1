"""Writes `web/dialects.json`, the older names of MCP Apps for the browser's side, from `cloche.wire.apps.methods`."""

from __future__ import annotations

import json
from pathlib import Path

from cloche.wire.apps.methods import dialects

FILE = Path(__file__).parents[1] / "src" / "cloche" / "web" / "dialects.json"


def text() -> str:
    """What stands in the file."""
    return json.dumps(dialects(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
