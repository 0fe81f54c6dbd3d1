"""What a host answers itself, below its path and on the sandbox's names. The same guard stands before every route."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from cloche.asgi import Receive, Scope, Send
from cloche.host.web.admission import PageAdmission
from cloche.host.web.assets import ENTRY, around_page, assets, probe_page, sandbox_page
from cloche.host.web.bodies import Bodies, Encoded, body_headers
from cloche.host.web.callback import CALLBACK, callback_answer
from cloche.host.web.connected_pages import Sockets, address_of
from cloche.host.web.headers import (
    FRESH,
    INERT,
    LASTING,
    PLAIN,
    Headers,
    around_headers,
    probe_headers,
    sandbox_headers,
)
from cloche.host.web.mounts import Mounts
from cloche.host.web.sandbox import Sandboxes
from cloche.host.web.sandbox_urls import Claim, SandboxUrls
from cloche.host.web.self_test import self_test_answer
from cloche.host.web.socket import GOING_AWAY, SUBPROTOCOL, PageSocket
from cloche.serve.guard import Refusal
from cloche.serve.replies import reply
from cloche.wire.apps.csp import Sources, allow_attribute

if TYPE_CHECKING:
    from cloche.host.host import Host

TEXT = (b"content-type", b"text/plain; charset=utf-8")

MAX_TOLD = 20
"""Different refusals that are logged: whoever set this up looks there, and so may everybody else write there."""


@dataclass
class PageRequest:
    """One request to a route of ours, admitted."""

    scope: Scope
    headers: dict[bytes, bytes]
    rest: str
    """The path after the route's own."""
    receive: Receive
    send: Send
    cors: Headers

    @property
    def own_host(self) -> str:
        """The Host header."""
        return self.headers[b"host"].decode("latin-1").lower()

    @property
    def page(self) -> str | None:
        """The origin of the page that asks."""
        origin = self.headers.get(b"origin")
        return None if origin is None else origin.decode("latin-1").lower()

    @property
    def visitor(self) -> str:
        """The network address that it comes from; empty when that is unknown."""
        return address_of(self.scope)

    @property
    def address(self) -> str:
        """The origin at which this host was reached. A page of the same host knows best whether it was with TLS."""
        if self.page is not None and urlsplit(self.page).netloc == self.own_host:
            return self.page
        scheme = {"ws": "http", "wss": "https"}.get(self.scope.get("scheme", "http"), self.scope.get("scheme", "http"))
        return f"{scheme}://{self.own_host}"

    async def answer(self, status: int, body: bytes, headers: Headers) -> None:
        """Answer, with what lets an admitted origin read it."""
        await reply(self.send, status, body, [*headers, *self.cors])

    async def refuse(self, status: int, text: str) -> None:
        """Say why not, in a text that does nothing when a browser shows it."""
        await self.answer(status, f"{text}\n".encode(), [TEXT, INERT, *PLAIN])


Handler = Callable[[PageRequest], Awaitable[None]]


class Routes:
    """The host's own routes. `table` has every one of them."""

    def __init__(self, host: Host, at: str) -> None:
        self._host = host
        self._at = at
        self.sandboxes = Sandboxes(host.sandbox, host.origins, allow_same_site=host.allow_same_site)
        self._admission = PageAdmission(host.origins)
        self._bodies = Bodies(host.signer, host.budgets.bodies)
        self.mounts = Mounts(self._bodies, Encoded(host.limits.encoded_bytes))
        self._sandbox_urls = SandboxUrls(host.signer, self.sandboxes, at)
        self._sockets = Sockets(host.budgets)
        self._loop: asyncio.AbstractEventLoop | None = None
        host.on_hang_up(self._hang_up)
        self._told: set[str] = set()
        self.table: dict[str, Handler] = {
            "body/": self._body,
            "self-test": self._self_test,
            CALLBACK: self._callback,
            "": self._asset,
        }
        """Path below the host's own → what answers it; a name that ends with a slash has more behind it."""

    async def http(self, scope: Scope, path: str, receive: Receive, send: Send) -> None:
        """Answer a request for `path` below the host's own."""
        headers = dict(scope["headers"])
        check = self._admission.check_arrival if path == CALLBACK else self._admission.check
        refusal = check(scope, headers)
        cors = [] if refusal else self._admission.cors(headers)
        name = next((name for name in self.table if name and path.startswith(name)), "")
        request = PageRequest(scope, headers, path[len(name) :], receive, send, cors)
        if refusal is not None:
            self._tell(refusal)
            await request.refuse(refusal.status, refusal.text)
        elif scope["method"] not in ("GET", "HEAD"):
            await request.answer(405, b"", [(b"allow", b"GET, HEAD"), *PLAIN])
        else:
            await self.table[name](request)

    def _tell(self, refusal: Refusal | None) -> None:
        """A page that is refused its script cannot say why: the log does, once."""
        if refusal is not None and refusal.text not in self._told and len(self._told) < MAX_TOLD:
            self._told.add(refusal.text)
            self._host.logger.warning("%s", refusal.text)

    async def _asset(self, request: PageRequest) -> None:
        self._host.missing_page.has_script |= request.rest == ENTRY
        asset = assets().get(request.rest)
        if asset is None:
            await request.refuse(404, f"There is nothing here: {self._at}/mcp-app.js is what pages load")
        else:
            await request.answer(*asset.answer(request.headers))

    async def _body(self, request: PageRequest) -> None:
        data = self._bodies.get(request.rest)
        if data is None:
            await request.refuse(404, "This address has expired, or was never one")
        else:
            await request.answer(200, data, body_headers())

    async def _self_test(self, request: PageRequest) -> None:
        if request.rest:
            await request.refuse(404, f"There is nothing here: the self-test is at {self._at}/self-test")
        else:
            body, headers = self_test_answer(self._sandbox_urls, request.address, self._host.sandbox)
            await request.answer(200, body, headers)

    async def _callback(self, request: PageRequest) -> None:
        """The end of a sign-in in the user's browser. Nothing is decided here: anybody may have been sent here."""
        if request.rest:
            await request.refuse(404, "There is nothing here")
        else:
            body, headers = callback_answer()
            await request.answer(200, body, headers)

    async def sandbox(self, scope: Scope, path: str, send: Send) -> None:
        """Answer for a sandbox's name: its one page, only in a frame, and only by a signed address."""
        headers = dict(scope["headers"])
        claim = None
        if path == f"{self._at}/sandbox" and scope["method"] == "GET" and headers.get(b"sec-fetch-dest") == b"iframe":
            token = parse_qs(scope["query_string"].decode("latin-1")).get("p", [""])[0]
            claim = self._sandbox_urls.read(token, headers[b"host"].decode("latin-1"))
        if claim is None:
            await reply(send, 404, b"There is nothing here\n", [TEXT, INERT, *PLAIN])
            return
        await reply(send, 200, *self._sandbox_page(claim, path, headers[b"host"].decode("latin-1")))

    def _sandbox_page(self, claim: Claim, path: str, name: str) -> tuple[bytes, Headers]:
        """The page that a signed address stands for, and its headers."""
        if claim.kind == "probe":
            return probe_page(claim.host), probe_headers(f"{name}{path}", claim.host)
        if claim.kind == "around":
            policy = around_headers(claim.inside, claim.permissions, claim.host)
            return around_page(claim.inside, allow_attribute(claim.permissions)), policy
        ancestors = f"{claim.host} {claim.around}".strip()
        policy = sandbox_headers(Sources(claim.csp), claim.permissions, ancestors, claim.more)
        if claim.own and self.sandboxes.owns_site:
            policy.append(FRESH)
        if claim.lasts:
            policy = [header for header in policy if header[0] != b"cache-control"] + LASTING
        return sandbox_page(claim.host, claim.around), policy

    async def socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a page's WebSocket, or refuse the handshake."""
        await receive()
        headers = dict(scope["headers"])
        refusal = self._admission.check(scope, headers) or self._check_handshake(scope, headers)
        request = PageRequest(scope, headers, "", receive, send, [])
        if refusal is not None or request.page is None:
            self._tell(refusal)
            await _refuse_handshake(scope, send, refusal or Refusal(403, "A page says its Origin"))
            return
        socket = PageSocket(self._host, self.mounts, self._sandbox_urls, self._sockets, request)
        self._sockets.add(socket)
        self._loop = asyncio.get_running_loop()
        self._host.missing_page.is_connected = True
        try:
            await send({"type": "websocket.accept", "subprotocol": SUBPROTOCOL})
            await socket.run(receive, send)
        except OSError:  # gone before it was accepted
            pass
        finally:
            self._sockets.remove(socket)

    def _check_handshake(self, scope: Scope, headers: dict[bytes, bytes]) -> Refusal | None:
        if b"origin" not in headers:
            return Refusal(403, "Only pages connect here, and a page says its Origin")
        if SUBPROTOCOL not in scope.get("subprotocols", ()):
            return Refusal(400, f"Ask for the subprotocol: Sec-WebSocket-Protocol: {SUBPROTOCOL}")
        return None

    def _hang_up(self, user: str, reason: str) -> None:
        """The session of a user is over: end what its pages have open, and the connections that had nothing else."""
        if self._loop is None or self._loop.is_closed():
            return
        try:
            is_here = asyncio.get_running_loop() is self._loop
        except RuntimeError:
            is_here = False
        if not is_here:  # a product may ask for a session from anywhere
            self._loop.call_soon_threadsafe(self._hang_up, user, reason)
            return
        self.mounts.hang_up(user, reason)
        for socket in self._sockets:
            socket.hang_up(user, reason)

    async def close(self) -> None:
        """End every view and every connection."""
        for socket in self._sockets:
            socket.end(GOING_AWAY, "The host is closing")
        await self.mounts.close()


async def _refuse_handshake(scope: Scope, send: Send, refusal: Refusal) -> None:
    """Answer with plain HTTP where the web server can, else close the handshake."""
    if "websocket.http.response" in (scope.get("extensions") or {}):
        body = f"{refusal.text}\n".encode()
        start = {"status": refusal.status, "headers": [(b"content-length", b"%d" % len(body)), TEXT, INERT, *PLAIN]}
        await send({"type": "websocket.http.response.start", **start})
        await send({"type": "websocket.http.response.body", "body": body})
    else:
        await send({"type": "websocket.close", "code": 1008})
