"""The routes of `cloche open`: a page, its scripts, and the socket by which it is let in."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from functools import cache
from importlib import resources

import msgspec

from cloche.asgi import Receive, Scope, Send
from cloche.dev.page_headers import HEADERS
from cloche.dev.view_window import ViewWindow
from cloche.host.web.assets import TYPES
from cloche.host.web.wrapper import serve_lifespan
from cloche.serve.guard import Admission
from cloche.serve.replies import reply
from cloche.wire.types import Json

SOCKET = "/window/socket"
SUBPROTOCOL = "cloche.window.1"
HELLO_SECONDS = 10.0


class WindowHello(msgspec.Struct, forbid_unknown_fields=True):
    """The first frame: the token of the address, or the key that it was changed for."""

    token: str = ""
    key: str = ""


class WindowSite:
    """An ASGI app: the page that the host is wrapped around.

    The token in the address works once: other users of the machine can see it in the list of processes, when it was
    handed to a browser.
    """

    def __init__(self, window: ViewWindow, token: str) -> None:
        self._window = window
        self._token: str | None = token
        self._key = secrets.token_urlsafe(18)
        self._admission = Admission([], maker="cloche open")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await serve_lifespan(receive, send, self._window.close)
            return
        refusal = self._admission.check(scope, dict(scope["headers"]))
        if scope["type"] == "websocket":
            await receive()
            from_page = any(name == b"origin" for name, _ in scope["headers"])
            asked = SUBPROTOCOL in scope.get("subprotocols", ()) and scope["path"] == SOCKET
            if refusal is not None or not from_page or not asked:
                await send({"type": "websocket.close", "code": 1008})
            else:
                await send({"type": "websocket.accept", "subprotocol": SUBPROTOCOL})
                await self._serve(receive, send)
        elif refusal is not None:
            await self._say(send, refusal.status, refusal.text)
        elif scope["method"] not in ("GET", "HEAD"):
            await reply(send, 405, b"", [(b"allow", b"GET, HEAD"), *HEADERS])
        elif (file := files().get(scope["path"])) is None:
            await self._say(send, 404, "There is nothing here: the view is at /")
        else:
            await reply(send, 200, file[1], [(b"content-type", file[0]), *HEADERS])

    async def _say(self, send: Send, status: int, text: str) -> None:
        await reply(send, status, f"{text}\n".encode(), [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS])

    async def _serve(self, receive: Receive, send: Send) -> None:
        """One page, from its first frame to its end."""
        if not await self._admitted(receive):
            await send({"type": "websocket.close", "code": 1008, "reason": "token"})
            return
        with self._window.page():
            await _tell(send, {"key": self._key})
            gone = asyncio.ensure_future(_end(receive))
            ready = asyncio.ensure_future(self._window.ready.wait())
            try:
                await asyncio.wait([gone, ready], return_when=asyncio.FIRST_COMPLETED)
                if ready.done() and not gone.done() and self._window.call is not None:
                    await _tell(send, {"title": self._window.title, "ticket": self._window.call.ticket()})
                await gone
            finally:
                gone.cancel()
                ready.cancel()

    async def _admitted(self, receive: Receive) -> bool:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                event = await receive()
            said = msgspec.json.decode(event.get("text") or "", type=WindowHello)
        except (TimeoutError, msgspec.MsgspecError):
            return False
        if hmac.compare_digest(said.key.encode(), self._key.encode()):
            return True
        if self._token is None or not hmac.compare_digest(said.token.encode(), self._token.encode()):
            return False
        self._token = None
        return True


async def _tell(send: Send, frame: Json) -> None:
    await send({"type": "websocket.send", "text": msgspec.json.encode(frame).decode()})


async def _end(receive: Receive) -> None:
    """Wait until the page is gone; it has nothing to say."""
    while (await receive())["type"] != "websocket.disconnect":
        pass


@cache
def files() -> dict[str, tuple[bytes, bytes]]:
    """Path → type and contents. What is not in here is not served: no path is ever looked up on disk."""
    root = resources.files("cloche.web")
    found = {"/": root / "window" / "index.html", "/dev/icon.svg": root / "dev" / "icon.svg"}
    found |= {f"/window/{name}": root / "window" / name for name in ("window.js", "window.css")}
    found["/theme.css"] = root / "theme.css"
    return {path: (TYPES[file.name.rpartition(".")[2]], file.read_bytes()) for path, file in found.items()}
