"""The playground's own routes: its page, its scripts, its socket. The same guard stands before every one of them."""

from __future__ import annotations

from functools import cache
from importlib import resources

from cloche.asgi import Receive, Scope, Send
from cloche.dev.gateway import Gateway
from cloche.dev.page_headers import AT, HEADERS
from cloche.dev.playground import Playground
from cloche.host.web.assets import TYPES
from cloche.host.web.wrapper import serve_lifespan
from cloche.serve.guard import Admission, Refusal
from cloche.serve.replies import reply

__all__ = ["AT", "Site", "files"]

SOCKET = "/dev/socket"
SUBPROTOCOL = "cloche.dev.1"


class Site:
    """An ASGI app: the page that the host is wrapped around."""

    def __init__(self, playground: Playground, token: str) -> None:
        self._playground = playground
        self._token = token
        self._admission = Admission([], maker="cloche dev")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await serve_lifespan(receive, send, self._playground.close)
            return
        headers = dict(scope["headers"])
        refusal = self._admission.check(scope, headers)
        if scope["type"] == "websocket":
            await self._socket(scope, refusal, receive, send)
        elif refusal is not None:
            await self._say(send, refusal.status, refusal.text)
        else:
            await self._file(scope, send)

    async def _file(self, scope: Scope, send: Send) -> None:
        file = files().get(scope["path"])
        if scope["method"] not in ("GET", "HEAD"):
            await reply(send, 405, b"", [(b"allow", b"GET, HEAD"), *HEADERS])
        elif file is None:
            await self._say(send, 404, "There is nothing here: the playground is at /")
        else:
            kind, body = file
            await reply(send, 200, body, [(b"content-type", kind), *HEADERS])

    async def _say(self, send: Send, status: int, text: str) -> None:
        await reply(send, status, f"{text}\n".encode(), [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS])

    async def _socket(self, scope: Scope, refusal: Refusal | None, receive: Receive, send: Send) -> None:
        await receive()
        from_page = any(name == b"origin" for name, _ in scope["headers"])
        asked = SUBPROTOCOL in scope.get("subprotocols", ())
        if refusal is not None or not from_page or scope["path"] != SOCKET or not asked:
            await send({"type": "websocket.close", "code": 1008})
            return
        await send({"type": "websocket.accept", "subprotocol": SUBPROTOCOL})
        await Gateway(self._playground, self._token).run(receive, send)


@cache
def files() -> dict[str, tuple[bytes, bytes]]:
    """Path → type and contents. What is not in here is not served: no path is ever looked up on disk."""
    root = resources.files("cloche.web")
    shared = [("/", root / name) for name in ("elements.js", "markdown.js", "theme.css")]
    shared.append(("/host/", root / "host" / "sign-in.js"))
    own = [(f"/{folder}/", file) for folder in ("dev", "form") for file in (root / folder).iterdir()]
    return {
        "/" if file.name == "index.html" else path + file.name: (TYPES[file.name.rpartition(".")[2]], file.read_bytes())
        for path, file in (*shared, *own)
    }
