"""The page, the tools and the agent of docs/webmcp.md, in a browser without WebMCP, and the sizes it names."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from playwright.sync_api import sync_playwright

from cloche.views.webmcp_script import webmcp_script
from tests.support.chromium import FLAGS
from tests.support.file_site import Site
from tests.support.snippets import ROOT, all_snippets, blocks_of, run
from tools.chromium import chromium

TEXT = (ROOT / "docs/webmcp.md").read_text(encoding="utf-8")


def test_an_agent_uses_the_form_and_the_function(tmp_path: Path) -> None:
    (snippet,) = [one for one in all_snippets() if one.document == "docs/webmcp.md"]
    run(snippet, tmp_path)
    (html,) = blocks_of("docs/webmcp.md", "html")
    shop, agent = blocks_of("docs/webmcp.md", "js")
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
