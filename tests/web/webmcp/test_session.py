"""`connect()` in a page: the source documents' own example, for agents of the page and over a transport."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from cloche.web import bundled
from tests.support.chromium import FLAGS
from tests.support.file_site import Site
from tests.web.webmcp.test_webmcp import POLICY, open_page
from tools.chromium import whole_chromium

EXAMPLE = """
// Usage - import once to install polyfill
import '@frontmcp/browser/polyfill';

// Then use standard API
const mcp = await navigator.modelContext.connect({
  serverInfo: { name: 'MyApp', version: '1.0.0' },
});

// Dynamic tool registration
mcp.registerTool('search', {
  description: 'Search documents',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
  handler: async (args) => ({ results: [] }),
});

// Dynamic resource registration
mcp.registerResource('docs', {
  description: 'Application documents',
  handler: async () => ({ contents: [{ text: '...' }] }),
});

// Check connection status
if (mcp.isConnected()) {
  console.log('MCP server running');
}

// Disconnect
mcp.disconnect();
"""
"""As it stands in the source documents, under "Polyfill API"."""

OURS = EXAMPLE.replace("@frontmcp/browser/polyfill", "/webmcp-session.js")
"""With only the import changed."""
UNTIL_THE_END = OURS.partition("// Disconnect")[0] + "globalThis.mcp = mcp;"

BOTH = pytest.mark.parametrize("kind", ["polyfill", "native"])


@pytest.fixture(scope="module")
def browsers() -> Iterator[dict[str, Browser]]:
    with sync_playwright() as playwright:

        def launch(*more: str) -> Browser:
            return playwright.chromium.launch(executable_path=whole_chromium(), args=[*FLAGS, *more])

        started = {"native": launch("--enable-features=WebMCP"), "polyfill": launch()}
        yield started
        for browser in started.values():
            browser.close()


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(POLICY) as made:
        made.add("/page.html", b"<!doctype html><title>MyApp</title>")
        made.add("/favicon.ico", b"")
        made.add("/example.js", OURS.encode())
        made.add("/running.js", UNTIL_THE_END.encode())
        made.add("/webmcp-session.js", bundled("webmcp-session.js").encode())
        yield made


def running(page: Page, script: str) -> list[str]:
    """Run a module, and what it logged."""
    logged: list[str] = []
    page.on("console", lambda message: logged.append(message.text) if message.type == "log" else None)
    page.evaluate(f"import('/{script}')")
    return logged


@pytest.mark.requirement(140, 141, 142, 186)
@BOTH
def test_the_example_of_the_source_documents_runs_with_another_import(
    kind: str, browsers: dict[str, Browser], site: Site
) -> None:
    page = open_page(browsers[kind], site)
    native = page.evaluate("document.modelContext && String(ModelContext)")
    assert running(page, "example.js") == ["MCP server running"]
    assert page.evaluate("document.modelContext.getTools()") == []
    assert (native is None) == (kind == "polyfill")
    assert native is None or page.evaluate("String(ModelContext)") == native
    page.close()


@pytest.mark.requirement(141, 186)
@BOTH
def test_its_tool_is_there_for_agents_until_it_disconnects(kind: str, browsers: dict[str, Browser], site: Site) -> None:
    page = open_page(browsers[kind], site)
    running(page, "running.js")
    told = page.evaluate("""async () => {
        const heard = [];
        mcp.on("toolCall", (call) => heard.push(call.arguments));
        mcp.on("error", ({ name, message }) => heard.push(name, message));
        mcp.on("disconnect", ({ reason }) => heard.push(reason));
        const [tool] = await document.modelContext.getTools();
        const execute = (input) => document.modelContext.executeTool(tool, input).catch(({ name }) => name);
        const told = [tool.name, await execute({ query: "a" }), await execute({ query: 1 })];
        const taken = { name: "taken", description: "of another script", execute() {} };
        await document.modelContext.registerTool(taken);
        mcp.registerTool("taken", { description: "of the session", handler: () => 1 });
        await document.modelContext.getTools();
        mcp.disconnect();
        const register = () => mcp.registerTool("more", { description: "d", handler: () => 1 });
        try { register() } catch ({ name, message }) { told.push(name, message) }
        const left = (await document.modelContext.getTools()).map(({ name, description }) => [name, description]);
        return [...told, await execute({ query: "a" }), left, heard];
    }""")
    name, found, refused, error, message, late, left, heard = told
    assert (name, found) == ("search", '{"results":[]}')
    # Chromium tells a caller only that a tool failed, whatever it failed of.
    assert refused == ("DataError" if kind == "polyfill" else "UnknownError")
    assert (error, message) == ("ModelContextConnectionError", "The session is over: call connect() again")
    assert late == "UnknownError"
    assert left == [["taken", "of another script"]]
    assert heard[0] == {"query": "a"}
    assert heard[1] == "ToolRegistrationError"
    assert re.match("Browser agents do not see the tool taken: .*Duplicate tool name", heard[2])
    assert heard[3:] == ["The page ended the session"]
    page.close()


@pytest.mark.requirement(140, 186)
def test_what_the_module_puts_into_the_page(browsers: dict[str, Browser], site: Site) -> None:
    page = open_page(browsers["polyfill"], site)
    seen = page.evaluate("""async () => {
        const module = await import("/webmcp-session.js");
        const context = navigator.modelContext;
        return [module.supported, context.supported, context.polyfillVersion, context.connect === module.connect,
            Object.keys(module).sort()];
    }""")
    exported = ["CONNECT_TIMEOUT", "ModelContextConnectionError", "ModelContextSession", "ModelContextTimeoutError"]
    exported += ["ToolRegistrationError", "connect", "modelContext", "polyfillVersion", "supported"]
    assert seen == [True, True, "1.0.0", True, exported]
    page.close()
