"""The handshake era over HTTP: sessions, their GET stream, resuming, DELETE; or, with `stateless=True`, none of
these.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from cloche.errors import HeaderMismatchError, InvalidRequestError, McpError, NoBackChannelError
from cloche.serve.http.exchange import HttpExchange
from cloche.serve.http.sessions import STANDALONE, HttpSession, SessionTable
from cloche.serve.http.sse import SseStream
from cloche.serve.replies import JSON, refuse, reply
from cloche.server.connection import Answers
from cloche.server.exchange import Exchange, Peer
from cloche.server.handlers import decode_initialize, initialize
from cloche.wire import messages
from cloche.wire.lifecycle import CANCELLED_METHODS, INITIALIZED_METHODS
from cloche.wire.messages import Message, encode_error, encode_result, request_id_of
from cloche.wire.versions import DEFAULT_HTTP_VERSION, FEATURES

if TYPE_CHECKING:
    from cloche.asgi import Headers, Receive, Scope, Send
    from cloche.auth import Principal
    from cloche.serve.http.app import HttpApp

_EVENT_ID = re.compile(rb"([0-9]{1,12})_([0-9]{1,12})")


class Handshake:
    """What the app does with requests of the handshake era."""

    def __init__(self, app: HttpApp, *, keeps_sessions: bool) -> None:
        self._app = app
        self._engine = app.engine
        self._keeps_sessions = keeps_sessions
        self.table = SessionTable(app.engine)

    def read(self, exchange: HttpExchange, peer: Peer, params: Any) -> None:
        """Fill in who asks; a session remembers the request."""
        exchange.peer = peer
        if params.meta is not UNSET:
            exchange.meta = self._engine.meta(params.meta)
        if exchange.meta is not UNSET and exchange.meta.protocol_version is not UNSET:
            raise HeaderMismatchError(
                "Header mismatch: _meta names a protocol version that the header MCP-Protocol-Version does not"
            )
        if type(peer) is HttpSession:
            peer.admit(exchange.method)
            peer.track(exchange)
            exchange.session = peer

    async def post(
        self,
        exchange: HttpExchange,
        headers: dict[bytes, bytes],
        body: bytes,
        version: bytes | None,
        principal: Principal | None,
    ) -> None:
        """A message, or in 2025-03-26 a list of them."""
        if messages.is_batch(body):
            await self._post_batch(exchange, headers, body, version, principal)
            return
        message = messages.parse(body)
        self._check_version(version, message.id)
        if message.method == "initialize" and message.id is not UNSET:
            await self._initialize(exchange, headers, message, principal)
            return
        peer = await self._peer(exchange, headers, version, principal)
        if peer is None:
            return
        if message.method is UNSET or message.id is UNSET:
            self.take(peer, message)
            await reply(exchange.send, 202, b"", exchange.headers)
            return
        await self._answer(exchange, peer, message)

    def _check_version(self, version: bytes | None, request_id: Any) -> None:
        if version is not None and version.decode("latin-1") not in FEATURES:
            raise self._app.unsupported(version, request_id)

    async def _answer(self, exchange: HttpExchange, peer: Peer, message: Message) -> None:
        engine = self._engine
        method: str = message.method  # type: ignore[assignment]
        exchange.begin(peer, message.id, method, message.params, UNSET)  # type: ignore[arg-type]
        try:
            params = engine.decode(method, message.params, stateless=False)
            self.read(exchange, peer, params)
        except McpError as error:
            if isinstance(error, HeaderMismatchError):
                error.request_id = message.id  # type: ignore[attr-defined]
                raise
            await exchange.finish(engine.fail(exchange, error))
            return
        await exchange.finish(await engine.answer(exchange, params))

    async def _initialize(
        self, exchange: HttpExchange, headers: dict[bytes, bytes], message: Message, principal: Principal | None
    ) -> None:
        try:
            if b"mcp-session-id" in headers:
                raise InvalidRequestError("Already initialized")
            params = decode_initialize(self._engine, message.params)
            features, result = initialize(self._engine, params)
            extra: Headers = []
            if self._keeps_sessions:
                session = await self.table.create(params, features, principal)
                extra = [(b"mcp-session-id", str(session.session_id).encode())]
        except McpError as error:
            error.request_id = message.id  # type: ignore[attr-defined]
            raise
        data = encode_result(message.id, result)  # type: ignore[arg-type]
        await reply(exchange.send, 200, data, [JSON, *extra, *exchange.headers])

    async def _peer(
        self, exchange: HttpExchange, headers: dict[bytes, bytes], version: bytes | None, principal: Principal | None
    ) -> Peer | None:
        """Who asks: a session, or without sessions whoever it is. Refuses and returns None when there is no such
        session.
        """
        if not self._keeps_sessions:
            features = FEATURES[DEFAULT_HTTP_VERSION if version is None else version.decode()]
            return Peer(features, {}, None, principal)
        return await self._session(exchange.send, headers, exchange.headers, principal)

    async def _session(
        self, send: Send, headers: dict[bytes, bytes], cors: Headers, principal: Principal | None
    ) -> HttpSession | None:
        name = headers.get(b"mcp-session-id")
        if name is None:
            await refuse(
                send,
                400,
                "The header Mcp-Session-Id is missing: send initialize first, then the id it answers with",
                cors,
            )
            return None
        session = await self.table.find(name, principal)
        if session is None:
            await refuse(send, 404, "There is no such session: it ended, or is not yours; send initialize again", cors)
        return session

    def take(self, peer: Peer, message: Message) -> None:
        """A notification, or the answer to a question."""
        if isinstance(peer, HttpSession):
            if message.method is UNSET:
                peer.resolve(message)
            elif message.method in CANCELLED_METHODS:
                peer.cancel(message.params)
            elif message.method in INITIALIZED_METHODS:
                peer.initialized()
        if message.method is not UNSET:
            self._engine.notified(peer, str(message.method), message.params)

    # Batches (2025-03-26)

    async def _post_batch(
        self,
        exchange: HttpExchange,
        headers: dict[bytes, bytes],
        body: bytes,
        version: bytes | None,
        principal: Principal | None,
    ) -> None:
        parts = messages.split_batch(body)
        self._check_version(version, UNSET)
        peer = await self._peer(exchange, headers, version, principal)
        if peer is None:
            return
        if not peer.features.batches:
            raise InvalidRequestError("Invalid Request: batches exist in protocol version 2025-03-26 only")
        exchange.seconds = exchange.deadline = None  # each part has its own
        answers = Answers(self._engine.limits.result_bytes)
        for part in parts:
            answers.add(await self._answer_part(exchange, peer, part))
        data = answers.joined()
        if data is None:
            await reply(exchange.send, 202, b"", exchange.headers)
        else:
            await reply(exchange.send, 200, data, [JSON, *exchange.headers])

    async def _answer_part(self, whole: HttpExchange, peer: Peer, part: bytes) -> bytes | None:
        try:
            message = messages.parse(part)
            if message.method == "initialize":
                raise InvalidRequestError("Invalid Request: initialize cannot be part of a batch")
        except McpError as error:
            return encode_error(request_id_of(error), error)
        if message.method is UNSET or message.id is UNSET:
            self.take(peer, message)
            return None
        exchange = PartExchange(whole.loop)
        exchange.principal = whole.principal
        exchange.begin(peer, message.id, message.method, message.params, UNSET)
        try:
            params = self._engine.decode(exchange.method, message.params, stateless=False)
            exchange.meta = self._engine.meta(params.meta)
            if isinstance(peer, HttpSession):
                peer.admit(exchange.method)
                peer.track(exchange)
        except McpError as error:
            return self._engine.fail(exchange, error)
        self._engine.inflight.add(exchange, exchange.loop)
        try:
            return await self._engine.answer(exchange, params)
        finally:
            self._engine.inflight.remove(exchange)
            if isinstance(peer, HttpSession):
                peer.untrack(exchange)

    # GET and DELETE

    async def get_or_delete(
        self,
        scope: Scope,
        headers: dict[bytes, bytes],
        receive: Receive,
        send: Send,
        cors: Headers,
        principal: Principal | None,
    ) -> None:
        """Open or resume a session's stream, or end the session."""
        if not self._keeps_sessions or headers.get(b"mcp-protocol-version", b"").decode("latin-1") not in (
            "",
            *FEATURES,
        ):
            await refuse(send, 405, "This server keeps no sessions: POST a message", [*cors, (b"allow", b"POST")])
            return
        session = await self._session(send, headers, cors, principal)
        if session is None:
            return
        if scope["method"] == "DELETE":
            await self.table.end(session)
            await reply(send, 204, b"", cors)
        elif b"text/event-stream" not in headers.get(b"accept", b"") and b"*/*" not in headers.get(b"accept", b""):
            await refuse(send, 406, "Send Accept: text/event-stream", cors)
        else:
            stream = SseStream(send, receive, cors, self._app.limits.queue, self._app.ticker)
            stream.guard = self._app.guard(scope, principal)
            await self._get(session, headers.get(b"last-event-id"), stream, send)

    async def _get(self, session: HttpSession, last: bytes | None, stream: SseStream, send: Send) -> None:
        name, number = STANDALONE, None
        if last is not None:
            found = _EVENT_ID.fullmatch(last)
            if found is None:
                await refuse(send, 400, "The header Last-Event-ID is not one that this server made", stream.headers)
                return
            name, number = found[1].decode(), int(found[2])
        if name != STANDALONE:
            await self._resume(session, name, number or 0, stream)
            return
        if session.stream is not None and not session.stream.gone:
            await refuse(send, 409, "This session has an open stream already: close it first", stream.headers)
            return
        session.stream, stream.source = stream, session.next_frames
        missed = b"" if number is None else await session.replay(name, number)
        try:
            await stream.write_until_finished(missed or b": open\n\n")
            await stream.end()
        finally:
            if session.stream is stream:
                session.stream = None

    async def _resume(self, session: HttpSession, name: str, number: int, stream: SseStream) -> None:
        """A client comes back to the stream that answers one of its requests."""
        exchange = session.live.get(name)
        if exchange is not None:
            exchange.stream = stream
        missed = await session.replay(name, number)
        if exchange is None or exchange.done:
            stream.finish()
        await stream.write_until_finished(missed or b": resumed\n\n")
        if exchange is not None and exchange.stream is stream:
            exchange.stream = None
        await stream.end()

    async def close(self) -> None:
        """End every session."""
        await self.table.close()


class PartExchange(Exchange):
    """One request of a batch: its answer is a part of one list, so nothing can be said before it."""

    async def ask(self, method: str, params: dict[str, Any], seconds: float) -> Any:
        """There is no way back from inside a batch."""
        raise NoBackChannelError(method)
