"""The handshake era over HTTP: sessions, their GET stream, resuming, DELETE; with `sessionless=True`, none of these."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from cloche.errors import InvalidRequestError, McpError, UnsupportedVersionError
from cloche.serve.http.exchange import HttpExchange
from cloche.serve.http.sessions import STANDALONE, HttpSession, SessionTable, Visitor
from cloche.serve.http.sse import SseStream
from cloche.serve.replies import JSON, refuse, reply
from cloche.server.connection import Answers
from cloche.server.exchange import Exchange, Peer
from cloche.server.handlers import decode_initialize, initialize
from cloche.server.intake import take_up
from cloche.wire import messages
from cloche.wire.messages import Message, about, encode_error, encode_result, request_id_of
from cloche.wire.versions import DEFAULT_HTTP_VERSION, FEATURES, STATELESS_VERSIONS

if TYPE_CHECKING:
    from cloche.asgi import Headers, Receive, Scope, Send
    from cloche.auth import Principal
    from cloche.serve.http.app import HttpApp
    from cloche.server.engine import Engine

_EVENT_ID = re.compile(rb"([0-9]{1,12})_([0-9]{1,12})")


class Handshake:
    """What the app does with requests of the handshake era."""

    def __init__(self, app: HttpApp, engine: Engine, *, sessionless: bool) -> None:
        self._app = app
        self._engine = engine
        self._sessionless = sessionless
        self.table = SessionTable(engine)

    async def post(self, exchange: HttpExchange, body: bytes) -> None:
        """A message, or in 2025-03-26 a list of them."""
        if messages.is_batch(body):
            await self._post_batch(exchange, body)
            return
        message = messages.parse(body)
        self._check_version(exchange, message.id)
        if message.method == "initialize" and message.id is not UNSET:
            await self._initialize(exchange, message)
            return
        caller = await self._caller(exchange)
        if caller is None:
            return
        if message.method is UNSET or message.id is UNSET:
            self._take(caller, message)
            await reply(exchange.send, 202, b"", exchange.headers)
            return
        await exchange.answer(message, caller)

    def _check_version(self, exchange: HttpExchange, request_id: Any) -> None:
        version = exchange.request_headers.get(b"mcp-protocol-version")
        if version is not None and version.decode("latin-1") not in FEATURES:
            raise about(request_id, UnsupportedVersionError(version.decode("latin-1"), list(STATELESS_VERSIONS)))

    async def _initialize(self, exchange: HttpExchange, message: Message) -> None:
        try:
            if b"mcp-session-id" in exchange.request_headers:
                raise InvalidRequestError("Already initialized")
            params = decode_initialize(self._engine, message.params)
            features, result = initialize(self._engine, params)
            extra: Headers = []
            if not self._sessionless:
                session = await self.table.create(params, features, exchange.principal)
                extra = [(b"mcp-session-id", str(session.session_id).encode())]
        except McpError as error:
            raise about(message.id, error) from None
        data = encode_result(message.id, result)  # type: ignore[arg-type]
        await reply(exchange.send, 200, data, [JSON, *extra, *exchange.headers])

    async def _caller(self, exchange: HttpExchange) -> HttpSession | Visitor | None:
        """Who asks: a session, or without sessions any visitor. Refuses and returns None for an unknown session."""
        headers = exchange.request_headers
        if not self._sessionless:
            return await self._session(exchange.send, headers, exchange.headers, exchange.principal)
        version = headers.get(b"mcp-protocol-version")
        features = FEATURES[DEFAULT_HTTP_VERSION if version is None else version.decode()]
        return Visitor(self._engine, features, exchange.principal)

    async def _session(
        self, send: Send, headers: dict[bytes, bytes], cors: Headers, principal: Principal | None
    ) -> HttpSession | None:
        name = headers.get(b"mcp-session-id")
        if name is None:
            text = "The header Mcp-Session-Id is missing: send initialize first, then the id it answers with"
            await refuse(send, 400, text, cors)
            return None
        session = await self.table.find(name, principal)
        if session is None:
            await refuse(send, 404, "There is no such session: it ended, or is not yours; send initialize again", cors)
        return session

    def _take(self, peer: Peer, message: Message) -> None:
        """A notification, or the answer to a question."""
        if isinstance(peer, HttpSession):
            peer.take(message)
        elif message.method is not UNSET:
            self._engine.notified(peer, message.method, message.params)

    # Batches (2025-03-26)

    async def _post_batch(self, exchange: HttpExchange, body: bytes) -> None:
        parts = messages.split_batch(body)
        self._check_version(exchange, UNSET)
        caller = await self._caller(exchange)
        if caller is None:
            return
        if not caller.features.batches:
            raise InvalidRequestError("Invalid Request: batches exist in protocol version 2025-03-26 only")
        exchange.seconds = exchange.deadline = None  # each part has its own
        answers = Answers(self._engine.limits.result_bytes)
        for part in parts:
            answers.add(await self._answer_part(exchange, caller, part))
        data = answers.joined()
        if data is None:
            await reply(exchange.send, 202, b"", exchange.headers)
        else:
            await reply(exchange.send, 200, data, [JSON, *exchange.headers])

    async def _answer_part(self, whole: HttpExchange, caller: HttpSession | Visitor, part: bytes) -> bytes | None:
        try:
            message = messages.parse(part)
            if message.method == "initialize":
                raise InvalidRequestError("Invalid Request: initialize cannot be part of a batch")
        except McpError as error:
            return encode_error(request_id_of(error), error)
        if message.method is UNSET or message.id is UNSET:
            self._take(caller, message)
            return None
        exchange = Exchange(whole.loop)  # its answer is a part of one list, so nothing can be said or asked before it
        exchange.principal = whole.principal
        return await take_up(self._engine, exchange, message, caller)

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
        version = headers.get(b"mcp-protocol-version", b"").decode("latin-1")
        if self._sessionless or version not in ("", *FEATURES):
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
