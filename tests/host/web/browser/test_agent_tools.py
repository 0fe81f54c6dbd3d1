"""Python functions of a product on a page's `document.modelContext`: called by an agent in the page through the polyfill,
and through the browser's own WebMCP as a browser agent does it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cloche import Server
from cloche.host import Host
from tests.support.chromium import launched
from tests.support.product import Product
from tools.chromium import whole_chromium

SECRET = "a secret of at least sixteen bytes"
LISTED = "count => document.querySelector('mcp-tools').tools.length == count"
CALL = """async ([name, input]) => {
    const [tool] = (await document.modelContext.getTools()).filter((one) => one.name == name);
    return await document.modelContext.executeTool(tool, input).catch(({ message }) => message);
}"""


@pytest.fixture(scope="module")
def native(browser: Browser) -> Iterator[Browser]:
    """The whole Chromium, with its own WebMCP. `browser` is started first: one Playwright at a time."""
    kind = browser.browser_type
    started = kind.launch(executable_path=whole_chromium(), args=[*launch_flags(), "--enable-features=WebMCP"])
    yield started
    started.close()
