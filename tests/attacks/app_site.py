"""Where apps by URL come from: one server under two names, the app's own and a stranger's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from urllib.parse import parse_qs, unquote, urlsplit

from cloche.host.web import assets
from tests.support.house import House

HONEST = "app.localhost"
STRANGE = "evil.localhost"


class AppSite:
    """`async with AppSite(house, pages, heard)`: pages by path under both names, `/go?to=` that redirects anywhere, the
    scripts of `cloche.web` as this house has them, and `/won?…`, which calls `heard`.
    """

    def __init__(self, house: House, pages: dict[str, str], heard: Callable[[str], None]) -> None:
        self._house = house
        self._pages = pages
        self._heard = heard

    async def __aenter__(self) -> AppSite:
        self._server = await asyncio.start_server(self._on_request, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self.honest, self.strange = (f"http://{name}:{self.port}" for name in (HONEST, STRANGE))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.close()

    async def _on_request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            writer.write(self._answer(head.split(b" ")[1].decode("latin-1")))
            await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass  # a connection that was opened on suspicion and carried nothing
        finally:
            writer.close()

    def _answer(self, target: str) -> bytes:
        address = urlsplit(target)
        if address.path == "/won":
            self._heard(unquote(address.query))
        if address.path == "/go":
            return _response("302 Found", "", f"Location: {parse_qs(address.query)['to'][0]}\r\n")
        if address.path.startswith("/web/"):
            with self._house.acting():
                text = assets.read_web(address.path.removeprefix("/web/"))
            return _response("200 OK", text, "Content-Type: text/javascript\r\n")
        return _response("200 OK", self._pages.get(address.path, ""), "Content-Type: text/html\r\n")


def _response(status: str, text: str, headers: str) -> bytes:
    body = text.encode()
    return (
        f"HTTP/1.1 {status}\r\n{headers}Access-Control-Allow-Origin: *\r\nContent-Length: {len(body)}\r\n"
        "Connection: close\r\n\r\n"
    ).encode() + body
