"""Servers with one thing wrong each, one per rule: what they would say on the wire."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

MIME = "text/html;profile=mcp-app"
RUNTIME = "<script>parent.postMessage({jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: {}}, '*')</script>"
GOOD = f"<!doctype html><title>Good</title><p>Hello</p>{RUNTIME}"
URI = "ui://broken/show.html"


def tool(**changes: Any) -> Json:
    ready = {
        "name": "show",
        "description": "Show something.",
        "inputSchema": {"type": "object"},
        "_meta": {"ui": {"resourceUri": URI}},
    }
    return {**ready, **changes}


def page(html: str = GOOD, **changes: Any) -> Json:
    return {"uri": URI, "mimeType": MIME, "text": html, **changes}


def server(one: Json | None = None, *contents: Json, more: tuple[Json, ...] = ()) -> Json:
    """What a server says: its tools, and the contents of its one resource."""
    return {"tools": [one or tool(), *more], "contents": list(contents) or [page()]}


def with_html(html: str, **ui: Any) -> Json:
    return server(None, page(html + RUNTIME, _meta={"ui": ui}))


SOUND = {
    "plain": server(),
    "what it loads is declared": with_html(
        '<link rel="stylesheet" href="https://cdn.example.com/a.css"><img src="https://img.example.com/a.png">'
        "<script>fetch('https://api.example.com/v1/data'); new WebSocket('wss://live.example.com')</script>",
        csp={
            "resourceDomains": ["https://*.example.com"],
            "connectDomains": ["https://api.example.com", "wss://live.example.com"],
        },
    ),
    "addresses that are no loads": with_html(
        '<a href="https://example.com/page">a link</a><svg xmlns="http://www.w3.org/2000/svg"></svg><img src="data:,">'
        '<script type="application/json">{"from": "./file.js", "x": "eval(1)"}</script><p>localStorage is a word</p>'
    ),
    "both ways to name a view": server(tool(_meta={"ui": {"resourceUri": URI}, "openai/outputTemplate": URI})),
    "words of a bundle": with_html(
        "<script>const words = ['localStorage', `sessionStorage`], css = `\n@import './theme.css' layer(theme);\n`;\n"
        + "x(1);" * 150
        + "window.open(url); new Function('')</script>"
    ),
    "calls of tools that are there": with_html(
        '<button data-tool="show">Again</button><script>cloche.callTool("show", {}); callTool(name); '
        "app.callServerTool({ name: `show` }); callTool(`${kind}-list`)</script>"
    ),
    "a word that looks like a dialog": with_html("<script>const confirmed = model.confirm(x); myalert('x')</script>"),
}
"""Servers in which nothing is wrong, though they come close."""

BROKEN: dict[str, Json] = {
    "V01": {**server(), "contents": None},
    "V02": server(tool(_meta={"ui": {"resourceUri": "https://example.com/view.html"}})),
    "V03": server(None, page(mimeType="text/html")),
    "V04": server(tool(_meta={"ui": {"resourceUri": URI, "csp": {"connectDomains": ["https://a.example"]}}})),
    "V05": with_html("<p>x</p>", csp={"connectDomains": ["https://a.example/path; script-src *"]}),
    "V06": with_html('<script src="https://cdn.example.com/chart.js"></script>'),
    "V07": with_html('<script src="app.js"></script>'),
    "V08": server(None, page(), page()),
    "V09": with_html("<p>" + "x" * 2_000_001),
    "V10": with_html("<script>localStorage.setItem('a', 1)</script>"),
    "V11": with_html("<script>eval('1 + 1')</script>"),
    "V12": with_html("<script>window.open('https://example.com')</script>"),
    "V13": server(None, page("<p>Only text</p>")),
    "V14": with_html("<p>x</p>", permissions={"camera": {}, "bluetooth": {}}),
    "V15": server(tool(_meta={"ui/resourceUri": URI})),
    "V16": server(None, page("<!doctype html><html><head></head><body> </body></html>")),
    "V17": server(tool(_meta={"openai/outputTemplate": URI})),
    "V18": with_html("<p>x</p>", domain="views.example.com"),
    "V19": with_html("<p>x</p>", csp={"connectDomains": ["http://localhost:4444"]}),
    "V20": with_html('<button data-tool="shwo">Again</button><script>app.callServerTool({name: "shwo"})</script>'),
    "T01": server(tool(name="files.delete")),
    "T02": server(tool(inputSchema={"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})),
    "T03": server(tool(description="  ")),
    "T04": server(more=(tool(),)),
    "T05": server(tool(_meta={"ui": {"resourceUri": URI, "visibility": "app"}})),
    "T06": server(tool(_meta={"ui": {"resourceUri": URI, "visibility": []}})),
    "T07": server(tool(description="word " * 300)),
    "S01": {},
}
