"""The host's side of the socket, as small as it can be and driven by the test: one ASGI app on a real port.

It serves the product's page under a strict policy, the scripts, the sandbox on its own names, and the socket. What a
real host decides, the test says.
"""

from __future__ import annotations

import asyncio
import json
import queue
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Any

import uvicorn

from cloche.serve.uvicorn.websocket_protocol import ClosingWebSocket
from tests.support.edited_web import PROXY, SERVED, edited_web

WEB = Path(str(resources.files("cloche") / "web"))
SERVED_AT = {f"/cloche/{name}.js": f"dist/{name}.js" for name in SERVED.entries}
KINDS = {".js": "text/javascript", ".json": "application/json", ".html": "text/html; charset=utf-8"}
VIEW_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; frame-src 'none'"
DEADLINE = 30.0

METHODS = ["tools/call", "ui/open-link", "ui/download-file", "ui/message", "ui/request-display-mode", "ui/slow"]
LIMITS = {"bytes": 1_000_000, "depth": 64, "rate": 100, "burst": 400, "pending": 64, "maxHeight": 2000}
CAPABILITIES: dict[str, Any] = {"serverTools": {}, "openLinks": {}, "logging": {}}


def proxy_page(host_origin: str, web: Path) -> str:
    """The sandbox's page as the real host serves it: one file."""
    page = (web / "sandbox" / "proxy.html").read_text(encoding="utf-8")
    script = (web / "dist" / "sandbox-proxy.js").read_text(encoding="utf-8")
    page = page.replace('name="cloche-host" content=""', f'name="cloche-host" content="{host_origin}"')
    return page.replace('<script type="module" src="proxy.js"></script>', f"<script>{script}</script>")


class Stub:
    """`with Stub() as stub`: `stub.url` is the page; `stub.next(kind)` waits for the next frame of that kind."""

    def __init__(self, *edits: tuple[str, str, str]) -> None:
        self.pages: dict[str, str] = {}
        self.views: dict[str, str] = {}
        self.bodies: dict[str, bytes] = {}
        self._edits = edits
        self._web = WEB
        self.policy = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-src {sandbox}"
        self.frames: queue.Queue[dict[str, Any]] = queue.Queue()
        self.connections = 0
        self.app_headers: list[tuple[bytes, bytes]] = []
        """What apps by URL are served with besides."""
        self.redirects: dict[str, str] = {}
        """Where apps by URL are sent on to."""
        self.refusing = False
        self.held = False
        """Whether the sandbox's page is kept from answering."""
        self._sockets: list[Callable[[dict[str, Any]], Any]] = []
        self._numbers: dict[int, int] = {}
        self._passed: list[dict[str, Any]] = []
        self._closed = threading.Event()

    # From the test

    def packet(self, html: str, **more: Any) -> dict[str, Any]:
        """A mount packet for a view with this HTML."""
        path = f"html/{len(self.views) + 1}"
        self.views[path] = html
        origin = f"http://weather.localhost:{self.port}"
        context = {"availableDisplayModes": ["inline", "fullscreen"]}
        return {
            "id": f"mount-{path}",
            "key": "k",
            "server": "weather",
            "tool": "forecast",
            "title": "Forecast",
            "html": path,
            "sandbox": {"url": f"{origin}/cloche/sandbox?p=token", "origin": origin},
            "frame": {"sandbox": "allow-scripts allow-forms", "allow": ""},
            "initialize": {
                "protocolVersion": "2026-01-26",
                "hostInfo": {"name": "stub", "version": "1"},
                "hostCapabilities": CAPABILITIES,
                "hostContext": context,
            },
            "methods": METHODS,
            "limits": LIMITS,
            "displayModes": ["inline", "fullscreen"],
            "border": None,
            "size": None,
            **more,
        }

    def next(self, kind: str, **expected: Any) -> dict[str, Any]:
        """Take the first frame that has this key, and these values; the others stay for who asks for them."""
        deadline = time.monotonic() + DEADLINE
        while True:
            for place, frame in enumerate(self._passed):
                if kind in frame and all(frame.get(name) == value for name, value in expected.items()):
                    return self._passed.pop(place)
            try:
                self._passed.append(self.frames.get(timeout=deadline - time.monotonic()))
            except (queue.Empty, ValueError):
                raise AssertionError(f"no {kind!r} with {expected}; there were {self._passed}"[:2000]) from None

    def all(self) -> list[dict[str, Any]]:
        """Every frame so far that nobody asked for."""
        while not self.frames.empty():
            self._passed.append(self.frames.get_nowait())
        return self._passed

    def send(self, frame: dict[str, Any]) -> None:
        """Send a frame as it is, over the newest connection."""
        asyncio.run_coroutine_threadsafe(
            self._sockets[-1]({"type": "websocket.send", "text": json.dumps(frame)}), self._loop
        ).result(DEADLINE)

    def say(self, view: int, **frame: Any) -> None:
        """Send a numbered frame to a view."""
        self._numbers[view] = self._numbers.get(view, 0) + 1
        self.send({"view": view, "n": self._numbers[view], **frame})

    def drop(self, code: int = 1012) -> None:
        """Drop the newest connection."""
        close = self._sockets[-1]({"type": "websocket.close", "code": code})
        asyncio.run_coroutine_threadsafe(close, self._loop).result(DEADLINE)

    def until_closed(self) -> None:
        """Wait until the page has closed its connection."""
        assert self._closed.wait(DEADLINE)

    # ASGI

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await self._socket(receive, send)
        elif scope["type"] == "http":
            host = dict(scope["headers"]).get(b"host", b"").decode()
            await self._page(host, scope["path"], send)

    async def _page(self, host: str, path: str, send: Any) -> None:
        more: list[tuple[bytes, bytes]] = []
        status, kind, text, policy = 200, "text/html; charset=utf-8", b"", ""
        sandbox = f"http://weather.localhost:{self.port}"
        if host.startswith("weather.localhost"):
            while self.held:  # noqa: ASYNC110 - the test is in another thread
                await asyncio.sleep(0.01)
            policy = VIEW_POLICY
            text = proxy_page(self.url, self._web).encode()
        elif host.startswith("app.localhost") and path in self.redirects:
            status, more = 302, [(b"location", self.redirects[path].encode())]
        elif host.startswith(("app.localhost", "evil.localhost")) and path in self.pages:
            text = self.pages[path].encode()
            more = self.app_headers
        elif path in self.pages:
            policy = self.policy.format(sandbox=sandbox)
            text = self.pages[path].encode()
        elif path.startswith("/cloche/web/") or path in SERVED_AT:
            file = self._web / (path.removeprefix("/cloche/web/") if path not in SERVED_AT else SERVED_AT[path])
            kind = KINDS[file.suffix]
            text = file.read_bytes()
        else:
            name = path.removeprefix("/cloche/")
            found = self.views.get(name)
            text = found.encode() if found is not None else self.bodies.get(name, b"")
            kind, status = "text/plain; charset=utf-8", 200 if text else 404
        headers = [(b"content-type", kind.encode()), (b"cache-control", b"no-store"), *more]
        if path.startswith("/cloche/web/") or path in SERVED_AT:
            headers.append((b"access-control-allow-origin", b"*"))  # for scripts of a frame without an origin
        if policy:
            headers.append((b"content-security-policy", policy.encode()))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": text})

    async def _socket(self, receive: Any, send: Any) -> None:
        await receive()
        if self.refusing:
            await send({"type": "websocket.close", "code": 1013})
            return
        await send({"type": "websocket.accept", "subprotocol": "cloche.1"})
        self.connections += 1
        self._sockets.append(send)
        while (event := await receive())["type"] == "websocket.receive":
            frame = json.loads(event["text"])
            self.frames.put(frame)
        self._closed.set()

    # Its life

    def __enter__(self) -> Stub:
        self._folder = tempfile.TemporaryDirectory()
        if self._edits:
            self._web = edited_web(Path(self._folder.name) / "web", self._edits, PROXY, SERVED)
        config = uvicorn.Config(self, log_level="warning", lifespan="off", ws=ClosingWebSocket)
        self._server = uvicorn.Server(config)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._loop = asyncio.new_event_loop()
        serving = self._server.serve(sockets=[self._listening])
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(serving,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(DEADLINE)
        self._listening.close()
        self._loop.close()
        self._folder.cleanup()
