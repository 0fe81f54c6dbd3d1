"""Cancellation: tokens that say that something is no longer wanted, and requests that can be given up.

Giving up a request sends `notifications/cancelled`, as MCP says. The server may have answered already, or may not be
able to stop: whoever cancels gets `RequestCancelledError` at once and an answer that comes later is dropped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from typing import Any

import msgspec
from msgspec import UNSET

from cloche.errors import RequestCancelledError, RequestTimeoutError, TransportError
from cloche.transports.base import Unsubscribe
from cloche.transports.listeners import Listeners, call_safely, nothing
from cloche.transports.requests import REQUEST_TIMEOUT, Answer, RequestTransport
from cloche.transports.tasks import Tasks
from cloche.wire.messages import encode_request

CANCELLED_METHOD = "notifications/cancelled"
"""What is sent. A server of this package also understands `$/cancelRequest`."""

CANCELLED_REASON = "cancelled by the caller"
"""The reason that is given when `cancel` gets none."""

_beside = Tasks()


class CancellationToken:
    """Says whether something was cancelled. Made by a `CancellationTokenSource`, which alone can cancel it."""

    def __init__(self) -> None:
        self._cancelled = False
        self._listeners = Listeners()
        self.reason: str | None = None
        """Why, when the source said so."""

    @property
    def is_cancelled(self) -> bool:
        """Whether it was cancelled by now."""
        return self._cancelled

    def on_cancel(self, callback: Callable[[], object]) -> Unsubscribe:
        """Call `callback` once, when it is cancelled; at once when it already is."""
        if self._cancelled:
            call_safely(callback)
            return nothing
        return self._listeners.add(callback)


class CancellationTokenSource:
    """Makes a token and cancels it: give `source.token` to those who work, keep the source."""

    def __init__(self) -> None:
        self.token = CancellationToken()
        """The token, always the same."""

    def cancel(self, reason: str | None = None) -> None:
        """Cancel the token and call everybody who listens, each once. Cancelling again does nothing."""
        token = self.token
        if token._cancelled:
            return
        token._cancelled = True
        token.reason = reason
        token._listeners.tell()
        token._listeners.clear()


class CancellableRequest:
    """A request that was sent, and can be given up. `await request` gives its result, as does `await request.result`.

    Exactly one of these comes: the result, the error that was answered, `RequestTimeoutError`, `RequestCancelledError`,
    or `TransportClosedError`.
    """

    def __init__(
        self,
        transport: RequestTransport,
        method: str,
        params: dict[str, Any] | None,
        timeout: float | None,
        token: CancellationToken | None,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.result: asyncio.Future[Any] = loop.create_future()
        """What came of it; a task that is cancelled while it waits for this cancels the request."""
        self._transport = transport
        self._may_be_cancelled = method != "initialize"  # the protocol forbids to cancel this one
        self._reason = CANCELLED_REASON
        self._pending = transport._read_answers()
        self.id = self._pending.next_id()
        """The request's id on the wire."""
        self._answer = self._pending.open(self.id)
        self._answer.add_done_callback(self._finish)
        self.result.add_done_callback(self._abandoned)
        self._timer = None if timeout is None else loop.call_later(timeout, self._expire)
        self._begun = False
        self._sending = loop.create_task(
            self._send(encode_request(self.id, method, params if params is not None else UNSET))
        )
        self._forget_token = token.on_cancel(lambda: self.cancel(token.reason)) if token is not None else nothing

    def __await__(self) -> Generator[Any, None, Any]:
        return self.result.__await__()

    def cancel(self, reason: str | None = None) -> None:
        """Give it up: the server is told, and whoever waits gets `RequestCancelledError`. After the answer: nothing."""
        if self._answer.done():
            return
        self._reason = reason or CANCELLED_REASON
        self._pending.fail(self.id, RequestCancelledError(self.id))

    def _expire(self) -> None:
        self._reason = "timed out"
        self._pending.fail(self.id, RequestTimeoutError(self.id))

    def _abandoned(self, result: asyncio.Future[Any]) -> None:
        if result.cancelled():
            self.cancel()

    async def _send(self, data: bytes) -> None:
        if self._answer.done():
            return  # given up before anything was sent
        self._begun = True
        try:
            await self._transport.send(data)
        except Exception as error:
            self._pending.fail(self.id, error)

    def _finish(self, answer: Answer) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._forget_token()
        error = answer.exception()
        if isinstance(error, RequestCancelledError | RequestTimeoutError):
            self._give_up()
        elif isinstance(error, TransportError):
            self._sending.cancel()
        if self.result.done():
            return
        if error is None:
            self.result.set_result(msgspec.json.decode(answer.result()))
            return
        self.result.set_exception(error)
        if isinstance(error, RequestCancelledError):
            self.result.exception()  # whoever cancels need not look: else asyncio would report it

    def _give_up(self) -> None:
        self._sending.cancel()
        # Where nothing was sent, or there is no connection, nobody works on it.
        if self._begun and self._may_be_cancelled and self._transport.is_connected:
            _beside.spawn(self._tell())

    async def _tell(self) -> None:
        try:
            await self._transport.notify(CANCELLED_METHOD, {"requestId": self.id, "reason": self._reason})
        except (TransportError, OSError):
            return  # a connection that ended has ended the request too


def cancellable_request(
    transport: RequestTransport,
    method: str,
    params: dict[str, Any] | None = None,
    *,
    timeout: float | None = REQUEST_TIMEOUT,
    token: CancellationToken | None = None,
) -> CancellableRequest:
    """Send a request that can be given up, with its `cancel()` or with `token`."""
    return CancellableRequest(transport, method, params, timeout, token)
