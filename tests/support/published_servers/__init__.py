"""Servers that other people wrote, or wrote the library for, as a host is given them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastmcp import FastMCP, FastMCPApp
from mcp.server.apps import Apps
from mcp.server.mcpserver import MCPServer
from prefab_ui.actions import SetState
from prefab_ui.actions.mcp import CallTool, SendMessage
from prefab_ui.app import PrefabApp
from prefab_ui.components import H3, Button, Card, CardContent, Text
from prefab_ui.rx import RESULT, STATE

from cloche.host.relaxations import Relaxation
from tools.npm_tools import node_modules

NODE = Path(__file__).with_name("node")
DOCUMENT = Path(__file__).with_name("hello.pdf")
PUBLISHED = (
    "debug", "basic-vanillajs", "basic-react", "basic-vue", "budget-allocator", "pdf", "scenario-modeler", "threejs",
    "transcript", "wiki-explorer",
)  # fmt: skip
STRICT = "strict-threejs"
"""A server whose views need more than the strict policy, and do not get it."""

RELAX: dict[str, list[Relaxation]] = {"threejs": ["unsafe-eval"], "pdf": ["blob-workers", "data-modules"]}
"""What views of these need. The one of `server-map` needs eval and blob workers, and a library from the network."""


def all_servers() -> dict[str, Any]:
    """Each under its name."""
    folder = node_modules(NODE) / "@modelcontextprotocol"
    published = {name: ["node", str(folder / f"server-{name}" / "dist" / "index.js"), "--stdio"] for name in PUBLISHED}
    published[STRICT] = published["threejs"]
    published["pdf"].append(str(DOCUMENT))  # it reads no file that it was not started with
    return {**published, "prefab": prefab(), "apps": official_apps()}


def prefab() -> FastMCP:
    """A fastmcp server whose view is made of Prefab components, calls a tool back, and says something."""
    app = FastMCPApp("Counter")

    @app.tool()
    def double(number: int) -> int:
        """Twice as much."""
        return number * 2

    @app.ui()
    def counter(start: int) -> PrefabApp:
        """A number that can be doubled."""
        with Card() as view, CardContent():
            H3("A counter of Prefab")
            Text(f"The number is {STATE.number}")
            Button(
                "Double it",
                on_click=CallTool(double, arguments={"number": STATE.number}, on_success=SetState("number", RESULT)),
            )
            Button("Tell", on_click=SendMessage(f"The number is {STATE.number}"))
        return PrefabApp(view=view, state={"number": start})

    server = FastMCP("prefab")
    server.add_provider(app)
    return server


PAGE = """<!doctype html>
<title>Greeting</title>
<h1 id="greeting">…</h1>
<button id="again">Again</button>
<script>
let last = 0;
const waiting = new Map();
function ask(method, params) {
  const id = ++last;
  parent.postMessage({jsonrpc: "2.0", id, method, params}, "*");
  return new Promise((resolve) => waiting.set(id, resolve));
}
function show(result) {
  document.getElementById("greeting").textContent = result.content[0].text;
}
addEventListener("message", ({data}) => {
  if (data.method === "ui/notifications/tool-result") show(data.params);
  waiting.get(data.id)?.(data.result);
});
document.getElementById("again").onclick = async () =>
  show(await ask("tools/call", {name: "greet", arguments: {name: "again"}}));
ask("ui/initialize", {
  protocolVersion: "2026-01-26", appInfo: {name: "greeting", version: "1"}, appCapabilities: {},
}).then(() => parent.postMessage({jsonrpc: "2.0", method: "ui/notifications/initialized", params: {}}, "*"));
</script>
"""


def official_apps() -> MCPServer:
    """An app of the official Python package's extension."""
    apps = Apps()

    @apps.tool(resource_uri="ui://greeting/page.html")
    def greet(name: str) -> str:
        """Says hello."""
        return f"Hello, {name}!"

    apps.add_html_resource("ui://greeting/page.html", PAGE, prefers_border=True)
    return MCPServer("apps", extensions=[apps])
