"""Views with one thing wrong each that only shows when they run, one per rule; all of them tools of one server."""

from __future__ import annotations

from typing import Any

from tests.support.broken_server import MIME, Json

HELLO = """
const send = (message) => parent.postMessage({jsonrpc: "2.0", ...message}, "*");
let onResult = (result) => { document.body.append("It is " + (result.content[0]?.text ?? "nothing")) };
addEventListener("message", ({data}) => {
  if (data.id === 1) send({method: "ui/notifications/initialized", params: {}});
  if (data.method === "ui/notifications/tool-result") onResult(data.params);
});
function connect() {
  const params = {protocolVersion: "2026-01-26", appInfo: {name: "a view", version: "1"}, appCapabilities: {}};
  send({id: 1, method: "ui/initialize", params});
}
"""
RESULT: Json = {"content": [{"type": "text", "text": "fine"}]}
CDN = "https://cdn.example.com"


def running(script: str = "", body: str = "<p>A view.</p>", **ui: Any) -> Json:
    """A page that says hello; `script` comes before that, and may change what it does with the result."""
    html = f"<!doctype html>\n<title>A view</title>\n{body}\n<script>{HELLO}{script}\nconnect();\n</script>"
    return {"text": html, "ui": ui}


def mute(html: str) -> Json:
    """A page with a runtime that is not started."""
    return {"text": html, "ui": {}}


RESIZING = """
let turn = 0;
onResult = () => setInterval(() => {
  send({method: "ui/notifications/size-changed", params: {width: 300, height: 200 + (++turn % 50)}});
}, 20);
"""

LIVE: dict[str, Json] = {
    "L01": {"page": mute(f"<p>Hello</p><script>{HELLO}</script>")},
    "L02": {"page": running("setTimeout(() => { throw new Error('no chart') });")},
    "L03": {"page": running("console.error('the data is odd');")},
    "L04": {"page": running("fetch(['https://api', 'example', 'com/a'].join('.')).catch(() => 0);")},
    "L05": {
        "page": running(body=f'<p>A view.</p><script src="{CDN}/chart.js"></script>', csp={"resourceDomains": [CDN]})
    },
    "L06": {"page": running("setTimeout(() => { window['local' + 'Storage'].length });")},
    "L07": {"page": running("onResult = () => {};", body="<div></div>")},
    "L08": {"page": running(), "result": {"content": []}},
    "L09": {"page": running(), "result": {"content": [], "structuredContent": {"sum": 3}}},
    "L10": {"page": running(), "tool": {"outputSchema": {"type": "object"}}},
    "L11": {"page": running(RESIZING)},
    "L12": {
        "page": running(
            "onResult = () => send({method: 'ui/notifications/size-changed', params: {width: 300, height: 0}});"
        )
    },
    "L13": {"page": running("onResult = () => {};", body="<p>Loading…</p>")},
    "L14": {"page": running("onResult = () => send({id: 2, method: 'tools/call', params: {name: 'L01 no more'}});")},
}
"""By rule: the page, and what differs in the tool and its result."""

RAISES = "L15"
"""The rule about tools of one's own that raise an exception, which RAISING does."""

RAISING = '''
from cloche import Server, ToolError

server = Server("raising")

@server.tool(view="page.html")
def average(days: list[int] = []) -> float:
    """The mean."""
    return sum(days) / len(days)

@server.tool(view="page.html")
def refuse() -> str:
    """Says no, and means it."""
    raise ToolError("There is no such day: name one of this week.")
'''

RESPONSES = {f"{CDN}/chart.js": "globalThis.chart = 1;"}
"""What stands at addresses outside."""


def one_server(cases: dict[str, Json]) -> Json:
    """What a server with all of them says: a tool for each, under its own name."""
    tools, pages, results = [], {}, {}
    for name, case in cases.items():
        uri = f"ui://broken/{name}.html"
        meta = {"ui": {"resourceUri": uri}}
        ready = {"name": name, "description": "Show something.", "inputSchema": {"type": "object"}, "_meta": meta}
        tools.append({**ready, **case.get("tool", {})})
        page = case["page"]
        pages[uri] = {"uri": uri, "mimeType": MIME, "text": page["text"], "_meta": {"ui": page["ui"]}}
        results[name] = case.get("result", RESULT)
    return {"tools": tools, "pages": pages, "results": results}
