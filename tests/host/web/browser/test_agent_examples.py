"""The shops of examples/agents_….py, used by an agent over the polyfill and over the browser's own WebMCP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.host.web.browser.test_agent_tools import BEGIN, CALL, allow, browsers, listed, opened
from tests.host.web.browser.test_frameworks import ROOT
from tests.support.live_server import LiveServer

__all__ = ["browsers"]

TOOLS = ("shop_search", "shop_add_to_cart", "shop_empty_cart")


@pytest.fixture(scope="module", params=["fastapi", "django"])
def shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the example of a framework."""
    code = f"sys.path.insert(0, {str(ROOT)!r})\nfrom examples.agents_{request.param} import app"
    with LiveServer(tmp_path_factory.mktemp(request.param), code) as server:
        yield f"http://localhost:{server.port}/"


def buy(page: Page, article: str) -> object:
    page.evaluate(BEGIN, ["shop_add_to_cart", {"article": article}])
    expect(page.get_by_role("alertdialog")).to_contain_text("wants to run “add_to_cart” of “shop”")
    allow(page, "Allow once")
    return page.evaluate("called")


def test_an_agent_of_the_page_uses_the_shop_and_every_visitor_has_a_cart(
    shop: str, browsers: dict[str, Browser]
) -> None:
    pages = [opened(browsers["polyfill"], shop) for _ in range(2)]
    for page in pages:
        listed(page, *TOOLS)
    ann, bob = pages
    assert ann.evaluate(CALL, ["shop_search", {"words": "ca"}]) == '{"cap":12,"scarf":18}'
    assert buy(ann, "cap") == '{"result":["cap"]}'
    assert buy(ann, "hat") == '{"result":["cap","hat"]}'
    assert buy(bob, "scarf") == '{"result":["scarf"]}'
    told = "The tool shop_add_to_cart failed: There is no 'car' in the shop: search for it first"
    assert buy(bob, "car") == told
    for page in pages:
        page.close()


def test_the_browsers_own_agent_uses_the_shop(shop: str, browsers: dict[str, Browser]) -> None:
    page = opened(browsers["native"], shop)
    listed(page, *TOOLS)
    assert sorted(tool["name"] for tool in page.webmcp.tools()) == sorted(TOOLS)
    assert page.webmcp.call_tool("shop_search", {"words": "hat"}) == {"hat": 30}
    page.close()
