"""`HttpApp`: MCP over HTTP as a raw ASGI app. POST carries messages, GET opens a session's stream, DELETE ends a
session.

The era is picked by the `MCP-Protocol-Version` header. Checks come in this order: host and origin, method, auth,
content type and length, JSON, the message, the session. Each answers with one sentence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, MutableMapping
from contextlib import suppress
from operator import itemgetter
from threading import get_ident
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from cloche.asgi import Headers, Receive, Scope, Send
from cloche.auth import Auth, Principal
from cloche.errors import (
    ConfigurationError,
    HeaderMismatchError,
    InvalidRequestError,
    McpError,
    MethodNotFoundError,
    TooManySessionsError,
    UnsupportedVersionError,
)
from cloche.serve.authorization import WELL_KNOWN, Authorization
from cloche.serve.guard import Admission
from cloche.serve.http.exchange import STATUS, HttpExchange
from cloche.serve.http.handshake import Handshake
from cloche.serve.http.sse import Ticker
from cloche.serve.http.stateless import Stateless
from cloche.serve.lifespan import run_lifespan
from cloche.serve.replies import JSON, refuse, reply
from cloche.server.exchange import TIMEOUT
from cloche.server.handlers import call_tool
from cloche.wire import messages
from cloche.wire.lifecycle import READY
from cloche.wire.messages import Message, ToolCall, encode_error, request_id_of
from cloche.wire.versions import HANDSHAKE_VERSIONS, STATELESS_VERSIONS

if TYPE_CHECKING:
    from cloche.serve.http.sessions import HttpSession
    from cloche.server.server import Server

_STATELESS = frozenset(version.encode() for version in STATELESS_VERSIONS)
_HANDSHAKE = frozenset([None, *(version.encode() for version in HANDSHAKE_VERSIONS)])
_HEAD = itemgetter(b"host", b"content-type", b"accept")
_PLAIN_HEADERS = frozenset(
    name.encode()
    for name in (
        *("host", "content-type", "content-length", "accept", "accept-encoding", "accept-language", "user-agent"),
        *("connection", "cache-control", "pragma", "priority", "traceparent", "tracestate", "x-request-id"),
        *("mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name"),
    )
)
"""Headers whose presence alone asks for no closer look."""

MAX_KNOWN_HEADS = 64
"""Heads of requests that are remembered as harmless; a caller that varies them is looked at each time."""


class HungUpError(Exception):
    """The client went away before its message was complete."""


class HttpApp:
    """An MCP server for ASGI. Made by `server.asgi()`."""

    def __init__(
        self,
        server: Server,
        *,
        hosts: Iterable[str] | None = None,
        origins: Iterable[str] = (),
        auth: object = None,
        stateless: bool = False,
        path: str | None = None,
    ) -> None:
        if path is not None and not path.startswith("/"):
            raise ConfigurationError(f"path must begin with '/', as '/{path}' does")
        self.server = server
        self.engine = server.engine
        self.limits = server.limits
        self.admission = Admission(hosts, origins)
        self.authorization = None if auth is None else Authorization(Auth.of(auth), path)
        self.path = path
        self.ticker = Ticker(self.limits.keepalive_seconds)
        self.handshake = Handshake(self, keeps_sessions=not stateless)
        self.stateless = Stateless(self.engine)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._known_heads: set[tuple[Any, ...]] = set()
        # Looked at by every request, so within reach.
        self._sessions = self.handshake.table.sessions
        self._middlewares = server.middlewares
        self._body_seconds = self.limits.body_seconds
        self._most_bytes = self.limits.message_bytes
        self._most_result = self.limits.result_bytes
        self._few = min(9, self.limits.in_flight)
        """Requests of one session that need no look at the limit."""
        self.engine.lifespan.streams.append(self._finish_streams)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0912, PLR0915
        """Answer one HTTP request. A POST is answered right here: every request would pay for a further coroutine."""
        if scope["type"] != "http":
            await self._other(scope, receive, send)
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])
        cors: Headers = []
        principal = None
        plain = self._is_plain(scope, headers)
        if not plain:
            answered, cors, principal = await self._look_closer(scope, headers, receive, send)
            if answered:
                return
        engine = self.engine
        loop = engine.loop
        if loop is None or engine.thread != get_ident() or not loop.is_running():
            loop = engine.settle()
        exchange = HttpExchange(self, loop, scope, receive, send, cors)
        if not plain:
            exchange.principal = principal
            exchange.accepts_events = _accepts_events(headers.get(b"accept"))
        exchange.seconds = self._body_seconds
        inflight = engine.inflight
        inflight.entries[exchange] = None
        if inflight.loop is not loop:
            inflight.wake(loop)
        session = None
        try:
            part = await receive()
            body = part.get("body")
            if body is None or part.get("more_body") or len(body) > self._most_bytes:
                body = await self._rest_of_body(part, receive)
                if body is None:
                    await self._too_large(send, cors)
                    return
            version = headers.get(b"mcp-protocol-version")
            if version not in _STATELESS:
                session = self._sessions.get(headers.get(b"mcp-session-id", b""))
                if session is None or session.principal is not principal or version not in _HANDSHAKE:
                    await self.handshake.post(exchange, headers, body, version, principal)
                    return
                session.used = True
            found = None if self._middlewares else messages.parse_tool_call(body)
            if found is not None:
                params = self._read_call(exchange, session, headers, found, principal)
            elif session is not None and messages.is_batch(body):
                await self.handshake.post(exchange, headers, body, version, principal)
                return
            else:
                message = messages.parse(body)
                if message.id is UNSET or message.method is UNSET or message.method == "initialize":
                    await self._no_plain_request(exchange, session, message)
                    return
                params = self._read(exchange, session, headers, message, principal)
            data = None
            if exchange.failure is not None:
                data = params
            elif self._middlewares or engine.lifespan.loop is not loop:
                data = await engine.answer(exchange, params)
            else:
                try:  # as `engine.answer` does, without its coroutine
                    step = engine.begin(exchange, params) if found is None else call_tool(engine, exchange, params)
                    data = step if exchange.finalize is None else exchange.finalize(engine, exchange, await step)
                    if type(data) is not bytes or len(data) > self._most_result:
                        data = engine.seal(exchange, data)
                except BaseException as error:
                    data = engine.explain(exchange, error)
            if data is None or exchange.started or exchange.failure is not None or exchange.done:
                await exchange.finish(data)
                return
            exchange.done = True
            head = [JSON, (b"content-length", b"%d" % len(data))]
            if cors:
                head += cors
            await send({"type": "http.response.start", "status": 200, "headers": head})
            await send({"type": "http.response.body", "body": data})
        except McpError as error:
            await self.fail(send, error, cors)
        except HungUpError:
            return
        except asyncio.CancelledError:
            if exchange.ended is None:
                raise  # somebody else's: the server that runs us is going down
            await self._given_up(exchange)
        finally:
            inflight.entries.pop(exchange, None)
            if exchange.session is not None and exchange.session.in_flight.get(exchange.id) is exchange:
                del exchange.session.in_flight[exchange.id]
            if exchange.watcher is not None:
                exchange.watcher.cancel()

    # Before the body

    def _is_plain(self, scope: Scope, headers: dict[bytes, bytes]) -> bool:
        """Whether this is what nearly every request is: a POST with nothing in its head that was not looked at before.

        What `_look_closer` let pass is remembered, so that the same head costs a few look-ups the next time.
        """
        try:
            known = (scope["path"], scope["server"], *_HEAD(headers)) in self._known_heads
        except (KeyError, TypeError):  # a header is missing, or the server's address is no tuple
            return False
        return (
            known
            and scope["method"] == "POST"
            and _PLAIN_HEADERS.issuperset(headers)
            and len(headers) == len(scope["headers"])
            and len(headers.get(b"content-length", b"")) < 6
        )

    def _remember(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        if self.authorization is not None or len(self._known_heads) >= MAX_KNOWN_HEADS:
            return
        if _PLAIN_HEADERS.issuperset(headers) and _accepts_events(headers.get(b"accept")):
            with suppress(KeyError, TypeError):
                self._known_heads.add((scope["path"], scope["server"], *_HEAD(headers)))

    async def _look_closer(
        self, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Send
    ) -> tuple[bool, Headers, Principal | None]:
        """Every check in its order. True when the request has been answered here."""
        refusal = self.admission.check(scope, headers)
        if refusal is not None:
            await refuse(send, refusal.status, refusal.text)
            return True, [], None
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
        elif (wrong := self._check_content(headers)) is not None:
            await refuse(send, *wrong, cors)
        else:
            self._remember(scope, headers)
            return False, cors, principal
        return True, cors, principal

    async def _admit(
        self, scope: Scope, headers: dict[bytes, bytes], send: Send, cors: Headers
    ) -> tuple[bool, Principal | None]:
        """The path, and who is calling. True when the request has been answered here."""
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if self.authorization is not None and path.startswith(WELL_KNOWN) and scope["method"] == "GET":
            await self.authorization.send_metadata(scope, send)
            return True, None
        if self.path is not None and path != self.path:
            await refuse(send, 404, f"There is nothing here: the MCP server is at {self.path}", cors)
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

    async def _given_up(self, exchange: HttpExchange) -> None:
        """The request ended outside the engine: its body came too slowly, or its answer was not read."""
        if exchange.task is not None:
            exchange.task.uncancel()
        if exchange.ended == TIMEOUT and not exchange.done:
            seconds = self.limits.body_seconds
            text = f"The request took longer than {seconds:g} seconds to arrive"
            await refuse(exchange.send, 408, text, exchange.headers)

    def _check_content(self, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        """What kind of body this is, and how large it says it is."""
        kind = headers.get(b"content-type")
        if kind is None or kind.split(b";")[0].strip().lower() != b"application/json":
            return 415, "Send the message as Content-Type: application/json"
        if headers.get(b"content-encoding", b"identity") != b"identity":
            return 415, "Compressed bodies are not read: send the message without Content-Encoding"
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or len(length) > 18:
            return 400, "The header content-length is not a number"
        if int(length) > self.limits.message_bytes:
            return 413, f"The message is larger than {self.limits.message_bytes} bytes"
        accept = headers.get(b"accept", b"*/*")
        if not any(kind in accept for kind in (b"application/json", b"text/event-stream", b"*/*", b"application/*")):
            return 406, "Send Accept: application/json, text/event-stream"
        return None

    async def _rest_of_body(self, part: MutableMapping[str, Any], receive: Receive) -> bytes | None:
        """A body that came in parts; None when it is larger than is read."""
        parts, size = [], 0
        while True:
            if part["type"] == "http.disconnect":
                raise HungUpError
            parts.append(part.get("body", b""))
            size += len(parts[-1])
            if size > self.limits.message_bytes:
                return None
            if not part.get("more_body"):
                return b"".join(parts)
            part = await receive()

    async def _too_large(self, send: Send, cors: Headers) -> None:
        await refuse(
            send,
            413,
            f"The message is larger than {self.limits.message_bytes} bytes",
            [*cors, (b"connection", b"close")],
        )

    # The message

    def _read_call(
        self,
        exchange: HttpExchange,
        session: HttpSession | None,
        headers: dict[bytes, bytes],
        found: tuple[ToolCall, bytes],
        principal: Principal | None,
    ) -> Any:
        """Who calls which tool: fills in the exchange and returns the parameters, or the answer that refuses them."""
        call, meta = found
        exchange.id = call.id
        exchange.method = "tools/call"
        try:
            if session is None:
                self.stateless.read_call(exchange, headers, call.params, meta, principal)
            elif (
                meta
                or session.state is not READY
                or len(session.in_flight) >= self._few
                or call.id in session.in_flight
            ):
                self.handshake.read(exchange, session, call.params)
            else:
                exchange.peer = exchange.session = session
                session.in_flight[call.id] = exchange
        except McpError as error:
            return self._refused(exchange, session, error)
        return call.params

    def _read(
        self,
        exchange: HttpExchange,
        session: HttpSession | None,
        headers: dict[bytes, bytes],
        message: Message,
        principal: Principal | None,
    ) -> Any:
        """The same for any other request, whose parameters are still to be decoded."""
        exchange.id = message.id  # type: ignore[assignment]
        exchange.method = method = message.method  # type: ignore[assignment]
        exchange.params = message.params
        try:
            params = self.engine.decode(exchange.method, message.params, stateless=session is None)
            if session is not None:
                self.handshake.read(exchange, session, params)
            else:
                self.stateless.read(exchange, headers, params, principal)
                if method == "subscriptions/listen" and not exchange.accepts_events:
                    raise InvalidRequestError("subscriptions/listen needs Accept: text/event-stream")
        except McpError as error:
            return self._refused(exchange, session, error)
        return params

    def _refused(self, exchange: HttpExchange, session: HttpSession | None, error: McpError) -> bytes:
        """A request that is not understood. The handshake era has its error inside a successful response."""
        if session is None or isinstance(error, HeaderMismatchError):
            raise _about(exchange.id, error) from None
        exchange.peer = session
        return self.engine.fail(exchange, error)

    async def _no_plain_request(self, exchange: HttpExchange, session: HttpSession | None, message: Message) -> None:
        """A notification, the answer to a question, or the handshake."""
        if session is None and message.method is UNSET:
            raise InvalidRequestError(
                "Invalid Request: this protocol version asks no questions, so it takes no answers"
            )
        if message.id is not UNSET and message.method is not UNSET:
            if session is None:
                raise _about(message.id, MethodNotFoundError("initialize"))
            raise _about(message.id, InvalidRequestError("Already initialized"))
        if session is not None:
            self.handshake.take(session, message)
        else:  # a cancellation too does nothing more: without a session a client cancels by hanging up
            self.engine.notified(self.stateless.nobody, str(message.method), message.params)
        await reply(exchange.send, 202, b"", exchange.headers)

    # Errors, auth, the rest

    async def fail(self, send: Send, error: McpError, cors: Headers, status: int | None = None) -> None:
        """Answer with an error that came before the request was understood."""
        if status is None:
            status = (
                503
                if isinstance(error, TooManySessionsError)
                else 404
                if isinstance(error, MethodNotFoundError)
                else STATUS.get(error.code, 400)
            )
        await reply(send, status, encode_error(request_id_of(error), error), [JSON, *cors])

    def unsupported(self, version: bytes, request_id: Any) -> UnsupportedVersionError:
        """The answer to a version nobody knows."""
        error = UnsupportedVersionError(version.decode("latin-1"), list(STATELESS_VERSIONS))
        error.request_id = request_id  # type: ignore[attr-defined]
        return error

    async def _other(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await run_lifespan(self.server, self.close, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "MCP is served over HTTP here"})

    def _finish_streams(self) -> None:
        """End what stays open until somebody ends it: GET streams and `subscriptions/listen`."""
        self.engine.subscriptions.close()
        for session in self._sessions.values():
            if session.stream is not None:
                session.stream.finish()

    async def close(self) -> None:
        """End sessions, streams and requests."""
        await self.handshake.close()
        await self.server.close()

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run something beside the request that caused it."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _accepts_events(accept: bytes | None) -> bool:
    return accept is None or b"text/event-stream" in accept or b"*/*" in accept


def _about(request_id: Any, error: McpError) -> McpError:
    """An error that says which request it answers."""
    error.request_id = request_id  # type: ignore[attr-defined]
    return error
