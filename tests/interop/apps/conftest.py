"""One browser, one host and every server once, for all tests of the folder."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from cloche.host import Host, HostLimits, Policy
from tests.interop.apps.shown import DEADLINE, Heard, Shown
from tests.support.chromium import MICROPHONE, launched
from tests.support.product import Product
from tests.support.published_servers import RELAX, all_servers
from tools.chromium import chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched(chromium(), *MICROPHONE) as started:
        yield started


@pytest.fixture(scope="package")
def heard() -> Heard:
    return Heard()


@pytest.fixture(scope="package")
def product(heard: Heard) -> Iterator[Product]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PREFAB_BUNDLED_RENDERER", "1")  # its scripts inside, not from a CDN
        patient = HostLimits(initialize_seconds=DEADLINE / 1000)  # for seven megabytes of script on a busy machine
        policy = Policy(relax=RELAX)
        host = Host(all_servers(), secret="a secret for the tests of others", limits=patient, policy=policy)
        heard.listen(host)
        with Product(host) as running:
            running.run(start_all(host), timeout=60)
            yield running


async def start_all(host: Host) -> None:
    """Start the programs together: one after the other they would take longer than everything else here."""
    session = host.session("ada")
    await asyncio.gather(*(session.upstream(server).tools() for server in host.servers))


@pytest.fixture
def show(product: Product, browser: Browser, heard: Heard, tmp_path: Path) -> Iterator[Any]:
    """`show("server.tool", argument=…)` calls the tool and opens a page with its view."""
    heard.forget()
    opened: list[Shown] = []

    def open_view(name: str, /, **arguments: Any) -> Shown:
        page = browser.new_page(viewport={"width": 900, "height": 700})
        shown = Shown(page, product.page(product.embed(name, arguments)), heard, tmp_path)
        opened.append(shown)
        return shown

    yield open_view
    for shown in opened:
        shown.close()
