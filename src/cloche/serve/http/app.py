"""`HttpApp`: MCP over HTTP as a raw ASGI app. POST carries messages, GET opens a session's stream, DELETE ends a
session.

The era is picked by the `MCP-Protocol-Version` header. Checks come in this order: host and origin, method, auth,
content type and length, JSON, the message, the session. Each answers with one sentence. A call of a tool with nothing
unusual about it takes the fast path (`cloche.serve.http.fast_path`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, MutableMapping
from typing import TYPE_CHECKING, Any

from cloche.asgi import Headers, Receive, Scope, Send, path_of
from cloche.auth import Auth, Principal
from cloche.auth.discovery import WELL_KNOWN
from cloche.errors import ConfigurationError, McpError, TooManySessionsError
from cloche.serve.authorization import Authorization
from cloche.serve.guard import Admission
from cloche.serve.http import request_body
from cloche.serve.http.browser_page import HEADERS as HTML
from cloche.serve.http.browser_page import is_for_people, page
from cloche.serve.http.exchange import STATUS, HttpExchange
from cloche.serve.http.fast_path import STATELESS_HEADERS, FastPath
from cloche.serve.http.handshake import Handshake
from cloche.serve.http.sse import Ticker
from cloche.serve.http.stateless import Stateless
from cloche.serve.lifespan import run_lifespan
from cloche.serve.replies import JSON, refuse, reply
from cloche.server.exchange import TIMEOUT
from cloche.transports.tasks import Tasks
from cloche.wire.messages import encode_error, request_id_of

if TYPE_CHECKING:
    from cloche.server.server import Server


class HttpApp(FastPath):
    """An MCP server for ASGI. Made by `server.asgi()`."""

    def __init__(
        self,
        server: Server,
        *,
        hosts: Iterable[str] | None = None,
        origins: Iterable[str] = (),
        auth: object = None,
        sessionless: bool = False,
        path: str | None = None,
    ) -> None:
        if path is not None and not path.startswith("/"):
            raise ConfigurationError(f"path must begin with '/', as '/{path}' does")
        self.server = server
        self.limits = server.limits
        self.admission = Admission(hosts, origins)
        self.authorization = None if auth is None else Authorization(Auth.of(auth), path)
        self.path = path
        self.ticker = Ticker(self.limits.keepalive_seconds)
        self.handshake = Handshake(self, server.engine, sessionless=sessionless)
        self.tasks = Tasks()
        """What runs beside the requests that caused it."""
        super().__init__(server.engine, self.handshake.table.sessions, Stateless(server.engine))
        self.engine.lifespan.streams.append(self._finish_streams)

    async def respond(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Send) -> None:
        """Answer any HTTP request, after every check in its order."""
        refusal = self.admission.check(scope, headers)
        if refusal is not None:
            await refuse(send, *refusal)
            return
        cors = self.admission.cors(headers)
        answered, principal = await self._admit(scope, headers, send, cors)
        method = scope["method"]
        if answered:
            pass
        elif method == "OPTIONS":
            await reply(send, 204, b"", self.admission.preflight(headers))
        elif method in ("GET", "DELETE"):
            await self.handshake.get_or_delete(scope, headers, receive, send, cors, principal)
        elif method != "POST":
            allow = (b"allow", b"GET, POST, DELETE, OPTIONS")
            await refuse(send, 405, f"{method[:10]} is not used by MCP: POST a message", [*cors, allow])
        elif (wrong := request_body.refusal(headers, self.limits.message_bytes)) is not None:
            await refuse(send, *wrong, cors)
        else:
            exchange = HttpExchange(self, self.engine.settle(), scope, headers, receive, send, cors)
            exchange.principal = principal
            exchange.accepts_events = accepts_events(headers.get(b"accept"))
            if self.authorization is None and exchange.accepts_events:
                self.remember(scope, headers)
            self.engine.inflight.add(exchange, exchange.loop)
            await self.post(exchange)

    async def post(self, exchange: HttpExchange, part: MutableMapping[str, Any] | None = None) -> None:
        """Answer a POST whose head is in order; `part` is what was read of its body already."""
        try:
            body = await request_body.read(exchange.receive, self.limits.message_bytes, part)
            if body is None:
                text = request_body.too_large(self.limits.message_bytes)
                await refuse(exchange.send, 413, text, [*exchange.headers, (b"connection", b"close")])
            elif exchange.request_headers.get(b"mcp-protocol-version") in STATELESS_HEADERS:
                await self.stateless.post(exchange, body)
            else:
                await self.handshake.post(exchange, body)
        except McpError as error:
            await self._fail(exchange, error)
        except request_body.HungUpError:
            return
        except asyncio.CancelledError as error:
            await self.give_up(exchange, error)
        finally:
            exchange.release()

    # Before the body

    async def _admit(
        self, scope: Scope, headers: dict[bytes, bytes], send: Send, cors: Headers
    ) -> tuple[bool, Principal | None]:
        """The path, and who is calling. True when the request has been answered here."""
        path = path_of(scope)
        if self.authorization is not None and path.startswith(WELL_KNOWN) and scope["method"] == "GET":
            await self.authorization.send_metadata(scope, send)
            return True, None
        if self.path is not None and path != self.path:
            await refuse(send, 404, f"There is nothing here: the MCP server is at {self.path}", cors)
            return True, None
        if is_for_people(scope["method"], headers):
            name = self.server.info.title or self.server.name if self.authorization is None else None
            await reply(send, 200, page(scope, headers, name), HTML)
            return True, None
        if self.authorization is None or scope["method"] == "OPTIONS":
            return False, None
        principal = await self.authorization.identify(scope, headers, send, cors)
        return principal is None, principal

    def guard(self, scope: Scope, principal: Principal | None) -> Callable[[], Coroutine[Any, Any, str]] | None:
        """What ends a stream that was opened with a token when the token is good no longer."""
        authorization = self.authorization
        if authorization is None or principal is None:
            return None
        return lambda: authorization.lapse(scope, principal)

    async def give_up(self, exchange: HttpExchange, error: asyncio.CancelledError) -> None:
        """The request was cancelled outside the engine: its body came too slowly, or its answer was not read."""
        if exchange.ended is None:
            raise error  # somebody else's: the server that runs us is going down
        if exchange.task is not None:
            exchange.task.uncancel()
        if exchange.ended == TIMEOUT and not exchange.done:
            text = f"The request took longer than {self.limits.body_seconds:g} seconds to arrive"
            await refuse(exchange.send, 408, text, exchange.headers)

    # Errors, the rest

    async def _fail(self, exchange: HttpExchange, error: McpError) -> None:
        """Answer with an error that came before the request was understood."""
        status = 503 if isinstance(error, TooManySessionsError) else STATUS.get(error.code, 400)
        data = encode_error(request_id_of(error), error)
        await reply(exchange.send, status, data, [JSON, *exchange.headers])

    async def other(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What is not an HTTP request: the lifespan, or a WebSocket."""
        if scope["type"] == "lifespan":
            await run_lifespan(self.server, self.close, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "MCP is served over HTTP here"})

    def _finish_streams(self) -> None:
        """End what stays open until somebody ends it: GET streams and `subscriptions/listen`."""
        self.engine.subscriptions.close()
        for session in self.handshake.table.sessions.values():
            if session.stream is not None:
                session.stream.finish()

    async def close(self) -> None:
        """End sessions, streams and requests."""
        await self.handshake.table.close()
        await self.server.close()


def accepts_events(accept: bytes | None) -> bool:
    """Whether a client reads streams."""
    return accept is None or b"text/event-stream" in accept or b"*/*" in accept
