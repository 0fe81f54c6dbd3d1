"""Views that a page is ready for, in the real browser with the real host."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page

from cloche import Server
from cloche.host import Host
from cloche.host.bridge import MountedView
from cloche.views import generate_bridge, register_app_tool
from cloche.views.scripts import inject
from tests.support.product import Product

VIEW = """<!doctype html><p id=out></p><p id=call></p><script>
console.log("a view is loaded");
cloche.connect().then(() => { call.textContent = cloche.hostContext.toolInfo.id + ", kept " + cloche.getState() });
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


def greeted(page: Page) -> str:
    """What the view was told: its call, and what it had kept."""
    call = page.frame_locator("mcp-app >> iframe").frame_locator("iframe").locator("#call")
    call.get_by_text("kept").wait_for()
    return call.inner_text()


def sandboxes(page: Page) -> list[Frame]:
    """The sandboxes on the page, those that wait for a view included."""
    return [frame for frame in page.frames if "/cloche/sandbox" in frame.url]


def sandbox_of_view(page: Page) -> Frame:
    """The sandbox that a view is shown in."""
    frame = page.locator("mcp-app >> iframe").last.element_handle().content_frame()
    assert frame is not None
    return frame


def test_the_view_is_shown_in_a_sandbox_that_was_there_before_and_in_the_theme_of_its_element(
    page: Page, product: Product
) -> None:
    before = sandboxes(page)
    element = product.embed("weather.forecast", {"city": "Paris"}).replace("<mcp-app ", '<mcp-app theme="dark" ')
    page.evaluate(ADD, element)
    assert shown(page) == "sunny in Paris."
    assert sandbox_of_view(page) in before
    assert sandbox_of_view(page).evaluate("() => document.documentElement.style.colorScheme") == "dark"


def test_when_the_view_is_there_another_sandbox_is_loaded_for_the_next(page: Page, product: Product) -> None:
    with page.expect_event("framenavigated", lambda frame: "/cloche/sandbox" in frame.url):
        page.evaluate(ADD, product.embed("weather.forecast", {"city": "Paris"}))
    assert shown(page) == "sunny in Paris."
    before = sandboxes(page)
    page.evaluate("() => document.querySelector('mcp-app').remove()")
    page.evaluate(ADD, product.embed("weather.forecast", {"city": "Rome"}))
    assert shown(page) == "sunny in Rome."
    assert sandbox_of_view(page) in before


def test_views_for_which_no_sandbox_waits_are_loaded_into_their_own(page: Page, product: Product) -> None:
    page.evaluate(ADD, "".join(product.embed("weather.forecast", {"city": "Paris"}) for _ in range(3)))
    for number in range(3):
        view = page.frame_locator(f"mcp-app >> nth={number} >> iframe").frame_locator("iframe")
        view.get_by_text("sunny in Paris.").wait_for()


def test_a_browser_that_cannot_move_frames_loads_the_sandbox_with_the_view(browser: Browser, product: Product) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("delete Element.prototype.moveBefore")
    page.goto(product.page(product.run(product.host.session("ada").preload("weather.forecast"))))
    page.evaluate(READY)
    before = sandboxes(page)
    page.evaluate(ADD, product.embed("weather.forecast", {"city": "Paris"}))
    assert shown(page) == "sunny in Paris."
    assert sandbox_of_view(page) not in before
    context.close()


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
    assert sandboxes(page)
    with page.expect_event("framedetached", lambda _: not sandboxes(page)):
        page.evaluate("() => document.querySelector('mcp-app-preload').remove()")
    page.evaluate(ADD, product.embed("weather.forecast", {"city": "Paris"}))
    assert shown(page) == "sunny in Paris."


def test_the_view_is_greeted_while_the_host_still_looks_at_the_ticket(
    page: Page, product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = threading.Event()
    open_view = Host.open_view

    async def open_late(*given: Any, **named: Any) -> MountedView:
        await asyncio.to_thread(looked.wait, 30)
        return await open_view(*given, **named)

    monkeypatch.setattr(Host, "open_view", open_late)
    page.evaluate(ADD, product.embed("weather.forecast", {"city": "Paris"}))
    (call,) = product.host.session("ada").calls.values()
    assert greeted(page) == f"{call.id}, kept undefined"
    assert page.evaluate("() => document.querySelector('mcp-app').state") == "loading"
    assert not product.host.session("ada").views
    looked.set()
    assert shown(page) == "sunny in Paris."
    page.wait_for_function("() => document.querySelector('mcp-app').state === 'ready'")
    (view,) = product.host.session("ada").views.values()
    product.run(view.ask("ping", {}, 10))
    assert view.app["appInfo"]["name"]
    assert view.state.context["theme"] == "light"


def test_a_view_that_was_told_what_the_host_would_not_say_is_loaded_again(page: Page, product: Product) -> None:
    element = product.embed("weather.forecast", {"city": "Paris"})
    page.evaluate(ADD, re.sub(r'call="\S+', 'call="forged', element))
    assert shown(page) == "sunny in Paris."
    (call,) = product.host.session("ada").calls.values()
    assert greeted(page) == f"{call.id}, kept undefined"
    call.state = "this"
    page.evaluate("() => document.querySelector('mcp-app').remove()")
    page.evaluate(ADD, element)  # as on a page that the browser shows once more
    page.frame_locator("mcp-app >> iframe").frame_locator("iframe").get_by_text("kept this").wait_for()
    assert shown(page) == "sunny in Paris."


def test_a_view_that_has_kept_something_is_loaded_once(page: Page, product: Product) -> None:
    product.embed("weather.forecast", {"city": "Paris"})
    (call,) = product.host.session("ada").calls.values()
    call.state = "this"

    async def again() -> str:
        return call.embed()

    loads: list[str] = []
    page.on("console", lambda said: loads.append(said.text))
    page.evaluate(ADD, product.run(again()))
    assert shown(page) == "sunny in Paris."
    assert greeted(page) == f"{call.id}, kept this"
    assert loads == ["a view is loaded"]
