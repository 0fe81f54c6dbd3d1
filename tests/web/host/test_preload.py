"""Views that a page is ready for, in the real browser with the real host."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from cloche import Server
from cloche.host import Host
from cloche.views import generate_bridge, register_app_tool
from cloche.views.scripts import inject
from tests.support.product import Product

VIEW = """<!doctype html><p id=out></p><script>
cloche.on("tool:result", ({ content }) => { out.textContent += content[0].text });
</script>"""
VIEWS = [VIEW]
"""The pages that the server has had for the view, the current one last."""
URI = "ui://weather/view.html"
DEADLINE = 30_000
ADD = "(html) => document.body.insertAdjacentHTML('beforeend', html)"
READY = """async () => {
  await customElements.whenDefined("mcp-app-preload");
  await document.querySelector("mcp-app-preload").ready;
}"""


@pytest.fixture
def server() -> Server:
    server = Server("weather")

    @server.resource(URI, mime_type="text/html;profile=mcp-app")
    async def view() -> str:
        return inject(VIEWS[-1], bridge=generate_bridge())

    async def forecast(city: str) -> str:
        return f"sunny in {city}."

    register_app_tool(server, forecast, resource_uri=URI)
    return server


@pytest.fixture
def product(server: Server) -> Iterator[Product]:
    with Product(Host({"weather": server}, secret="0123456789abcdef")) as made:
        yield made


@pytest.fixture
def page(browser: Browser, product: Product) -> Iterator[Page]:
    """A page that is ready for the view of the forecast."""
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(DEADLINE)
    ready = product.run(product.host.session("ada").preload("weather.forecast"))
    made.goto(product.page(ready))
    made.evaluate(READY)
    yield made
    context.close()


def shown(page: Page) -> str:
    """The text of the view, once there is one."""
    out = page.frame_locator("mcp-app >> iframe").frame_locator("iframe").locator("#out")
    out.get_by_text("sunny").wait_for()
    return out.inner_text()


def test_the_view_is_loaded_without_another_request_and_told_its_result_once(page: Page, product: Product) -> None:
    asked: list[str] = []
    element = product.embed("weather.forecast", {"city": "Paris"})
    page.on("request", lambda request: asked.append(request.url) if not request.url.startswith("ws") else None)
    page.evaluate(ADD, element)
    assert shown(page) == "sunny in Paris."
    assert [url for url in asked if "/body/" in url] == []
    (view,) = product.host.session("ada").views.values()
    page.wait_for_function("() => document.querySelector('mcp-app').state === 'ready'")
    assert view.closed is None
    # What the host sent once more has arrived, and the view still has it once.
    product.run(view.ask("ping", {}, 10))
    assert shown(page) == "sunny in Paris."


def test_a_page_that_is_ready_shows_nothing_for_a_ticket_that_opens_nothing(page: Page, product: Product) -> None:
    element = product.embed("weather.forecast", {"city": "Paris"})
    page.evaluate(ADD, element.replace('ticket="', 'ticket="x'))
    page.wait_for_function("() => document.querySelector('mcp-app').state === 'error'")
    assert page.evaluate("() => document.querySelector('mcp-app').shadowRoot.querySelectorAll('iframe').length") == 0


def test_a_view_that_has_changed_since_is_loaded_as_ever(
    page: Page, product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    element = product.embed("weather.forecast", {"city": "Paris"})
    monkeypatch.setitem(globals(), "VIEWS", [VIEW.replace("out.textContent +=", "out.textContent += 'new: ' +")])
    product.host.session("ada").pages.forget("weather")
    page.evaluate(ADD, element)
    assert shown(page) == "new: sunny in Paris."


def test_without_the_element_the_page_forgets_what_it_was_ready_for(page: Page, product: Product) -> None:
    page.evaluate("() => document.querySelector('mcp-app-preload').remove()")
    page.evaluate(ADD, product.embed("weather.forecast", {"city": "Paris"}))
    assert shown(page) == "sunny in Paris."
