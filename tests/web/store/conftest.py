"""One browser for the folder; a server with a store, and pages that show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, BrowserContext

from cloche import Server, Store
from tests.support.chromium import launched
from tests.support.framework_pages import PageSite
from tools.chromium import chromium

SECONDS = 20_000


@dataclass
class Item:
    """Something to buy."""

    name: str
    done: bool = False


@dataclass
class Shopping:
    """What the pages show."""

    title: str = "Shopping"
    items: list[Item] = field(default_factory=list)
    locked: int = 1


@dataclass
class Shop:
    """A server with a store, and the site in front of it."""

    store: Store[Shopping]
    site: PageSite


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched(chromium()) as started:
        yield started


@pytest.fixture
def shop() -> Iterator[Shop]:
    server = Server("shop")
    store = Store(Shopping(items=[Item("bread")]), name="shopping", read_only=["/locked"])
    server.attach(store)

    @server.tool
    async def add(name: str) -> dict[str, int]:
        """Put something on the list."""
        if not name:
            raise ValueError("Say what to buy")
        store.state.items.append(Item(name))
        return {"items": len(store.state.items)}

    with PageSite(server) as site:
        yield Shop(store, site)


@pytest.fixture
def tabs(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(SECONDS)
    yield context
    context.close()
