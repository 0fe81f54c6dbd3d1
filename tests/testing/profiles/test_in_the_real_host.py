"""The same views in the real host, which shows them in the profile that it is given."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from cloche import Server
from cloche.host import Host
from cloche.testing.profiles import PROFILES
from tests.support.chromium import launched
from tests.support.counter import MIME_TYPE
from tests.support.product import Product
from tests.testing.profiles.views import VIEWS, telling_server
from tools.chromium import chromium

DEADLINE = 20_000
PIXEL = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched(chromium()) as started:
        yield started


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    host = Host({"telling": telling_server()}, secret="0123456789abcdef")
    host.on_message(lambda *_: None)
    with Product(host) as made:
        yield made


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def shown(page: Page, product: Product, *names: str) -> None:
    """Open the views of these tools, one below the other."""
    page.goto(product.page("".join(product.embed(f"telling.{name}", {"start": 7}) for name in names)))


def expect_text(page: Page, number: int, text: str) -> None:
    view = page.frame_locator(f"mcp-app:nth-of-type({number + 1}) >> iframe").frame_locator("iframe")
    expect(view.locator("#out")).to_have_text(text, timeout=DEADLINE)


def test_without_a_manner_the_host_keeps_to_the_specification(page: Page, product: Product) -> None:
    shown(page, product, *VIEWS)
    for number, view in enumerate(VIEWS.values()):
        expect_text(page, number, view.strict)


@pytest.mark.parametrize("name", VIEWS)
def test_views_that_are_opened_after_a_change_follow_the_manner(name: str, page: Page, product: Product) -> None:
    product.host.profile = PROFILES[name].profile
    try:
        shown(page, product, name)
        expect_text(page, 0, VIEWS[name].emulated)
    finally:
        product.host.profile = PROFILES["strict"].profile


WIDGET = "<p id=out>still</p><script>out.textContent = `${openai.toolOutput.count} in ${openai.displayMode}`</script>"
ELSEWHERE = "https://elsewhere.example"
LOADS = f"""<p id=out>start</p><script>
addEventListener("securitypolicyviolation", ({{ effectiveDirective }}) => out.textContent = effectiveDirective);
</script><img src="{ELSEWHERE}/a.png" onload="out.textContent = 'loaded'">"""


def widget_server() -> Server:
    """A widget that only ChatGPT is told of, and pages that declare an origin in one of the two spellings."""
    server = Server("telling")

    @server.tool(meta={"openai/outputTemplate": "ui://telling/widget.html"})
    def widget(start: int) -> dict[str, int]:
        """Count from a number on."""
        return {"count": start}

    server.register_resource("ui://telling/widget.html", lambda: WIDGET, name="w", mime_type="text/html+skybridge")
    metas = {
        "theirs": {"ui": {"csp": {"resourceDomains": [ELSEWHERE]}}},
        "own": {"openai/widgetCSP": {"resource_domains": [ELSEWHERE]}},
    }
    for name, meta in metas.items():
        uri = f"ui://telling/{name}.html"
        server.register_tool(widget, name=name, meta={"ui": {"resourceUri": uri}})
        server.register_resource(uri, lambda: LOADS, name=name, mime_type=MIME_TYPE, content_meta=meta)
    return server


@pytest.fixture(scope="module")
def widgets() -> Iterator[Product]:
    with Product(Host({"telling": widget_server()}, secret="0123456789abcdef")) as made:
        yield made


def test_a_widget_for_chatgpt_is_shown_in_its_manner_and_in_no_other(page: Page, widgets: Product) -> None:
    async def start() -> str | None:
        return (await widgets.host.session("ada").start("telling.widget", {"start": 7})).embed()

    assert widgets.run(start()) == ""
    widgets.host.profile = PROFILES["chatgpt"].profile
    shown(page, widgets, "widget")
    expect_text(page, 0, "7 in inline")


@pytest.mark.parametrize(
    ("profile", "theirs", "own"), [("strict", "loaded", "img-src"), ("chatgpt", "img-src", "loaded")], ids=str
)
def test_the_origins_are_read_where_the_host_reads_them(
    profile: str, theirs: str, own: str, page: Page, widgets: Product
) -> None:
    widgets.host.profile = PROFILES[profile].profile
    page.route(f"{ELSEWHERE}/**", lambda route: route.fulfill(body=PIXEL, content_type="image/gif"))
    shown(page, widgets, "theirs", "own")
    expect_text(page, 0, theirs)
    expect_text(page, 1, own)
