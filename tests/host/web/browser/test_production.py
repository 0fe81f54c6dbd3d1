"""As in production: a product with a name and a certificate, the sandbox on another domain, a front end elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from cloche import Server, View
from cloche.host import Host
from tests.host.web.browser.conftest import NAMES
from tests.support.host_surface import SECRET
from tests.support.served import Served

VIEW = """<!doctype html><p id=out></p>
<script>cloche.on("tool:result", (result) => { out.textContent = result.content[0].text })</script>"""

FRAME_IT = """url => new Promise(resolve => {
  const frame = document.createElement("iframe");
  Object.assign(frame, { id: "stolen", src: url, onload: resolve });
  document.body.append(frame);
})"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Nobody signed the certificate, and the browser does not mind."""
    context = browser.new_context(ignore_https_errors=True)
    made = context.new_page()
    made.set_default_timeout(15_000)
    yield made
    context.close()


class Production(Served):
    """A product at `app.product.example`, whose pages also stand at `front.elsewhere.example`."""

    def __init__(self, certificate: dict[str, str]) -> None:
        super().__init__(None, **certificate)
        self.own, self.front = (f"https://{name}:{self.port}" for name in NAMES[:2])
        server = Server("dice")
        server.register_tool(lambda: "rolled", name="roll", view=View(VIEW))
        pattern = f"https://{{name}}.usercontent.example:{self.port}"
        self.host = Host({"dice": server}, secret=SECRET, sandbox=pattern, origins=[self.own, self.front])
        self.app = self.host.wrap(self.answer)

    async def answer(self, scope: object, receive: object, send: object) -> None:
        """One page, on both origins: the script and the socket are always the product's."""
        assert isinstance(scope, dict)
        if scope["type"] == "lifespan":
            raise ValueError("none")
        call = await self.host.session("ann").start("dice.roll", {})
        script = f'<script type="module" src="{self.own}/cloche/mcp-app.js"></script>'
        body = f"<!doctype html><head>{script}</head><body>{call.embed()}</body>".encode()
        headers = [(b"content-type", b"text/html; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": body})  # type: ignore[operator]


@pytest.fixture(scope="module")
def production(certificate: dict[str, str]) -> Iterator[Production]:
    with Production(certificate) as made:
        yield made


@pytest.mark.parametrize("front", [False, True], ids=["own-origin", "front-end-on-another-origin"])
def test_a_view_is_shown_on_the_configured_domain(production: Production, page: Page, front: bool) -> None:
    with page.expect_response("**/cloche/sandbox?*") as loading:
        page.goto(production.front if front else production.own)
    view = page.frame_locator("mcp-app iframe").frame_locator("iframe")
    expect(view.locator("#out")).to_have_text("rolled")
    sandbox = loading.value
    assert (urlsplit(sandbox.url).hostname or "").endswith(".usercontent.example")
    embedding = production.front if front else production.own
    assert sandbox.headers["content-security-policy"].endswith(f"frame-ancestors {embedding}")


def test_the_self_test_passes(production: Production, page: Page) -> None:
    page.goto(f"{production.own}/cloche/self-test")
    expect(page.locator("#summary")).to_contain_text("Everything works", timeout=30_000)


def test_W20_another_page_cannot_frame_the_sandbox(production: Production, page: Page) -> None:
    """The address of a proxy page, taken from the product's page and put into another one's frame."""
    with page.expect_response("**/cloche/sandbox?*") as loading:
        page.goto(production.own)
    url = loading.value.url
    for embedding, shown in ((production.front, 0), (production.own, 1)):
        page.goto(embedding)
        page.evaluate(FRAME_IT, url)
        frame = page.frame_locator("#stolen")
        expect(frame.locator("head")).to_have_count(1)
        expect(frame.locator("meta[name=cloche-host]")).to_have_count(shown)
