"""Four servers with a view each, in one process: embedded by our host, and open over HTTP for a host in the page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from cloche import Server
from cloche.host import Host
from cloche.views import register_app_resource, register_app_tool
from tests.support.official_app.bundles import NODE, PACKAGES, build, bundle
from tools.npm_tools import node_modules

LATEST = "2.0.4"
SERVERS = ("north", "east", "south", "west")
LARGE = "x" * 7_000_000
PAGES = Path(__file__).parent.parent / "page"
PROXY = Path(__file__).parent.parent.parent / "tests" / "support" / "official_app" / "page" / "proxy.js"
SANDBOX = "basic-host.localhost"
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
ENTRY = (
    f"export {{ AppBridge, PostMessageTransport }} from '{PACKAGES[LATEST]}/app-bridge';"
    "export { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';"
)


@cache
def host_bundle() -> str:
    """The official host library and client, as one script."""
    modules = node_modules(NODE)
    script = modules.parent / "bundles" / f"basic-host-{LATEST}.js"
    if not script.is_file():
        build(modules, ENTRY, script)
    return script.read_text(encoding="utf-8")


@cache
def view_html() -> str:
    """The view that both hosts show."""
    driver = (PAGES / "view.js").read_text(encoding="utf-8")
    library = bundle(LATEST, "app")
    return f"<!doctype html><meta charset=utf-8><p id=out>…</p><script>{library}</script><script>{driver}</script>"


def view_server(name: str) -> Server:
    """A server with a tool that has a view, and two for the view."""
    server = Server(name, version="1.0")
    uri = f"ui://{name}/view.html"
    register_app_resource(server, uri, view_html())

    async def show(text: str) -> str:
        return f"sunny in {text}"

    async def echo(text: str) -> str:
        return text

    async def large(text: str) -> str:
        return LARGE

    register_app_tool(server, show, resource_uri=uri)
    server.register_tool(echo)
    server.register_tool(large)
    return server


class Hosting:
    """The product: a page for each design, `/start` for ours, `/mcp/…` for the other, and its proxy page."""

    def __init__(self) -> None:
        servers = {name: view_server(name) for name in SERVERS}
        self.host = Host(servers, secret="benchmark-benchmark")
        self.wrapped = self.host.wrap(self.product)
        self.mcp = {f"/mcp/{name}": server.asgi(hosts=["*"], origins=["*"]) for name, server in servers.items()}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.wrapped(scope, receive, send)
            return
        name = dict(scope["headers"])[b"host"].decode()
        # As if it were bound to the port that the browser knows, also where a slow network lies in front of it.
        scope = {**scope, "server": ("127.0.0.1", int(name.partition(":")[2]))}
        if scope["type"] == "http" and name.startswith(SANDBOX):
            script = PROXY.read_text(encoding="utf-8")
            await respond(send, f"<!doctype html><body><script>{script}</script>", policy=POLICY)
        elif scope["type"] == "http" and scope["path"] in self.mcp:
            await self.mcp[scope["path"]](scope, receive, send)
        else:
            await self.wrapped(scope, receive, send)

    async def product(self, scope: Any, receive: Any, send: Any) -> None:
        """Everything that is neither host's."""
        path = scope["path"]
        if path == "/start":
            name = scope["query_string"].decode().partition("=")[2]
            call = await self.host.session("ada").start(f"{name}.show", {"text": "Paris"})
            await respond(send, call.embed() or "")
        elif path == "/preload":
            await respond(send, await self.host.session("ada").preload(*(f"{name}.show" for name in SERVERS)))
        elif path == "/ours":
            element = '<script type="module" src="/cloche/mcp-app.js"></script>'
            name = scope["query_string"].decode().partition("show=")[2]
            shown = (await self.host.session("ada").start(f"{name}.show", {"text": "Paris"})).embed() if name else ""
            await respond(send, f"<!doctype html>{element}{inline('our-host.js')}<body>{shown}")
        elif path == "/official":
            address = dict(scope["headers"])[b"host"].decode().partition(":")[2]
            meta = f'<meta name=sandbox content="http://{SANDBOX}:{address}/">'
            await respond(
                send, f"<!doctype html>{meta}<script>{host_bundle()}</script>{inline('official-host.js')}<body>"
            )
        else:
            await respond(send, "", status=404)


def inline(name: str) -> str:
    """A script of the page's folder."""
    return f"<script>{(PAGES / name).read_text(encoding='utf-8')}</script>"


async def respond(send: Any, text: str, *, status: int = 200, policy: str | None = None) -> None:
    """One HTML page."""
    body = text.encode()
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", b"%d" % len(body))]
    if policy is not None:
        headers.append((b"content-security-policy", policy.encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
