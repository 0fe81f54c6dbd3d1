"""One browser for this folder, with which things are recorded. What is played has the browser of `open_view`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.chromium import launched
from tools.chromium import chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched(chromium()) as started:
        yield started
