"""A view in a real browser subscribes to a resource of its server."""

from __future__ import annotations

import pytest

from cloche import Server, View
from cloche.host import HostLimits
from cloche.testing import ViewOpener

PAGE = """<p id="value">none</p><p id="told">0</p><script>
let told = 0;
const show = async () => {
  const { contents } = await cloche.readResource("shop://price");
  document.getElementById("value").textContent = contents[0].text;
};
addEventListener("message", async ({ data }) => {
  if (data.method !== "notifications/resources/updated") return;
  document.getElementById("told").textContent = ++told;
  if (data.params.uri === "shop://price") await show();
});
addEventListener("tool:result", async () => {
  await cloche.request("resources/subscribe", { uri: "shop://price" });
  await show();
});
</script>"""


def shop() -> Server:
    server = Server("shop")
    prices = [4]

    @server.tool(view=View(PAGE))
    def price() -> str:
        """The price of bread."""
        return "See the view."

    @server.tool
    def raise_price() -> str:
        """Bread gets dearer."""
        prices.append(prices[-1] + 1)
        server.resource_updated("shop://price")
        server.resource_updated("shop://other")
        return "raised"

    @server.resource("shop://price")
    def current() -> str:
        return f"{prices[-1]} coins"

    @server.resource("shop://item/{number}")
    def item(number: int) -> str:
        return f"item {number}"

    return server


def test_a_view_follows_a_resource(open_view: ViewOpener) -> None:
    view = open_view(shop(), "price")
    view.expect("#value").to_have_text("4 coins")
    view.evaluate("cloche.callTool('raise_price')")
    view.expect("#value").to_have_text("5 coins")
    view.evaluate("cloche.request('resources/unsubscribe', { uri: 'shop://price' })")
    view.evaluate("cloche.callTool('raise_price')")
    view.evaluate("cloche.readResource('shop://price')")
    view.expect("#told").to_have_text("1")
    view.check()


@pytest.mark.parametrize("profile", ["claude", "chatgpt"])
def test_in_a_host_that_cannot_the_view_is_told_so(open_view: ViewOpener, profile: str) -> None:
    view = open_view(shop(), "price", profile=profile)
    error = view.evaluate("cloche.request('resources/subscribe', { uri: 'shop://price' }).catch((error) => error.code)")
    assert error == -32601


def test_a_view_subscribes_to_no_more_resources_than_in_the_product(open_view: ViewOpener) -> None:
    view = open_view(shop(), "price")
    most = HostLimits().view_subscriptions
    ask = "uri => cloche.request('resources/subscribe', { uri }).then(() => 'subscribed', (error) => error.message)"
    said = [view.evaluate(ask, f"shop://item/{number}") for number in range(most)]
    assert f"at most {most} resources" in said[-1], "the view's own is one of them"
