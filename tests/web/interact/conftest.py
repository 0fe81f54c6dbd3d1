"""One browser for this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial

import pytest
from playwright.sync_api import Browser

from tests.web.interact import stage

Open = Callable[..., AbstractContextManager[stage.Stage]]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with stage.browser() as started:
        yield started


@pytest.fixture
def open_page(chromium: Browser) -> Open:
    """`with open_page("<p>…</p>", forms=False) as page`"""
    return partial(stage.stage, chromium)
