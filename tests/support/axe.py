"""What axe finds on a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tools.npm_tools import node_modules

AXE = node_modules(Path(__file__).parents[1] / "dev" / "node") / "axe-core" / "axe.min.js"


def violations(page: Page, within: str = "html") -> list[str]:
    """What axe finds, on the page around views; the page must have been opened with `bypass_csp`."""
    page.evaluate(AXE.read_text("utf-8"))
    options: dict[str, Any] = {"iframes": False, "resultTypes": ["violations"]}
    found = page.evaluate("([within, options]) => axe.run(within, options)", [within, options])
    return [f"{one['id']}: {json.dumps([node['target'] for node in one['nodes'][:3]])}" for one in found["violations"]]
