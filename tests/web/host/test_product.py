"""The element and the real host together: what a product's page does to its elements calls no tool a second time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from cloche import Server, View
from cloche.host import Host
from cloche.views import register_app_resource, register_app_tool
from tests.support.file_site import Site
from tests.support.product import Product

VIEW = """<!doctype html><p id=out></p><script>
cloche.on("tool:result", ({ content }) => { out.textContent = content[0].text });
</script>"""
DEADLINE = 30_000


@dataclass
class Made:
    """A product, and how often its tool was called."""

    product: Product
    page: Page
    calls: list[str] = field(default_factory=list)

    def until_shown(self, text: str) -> None:
        """Wait until a view shows the result."""
        self.page.frame_locator("mcp-app >> iframe").frame_locator("iframe").get_by_text(text).wait_for()


def weather(calls: list[str]) -> Server:
    server = Server("weather")
    register_app_resource(server, "ui://weather/view.html", VIEW, script=True)

    async def forecast(city: str) -> str:
        calls.append(city)
        return f"sunny in {city}"

    register_app_tool(server, forecast, resource_uri="ui://weather/view.html")
    return server


@pytest.fixture
def made(browser: Browser) -> Iterator[Made]:
    calls: list[str] = []
    host = Host({"weather": weather(calls)}, secret="0123456789abcdef", page_tools=["weather.forecast"])
    with Product(host) as product:
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(DEADLINE)
        yield Made(product, page, calls)
        context.close()


MOVE = "() => document.getElementById('there').append(document.querySelector('mcp-app'))"


def test_a_view_that_is_moved_or_reloaded_is_shown_again_without_another_call(made: Made) -> None:
    html = made.product.embed("weather.forecast", {"city": "Paris"})
    made.page.goto(made.product.page(html + "<div id=there></div>"))
    made.until_shown("sunny in Paris")
    made.page.evaluate(MOVE)
    made.until_shown("sunny in Paris")
    made.page.reload()
    made.until_shown("sunny in Paris")
    assert made.calls == ["Paris"]


def test_a_tool_that_the_page_called_itself_is_not_called_again_by_a_move(made: Made) -> None:
    arguments = '{"city": "Rome"}'
    html = f"<mcp-app server=weather tool=forecast arguments='{arguments}'></mcp-app><div id=there></div>"
    made.page.goto(made.product.page(html))
    made.until_shown("sunny in Rome")
    made.page.evaluate(MOVE)
    made.until_shown("sunny in Rome")
    assert made.calls == ["Rome"]


def test_a_front_end_on_another_origin(browser: Browser) -> None:
    calls: list[str] = []
    with Site("default-src 'none'; script-src http://127.0.0.1:*; connect-src *; frame-src *") as front:
        host = Host({"weather": weather(calls)}, secret="0123456789abcdef", origins=[front.url])
        with Product(host) as product:
            script = f'<script type="module" src="http://127.0.0.1:{product.port}/cloche/mcp-app.js"></script>'
            html = product.embed("weather.forecast", {"city": "Paris"})
            front.add("/front.html", f"<!doctype html>{script}<body>{html}".encode())
            context = browser.new_context()
            page = context.new_page()
            page.set_default_timeout(DEADLINE)
            page.goto(front.url + "/front.html")
            Made(product, page).until_shown("sunny in Paris")
            context.close()


@pytest.mark.parametrize("base", ["/cloche", "/cloche/"])
def test_an_element_whose_base_is_a_path(made: Made, base: str) -> None:
    html = made.product.embed("weather.forecast", {"city": "Paris"}).replace("<mcp-app ", f"<mcp-app base={base} ")
    made.page.goto(made.product.page(html))
    made.until_shown("sunny in Paris")


EARLY = "Error with Permissions-Policy header: Origin trial controlled feature not enabled"


def test_a_page_whose_policy_allows_no_more_than_it_must(made: Made) -> None:
    violations: list[Any] = []
    made.page.on("console", lambda message: violations.append(message.text) if "Policy" in message.text else None)
    html = made.product.embed("weather.forecast", {"city": "Paris"})
    made.page.goto(made.product.page(html))
    made.until_shown("sunny in Paris")
    # Chromium has the word, and does not enforce it yet; it is sent for the day when it does.
    assert set(violations) <= {f"{EARLY}: 'focus-without-user-activation'."}


@pytest.mark.requirement(118)
def test_the_documented_path_of_the_host_s_script_has_what_pages_import(made: Made) -> None:
    made.page.goto(made.product.page(""))
    names = made.page.evaluate("async () => Object.keys(await import('/cloche/mcp-app.js'))")
    assert {"createAppHost", "createAppChild", "McpApp"} <= set(names)
    state = made.page.evaluate("""async () => {
      const { createAppHost } = await import("/cloche/mcp-app.js");
      document.body.insertAdjacentHTML("beforeend", "<div id=apps></div>");
      return createAppHost({ container: "#apps", allowedOrigins: ["https://app.example.com"] }).list();
    }""")
    assert state == []


@pytest.mark.requirement(81)
def test_a_form_of_a_view_works_in_the_product(made: Made) -> None:
    def submitted(sandbox: str | None) -> str:
        made.page.goto(made.product.page(made.product.embed("weather.forecast", {"city": "Paris"})))
        made.until_shown("sunny in Paris")
        view = made.page.frame_locator("mcp-app >> iframe").frame_locator("iframe")
        said: str = view.locator("body").evaluate(
            """(body, sandbox) => new Promise((done) => {
              const form = `<form><input name=city value=Rome><button>Go</button></form><script>
                document.querySelector("form").onsubmit = (event) => {
                  event.preventDefault(); document.title = new FormData(event.target).get("city") };
                document.querySelector("button").click();`;
              if (sandbox === null) {
                body.insertAdjacentHTML("beforeend", form.split("<script>")[0]);
                Object.assign(document.querySelector("form"), { onsubmit: (event) => {
                  event.preventDefault(); done(new FormData(event.target).get("city")) } });
                document.querySelector("button").click();
              } else {
                addEventListener("message", ({ data }) => done(data), { once: true });
                const frame = Object.assign(document.createElement("iframe"), { sandbox });
                frame.srcdoc = form + `parent.postMessage(document.title, "*");</scr` + "ipt>";
                body.append(frame);
              }
            })""",
            sandbox,
        )
        return said

    assert submitted(None) == "Rome"
    assert submitted("allow-scripts") == "", "without allow-forms the browser does nothing"


def test_a_view_in_a_product_is_told_of_changes_that_it_subscribed_to(browser: Browser) -> None:
    server, prices = Server("shop"), [4]
    server.register_resource("shop://price", lambda: f"{prices[-1]} coins", name="price")
    server.register_tool(lambda: "shown", name="show", view=View(FOLLOWING))
    with Product(Host({"shop": server}, secret="0123456789abcdef")) as product:
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(DEADLINE)
        page.goto(product.page(product.embed("shop.show", {})))
        made = Made(product, page)
        made.until_shown("4 coins")
        prices.append(5)
        server.resource_updated("shop://price")
        made.until_shown("5 coins")
        context.close()


FOLLOWING = """<p id="value"></p><script>
const show = async () => {
  const { contents } = await cloche.readResource("shop://price");
  document.getElementById("value").textContent = contents[0].text;
};
addEventListener("message", ({ data }) => {
  if (data.method === "notifications/resources/updated") show();
});
addEventListener("tool:result", async () => {
  await cloche.request("resources/subscribe", { uri: "shop://price" });
  await show();
});
</script>"""
