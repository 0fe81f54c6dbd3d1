"""The JavaScript and HTML of documents that no other test runs, in a browser and against the real thing."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from cloche import Server, View
from cloche.browser import write_bundle
from cloche.host import Host
from cloche.testing import ViewOpener
from cloche.views.scripts import generate_bridge
from tests.docs.test_run_in_the_browser import plain_server
from tests.support.chromium import FLAGS
from tests.support.framework_pages import PageSite
from tests.support.product import Product
from tests.support.snippets import ROOT, all_snippets, blocks_of, documents, run, save
from tools.chromium import chromium

SECONDS = 60_000
IMPORT = re.compile(r'^import (\{[^}]+\}) from ("[^"]+");$', re.MULTILINE)

RUN_BY = {
    ("README.md", "html"): 1,
    ("docs/components.md", "js"): 1,
    ("docs/element.md", "html"): 1,
    ("docs/element.md", "js"): 3,
    ("docs/embed-a-copilot.md", "js"): 1,  # test_embed_a_copilot.py
    ("docs/embed-in-your-app.md", "html"): 1,
    ("docs/first-view.md", "html"): 1,  # test_first_view.py
    ("docs/frames.md", "js"): 2,  # test_frames.py
    ("docs/run-in-the-browser.md", "html"): 1,  # test_run_in_the_browser.py
    ("docs/state-in-pages.md", "js"): 3,  # test_state_in_pages.py, and a block with JSX
    ("docs/styling-and-themes.md", "html"): 1,
    ("docs/styling-and-themes.md", "js"): 1,
    ("docs/tools-in-the-visitors-tab.md", "js"): 2,  # tests/host/upstreams/in_browser/chromium/test_docs.py
    ("docs/transports-in-the-page.md", "js"): 14,  # test_transports_in_the_page.py
    ("docs/view-state.md", "js"): 1,
    ("docs/webmcp.md", "html"): 1,  # test_webmcp.py
    ("docs/webmcp.md", "js"): 4,  # test_webmcp.py
    ("docs/window-cloche.md", "js"): 2,
}
"""How many blocks of scripts and pages each document has; where no file is named, this one runs them."""


def test_no_script_and_no_page_in_a_document_is_left_out() -> None:
    found: Counter[tuple[str, str]] = Counter()
    for path in documents():
        for language in re.findall(r"^ *```(js|javascript|html|mjs|ts)\b", path.read_text("utf-8"), re.MULTILINE):
            found[path.relative_to(ROOT).as_posix(), language] += 1
    assert dict(found) == RUN_BY


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


def body_of(script: str) -> str:
    """The same script where there are no import statements."""
    return IMPORT.sub(r"const \1 = await import(\2);", script)


# Views


def test_view_state(open_view: ViewOpener, tmp_path: Path) -> None:
    (snippet,) = [one for one in all_snippets() if one.document == "docs/view-state.md" and one.file == "paging.py"]
    view = open_view(run(snippet, tmp_path)["server"], "pages")
    (script,) = blocks_of("docs/view-state.md", "js")
    assert view.evaluate(f"async () => {{ {script}\nreturn [state, cloche.getState()] }}") == [{"page": 1}, {"page": 2}]
    assert view.context is not None


def test_styling_and_themes(open_view: ViewOpener) -> None:
    (style,) = blocks_of("docs/styling-and-themes.md", "html")
    (script,) = blocks_of("docs/styling-and-themes.md", "js")
    server = Server("styled")
    html = f"{style}<div class=card>card</div><p></p><script>const render = (text) => "
    html += f"document.querySelector('p').textContent = text;\n{script}</script>"

    @server.tool(view=View(html))
    def show() -> str:
        """Show it."""
        return "shown"

    styles = {"--color-background-secondary": "rgb(1, 2, 3)", "--border-radius-md": "9px"}
    view = open_view(server, "show", styles=styles)
    card = "() => (({ backgroundColor, borderRadius }) => [backgroundColor, borderRadius])"
    assert view.evaluate(f"{card}(getComputedStyle(document.querySelector('.card')))") == ["rgb(1, 2, 3)", "9px"]
    view.set_context(locale="de-DE")
    view.expect("p").to_have_text("de-DE")


def test_every_function_of_window_cloche(open_view: ViewOpener) -> None:
    asking, telling = blocks_of("docs/window-cloche.md", "js")
    server = Server("notes")

    @server.tool(view="<p>A note.</p>")
    def show() -> str:
        """Show it."""
        return "shown"

    @server.tool
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @server.resource("notes://today")
    def today() -> str:
        """What is to do."""
        return "milk"

    view = open_view(server, "show")
    found = view.evaluate(f"async () => {{ {asking}\nreturn {{ answer, same, read, mode, kept, state }} }}")
    assert found["answer"]["content"] == found["same"]["content"] == [{"type": "text", "text": "3"}]
    assert found["read"]["contents"][0]["text"] == "milk"
    assert [call.name for call in view.calls] == ["add", "add"]
    assert view.messages[0].text == "Which of these is cheapest?"
    assert view.context is not None
    assert view.context.structured_content == {"selected": 3}
    assert view.links == ["https://example.com/docs"]
    assert view.downloads[0]["resource"]["text"] == "milk"
    assert (found["mode"], found["kept"], found["state"]) == ("fullscreen", True, {"page": 2})
    view.evaluate(f"() => {{ {telling.split('cloche.unregisterTool')[0]} }}")
    assert view.wait_for("log").data == {"message": "The map has no tiles here", "data": {"zoom": 19}}
    assert [tool["name"] for tool in view.request("tools/list")["tools"]] == ["zoom"]
    called = view.request("tools/call", {"name": "zoom", "arguments": {"by": 2}})
    assert json.loads(called["content"][0]["text"]) == {"zoom": 12}
    view.evaluate(f"() => {{ cloche.unregisterTool{telling.split('cloche.unregisterTool')[1]} }}")
    view.wait_for("teardown_request")
    assert view.request("tools/list")["tools"] == []


def test_the_page_names_every_function_of_window_cloche(open_view: ViewOpener) -> None:
    server = Server("notes")
    server.register_tool(lambda: "shown", name="show", view="<p>A note.</p>", description="Show it.")
    view = open_view(server, "show")
    names = view.evaluate("() => Object.getOwnPropertyNames(Object.getPrototypeOf(cloche))")
    text = (ROOT / "docs" / "window-cloche.md").read_text("utf-8")
    assert [name for name in names if name != "constructor" and f"cloche.{name}(" not in text] == []


# Products


@pytest.fixture
def product() -> Iterator[Product]:
    server = Server("notes")

    @server.tool(view="<p>A note.</p>")
    def show() -> str:
        """Show it."""
        return "shown"

    with Product(Host({"notes": server}, secret="sixteen bytes or more")) as made:
        made.policy = "default-src 'self' 'unsafe-inline'; frame-src * ; connect-src *; script-src * 'unsafe-inline'"
        yield made


def opened(browser: Browser, product: Product, html: str, routes: dict[str, Any] | None = None) -> Page:
    page = browser.new_page()
    page.set_default_timeout(SECONDS)
    for url, answer in (routes or {}).items():
        page.route(url, answer)
    page.goto(product.page(html))
    return page


def test_the_element(browser: Browser, product: Product) -> None:
    (html,) = blocks_of("docs/element.md", "html")
    ticket = re.search(r'ticket="([^"]+)"', product.embed("notes.show", {}))
    assert ticket is not None
    page = opened(browser, product, html.replace("…", ticket[1]))
    note = page.frame_locator("mcp-app >> iframe").frame_locator("iframe").get_by_text("A note.")
    expect(note).to_be_visible(timeout=SECONDS)
    listening, *_ = blocks_of("docs/element.md", "js")
    page.evaluate(f"() => {{ const element = document.querySelector('mcp-app'); {listening} }}")
    product.run(product.host.session("ada").close())
    expect(page.locator("mcp-app")).to_have_count(0, timeout=SECONDS)
    page.close()


def test_apps_by_url(browser: Browser, product: Product) -> None:
    app = f"<!doctype html><script>{generate_bridge()}</script><p>A chart.</p>"

    def chart(route: Route) -> None:
        route.fulfill(body=app, content_type="text/html")

    page = opened(browser, product, "<div id=apps></div>", {"https://app.example.com/**": chart})
    _, script, _ = blocks_of("docs/element.md", "js")
    shown = script.replace("host.unloadApp();", "window.seen = [app.state, host.list().length];\nhost.unloadApp();")
    seen = page.evaluate(f"async () => {{ {body_of(shown)}\nreturn [...window.seen, host.list().length] }}")
    assert seen == ["connected", 1, 0]
    page.close()


def test_an_app_that_serves_and_knows_the_user(browser: Browser, product: Product) -> None:
    *_, script = blocks_of("docs/element.md", "js")
    script = script.replace("https://product.example.com", f"http://127.0.0.1:{product.port}")
    said = "const tell = (word) => { document.title += ` ${word}` };"
    said += "const draw = tell, greet = tell, remind = () => tell('reminds');"
    app = f"<!doctype html><title>Chart</title><script>{said}</script><script type=module>{script}</script>"

    def served(route: Route) -> None:
        path = route.request.url.removeprefix("https://app.example.com")
        if path == "/chart":
            route.fulfill(body=app, content_type="text/html")
        else:
            answer = route.fetch(url=f"http://localhost:{product.port}{path}", headers={"accept": "*/*"})
            route.fulfill(response=answer, headers={**answer.headers, "access-control-allow-origin": "*"})

    page = opened(browser, product, "<div id=apps></div>", {"https://app.example.com/**": served})
    title = page.evaluate("""async () => {
      const { createAppHost } = await import("/cloche/mcp-app.js");
      const host = createAppHost({
        container: "#apps", allowedOrigins: ["https://app.example.com"],
        authContext: { userId: "ada" }, onPermissionRequest: ({ permission }) => permission === "notifications",
      });
      const app = await host.load({ src: "https://app.example.com/chart", initialData: "data" });
      for (;;) {
        const { content: [{ text }] } = await app.callTool("title", {});
        if (text.includes("reminds")) return text;
      }
    }""")
    assert set(title.split()) == {"Chart", "data", "ada", "reminds"}
    page.close()


def test_a_page_of_another_origin_than_the_host(browser: Browser, product: Product) -> None:
    (html,) = blocks_of("docs/embed-in-your-app.md", "html")

    def from_product(route: Route) -> None:
        there = route.request.url.replace("https://api.example.com", f"http://localhost:{product.port}")
        answer = route.fetch(url=there)
        route.fulfill(response=answer, headers={**answer.headers, "access-control-allow-origin": "*"})

    page = opened(browser, product, html, {"https://api.example.com/**": from_product})
    page.wait_for_function("() => customElements.get('mcp-app') !== undefined")
    page.close()


@pytest.mark.long  # test_run_in_the_browser.py runs a bundle in the same way
def test_the_page_of_the_readme(browser: Browser, tmp_path: Path) -> None:
    (snippet,) = [one for one in all_snippets() if one.document == "README.md" and one.file == "server.py"]
    save(snippet, tmp_path)
    write_bundle(tmp_path / "server.py", tmp_path / "site" / "python")
    (page,) = blocks_of("README.md", "html")
    (tmp_path / "site" / "index.html").write_text(page, encoding="utf-8")
    with plain_server(tmp_path / "site") as url:
        tab = browser.new_page()
        with tab.expect_console_message(lambda line: "content" in line.text, timeout=2 * SECONDS) as logged:
            tab.goto(url)
        said = logged.value.args[0].json_value()
        assert len(said["structuredContent"]) == 2
        tab.close()


# Components in a page of one's own


def test_components_in_places_of_a_page(browser: Browser, tmp_path: Path) -> None:
    (snippet,) = [one for one in all_snippets() if one.document == "docs/components.md" and one.file == "dashboard.py"]
    (script,) = blocks_of("docs/components.md", "js")
    body = '<section id="chart"></section><section id="details"></section>'
    with PageSite(run(snippet, tmp_path)["server"]) as site:
        page = browser.new_page()
        page.goto(site.show("dashboard", f"{script}\nwindow.client = client;".encode(), body=body))
        page.wait_for_function("window.client")
        rows = [{"day": "Mon", "sold": 3}, {"day": "Tue", "sold": 5}]
        for target, component, props in [
            ("chart", "bar-chart", {"rows": rows}),
            ("details", "metric", {"label": "Sold", "value": 8}),
        ]:
            page.evaluate(
                "args => client.callTool('render', args)", {"component": component, "props": props, "target": target}
            )
        expect(page.locator("#chart [role=application]")).to_have_attribute(
            "aria-label", re.compile("highest 5 at Tue")
        )
        expect(page.locator("#details")).to_have_text("Sold: 8")
        page.close()
