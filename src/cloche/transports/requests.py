"""Requests and their answers: ids, deadlines, and one outcome for each.

`Pending` is the table both `RequestTransport` and `cloche.Client` keep. A request leaves it exactly once: with its
answer, with an error of this side, or because its caller gave up.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET, Raw

from cloche.errors import (
    LocalProtocolError,
    McpError,
    RequestTimeoutError,
    TransportClosedError,
    TransportError,
    error_of,
    shorten,
)
from cloche.transports.base import Transport, Unsubscribe
from cloche.transports.listeners import Listeners
from cloche.wire import messages
from cloche.wire.json import MAX_ANSWER_BYTES, decode
from cloche.wire.messages import Message, RequestId, encode_notification, encode_request

REQUEST_TIMEOUT = 30.0
"""Seconds a request waits for its answer, unless the call says otherwise."""

Answer = asyncio.Future[Raw]
NotificationHandler = Callable[[dict[str, Any]], None]

_params = msgspec.json.Decoder(dict[str, Any])


class Pending:
    """The requests that wait for an answer."""

    __slots__ = ("_ids", "_prefix", "_waiting", "stray")

    def __init__(self) -> None:
        # Several ends may share an emitter or a channel and hear every answer, and one of them may want to forge one:
        # 128 random bits, once for each table, because a request must stay cheap.
        self._prefix = f"{secrets.token_urlsafe(16)}-"
        self._ids = itertools.count(1)
        self._waiting: dict[RequestId, Answer] = {}
        self.stray = 0
        """Answers to nothing that waits here."""

    def __len__(self) -> int:
        return len(self._waiting)

    def next_id(self) -> str:
        """An id that no table has given out before, and nobody can guess who has not seen one of this table's."""
        return f"{self._prefix}{next(self._ids)}"

    def open(self, request_id: RequestId) -> Answer:
        """The answer to `request_id`, to be awaited."""
        if request_id in self._waiting:
            raise LocalProtocolError(f"Request {shorten(str(request_id))} is under way: give each an id of its own")
        future = self._waiting[request_id] = asyncio.get_running_loop().create_future()
        return future

    def settle(self, message: Message) -> bool:
        """An answer arrived; one that nobody waits for is counted."""
        future = self._waiting.pop(message.id, None)  # type: ignore[arg-type]
        if future is None or future.done():
            self.stray += 1
            return False
        if message.error is UNSET:
            future.set_result(message.result)  # type: ignore[arg-type]
        else:
            error = messages.decode_error(message.error)
            future.set_exception(error_of(error.code, error.message, error.data))
        return True

    def fail(self, request_id: RequestId, error: Exception) -> None:
        """End one request with an error of this side."""
        future = self._waiting.pop(request_id, None)
        if future is not None and not future.done():
            future.set_exception(error)

    def forget(self, request_id: RequestId, answer: Answer) -> None:
        """The caller no longer waits, whatever became of the answer."""
        self._waiting.pop(request_id, None)
        if not answer.cancel() and not answer.cancelled():
            answer.exception()  # else asyncio reports an error that nobody looked at

    def close(self, error: Callable[[], Exception] = TransportClosedError) -> None:
        """The connection is over: no answer will come."""
        for request_id in list(self._waiting):
            self.fail(request_id, error())


class NoAnswer(bytes):
    """The error answer that a transport makes up when it got none from the server: `error` is what the caller raises.

    It is a message like any other, so everything that carries messages carries it; only what a transport made itself
    can be one, never what a peer sent.
    """

    error: TransportError
    request_id: RequestId

    @classmethod
    def to(cls, request_id: RequestId, error: TransportError) -> NoAnswer:
        """No answer to this request, because of this."""
        made = cls(messages.encode_error(request_id, error))
        made.error, made.request_id = error, request_id
        return made


class RequestTransport(Transport):
    """A transport on which requests can be made without a client: `await transport.request("tools/list")`.

    Every transport of this package is one. Messages that answer such a request also reach the `on_message` handlers.
    """

    def __init__(self, *, limit: int = MAX_ANSWER_BYTES) -> None:
        super().__init__(limit=limit)
        self._pending_requests: Pending | None = None
        self._notification_listeners: dict[str, Listeners] = {}

    async def request(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        timeout: float | None = REQUEST_TIMEOUT,
        request_id: RequestId | None = None,
    ) -> Any:
        """Send a request and return its result; raises `McpError` for an error that came back."""
        pending = self._read_answers()
        if request_id is None:
            request_id = pending.next_id()
        try:
            async with asyncio.timeout(timeout):
                await self._until_connected()
                answer = pending.open(request_id)
                try:
                    await self.send(encode_request(request_id, method, params if params is not None else UNSET))
                    return decode(await answer)
                except BaseException:
                    self._abandon(request_id)
                    raise
                finally:
                    pending.forget(request_id, answer)
        except TimeoutError:
            raise RequestTimeoutError(request_id) from None

    async def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a notification."""
        await self.send(encode_notification(method, params if params is not None else UNSET))

    def on_notification(self, method: str, handler: NotificationHandler) -> Unsubscribe:
        """Call `handler` with the parameters of every notification of this method."""
        self._read_answers()
        return self._notification_listeners.setdefault(method, Listeners()).add(handler)

    async def _until_connected(self) -> None:
        """Wait until a request can be sent, where there may be no connection for a while."""

    def _abandon(self, request_id: RequestId) -> None:
        """Nobody waits for this request any more: what it holds open is let go."""

    def _read_answers(self) -> Pending:
        """Start reading what arrives, on first use: a transport that a server or client uses costs nothing more."""
        if self._pending_requests is None:
            pending = self._pending_requests = Pending()
            self.on_message(lambda data: self._take_answer(pending, data))
            self.on_close(lambda: pending.close(self.closed_error))
        return self._pending_requests

    def _take_answer(self, pending: Pending, data: bytes) -> None:
        if isinstance(data, NoAnswer):
            pending.fail(data.request_id, data.error)
            return
        try:
            message = messages.parse(data)
        except McpError:
            self.dropped += 1
            return
        if message.method is UNSET:
            pending.settle(message)
        elif message.id is UNSET and (listeners := self._notification_listeners.get(str(message.method))):
            try:
                params = {} if message.params is UNSET else _params.decode(message.params)
            except (msgspec.DecodeError, UnicodeDecodeError):
                self.dropped += 1
            else:
                listeners.tell(params)
