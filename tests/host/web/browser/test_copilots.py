"""Copilots in frames of a product's page, in a real browser and on origins of their own: ours, and somebody else's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Frame, Locator, Page, expect

from cloche import Server
from cloche.host import Copilot, Host
from tests.host.test_agent_tools import shop
from tests.host.web.browser.conftest import DEADLINE
from tests.support.axe import violations
from tests.support.copilot_site import CopilotSite
from tests.support.product import POLICY, Product

STATE = """(element, wanted) => new Promise((resolve) => {
  const look = () => {
    if (!wanted.includes(element.state)) return;
    element.removeEventListener("statechange", look);
    resolve(element.error?.message ?? "");
  };
  element.addEventListener("statechange", look);
  look();
})"""
SESSION = "() => copilot.session"
NAMES = "() => copilot.names()"
CALL = "([name, args]) => copilot.call(name, args)"
BOTH = pytest.mark.parametrize("kind", ["ours", "peer"])


class HelpedShop(Product):
    """A product with copilots. `shop.has(helper=…)` declares them, `shop.visit(page, "helper")` is Ann's tab."""

    def __init__(self) -> None:
        self.bought: list[str] = []
        bank = Server("bank")
        bank.register_tool(lambda: 12, name="balance", annotations={"readOnlyHint": True})
        super().__init__(Host({"shop": shop(self.bought), "bank": bank}, secret="s" * 32))
        self.policy = f"{POLICY} http://127.0.0.1:*"

    def __enter__(self) -> HelpedShop:
        super().__enter__()
        return self

    @property
    def own(self) -> str:
        """The product's origin."""
        return f"http://127.0.0.1:{self.port}"

    def has(
        self, site: CopilotSite, page: str = "ours", tools: str = "shop.*", name: str = "helper", **query: str
    ) -> None:
        """Declare a copilot whose page is this one of the site's."""
        given = "&".join(f"{key}={quote(value, safe='')}" for key, value in {"allow": self.own, **query}.items())
        self.host.copilots[name] = Copilot(f"{site.url}/{page}.html?{given}", tools=[tools], title=name.title())

    def elements(self, *names: str) -> str:
        """What Ann's page has in it."""

        async def made() -> str:
            return "".join(self.host.session("ann").copilot_element(name) for name in names)

        markup: str = self.run(made())
        return markup

    def visit(self, page: Page, *names: str) -> Locator:
        """Load the product; the element of its first copilot."""
        page.goto(self.page(self.elements(*names or ("helper",))))
        return page.locator("mcp-copilot").first


def reached(element: Locator, *states: str) -> str:
    """Wait until the element is in one of these states; the sentence of its error."""
    told: str = element.evaluate(STATE, list(states))
    return told


def frame_of(element: Locator) -> Frame:
    """The copilot's page."""
    handle = element.locator("iframe").element_handle()
    assert handle is not None
    frame = handle.content_frame()
    assert frame is not None
    return frame


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in which axe can run."""
    context = browser.new_context(bypass_csp=True)
    made = context.new_page()
    made.set_default_timeout(DEADLINE)
    yield made
    context.close()


@pytest.fixture(scope="module")
def sites() -> Iterator[tuple[CopilotSite, CopilotSite]]:
    with CopilotSite() as one, CopilotSite() as other:
        yield one, other


@pytest.fixture
def product() -> Iterator[HelpedShop]:
    with HelpedShop() as made:
        yield made


Sites = tuple[CopilotSite, CopilotSite]


@BOTH
def test_a_copilot_lists_and_calls_and_the_person_is_asked(
    kind: str, page: Page, product: HelpedShop, sites: Sites
) -> None:
    product.has(sites[0], kind)
    element = product.visit(page)
    reached(element, "ready")
    frame = frame_of(element)
    assert frame.evaluate(SESSION)["origin"] == product.own
    assert frame.evaluate(NAMES) == ["stock", "buy", "empty"]
    assert frame.evaluate(CALL, ["stock", {"item": "cap"}]) == {"cap": 3}
    assert "does not offer it to the copilot" in frame.evaluate(CALL, ["balance", {}])
    frame.evaluate("() => { globalThis.bought = copilot.call('buy', { item: 'cap' }); }")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text(f"The copilot “Helper” of “{sites[0].url}” wants to run “buy” of “shop”.")
    assert product.bought == []
    page.locator("button.accept[aria-disabled=false]").click()
    assert frame.evaluate("() => bought") == "bought cap"
    expect(element.locator("iframe")).to_be_visible()
    expect(element.locator(".origin")).to_contain_text("Helper")
    expect(element.locator(".origin")).to_contain_text(sites[0].url)
    assert violations(page, "mcp-copilot") == []


@BOTH
def test_a_copilot_with_a_late_picture_is_connected_ten_times_of_ten(
    kind: str, page: Page, product: HelpedShop, sites: Sites
) -> None:
    names = [f"helper{number}" for number in range(10)]
    for name in names:
        product.has(sites[0], kind, name=name, late="1")
    product.visit(page, *names)
    elements = page.locator("mcp-copilot")
    for number in range(10):
        assert reached(elements.nth(number), "ready", "error") == ""


def test_a_copilot_that_reloads_goes_on_in_its_session(page: Page, product: HelpedShop, sites: Sites) -> None:
    product.has(sites[0])
    element = product.visit(page)
    reached(element, "ready")
    frame = frame_of(element)
    session = frame.evaluate(SESSION)["sessionId"]
    assert frame.evaluate("() => copilot.visits()") == 1
    for count in (2, 3):
        frame.evaluate("() => { globalThis.isOld = true; location.reload(); }")
        reached(element, "loading")
        assert reached(element, "ready", "error") == ""
        frame.wait_for_function("() => !globalThis.isOld && globalThis.copilot")
        assert frame.evaluate(SESSION)["sessionId"] == session
        assert frame.evaluate(CALL, ["stock", {"item": "cap"}]) == {"cap": 3}
        assert frame.evaluate("() => copilot.visits()") == count
    # The product's page is loaded again, and another user signs in.
    page.reload()
    reached(element, "ready")
    assert frame_of(element).evaluate(SESSION)["sessionId"] == session
    actions = [entry.action for entry in product.host.timeline.entries()]
    assert actions.count("copilot-lost") == 2
    assert actions.count("copilot-connected") == 4


def test_a_copilot_of_the_wrong_origin_is_told_of_with_both(page: Page, product: HelpedShop, sites: Sites) -> None:
    one, other = sites
    moved = f"{other.url}/ours.html?allow={quote(product.own, safe='')}"
    product.has(one, to=moved)
    element = product.visit(page)
    told = reached(element, "error")
    assert other.url in told
    assert one.url in told
    expect(element.get_by_role("status")).to_have_text(told)
    assert "copilot-connected" not in [entry.action for entry in product.host.timeline.entries()]
    # A copilot that works for somebody else says so itself.
    product.has(one, allow="https://else.example")
    told = reached(product.visit(page), "error")
    assert f"does not allow the origin {product.own}" in told
    expect(page.get_by_role("button", name="Reconnect")).to_be_visible()


def test_two_copilots_on_one_page_have_each_their_own_tools(page: Page, product: HelpedShop, sites: Sites) -> None:
    product.has(sites[0], "ours", "shop.stock")
    product.has(sites[1], "peer", "bank.*", name="teller")
    product.visit(page, "helper", "teller")
    helper, teller = (page.locator("mcp-copilot").nth(number) for number in range(2))
    for element in (helper, teller):
        reached(element, "ready")
    assert frame_of(helper).evaluate(NAMES) == ["stock"]
    assert frame_of(teller).evaluate(NAMES) == ["balance"]
    assert frame_of(teller).evaluate(CALL, ["balance", {}]) == "12"
    for element, name in ((helper, "balance"), (helper, "buy"), (teller, "stock")):
        assert "does not offer it" in frame_of(element).evaluate(CALL, [name, {}])
    sessions = {frame_of(element).evaluate(SESSION)["sessionId"] for element in (helper, teller)}
    assert len(sessions) == 2


def test_the_end_of_the_session_empties_the_frame(page: Page, product: HelpedShop, sites: Sites) -> None:
    product.has(sites[0])
    element = product.visit(page)
    reached(element, "ready")
    product.run(product.host.session("ann").revoke())
    assert reached(element, "error") == "The session was revoked"
    page.wait_for_function("() => document.querySelector('mcp-copilot').shadowRoot.querySelector('iframe').hidden")
    expect(page.get_by_role("button", name="Reconnect")).to_be_hidden()
    page.reload()
    assert "withdrawn" in reached(element, "error")


def test_a_copilot_that_is_left_and_does_not_come_back_is_said_to_be_gone(
    page: Page, product: HelpedShop, sites: Sites
) -> None:
    product.has(sites[0])
    element = product.visit(page)
    reached(element, "ready")
    frame_of(element).evaluate("() => void (location.href = '/late.js')")
    assert "was reloaded, left or closed" in reached(element, "error")
    element.get_by_role("button", name="Reconnect").click()
    assert reached(element, "ready") == ""
    assert frame_of(element).evaluate(NAMES) == ["stock", "buy", "empty"]


def test_a_copilot_that_reloads_itself_all_the_time_is_stopped(page: Page, product: HelpedShop, sites: Sites) -> None:
    product.has(sites[0], loops="1")
    element = product.visit(page)
    assert "was reloaded, left or closed" in reached(element, "error")
    expect(element.locator("iframe")).to_be_hidden()
    connected = len(product.host.timeline.entries(action="copilot-connected"))
    assert 5 < connected < 20


def test_a_question_goes_with_the_copilot_that_it_is_about(page: Page, product: HelpedShop, sites: Sites) -> None:
    product.has(sites[0])
    element = product.visit(page)
    reached(element, "ready")
    frame_of(element).evaluate("() => void copilot.call('buy', { item: 'cap' })")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_be_visible()
    # A reloaded copilot has asked nothing yet.
    frame_of(element).evaluate("() => location.reload()")
    expect(dialog).to_be_hidden()
    reached(element, "ready")
    frame_of(element).wait_for_function("() => globalThis.copilot")
    frame_of(element).evaluate("() => void copilot.session.then(() => copilot.call('buy', { item: 'hat' }))")
    expect(dialog).to_be_visible()
    element.evaluate("(element) => element.remove()")
    expect(dialog).to_be_hidden()
    assert product.bought == []


def test_results_that_do_not_fit_the_socket_reach_the_copilot(page: Page, product: HelpedShop, sites: Sites) -> None:
    def much(size: int) -> Any:
        return "x" * size

    server = Server("long")
    server.register_tool(much, name="much", annotations={"readOnlyHint": True})
    host = Host({"long": server}, secret="s" * 32)
    with Product(host) as other:
        other.policy = product.policy
        url = f"{sites[0].url}/ours.html?allow=http://127.0.0.1:{other.port}"
        host.copilots["helper"] = Copilot(url, tools=["long.*"])

        async def made() -> str:
            return host.session("ann").copilot_element("helper")

        page.goto(other.page(other.run(made())))
        element = page.locator("mcp-copilot")
        reached(element, "ready")
        assert len(frame_of(element).evaluate(CALL, ["much", {"size": 300_000}])) == 300_000
        assert "over the limit" in frame_of(element).evaluate(CALL, ["much", {"size": 1_100_000}])
