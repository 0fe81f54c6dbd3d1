"""A connection that carries messages both ways: stdio, memory, a socket. Both eras; the first request decides.

`initialize` makes it a connection of the handshake era. A request that names its version in `_meta` makes it
stateless: then each request says for itself who asks, and the connection only keeps ids apart.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import InternalError, InvalidParamsError, InvalidRequestError, McpError, ParseError, TransportError
from cloche.server.exchange import CLOSED, TIMEOUT, Exchange, Peer
from cloche.server.handlers import decode_initialize, initialize
from cloche.server.intake import Answer, ready, take_up
from cloche.server.session import Session
from cloche.server.subscriptions import Stream
from cloche.wire import messages, types
from cloche.wire.messages import Message, RequestId, ToolCall, encode_error, encode_result, request_id_of
from cloche.wire.versions import FEATURES, LATEST_HANDSHAKE_VERSION

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.server.engine import Engine
    from cloche.transports.base import Transport

Send = Callable[[bytes], Awaitable[None]]

logger = logging.getLogger("cloche.server")

CALL_WITHIN = 96
"""Bytes within which most clients write which method they call."""

DRAIN_SECONDS = 5.0
"""How long requests under way may take after the client closed its end."""


class Connection(Session):
    """One client at the other end of a message stream. Feed it with `receive`; it answers through `send`."""

    __slots__ = ("_pushed", "_send", "_tasks", "_transport", "is_stateless")

    def __init__(
        self, engine: Engine, send: Send, principal: Principal | None = None, transport: Transport | None = None
    ) -> None:
        super().__init__(engine, FEATURES[LATEST_HANDSHAKE_VERSION], principal)
        self._send = send
        self._transport = transport
        self._tasks: dict[asyncio.Task[None], Answer] = {}
        self._pushed = 0
        self.is_stateless: bool | None = None
        """Whether this connection belongs to the stateless era; None until the first request that says so."""

    def receive(self, data: bytes) -> None:
        """Take one message. Never raises for what a peer sends, and never waits: answers go out on their own."""
        try:
            answer = self._take(data)
        except McpError as error:
            answer = ready(encode_error(request_id_of(error), error))
        if answer is not None:
            self._spawn(answer, self._send)

    def _take(self, data: bytes) -> Answer | None:
        if len(data) > self.engine.limits.message_bytes:
            return self._refuse(data)
        if data.find(b'"tools/call"', 0, CALL_WITHIN) > 0 and not self.engine.server.middlewares:
            call = messages.parse_tool_call(data)  # as nearly every message is, and nearly every client writes it
            if call is not None:
                return self._begin(call)
        if messages.is_batch(data):
            parts = messages.split_batch(data)
            if not self.features.batches or self.client_info is None:
                raise InvalidRequestError("Invalid Request: batches exist in protocol version 2025-03-26 only")
            return self._answer_batch(parts)
        return self._route(messages.parse(data))

    def refuse(self, head: bytes) -> None:
        """Answer a message that is too long to be taken; `head` is its beginning."""
        self._spawn(self._refuse(head), self.send)

    def _refuse(self, head: bytes) -> Answer:
        error = ParseError(f"Parse error: the message is longer than {self.engine.limits.message_bytes} bytes")
        request_id, is_answer = messages.id_at_the_beginning(head)
        return ready(encode_error(None if is_answer else request_id, error))

    async def _answer_batch(self, parts: list[bytes]) -> bytes | None:
        """The answers to a list of messages (2025-03-26 only), as one list."""
        answers = Answers(self.engine.limits.result_bytes)
        for part in parts:
            answers.add(await self._answer_part(part))
        return answers.joined()

    async def _answer_part(self, part: bytes) -> bytes | None:
        try:
            message = messages.parse(part)
        except McpError as error:
            return encode_error(request_id_of(error), error)
        answer = self._route(message)
        return None if answer is None else await answer

    def _spawn(self, answer: Answer, send: Send) -> None:
        task = (self.engine.loop or asyncio.get_running_loop()).create_task(_answered(answer, send))
        self._tasks[task] = answer
        task.add_done_callback(self._tasks.pop)

    def _route(self, message: Message) -> Answer | None:
        if message.method is UNSET or message.id is UNSET:
            self.take(message)
            return None
        if message.method == "initialize" and self.is_stateless is not True:
            # At once, not in a task: what follows in the same read must find the connection initialized.
            return ready(self._initialize(message))
        return self._begin(message)

    def _begin(self, message: Message | ToolCall) -> Answer:
        return take_up(self.engine, ConnectionExchange(self), message, self)

    def identify(self, exchange: Exchange, params: Any, meta: bytes) -> None:
        """Who asks: the connection itself, or in the stateless era the client that the request names."""
        known = self.engine.callers.find(meta, self.principal) if self.is_stateless else None
        if known is None:
            exchange.meta = decoded = self.engine.meta(params.meta)
            exchange.peer = self._peer(exchange.method, decoded, meta)
        else:
            exchange.meta, exchange.peer, _ = known
        self.track(exchange)

    def _initialize(self, message: Message) -> bytes:
        try:
            params = decode_initialize(self.engine, message.params)
            features, result = initialize(self.engine, params)
            self.initialize(params, features)
        except McpError as error:
            return encode_error(message.id, error)  # type: ignore[arg-type]
        self.is_stateless = False
        return encode_result(message.id, result)  # type: ignore[arg-type]

    def _peer(self, method: str, decoded: Any, meta: bytes) -> Peer:
        if self.is_stateless is False or decoded is UNSET or decoded.protocol_version is UNSET:
            if self.is_stateless:
                raise InvalidParamsError(
                    f"Invalid params: _meta needs {types.PROTOCOL_VERSION_KEY!r} and {types.CLIENT_CAPABILITIES_KEY!r}"
                )
            self.admit(method)
            return self
        _, peer, _ = self.engine.callers.learn(meta, decoded, self.principal)
        self.is_stateless = True
        return peer

    async def send(self, data: bytes) -> None:
        """Send one message."""
        await self._send(data)

    def push(self, data: bytes) -> None:
        """Send a notification that belongs to no request; a reader that is too slow misses it."""
        if self._pushed >= self.engine.limits.queue:
            self.stray += 1
            return
        self._pushed += 1
        self._spawn(ready(data), self._push)

    async def _push(self, data: bytes) -> None:
        try:
            await self.send(data)
        finally:  # not earlier: what waits for room is what a slow reader costs
            self._pushed -= 1

    async def drain(self) -> None:
        """Wait a little for what is being answered: a client may close its end right after its last request."""
        self.engine.subscriptions.close()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=DRAIN_SECONDS)

    async def close(self) -> None:
        """End the connection and what is under way, and wait for that."""
        tasks = self._cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._transport is not None:
            await self._transport.close()

    def shut(self, done: Callable[[], None]) -> None:
        """The client is gone: end what is under way; `done` is called when nothing is left of it."""
        tasks = self._cancel()
        if not tasks:
            done()
            return

        def one_less(task: asyncio.Task[None]) -> None:
            tasks.remove(task)
            if not tasks:
                done()

        for task in tuple(tasks):
            task.add_done_callback(one_less)

    def _cancel(self) -> list[asyncio.Task[None]]:
        self.end(CLOSED)
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
            answer = self._tasks[task]
            if inspect.getcoroutinestate(answer) == inspect.CORO_CREATED:
                answer.close()  # a task that is cancelled before its first step never looks at it
        return tasks


class ConnectionExchange(Exchange):
    """A request on a message connection: everything goes over the one stream."""

    __slots__ = ()
    session: Connection

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection.engine.loop or asyncio.get_running_loop())
        self.session = connection
        self.principal = connection.principal

    @property
    def back_channel(self) -> bool:
        """The stream goes both ways."""
        return True

    async def emit(self, data: bytes) -> None:
        """Send a notification."""
        await self.session.send(data)

    async def ask(self, method: str, params: dict[str, Any], seconds: float) -> Raw:
        """Ask the client."""
        return await self.session.ask(method, params, seconds, self.session.send)

    def open_stream(self) -> Stream:
        """A `subscriptions/listen` stream on this connection."""
        return ConnectionStream(self.session)

    def answer_over_head(self) -> None:
        """Answer a request whose tool ignores its cancellation."""
        connection = self.session
        self.answered(connection.engine)
        if self.ended == TIMEOUT:
            connection._spawn(ready(connection.engine.timed_out(self)), connection.send)


class ConnectionStream(Stream):
    """A subscription stream among the other messages of a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._finished = asyncio.Event()

    def push(self, data: bytes) -> None:
        """Send a notification soon."""
        self._connection.push(data)

    async def run(self, first: bytes) -> None:
        """Acknowledge, then wait for the end."""
        await self._connection.send(first)
        await self._finished.wait()

    def finish(self) -> None:
        """Let `run` return."""
        self._finished.set()


class Answers:
    """The answers to a batch, which together are no larger than one answer may be (H23)."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._answers: list[bytes] = []

    def add(self, answer: bytes | None) -> None:
        """One more; when it no longer fits, an error in its place."""
        if answer is None:
            return
        if self._size + len(answer) > self._limit:
            error = InternalError(f"The answers to the batch are over {self._limit} bytes: ask for less at once")
            answer = encode_error(msgspec.json.decode(answer, type=_Answered).id, error)
        self._size += len(answer)
        self._answers.append(answer)

    def joined(self) -> bytes | None:
        """The answers as a list; None when there are none."""
        return b"[" + b",".join(self._answers) + b"]" if self._answers else None


class _Answered(msgspec.Struct):
    id: RequestId | None = None


async def _answered(answer: Answer, send: Send) -> None:
    try:
        data = await answer
        if data is not None:
            await send(data)
    except (OSError, TransportError) as error:
        logger.debug("an answer could not be sent: %s", error)
