"""`HttpApp`: MCP over HTTP as a raw ASGI app. POST carries messages, GET opens a session's stream, DELETE ends a
session.

The era is picked by the `MCP-Protocol-Version` header. Checks come in this order: host and origin, method, auth,
content type and length, JSON, the message, the session. Each answers with one sentence.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, MutableMapping
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from cloche.auth import Auth, AuthenticationError, Principal, metadata_path
from cloche.errors import (
    ConfigurationError,
    HeaderMismatchError,
    InvalidParamsError,
    InvalidRequestError,
    McpError,
    MethodNotFoundError,
    TooManySessionsError,
    UnsupportedVersionError,
)
from cloche.server.exchange import TIMEOUT, Peer
from cloche.transports.http.exchange import STATUS, HttpExchange
from cloche.transports.http.guard import Admission, Headers, Receive, Scope, Send
from cloche.transports.http.handshake import Handshake
from cloche.transports.http.replies import JSON, refuse, reply
from cloche.transports.http.sse import Ticker
from cloche.wire import messages, types
from cloche.wire.headers import check_parameters, decode_value
from cloche.wire.json import encode
from cloche.wire.messages import Message, encode_error, request_id_of
from cloche.wire.versions import FEATURES, STATELESS_VERSIONS

if TYPE_CHECKING:
    from cloche.server.server import Server

logger = logging.getLogger("cloche.http")

WELL_KNOWN = "/.well-known/oauth-protected-resource"

_STATELESS = frozenset(version.encode() for version in STATELESS_VERSIONS)
_BOTH_TYPES = (b"application/json, text/event-stream", b"text/event-stream, application/json", b"*/*", None)


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
        self.auth = None if auth is None else Auth.of(auth)
        self.path = path
        self.ticker = Ticker(self.limits.keepalive_seconds)
        self.handshake = Handshake(self, keeps_sessions=not stateless)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        if scope["type"] != "http":
            await self._other(scope, receive, send)
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])
        cors: Headers = []
        if not self.admission.is_plain(scope, headers):
            refusal = self.admission.check(scope, headers)
            if refusal is not None:
                await refuse(send, refusal.status, refusal.text)
                return
            cors = self.admission.cors(headers)
        principal = None
        if self.path is not None or self.auth is not None:
            answered, principal = await self._admit(scope, headers, send, cors)
            if answered:
                return
        method = scope["method"]
        if method == "POST":
            await self._post(scope, headers, receive, send, cors, principal)
        elif method == "OPTIONS":
            await reply(send, 204, b"", self.admission.preflight(headers))
        elif method in ("GET", "DELETE"):
            await self.handshake.get_or_delete(scope, headers, receive, send, cors, principal)
        else:
            allow = (b"allow", b"GET, POST, DELETE, OPTIONS")
            await refuse(send, 405, f"{method[:10]} is not used by MCP: POST a message", [*cors, allow])

    async def _admit(
        self, scope: Scope, headers: dict[bytes, bytes], send: Send, cors: Headers
    ) -> tuple[bool, Principal | None]:
        """The path, and who is calling. True when the request has been answered here."""
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if self.auth is not None and path.startswith(WELL_KNOWN) and scope["method"] == "GET":
            await self._metadata(scope, send)
            return True, None
        if self.path is not None and path != self.path:
            await refuse(send, 404, f"There is nothing here: the MCP server is at {self.path}", cors)
            return True, None
        if self.auth is None or scope["method"] == "OPTIONS":
            return False, None
        try:
            return False, await self.auth.authenticate(headers.get(b"authorization"))
        except AuthenticationError as error:
            challenge = self.challenge(scope, error.error, error.description)
            await refuse(send, 401, error.description or "A bearer token is needed", [*cors, *challenge])
            return True, None

    # Reading a message

    async def _post(
        self,
        scope: Scope,
        headers: dict[bytes, bytes],
        receive: Receive,
        send: Send,
        cors: Headers,
        principal: Principal | None,
    ) -> None:
        accept = headers.get(b"accept")
        length = headers.get(b"content-length", b"0")
        if (
            headers.get(b"content-type") != b"application/json"
            or accept not in _BOTH_TYPES
            or len(length) > 5
            or b"content-encoding" in headers
        ):
            refusal = self._check_content(headers)
            if refusal is not None:
                await refuse(send, *refusal, cors)
                return
        loop = asyncio.get_running_loop()
        engine = self.engine
        engine.loop = loop
        exchange = HttpExchange(self, loop, scope, receive, send, cors)
        exchange.deadline = loop.time() + self.limits.body_seconds
        inflight = engine.inflight
        inflight.add(exchange, loop)
        try:
            part = await receive()
            body: bytes | None = part.get("body", b"")
            if part.get("more_body") or part["type"] == "http.disconnect" or len(body) > self.limits.message_bytes:  # type: ignore[arg-type]
                body = await self._rest_of_body(part, receive)
            if body is None:
                await self._too_large(send, cors)
                return
            version = headers.get(b"mcp-protocol-version")
            if version not in _STATELESS:
                await self.handshake.post(exchange, headers, body, version, principal)
                return
            message = messages.parse(body)
            if message.id is UNSET or message.method is UNSET:
                await self._no_request(message, send, cors)
                return
            data = await self._answer(exchange, headers, message, principal)
            if data is None or exchange.started or exchange.failure is not None or exchange.done:
                await exchange.finish(data)
                return
            exchange.done = True
            await send(
                {
                    "type": "http.response.start",
                    "status": 200,
                    "headers": [JSON, (b"content-length", b"%d" % len(data)), *cors],
                }
            )
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
            inflight.remove(exchange)
            if exchange.watcher is not None:
                exchange.watcher.cancel()

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

    # The stateless era

    async def _answer(
        self, exchange: HttpExchange, headers: dict[bytes, bytes], message: Message, principal: Principal | None
    ) -> bytes | None:
        exchange.method = method = message.method
        exchange.id = request_id = message.id
        exchange.params = message.params
        engine = self.engine
        try:
            params = engine.decode(method, message.params, stateless=True)
            exchange.meta = meta = params.meta
            if meta is UNSET or meta.protocol_version is UNSET or meta.client_capabilities is UNSET:
                needed = f"{types.PROTOCOL_VERSION_KEY!r} and {types.CLIENT_CAPABILITIES_KEY!r}"
                raise InvalidParamsError(f"Invalid params: _meta needs {needed}")
            self._check_headers(headers, method, params, meta.protocol_version)
            info = meta.client_info
            exchange.peer = Peer(
                FEATURES[meta.protocol_version], meta.client_capabilities, None if info is UNSET else info, principal
            )
        except McpError as error:
            error.request_id = request_id  # type: ignore[attr-defined]
            raise
        accept = headers.get(b"accept")
        if accept not in _BOTH_TYPES:
            exchange.accepts_events = b"text/event-stream" in accept or b"*/*" in accept
            if method == "subscriptions/listen" and not exchange.accepts_events:
                return engine.fail(
                    exchange, InvalidRequestError("subscriptions/listen needs Accept: text/event-stream")
                )
        return await engine.answer(exchange, params)

    def _check_headers(self, headers: dict[bytes, bytes], method: str, params: Any, version: str) -> None:
        """Headers repeat parts of the body, and must agree with it."""
        if headers[b"mcp-protocol-version"] != version.encode("utf-8", "replace"):
            raise HeaderMismatchError("Header mismatch: MCP-Protocol-Version is not the version in _meta")
        if headers.get(b"mcp-method") != method.encode("utf-8", "replace"):
            raise HeaderMismatchError("Header mismatch: Mcp-Method does not repeat the method")
        if method == "tools/call":
            wanted: str = params.name
            tool = self.engine.tools.get(wanted)
            if tool is not None and tool.headers:
                arguments = {} if params.arguments is UNSET else params.arguments
                check_parameters(tool.headers, _loose(arguments), headers)
        elif method == "prompts/get":
            wanted = params.name
        elif method == "resources/read":
            wanted = params.uri
        else:
            return
        sent = headers.get(b"mcp-name")
        if sent is None or (sent != wanted.encode("utf-8", "replace") and decode_value(sent) != wanted):
            raise HeaderMismatchError("Header mismatch: Mcp-Name does not repeat the name or uri")

    async def _no_request(self, message: Message, send: Send, cors: Headers) -> None:
        """A notification is taken and dropped: here a client cancels by hanging up. An answer to a question cannot be
        one.
        """
        if message.method is UNSET:
            raise InvalidRequestError(
                "Invalid Request: this protocol version asks no questions, so it takes no answers"
            )
        await reply(send, 202, b"", cors)

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

    def challenge(
        self, scope: MutableMapping[str, Any], error: str | None, description: str | None, scopes: Iterable[str] = ()
    ) -> Headers:
        """`WWW-Authenticate`, which tells a client where to get a token."""
        assert self.auth is not None
        base, mount = _base(scope)
        where = base + metadata_path(self.path) if self.path is not None and not mount else base + mount + WELL_KNOWN
        value = self.auth.challenge(where, error=error, description=description, scopes=tuple(scopes))
        return [(b"www-authenticate", value.encode("latin-1", "replace"))]

    async def _metadata(self, scope: Scope, send: Send) -> None:
        """RFC 9728: which authorization servers give tokens for this server. Public by nature, for any origin."""
        assert self.auth is not None
        base, mount = _base(scope)
        document = self.auth.metadata(base + mount + (self.path or ""))
        await reply(send, 200, encode(document), [JSON, (b"access-control-allow-origin", b"*")])

    async def _other(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "MCP is served over HTTP here"})

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        """Run on its own the app is told when it starts and ends; mounted it is not, and opens with the first
        request.
        """
        while True:
            event = await receive()
            if event["type"] == "lifespan.startup":
                try:
                    await self.engine.lifespan.open()
                except Exception as error:
                    logger.exception("the server's lifespan failed")
                    await send(
                        {
                            "type": "lifespan.startup.failed",
                            "message": f"the lifespan of {self.server.name} failed: {error}",
                        }
                    )
                    return
                await send({"type": "lifespan.startup.complete"})
            elif event["type"] == "lifespan.shutdown":
                await self.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def close(self) -> None:
        """End sessions, streams and requests."""
        await self.handshake.close()
        await self.server.close()

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run something beside the request that caused it."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _base(scope: MutableMapping[str, Any]) -> tuple[str, str]:
    """The origin a request came to, and where the app is mounted there."""
    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
    return f"{scope.get('scheme', 'http')}://{host}", scope.get("root_path", "")


def _loose(arguments: Any) -> Any:
    """Arguments as plain values, for comparing; what is not JSON is refused later, with the right words."""
    import msgspec

    try:
        return msgspec.json.decode(arguments) if arguments else {}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
