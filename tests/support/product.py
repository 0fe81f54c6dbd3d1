"""A product with a host around it, on a real port: pages by path, views of real servers, everything as shipped."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Coroutine
from types import TracebackType
from typing import Any

import uvicorn

from cloche.host import Host
from cloche.serve.uvicorn.websocket_protocol import ClosingWebSocket

SCRIPT = '<script type="module" src="/cloche/mcp-app.js"></script>'
POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-src http://*.localhost:{port}"
"""All that a strict product must allow."""

DEADLINE = 30.0


class Product:
    """`with Product(host) as product`: `product.page(body)` gives the address of a page, `product.run(…)` awaits on
    the loop that the host lives on.
    """

    def __init__(self, host: Host, *, at: str = "127.0.0.1") -> None:
        self.host = host
        self.policy = POLICY
        self._name = at
        self._pages: dict[str, str] = {}

    def page(self, body: str, head: str = "") -> str:
        """The address of a new page."""
        path = f"/page-{len(self._pages)}"
        self._pages[path] = f"<!doctype html><html lang=en><head>{head}{SCRIPT}</head><body>{body}</body></html>"
        return f"http://{self._name}:{self.port}{path}"

    def run(self, work: Coroutine[Any, Any, Any], timeout: float = DEADLINE) -> Any:
        """Await something where the host lives."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout)

    def embed(self, name: str, arguments: dict[str, Any], user: str = "ada") -> str:
        """The HTML of a call that is under way."""

        async def start() -> str:
            call = await self.host.session(user).start(name, arguments)
            found = call.embed()
            assert found is not None
            return found

        html: str = self.run(start())
        return html

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        text = self._pages.get(scope["path"])
        policy = self.policy.format(port=self.port)
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-security-policy", policy.encode())]
        await send({"type": "http.response.start", "status": 404 if text is None else 200, "headers": headers})
        await send({"type": "http.response.body", "body": (text or "").encode()})

    def __enter__(self) -> Product:
        self._wrapped = self.host.wrap(self)
        config = uvicorn.Config(self._wrapped, log_level="warning", lifespan="off", ws=ClosingWebSocket)
        self._server = uvicorn.Server(config)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._loop = asyncio.new_event_loop()
        serving = self._serve()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(serving,), daemon=True)
        self._thread.start()
        return self

    async def _serve(self) -> None:
        try:
            await self._server.serve(sockets=[self._listening])
        finally:
            await self._wrapped.close()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(DEADLINE)
        self._listening.close()
        self._loop.close()
