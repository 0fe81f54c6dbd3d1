"""Every behaviour case over an emitter, a MessageChannel and a dedicated worker."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.page_transports.running import run_cases


@pytest.mark.requirement(25, 26, 37, 38, 39, 43, 44, 69)
@pytest.mark.parametrize("way", ["event", "channel", "worker"])
def test_the_cases_pass_over(way: str, page: Page) -> None:
    run_cases(page, "ports", way)
