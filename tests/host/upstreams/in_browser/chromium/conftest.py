"""One browser for the folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from cloche.host import Host, HostLimits, InBrowser, Policy
from tests.support.chromium import launched
from tests.support.visitor_site import DEADLINE, Site
from tools.chromium import chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=DEADLINE)
    with launched(chromium()) as started:
        yield started


@pytest.fixture
def policy() -> Policy:
    return Policy()


@pytest.fixture
def site(browser: Browser, policy: Policy) -> Iterator[Site]:
    """A product with two servers of its visitors: one asks, one does not."""
    servers = {"mine": InBrowser(), "quiet": InBrowser(ask="never")}
    host = Host(servers, secret="a secret of at least sixteen bytes", policy=policy, limits=HostLimits())
    with Site(host, browser) as made:
        yield made


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab whose script errors fail the test."""
    context = browser.new_context()
    made = context.new_page()
    errors: list[str] = []
    made.on("pageerror", lambda error: errors.append(str(error)))
    yield made
    context.close()
    assert errors == []
