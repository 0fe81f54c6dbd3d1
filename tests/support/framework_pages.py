"""Pages with React and Vue from npm, and a Python server behind a WebSocket of the same origin."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

from cloche import Server
from tests.support.served import Served
from tests.support.snippets import ROOT
from tools.npm_tools import node_modules

WEB = Path(str(resources.files("cloche.web")))
DEADLINE = 60
KINDS = {
    ".html": b"text/html; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".css": b"text/css; charset=utf-8",
}


def frameworks() -> Path:
    """The `node_modules` with React and Vue."""
    return node_modules(ROOT / "tests" / "web" / "store" / "node")


def with_cloche(folder: Path) -> Path:
    """The folder, with `cloche/` in it as the documentation has it copied."""
    if not (folder / "cloche").exists():
        (folder / "cloche").symlink_to(WEB, target_is_directory=True)
    return folder


def bundled_page(folder: Path, script: str, *options: str) -> bytes:
    """What a bundler makes of a page's script, which may have JSX in it and lies beside `cloche/`."""
    entry = with_cloche(folder) / "entry.js"
    entry.write_text(script, encoding="utf-8")
    esbuild = node_modules(ROOT / "tools" / "bundler") / ".bin" / "esbuild"
    flags = ["--bundle", "--format=esm", "--loader:.js=jsx", "--jsx=automatic", "--log-level=warning", *options]
    done = subprocess.run(
        [esbuild, entry, *flags, '--define:process.env.NODE_ENV="production"'],
        env={**os.environ, "NODE_PATH": str(frameworks())},
        capture_output=True,
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def document(script: str, body: str = '<main id="app"></main>') -> bytes:
    """A page that runs a module of the site, and finds `vue` in an import map."""
    vue = '<script type="importmap">{"imports": {"vue": "/vendor/vue.js"}}</script>'
    module = f'<script type="module" src="{script}"></script>'
    return f"<!doctype html><meta charset=utf-8><title>page</title>{vue}{body}{module}".encode()


class PageSite(Served):
    """`with PageSite(server) as site`: `site.files` by path, the scripts of Cloche under `/cloche/`, the server at
    `ws:/mcp`.
    """

    def __init__(self, server: Server) -> None:
        self._tools = server
        self._mcp: Any = server.websocket(path="/mcp")
        self.files: dict[str, bytes] = {"/favicon.ico": b""}
        super().__init__(self._app, interface="asgi3", lifespan="off")

    def show(self, name: str, script: bytes, **options: str) -> str:
        """The address of a page around a script."""
        self.files[f"/{name}.js"] = script
        self.files[f"/{name}.html"] = document(f"/{name}.js", **options)
        return self.url(f"/{name}.html")

    def here(self, change: Callable[[], Any]) -> Any:
        """Call a function on the loop of the server."""

        async def called() -> Any:
            return change()

        return self.run(called())

    async def drop(self, successor: Server | None = None) -> None:
        """End every connection, as a server does that stops; another one may follow it."""
        before = self._mcp
        self._mcp = (successor or self._tools).websocket(path="/mcp")
        await before.close()

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._mcp(scope, receive, send)
            return
        path: str = scope["path"]
        body = self._content(path)
        headers = [(b"content-type", KINDS.get(Path(path).suffix, b"application/octet-stream"))]
        await send({"type": "http.response.start", "status": 404 if body is None else 200, "headers": headers})
        await send({"type": "http.response.body", "body": body or b""})

    def _content(self, path: str) -> bytes | None:
        if path == "/vendor/vue.js":
            return (frameworks() / "vue" / "dist" / "vue.esm-browser.prod.js").read_bytes()
        if re.fullmatch(r"/cloche/[\w./-]+\.(js|css)", path) and ".." not in path:
            return (WEB / path.removeprefix("/cloche/")).read_bytes()
        return self.files.get(path)
