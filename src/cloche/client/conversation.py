"""The two directions of a client's connection: requests out with their answers, and what the server sends on its own.

One handler on the transport reads every message once. A request has exactly one outcome: its result, the error that
was answered, `RequestTimeoutError`, `RequestCancelledError`, `TransportClosedError`, or the cancellation of its task.
Whoever gives up tells the server, so that it need not go on.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol, TypeAlias

import msgspec
from msgspec import UNSET, Raw

from cloche.client.answer_tasks import AnswerTasks
from cloche.errors import (
    ID_IN_USE,
    TOO_MANY_REQUESTS,
    InternalError,
    InvalidRequestError,
    McpError,
    RemoteProtocolError,
    RequestCancelledError,
    RequestTimeoutError,
    TransportError,
)
from cloche.transports.base import Transport, Unsubscribe
from cloche.transports.listeners import Listeners, nothing
from cloche.transports.requests import NoAnswer, Pending
from cloche.transports.tasks import Tasks
from cloche.wire import messages
from cloche.wire.messages import Message, RequestId, encode_error, encode_notification, encode_request, encode_result
from cloche.wire.types import CancelledParams, Json

ProgressHandler: TypeAlias = Callable[[float, float | None, str | None], Any]
"""Gets progress, total and message; may be async."""

NotificationHandler: TypeAlias = Callable[[Json], Any]
"""Gets the parameters of a notification; may be async."""

MAX_QUESTIONS = 64
"""Requests of a server that may be under way at the client."""

logger = logging.getLogger("cloche.client")


class Token(Protocol):
    """What a cancellation token must have; `cloche.transports.CancellationToken` is one."""

    @property
    def is_cancelled(self) -> bool:
        """Whether it was cancelled."""

    def on_cancel(self, callback: Callable[[], None], /) -> Unsubscribe:
        """Call `callback` once it is."""


class Progress(msgspec.Struct, rename="camel"):
    """`notifications/progress`"""

    progress_token: RequestId
    progress: float
    total: float | None = None
    message: str | None = None


_progress = msgspec.json.Decoder(Progress)
_cancelled = msgspec.json.Decoder(CancelledParams)
_params = msgspec.json.Decoder(Json)


class Conversation:
    """A client's connection, without an opinion on eras."""

    def __init__(self, transport: Transport, answers: AnswerTasks) -> None:
        self.transport = transport
        self.pending = Pending()
        self.stray = 0
        """Messages of the server that could not be read, or belonged to nothing."""
        self._answers = answers
        self._progress: dict[RequestId, ProgressHandler] = {}
        self._listeners: dict[str, Listeners] = {}
        self._questions: dict[RequestId, asyncio.Task[None]] = {}
        self._tasks = Tasks()
        self._loop = asyncio.get_running_loop()
        self._stop = transport.on_message(self._take)

    # Asking

    async def request(
        self,
        method: str,
        params: Any = UNSET,
        *,
        timeout: float | None,
        token: Token | None = None,
        progress: ProgressHandler | None = None,
        request_id: RequestId | None = None,
    ) -> Raw:
        """Send a request and wait for its result."""
        pending = self.pending
        if request_id is None:
            request_id = pending.next_id()
        if token is not None and token.is_cancelled:
            raise RequestCancelledError(request_id)
        answer = pending.open(request_id)
        timer = None if timeout is None else self._loop.call_later(timeout, self._expire, request_id)
        forget_token = nothing if token is None else token.on_cancel(lambda: self._withdraw(request_id))
        if progress is not None:
            self._progress[request_id] = progress
        try:
            if self.transport.has_room:
                await self.transport.send(encode_request(request_id, method, params))
            else:
                await self._send_in_time(encode_request(request_id, method, params), timeout, request_id)
            return await answer
        except RequestTimeoutError:
            self._give_up(request_id, method, "timed out")
            raise
        except RequestCancelledError:
            self._give_up(request_id, method, "cancelled by the caller")
            raise
        except asyncio.CancelledError:
            self._give_up(request_id, method, "the caller is gone")
            raise
        finally:
            if timer is not None:
                timer.cancel()
            pending.forget(request_id, answer)
            self._progress.pop(request_id, None)
            forget_token()

    async def _send_in_time(self, data: bytes, timeout: float | None, request_id: RequestId) -> None:
        """Send where the transport may wait for room; that counts as time of the request."""
        try:
            async with asyncio.timeout(timeout):
                await self.transport.send(data)
        except TimeoutError:
            raise RequestTimeoutError(request_id) from None

    def _expire(self, request_id: RequestId) -> None:
        self.pending.fail(request_id, RequestTimeoutError(request_id))

    def _withdraw(self, request_id: RequestId) -> None:
        self.pending.fail(request_id, RequestCancelledError(request_id))

    def _give_up(self, request_id: RequestId, method: str, reason: str) -> None:
        """Tell the server that nobody waits any more; `initialize` is the one request that may not be cancelled."""
        if method != "initialize" and self.transport.is_connected:
            params = {"requestId": request_id, "reason": reason}
            self.spawn(self.transport.send(encode_notification("notifications/cancelled", params)))

    async def notify(self, method: str, params: Json | None = None) -> None:
        """Send a notification."""
        await self.transport.send(encode_notification(method, params if params is not None else UNSET))

    # Listening

    def on_notification(self, method: str, handler: NotificationHandler) -> Unsubscribe:
        """Call `handler` with the parameters of every notification of this method."""
        return self._listeners.setdefault(method, Listeners()).add(partial(self.call, handler))

    def on_progress(self, token: RequestId, handler: ProgressHandler) -> Unsubscribe:
        """Call `handler` for progress with this token, also after the request that carried it was answered."""
        self._progress[token] = handler
        return lambda: self._progress.pop(token, None) and None

    @property
    def own_methods(self) -> list[str]:
        """Notifications that are not the protocol's own, and that somebody wants to hear of."""
        return sorted(name for name, found in self._listeners.items() if found and is_own(name))

    def listens_to(self, method: str) -> bool:
        """Whether anybody wants to hear of it."""
        return bool(self._listeners.get(method))

    def _take(self, data: bytes) -> None:
        if isinstance(data, NoAnswer):
            self.pending.fail(data.request_id, data.error)
            return
        try:
            message = messages.parse(data)
        except McpError as error:
            self._unreadable(data, error)
            return
        if message.method is UNSET:
            self.pending.settle(message)
        elif message.id is UNSET:
            self._notified(str(message.method), message.params)
        else:
            self._asked(message)

    def _unreadable(self, data: bytes, error: McpError) -> None:
        if messages.is_batch(data):
            self._take_batch(data)
            return
        self.stray += 1
        request_id = messages.request_id_of(error)
        if request_id is None:
            found, is_answer = messages.id_at_the_beginning(data)
            request_id = found if is_answer else None
        if request_id is not None:
            self.pending.fail(request_id, RemoteProtocolError(f"The server's answer is not a message: {error.message}"))

    def _take_batch(self, data: bytes) -> None:
        """A list of messages, which servers of 2025-03-26 may send."""
        try:
            parts = messages.split_batch(data)
        except McpError:
            self.stray += 1
            return
        for part in parts:
            if messages.is_batch(part):
                self.stray += 1
            else:
                self._take(part)

    def _notified(self, method: str, params: Any) -> None:
        raw = params if params is not UNSET else b"{}"
        try:
            if method == "notifications/progress":
                self._progressed(_progress.decode(raw))
            elif method == "notifications/cancelled":
                self._cancelled(_cancelled.decode(raw))
            if listeners := self._listeners.get(method):
                listeners.tell(_params.decode(raw))
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.stray += 1

    def _progressed(self, progress: Progress) -> None:
        handler = self._progress.get(progress.progress_token)
        if handler is None:
            self.stray += 1
        else:
            self.call(handler, progress.progress, progress.total, progress.message)

    def call(self, handler: Callable[..., Any], *arguments: Any) -> None:
        """Call a user's function; when it is async, go on without waiting."""
        try:
            value = handler(*arguments)
        except Exception:
            logger.exception("a handler of the client failed")
            return
        if inspect.isawaitable(value):
            self.spawn(_awaited(value))

    # Being asked

    def _asked(self, message: Message) -> None:
        request_id = message.id
        in_use = request_id in self._questions
        if in_use or len(self._questions) >= MAX_QUESTIONS:
            error = InvalidRequestError(ID_IN_USE if in_use else TOO_MANY_REQUESTS.format(limit=MAX_QUESTIONS))
            self.spawn(self._send_quietly(encode_error(request_id, error)))  # type: ignore[arg-type]
            return
        task = self.spawn(self._answer(message))
        self._questions[request_id] = task  # type: ignore[index]
        task.add_done_callback(lambda done: self._answered(request_id, done))  # type: ignore[arg-type]

    def _answered(self, request_id: RequestId, task: asyncio.Task[None]) -> None:
        if self._questions.get(request_id) is task:  # and not a later question with the same id
            del self._questions[request_id]

    async def _answer(self, message: Message) -> None:
        params = message.params if isinstance(message.params, Raw) else Raw(b"{}")
        try:
            result = await self._answers.answer(str(message.method), params)
            data = encode_result(message.id, result)  # type: ignore[arg-type]
        except McpError as error:
            data = encode_error(message.id, error)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            logger.exception("the answer to a question of the server is not JSON")
            data = encode_error(message.id, InternalError("The client's answer is not JSON"))  # type: ignore[arg-type]
        await self._send_quietly(data)

    def _cancelled(self, params: CancelledParams) -> None:
        task = self._questions.pop(params.request_id, None) if params.request_id is not UNSET else None
        if task is None:
            self.stray += 1
        else:
            task.cancel()

    async def _send_quietly(self, data: bytes) -> None:
        try:
            await self.transport.send(data)
        except (OSError, TransportError) as error:
            logger.debug("a message could not be sent: %s", error)

    # Ending

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside; it ends with the conversation."""

        def done(task: asyncio.Task[None]) -> None:
            work.close()  # a task that is cancelled before its first step never looked at it
            error = None if task.cancelled() else task.exception()
            if error is not None and not isinstance(error, OSError | TransportError):
                logger.error("something beside the client's requests failed", exc_info=error)

        task = self._tasks.spawn(work)
        task.add_done_callback(done)
        return task

    def lost(self) -> None:
        """The connection is gone: nothing under way will be answered."""
        self.pending.close(self.transport.closed_error)
        for task in self._questions.values():
            task.cancel()

    async def close(self) -> None:
        """End everything and wait for it."""
        self._stop()
        self.lost()
        await self._tasks.end()


async def _awaited(value: Any) -> None:
    try:
        await value
    except Exception:
        logger.exception("a handler of the client failed")


def is_own(method: str) -> bool:
    """Whether a notification is the server's own, and not one of the protocol's."""
    return not method.startswith("notifications/")
