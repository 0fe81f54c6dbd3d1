"""The pages that offer tools: native, with our polyfill, with the most used other one, and forms."""

from __future__ import annotations

from pathlib import Path

from cloche.web import bundled
from tests.support.file_site import Site
from tools.npm_tools import node_modules

NODE = Path(__file__).parent / "node"
POLICY = "default-src * 'unsafe-inline' 'unsafe-eval'"

TOOLS = """
const { modelContext } = document;
const number = { type: "number" };
window.calls = [];
window.cancelled = 0;
const add = {
  name: "add", description: "Adds two numbers",
  inputSchema: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  execute: ({ a, b }) => { window.calls.push([a, b]); return { sum: a + b }; },
};
modelContext.registerTool(add);
modelContext.registerTool({ name: "greet", description: "Greets", execute: () => "Good morning" });
modelContext.registerTool({ name: "fail", description: "Fails", execute: () => { throw Error("no stock"); } });
modelContext.registerTool({ name: "wait", description: "Waits",
  execute: (input, { signal } = {}) => new Promise(() => {
  signal?.addEventListener("abort", () => { window.cancelled++; });
  window.waiting = true;
}) });
"""
FORM = """
<form toolname="find_cars" tooldescription="Search the cars in stock" toolautosubmit action="/found.html">
<input name="make" required toolparamdescription="The car's make"><input name="year" type="number" min="1990"></form>
"""
SCRIPTS = {"native": "", "polyfill": "<script src=/webmcp.js></script>", "mcp-b": "<script src=/mcp-b.js></script>"}


class PageSite(Site):
    """Pages with tools, by kind: `/native.html`, `/polyfill.html` and `/mcp-b.html`, and the same name with `-form`."""

    def __init__(self) -> None:
        super().__init__(POLICY)
        self.add("/webmcp.js", bundled("webmcp.js").encode())
        self.add("/mcp-b.js", node_modules(NODE) / "@mcp-b/global/dist/index.iife.js")
        self.add("/favicon.ico", b"")
        for kind, scripts in SCRIPTS.items():
            self.page(f"/{kind}.html", f"{scripts}<script>{TOOLS}</script>")
            self.page(f"/{kind}-form.html", f"{scripts}{FORM}")
        self.page("/found.html", "found")
        self.page("/empty.html", "")

    def page(self, path: str, body: str) -> str:
        """Add a page; returns its address, once the site is up."""
        self.add(
            path, f'<!doctype html><html lang="en"><meta charset="utf-8"><title>tools</title><body>{body}'.encode()
        )
        return path

    def at(self, path: str) -> str:
        return f"{self.url}{path}"

    def elsewhere(self, path: str) -> str:
        """The same page, on another origin and another site."""
        return self.at(path).replace("127.0.0.1", "localhost")
