"""Python functions of a product on a page's `document.modelContext`: an agent in the page calls them through the
polyfill, and a browser agent through the browser's own WebMCP.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from cloche import Server, View
from cloche.host import Host, Policy
from tests.host.test_agent_tools import shop
from tests.host.web.browser.conftest import DEADLINE
from tests.support.chromium import steady
from tests.support.product import Product
from tools.chromium import whole_chromium

LISTED = "names => document.querySelector('mcp-tools')?.tools?.join() == names.join()"
BOTH = pytest.mark.parametrize("kind", ["polyfill", "native"])
CALL = """async ([name, input]) => {
    const tool = (await document.modelContext.getTools()).find((one) => one.name == name);
    return await document.modelContext.executeTool(tool, input).catch(({ message }) => message);
}"""
BEGIN = f"given => {{ globalThis.called = ({CALL})(given); }}"

APP = """<!doctype html><title>Map</title><p>map</p><script>
  cloche.registerTool("zoom", { description: "Zoom in" }, { type: "object" }, ({ by }) => `zoomed by ${by}`);
</script>"""

STANDARD = """<!doctype html><title>Map</title><p>map</p><script>
  const over = new AbortController();
  const inputSchema = { type: "object", properties: { by: { type: "number" } }, required: ["by"] };
  const more = { inputSchema, annotations: { readOnlyHint: true }, execute: async ({ by }) => `zoomed by ${by}` };
  document.modelContext.registerTool({ name: "zoom", description: "Zoom in", ...more }, { signal: over.signal });
  document.modelContext.registerTool({ name: "zoom", description: "Again", ...more }).catch(({ name }) => {
    document.querySelector("p").textContent = name;
  });
  onclick = () => over.abort();
</script>"""
"""The same with the standard's own call, as a page that is no view has it."""


@pytest.fixture(scope="module")
def browsers(playwright: Playwright, browser: Browser) -> Iterator[dict[str, Browser]]:
    """One without WebMCP and one with its own."""
    native = steady(playwright, whole_chromium(), "--enable-features=WebMCP")
    yield {"polyfill": browser, "native": native}
    native.close()


def opened(browser: Browser, url: str) -> Page:
    page = browser.new_page()
    page.set_default_timeout(DEADLINE)
    page.goto(url)
    return page


def hosted(bought: list[Any] | None = None, app: str = APP, **options: Any) -> Host:
    maps = Server("map")
    maps.register_tool(lambda: "a map", name="map", view=View(app))
    return Host({"shop": shop(bought), "map": maps}, **{"secret": "s" * 32, "agent_tools": ["shop.*"], **options})


def element(product: Product, user: str = "ann") -> str:
    """What a page of this user has in it."""

    async def make() -> str:
        return product.host.session(user).agent_tools_element()

    made: str = product.run(make())
    return made


def listed(page: Page, *names: str) -> None:
    page.wait_for_function(LISTED, arg=list(names))


def allow(page: Page, button: str) -> None:
    page.locator("button.accept[aria-disabled=false]").wait_for()
    page.get_by_role("alertdialog").get_by_role("button", name=button).click()


@BOTH
def test_an_agent_calls_python_functions_and_the_person_is_asked(kind: str, browsers: dict[str, Browser]) -> None:
    bought: list[Any] = []
    with Product(hosted(bought)) as product:
        page = opened(browsers[kind], product.page(element(product)))
        listed(page, "shop_stock", "shop_buy", "shop_empty")
        assert ("[native code]" in page.evaluate("String(ModelContext)")) == (kind == "native")
        tools = page.evaluate("document.modelContext.getTools().then((all) => all.map((t) => [t.name, t.annotations]))")
        hints = {name: [key for key, value in sorted(given.items()) if value] for name, given in tools}
        assert hints == {
            "shop_buy": ["untrustedContentHint"],
            "shop_empty": ["consequentialHint", "untrustedContentHint"],
            "shop_stock": ["readOnlyHint"],
        }
        assert page.evaluate(CALL, ["shop_stock", {"item": "cap"}]) == '{"cap":3}'
        page.evaluate(BEGIN, ["shop_buy", {"item": "cap"}])
        expect(page.get_by_role("alertdialog")).to_contain_text(
            "An agent in your browser wants to run “buy” of “shop”."
        )
        assert bought == []
        allow(page, "Allow on this page")
        assert page.evaluate("called") == "bought cap"
        assert page.evaluate(CALL, ["shop_buy", {"item": "hat"}]) == "bought hat"
        refused = page.evaluate(CALL, ["shop_buy", {"item": 5}])
        assert kind == "native" or "item must be string" in refused
        assert bought == ["cap", "hat"]
        if kind == "native":
            assert {tool["name"] for tool in page.webmcp.tools()} == {"shop_stock", "shop_buy", "shop_empty"}
            assert page.webmcp.call_tool("shop_stock", {"item": "sock"}) == {"sock": 3}
        page.evaluate("document.querySelector('mcp-tools').remove()")
        assert page.evaluate("document.modelContext.getTools()") == []
        page.close()


@BOTH
def test_tools_of_a_view_on_the_page_are_there_while_it_is(kind: str, browsers: dict[str, Browser]) -> None:
    with Product(hosted(policy=Policy(agent_view_tool="ask"))) as product:
        app = product.embed("map.map", {}, "ann")
        page = opened(browsers[kind], product.page(element(product) + app))
        other = opened(browsers[kind], product.page(element(product)))
        listed(page, "shop_stock", "shop_buy", "shop_empty", "map.1.zoom")
        listed(other, "shop_stock", "shop_buy", "shop_empty")  # the view is on another page
        page.evaluate(BEGIN, ["map.1.zoom", {"by": 2}])
        expect(page.get_by_role("alertdialog")).to_contain_text("wants to run “zoom” of the app “map”.")
        allow(page, "Allow once")
        assert page.evaluate("called") == "zoomed by 2"
        page.evaluate("document.querySelector('mcp-app').remove()")
        listed(page, "shop_stock", "shop_buy", "shop_empty")
        page.close()
        other.close()


@BOTH
def test_a_view_that_speaks_webmcp_itself_shares_its_tools_through_the_bridge(
    kind: str, browsers: dict[str, Browser]
) -> None:
    """Native WebMCP shows nothing of a frame in a sandbox; the person is asked, whatever the view says of its tools."""
    with Product(hosted(app=STANDARD, policy=Policy(agent_view_tool="ask"))) as product:
        page = opened(browsers[kind], product.page(element(product) + product.embed("map.map", {}, "ann")))
        listed(page, "shop_stock", "shop_buy", "shop_empty", "map.1.zoom")
        view = page.frame_locator("mcp-app iframe").frame_locator("iframe")
        view.get_by_text("InvalidStateError").wait_for()
        wrong = page.evaluate(CALL, ["map.1.zoom", {"by": "much"}])
        assert "zoomed" not in wrong
        assert page.get_by_role("alertdialog").count() == 0
        page.evaluate(BEGIN, ["map.1.zoom", {"by": 2}])
        expect(page.get_by_role("alertdialog")).to_contain_text("wants to run “zoom” of the app “map”.")
        allow(page, "Allow once")
        assert page.evaluate("called") == "zoomed by 2"
        page.evaluate(BEGIN, ["map.1.zoom", {"by": 3}])
        page.get_by_role("alertdialog").get_by_role("button", name="Don't allow").click()
        assert "zoomed" not in page.evaluate("called")
        view.get_by_text("InvalidStateError").click()  # the view takes it away
        listed(page, "shop_stock", "shop_buy", "shop_empty")
        page.close()


def test_without_the_policy_no_tool_of_a_view_is_seen(browsers: dict[str, Browser]) -> None:
    with Product(hosted()) as product:
        page = opened(browsers["polyfill"], product.page(element(product) + product.embed("map.map", {}, "ann")))
        page.frame_locator("mcp-app iframe").frame_locator("iframe").get_by_text("map").wait_for()
        listed(page, "shop_stock", "shop_buy", "shop_empty")
        assert "map.1.zoom" not in page.evaluate(
            "document.modelContext.getTools().then((all) => all.map((t) => t.name))"
        )
        page.close()


def test_the_call_that_an_agent_gives_up_and_the_page_that_loses_its_session(browsers: dict[str, Browser]) -> None:
    bought: list[Any] = []
    with Product(hosted(bought)) as product:
        page = opened(browsers["polyfill"], product.page(element(product)))
        listed(page, "shop_stock", "shop_buy", "shop_empty")
        page.evaluate("""async () => {
            const own = new AbortController();
            const tool = (await document.modelContext.getTools()).find((one) => one.name == "shop_buy");
            const call = document.modelContext.executeTool(tool, { item: "cap" }, { signal: own.signal });
            globalThis.called = call.catch(({ name }) => name);
            globalThis.own = own;
        }""")
        expect(page.get_by_role("alertdialog")).to_be_visible()
        page.evaluate("own.abort()")
        assert page.evaluate("called") == "AbortError"
        expect(page.get_by_role("alertdialog")).to_be_hidden()
        page.evaluate(BEGIN, ["shop_buy", {"item": "cap"}])
        expect(page.get_by_role("alertdialog")).to_be_visible()
        product.run(product.host.session("ann").revoke())
        assert page.evaluate("called") == "The tool shop_buy failed: The session was revoked"
        listed(page)
        assert bought == []
        page.close()
