"""The pages, tools, agents and sessions of docs/webmcp.md, in a browser without WebMCP, and the sizes it names."""

from __future__ import annotations

import gzip
import re
from importlib import resources
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from cloche.views.webmcp_script import webmcp_script
from tests.host.web.browser.test_agent_tools import BEGIN, CALL, allow, listed
from tests.support.chromium import FLAGS, launched
from tests.support.file_site import Site
from tests.support.product import Product
from tests.support.snippets import ROOT, Snippet, all_snippets, blocks_of, run
from tools.chromium import chromium

TEXT = (ROOT / "docs/webmcp.md").read_text(encoding="utf-8")


def block(file: str) -> Snippet:
    """The first Python block that is saved under this name."""
    return next(one for one in all_snippets() if one.document == "docs/webmcp.md" and one.file == file)


def test_an_agent_uses_the_form_and_the_function(tmp_path: Path) -> None:
    run(block("snippet.py"), tmp_path)
    (html,) = blocks_of("docs/webmcp.md", "html")
    shop, agent, *_ = blocks_of("docs/webmcp.md", "js")
    with Site("default-src 'none'; script-src 'self'") as site, sync_playwright() as playwright:
        site.add("/shop.html", html.replace('src="/shop.js"', 'src="/shop.js" type="module"').encode())
        site.add("/webmcp.js", tmp_path / "webmcp.js")
        site.add("/shop.js", shop.encode())
        site.add("/agent.js", f"{agent}\nexport {{ added, found }};".encode())
        site.add("/favicon.ico", b"")
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page()
        page.goto(f"{site.url}/shop.html")
        page.wait_for_function("document.modelContext.getTools().then((tools) => tools.length == 2)")
        seen = page.evaluate("import('/agent.js').then(({ added, found }) => [added, found])")
        assert seen == re.findall(r"// '(\{.*\})'", agent)
        refused = "document.modelContext.executeTool(tools[0], { id: 0 }).catch(({ message }) => message)"
        told = page.evaluate(f"document.modelContext.getTools().then((tools) => {refused})")
        assert f"`{told}`" in TEXT
        browser.close()


def test_the_scripts_are_as_small_as_it_says() -> None:
    limits = re.findall(r"at most ([\d.]+) kB", TEXT)
    scripts = (webmcp_script(), webmcp_script(forms=False))
    for script, limit in zip(scripts, limits, strict=True):
        assert len(gzip.compress(script.encode(), 9)) <= 1e3 * float(limit)


def test_an_agent_uses_the_python_functions(tmp_path: Path) -> None:
    site = run(block("shop_site.py"), tmp_path)
    host: Any = site["host"]
    make: Any = site["page"]
    with Product(host) as product, launched(chromium()) as browser:

        async def markup() -> str:
            made: str = make("ann")
            return made

        html = product.run(markup())
        assert html.count("<script") == 1
        page = browser.new_page()
        page.goto(product.page(html.partition("</script>")[2]))
        listed(page, "shop_search", "shop_add_to_cart")
        assert page.evaluate(CALL, ["shop_search", {"words": "ca"}]) == '{"result":["cap","scarf"]}'
        page.evaluate(BEGIN, ["shop_add_to_cart", {"article": "cap"}])
        allow(page, "Allow on this page")
        assert page.evaluate("called") == '{"result":["cap"]}'


def test_the_sessions(tmp_path: Path) -> None:
    run(block("session_script.py"), tmp_path)
    *_, session, served = blocks_of("docs/webmcp.md", "js")
    web = Path(str(resources.files("cloche.web") / "dist" / "site"))
    with Site("default-src 'none'; script-src 'self'") as site, launched(chromium()) as browser:
        site.add("/page.html", b"<!doctype html><title>Shop</title>")
        site.add("/favicon.ico", b"")
        site.add("/webmcp-session.js", tmp_path / "webmcp-session.js")
        site.add("/session.js", f"{session}\nexport {{ found }};".encode())
        site.add("/served.js", served.encode())
        site.add_folder("/web", web)
        site.add_folder("/web/transports", web / "transports")
        context = browser.new_context()
        page, other = context.new_page(), context.new_page()
        page.goto(f"{site.url}/page.html")
        assert page.evaluate("import('/session.js').then(({ found }) => found)") in session
        assert page.evaluate("document.modelContext.getTools()") == []
        page.evaluate("import('/served.js').then(() => {})")
        other.goto(f"{site.url}/page.html")
        told = other.evaluate("""async () => {
            const { McpClient } = await import("/web/client.js");
            const { BroadcastChannelTransport } = await import("/web/transports/index.js");
            const client = new McpClient(new BroadcastChannelTransport({ channelName: "shop" }), { name: "tab" });
            await client.connect();
            const end = Date.now() + 20_000; // the session begins when it has a client, and registers then
            while (!(await client.listPrompts()).length && Date.now() < end);
            const { structuredContent } = await client.callTool("hours");
            const { contents } = await client.readResource("resource://terms");
            const { messages } = await client.getPrompt("ask");
            return [structuredContent, contents[0], messages[0].content.text];
        }""")
        terms = {"uri": "resource://terms", "text": "Be kind"}
        assert told == [{"open": 9, "close": 18}, terms, "When does the shop open?"]
        context.close()
