"""A folder that `cloche build` wrote, as a server by URL in a product: set up in the page, called by an agent in
Python; where the browser lets the frame store things and where it does not. And pages with something that comes late.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from cloche.browser import write_site
from cloche.host import InFrame
from tests.browser.published.conftest import fill, sent_with
from tests.host.upstreams.in_frame.chromium.shop import Shop, reached
from tests.support.file_site import Site
from tests.web.frames.site import FrameSite
from tools.npm_tools import node_modules

TESTS = Path(__file__).parents[4]
KEY = "key-9f3a-secret"
SECONDS = 60_000
"""Milliseconds: Python starts twice, on a machine that may be busy."""


@pytest.fixture(scope="module")
def greeter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site, with the headers that its own `_headers` file names."""
    runtime = node_modules(TESTS / "browser" / "core" / "node") / "pyodide"
    folder = tmp_path_factory.mktemp("published") / "site"
    write_site(TESTS / "browser" / "published" / "greeter.py", folder, allow_origins=["*"], runtime=runtime)
    with Site("", sent_with(folder)) as site:
        fill(site, folder)
        yield site


def visited(shop: Shop, page: Page, address: str) -> Locator:
    """The product, whose server is at this address."""
    page.set_default_timeout(SECONDS)
    shop.spec = InFrame(f"{address}/index.html", ask="never", setups=shop.setups)
    element = shop.visit(page)
    reached(element, "new")
    return element


def set_up(element: Locator) -> None:
    """What a person does."""
    element.get_by_role("button", name="Set up").click()
    frame = element.get_by_role("dialog").frame_locator("iframe")
    frame.get_by_label("Your name").fill("Ada")
    frame.get_by_label("Key").fill(KEY)
    frame.get_by_role("button", name="Save").click()


def text_of(shop: Shop, tool: str) -> str:
    """What an agent reads."""
    result = shop.run(shop.start(tool).result(), timeout=SECONDS / 1000)
    return str(result["content"][0]["text"])


def test_a_published_server_is_set_up_and_called_by_an_agent_in_python(page: Page, shop: Shop, greeter: Site) -> None:
    element = visited(shop, page, greeter.url)
    set_up(element)
    reached(element, "ready")
    assert shop.kept()["displayName"] == "Greetings for Ada"
    assert text_of(shop, "greet") == "Hello, Ada!"
    # The key went to Python in the frame, and neither to the product nor to its agent.
    assert KEY not in str(shop.kept())
    assert KEY not in text_of(shop, "blab")
    # The visitor comes again: nothing has to be entered.
    page.reload()
    reached(element, "ready")
    assert text_of(shop, "greet") == "Hello, Ada!"
    # The tool says that the key has expired: the person is asked for another setup, and nothing else works until then.
    assert text_of(shop, "expire") == "The key has expired"
    told = reached(element, "error")
    assert told == "The server has to be set up again (AUTH_EXPIRED): The key has expired"
    assert "The key has expired" in shop.call("greet")


def test_where_the_browser_stores_nothing_the_setup_is_asked_for_again(page: Page, shop: Shop, greeter: Site) -> None:
    """A frame of another site in a private window: what was entered is gone with the page it was entered in."""
    element = visited(shop, page, greeter.url.replace("127.0.0.1", "localhost"))
    element.get_by_role("button", name="Set up").click()
    frame = element.get_by_role("dialog").frame_locator("iframe")
    expect(frame.locator("#setup .where")).to_contain_text("This browser stores nothing for this page")
    element.get_by_role("dialog").get_by_role("button", name="Cancel").last.click()
    reached(element, "error")
    element.get_by_role("button", name="Set up").click()
    frame.get_by_label("Your name").fill("Ada")
    frame.get_by_label("Key").fill(KEY)
    frame.get_by_role("button", name="Save").click()
    told = reached(element, "error")
    nothing = "This browser stores nothing for it in a frame here: use it in a window of its own"
    assert told == f"The server has to be set up again (CONFIG_CHANGED): {nothing}"
    assert told in shop.call("greet")


@pytest.mark.parametrize("kind", ["another origin", "another site"])
def test_a_picture_that_comes_late_does_not_keep_a_server_from_being_found(
    kind: str, page: Page, shop: Shop, pages: FrameSite
) -> None:
    """Ten of ten: who listens only after the frame has loaded hears none of them."""
    shop.has(pages.port if kind == "another origin" else pages.name, "slow-server.html")
    element = shop.visit(page)
    reached(element, "new")
    element.get_by_role("button", name="Set up").click()
    reached(element, "ready")
    for _ in range(9):
        page.reload()
        reached(element, "ready")
        assert shop.answers("whoami")["pinned"] == shop.own
