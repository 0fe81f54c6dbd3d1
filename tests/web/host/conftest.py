"""One browser for the folder; each test has a stub of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.chromium import launched
from tests.web.host.showing import Showing
from tests.web.host.stub import Stub
from tools.chromium import chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched(chromium()) as started:
        yield started


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub() as made:
        yield made


@pytest.fixture
def showing(stub: Stub, browser: Browser) -> Iterator[Showing]:
    """A page with elements on it, and the test in the place of the host."""
    with Showing(stub, browser) as made:
        yield made
