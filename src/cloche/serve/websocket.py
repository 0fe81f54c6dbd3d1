"""`WebSocketApp`: MCP over WebSocket as a raw ASGI app. One message is one text frame, the subprotocol is "mcp".

A browser lets any page open a WebSocket to any address, and sends no preflight before: so everything is checked before
the connection is accepted, by the same code as for HTTP and in the same order. A refusal is an HTTP answer where the
web server can send one (`websocket.http.response`), else it closes the handshake.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, MutableMapping
from typing import TYPE_CHECKING, Any

from cloche.asgi import Receive, Scope, Send, path_of
from cloche.auth import Auth, Principal
from cloche.auth.discovery import WELL_KNOWN
from cloche.errors import ConfigurationError, TooManyConnectionsError, TransportClosedError, shorten
from cloche.serve.authorization import Authorization
from cloche.serve.guard import Admission
from cloche.serve.lifespan import run_lifespan
from cloche.serve.replies import JSON, refuse, reply
from cloche.transports.requests import RequestTransport
from cloche.wire.messages import encode_error

if TYPE_CHECKING:
    from cloche.server.server import Server

SUBPROTOCOL = "mcp"
"""What client and server agree on in the handshake."""

NORMAL, GOING_AWAY, NO_TEXT, NOT_ALLOWED, TOO_LONG = 1000, 1001, 1003, 1008, 1009
"""Why a connection is closed (RFC 6455)."""

CLOSE_SECONDS = 2.0
"""How long a client that does not read may keep the goodbye from being sent."""

BURST = 64
"""Messages that are taken one after the other before the loop may answer them."""


class WebSocketServerTransport(RequestTransport):
    """The server's end of one connection, over what ASGI calls `receive` and `send`."""

    def __init__(self, receive: Receive, send: Send, *, limit: int) -> None:
        super().__init__(limit=limit)
        self._receive_event = receive
        self._send_event = send
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._all_sent = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None
        self._saying_goodbye = False

    async def send(self, data: bytes) -> None:
        """Send one message; waits while the client leaves too much unread."""
        self._waiting += 1
        try:
            # One at a time: a web server wakes everybody who waits for room, whether it is enough for all or not.
            async with self._turn:
                if not self._connected:
                    raise TransportClosedError
                await self._send_event({"type": "websocket.send", "text": data.decode()})
        except OSError:  # what ASGI says when the client is gone
            self.ended()
            raise TransportClosedError from None
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._all_sent.set()

    async def close(self) -> None:
        """End the connection."""
        await self.close_with(GOING_AWAY, "The server is closing")

    async def close_with(self, code: int, reason: str) -> None:
        """End the connection and say why."""
        if not self._connected:
            return
        self._saying_goodbye = True
        self.ended()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._send_event({"type": "websocket.close", "code": code, "reason": shorten(reason, 100)})
        except (OSError, RuntimeError):  # it was gone already, or does not read
            pass
        finally:
            self._stop_run()

    def ended(self) -> None:
        """The connection is over."""
        super().ended()
        if not self._saying_goodbye:
            self._stop_run()

    async def run(self) -> None:
        """Read until either side ends the connection."""
        self._reading = asyncio.get_running_loop().create_task(self._read_all())
        try:
            await asyncio.wait([self._reading])
        finally:
            self._reading.cancel()
        if not self._reading.cancelled():
            self._reading.result()

    def _stop_run(self) -> None:
        if self._reading is not None and self._reading is not asyncio.current_task():
            self._reading.cancel()

    async def _read_all(self) -> None:
        taken = 0
        while self._connected:
            event = await self._receive_event()
            if event["type"] != "websocket.receive":
                return
            text = event.get("text")
            if text is None:
                await self.close_with(NO_TEXT, "Messages are text frames")
                return
            data = text.encode()
            if len(data) > self.limit:
                await self.close_with(TOO_LONG, f"The message is longer than {self.limit} bytes")
                return
            self.deliver(data)
            taken += 1
            if not taken % BURST:
                await asyncio.sleep(0)
            if self._waiting:  # who does not read is not read
                self._all_sent.clear()
                await self._all_sent.wait()


class WebSocketApp:
    """An MCP server over WebSocket, for ASGI. Made by `server.websocket()`."""

    def __init__(
        self,
        server: Server,
        *,
        hosts: Iterable[str] | None = None,
        origins: Iterable[str] = (),
        auth: object = None,
        path: str | None = None,
    ) -> None:
        if path is not None and not path.startswith("/"):
            raise ConfigurationError(f"path must begin with '/', as '/{path}' does")
        self.server = server
        self.admission = Admission(hosts, origins, "server.websocket")
        self.authorization = None if auth is None else Authorization(Auth.of(auth), path)
        self.path = path
        self.connections: set[WebSocketServerTransport] = set()
        """The connections that are open."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, or say why not."""
        if scope["type"] == "lifespan":
            await run_lifespan(self.server, self.close, receive, send)
        elif scope["type"] == "http":
            await self._answer_http(scope, send)
        elif scope["type"] == "websocket":
            await receive()
            admitted, principal = await self._admit(scope, _refusing(scope, send))
            if admitted:
                await self._serve(scope, receive, send, principal)

    async def close(self) -> None:
        """End every connection."""
        for transport in tuple(self.connections):
            await transport.close()
        await self.server.close()

    async def _admit(self, scope: Scope, send: Send) -> tuple[bool, Principal | None]:
        """Every check in its order; what does not pass is answered here."""
        headers = dict(scope["headers"])
        refusal = self.admission.check(scope, headers)
        principal = None
        if refusal is not None:
            await refuse(send, *refusal)
            return False, None
        if self.path is not None and path_of(scope) != self.path:
            await refuse(send, 404, f"There is nothing here: the MCP server is at {self.path}")
            return False, None
        if self.authorization is not None:
            principal = await self.authorization.identify(scope, headers, send, [])
            if principal is None:
                return False, None
        if SUBPROTOCOL not in scope.get("subprotocols", ()):
            await refuse(send, 400, f"Ask for the subprotocol: Sec-WebSocket-Protocol: {SUBPROTOCOL}")
            return False, None
        if len(self.connections) >= self.server.limits.connections:
            error = TooManyConnectionsError(self.server.limits.connections)
            await reply(send, 503, encode_error(None, error), [JSON])
            return False, None
        return True, principal

    async def _serve(self, scope: Scope, receive: Receive, send: Send, principal: Principal | None) -> None:
        transport = WebSocketServerTransport(receive, send, limit=self.server.limits.message_bytes)
        self.connections.add(transport)
        try:
            await send({"type": "websocket.accept", "subprotocol": SUBPROTOCOL})
            await self.server.connect(transport, principal=principal)
            await self._run(scope, transport, principal)
        except OSError:  # gone before it was accepted
            pass
        finally:
            transport.ended()
            self.connections.discard(transport)

    async def _run(self, scope: Scope, transport: WebSocketServerTransport, principal: Principal | None) -> None:
        """Serve until either side ends the connection, or its token is good no longer."""
        if self.authorization is None or principal is None:
            await transport.run()
            return
        running = asyncio.ensure_future(transport.run())
        lapsing = asyncio.ensure_future(self.authorization.lapse(scope, principal))
        try:
            await asyncio.wait({running, lapsing}, return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                await transport.close_with(NOT_ALLOWED, lapsing.result())
            await running
        finally:
            for task in (running, lapsing):
                task.cancel()

    async def _answer_http(self, scope: Scope, send: Send) -> None:
        """A request that is not a handshake: where to get a token, or what to do instead."""
        refusal = self.admission.check(scope, dict(scope["headers"]))
        if refusal is not None:
            await refuse(send, *refusal)
        elif self.authorization is not None and path_of(scope).startswith(WELL_KNOWN) and scope["method"] == "GET":
            await self.authorization.send_metadata(scope, send)
        else:
            upgrade = (b"upgrade", b"websocket")
            await refuse(send, 426, "MCP is served over WebSocket here: connect to ws://… instead", [upgrade])


def _refusing(scope: Scope, send: Send) -> Send:
    """A `send` for answers of plain HTTP to a handshake."""
    can_answer = "websocket.http.response" in (scope.get("extensions") or {})

    async def sending(message: MutableMapping[str, Any]) -> None:
        if can_answer:
            await send({**message, "type": f"websocket.{message['type']}"})
        elif message["type"] == "http.response.start":
            await send({"type": "websocket.close", "code": NOT_ALLOWED})

    return sending
