"""A client's connection from its handshake to its end, and requests of any kind over it. `Client` adds MCP's own.

When the transport is one that reconnects, the handshake is repeated on each new connection, and what was subscribed
is subscribed again; requests that are made meanwhile wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import msgspec
from msgspec import Raw

from cloche.client import results
from cloche.client.answer_tasks import AnswerTasks, capability
from cloche.client.conversation import Conversation, NotificationHandler, ProgressHandler, Token, is_own
from cloche.client.handshake import Handshaker, HandshakeResult
from cloche.client.server_requests import Answers, Elicitation, Roots, Sampling
from cloche.client.subscriptions import LIST_CHANGES, Listening
from cloche.client.targets import Target, open_transport
from cloche.errors import (
    LocalProtocolError,
    McpError,
    ParseError,
    RemoteProtocolError,
    TransportClosedError,
    TransportError,
)
from cloche.transports.base import CloseHandler, Transport, Unsubscribe
from cloche.transports.listeners import Listeners
from cloche.transports.pace import turn
from cloche.transports.requests import REQUEST_TIMEOUT
from cloche.wire import json
from cloche.wire.types import Implementation, Json, LogLevel
from cloche.wire.versions import INPUT_METHODS

if TYPE_CHECKING:
    from cloche.client.tasks import ClientTask, TaskHandler

MAX_ROUNDS = 20
"""How often one request may come back with a question."""

RESTORE_ATTEMPTS = 5
"""New connections in a row on which the handshake may fail before the client closes for good."""

logger = logging.getLogger("cloche.client")


class BaseClient:
    """The connection of a `Client`."""

    def __init__(
        self,
        target: Target,
        *,
        version: str | None = None,
        timeout: float | None = REQUEST_TIMEOUT,
        name: str = "cloche",
        client_version: str = "0.1.0",
        roots: Roots | None = None,
        sampling: Sampling | None = None,
        elicitation: Elicitation | None = None,
        on_log: NotificationHandler | None = None,
        capabilities: Json | None = None,
    ) -> None:
        self.timeout = timeout
        self._target = target
        self._answers = Answers(roots, sampling, elicitation)
        self._answer_tasks = AnswerTasks(self._answers)
        said = {**self._answers.capabilities, **(capabilities or {})}
        self._handshaker = Handshaker(
            Implementation(name, client_version), said, version, tasks=capability(self._answers)
        )
        self._on_log = on_log
        self._log_level: LogLevel | None = None
        self._conversation: Conversation | None = None
        self._listening: Listening | None = None
        self._handshake: HandshakeResult | None = None
        self._meta: Raw | None = None
        """In the stateless era, what goes with every request."""
        self._open = False
        """Whether requests may be sent: the handshake on the current connection is done."""
        self._ready = asyncio.Event()
        """Set when that is so, and when it never will be."""
        self._closed = False
        self._restoring: asyncio.Task[None] | None = None
        self._failed_restores = 0
        self._reconnected = Listeners()
        self.task_only: set[str] | None = None
        """Tools that a server of 2025-11-25 runs as tasks only; None until the tools have been listed."""
        self._started: dict[str, ClientTask] = {}
        """The tasks that this client started, by their ids."""
        self._stops: list[Unsubscribe] = []

    # Connecting

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def connect(self) -> None:
        """Open the connection and do the handshake."""
        if self._conversation is not None:
            raise LocalProtocolError("This client was connected before: make a new one for a new connection")
        transport = await open_transport(self._target)
        conversation = self._conversation = Conversation(transport, self._answer_tasks)
        self._listening = Listening(self)
        self._stops.append(transport.on_close(self._on_closed))
        if self._on_log is not None:
            self._stops.append(conversation.on_notification("notifications/message", self._on_log))
        on_lost, on_restored = getattr(transport, "on_lost", None), getattr(transport, "on_restored", None)
        if on_lost is not None:  # before the handshake, whose answer would never come
            self._stops.append(on_lost(self._on_lost))
        try:
            await self._shake_hands()
            if on_lost is not None and not transport.is_connected:
                raise TransportClosedError
        except BaseException:
            await self.close()
            raise
        self._open = True
        self._ready.set()
        if on_restored is not None:
            self._stops.append(on_restored(self._on_restored))

    async def close(self) -> None:
        """End the connection; what is under way is rejected with `TransportClosedError`."""
        self._closed, self._open = True, False
        self._ready.set()
        if self._conversation is None:
            return
        for stop in self._stops:
            stop()
        if self._restoring is not None:
            self._restoring.cancel()
        if self._listening is not None:
            await self._listening.close()
        await self._answer_tasks.close()
        await self._conversation.close()
        await self._conversation.transport.close()

    async def _shake_hands(self) -> None:
        self._handshake = await self._handshaker.run(self.conversation, self.timeout)
        self._meta = None
        self._answer_tasks.is_on = self._handshake.features.task_requests
        if self._handshake.features.stateless:
            self._meta = Raw(msgspec.json.encode(self.meta()))

    def _on_closed(self) -> None:
        self._closed, self._open = True, False
        self._ready.set()
        self.conversation.lost()

    def _on_lost(self) -> None:
        """The transport lost its connection and looks for a new one: requests wait meanwhile."""
        self._open = False
        self._ready.clear()
        if self._restoring is not None:
            self._restoring.cancel()
        self.conversation.lost()

    def _on_restored(self) -> None:
        self._restoring = self.conversation.spawn(self._restore())

    async def _restore(self) -> None:
        assert self._listening is not None
        try:
            await self._shake_hands()
            await self._listening.restore()
        except TransportClosedError as error:
            logger.debug("the new connection did not last: %s", error)
            return
        except (McpError, TransportError) as error:
            self._restoring = None
            self._not_restored(error)
            return
        self._failed_restores = 0
        self._open = True
        self._ready.set()
        self.tell_reconnected()

    def _not_restored(self, error: Exception) -> None:
        """The new connection stands, but nobody answers there, or with an error: without another one, requests would
        wait for ever. A server that refuses again and again is not asked for ever.
        """
        drop = getattr(self.transport, "drop", None)
        self._failed_restores += 1
        if drop is None or self._failed_restores >= RESTORE_ATTEMPTS:
            logger.error("the handshake on the new connection is impossible, the client closes: %s", error)
            self.conversation.spawn(self.transport.close())
        else:
            logger.warning("the handshake on the new connection failed, the client tries another connection: %s", error)
            drop()

    def on_close(self, handler: CloseHandler) -> Unsubscribe:
        """Call `handler` when the connection is over for good."""
        return self.conversation.transport.on_close(handler)

    def on_reconnected(self, handler: Callable[[], None]) -> Unsubscribe:
        """Call `handler` when a new connection stands in for one that was lost: something may have been missed."""
        return self._reconnected.add(handler)

    def tell_reconnected(self) -> None:
        """Call everybody who wants to know of a new connection."""
        self._reconnected.tell()

    # The server

    @property
    def conversation(self) -> Conversation:
        """The connection; raises before `connect`."""
        if self._conversation is None:
            raise LocalProtocolError("The client is not connected: use `async with Client(…) as client`")
        return self._conversation

    @property
    def transport(self) -> Transport:
        """What carries the messages."""
        return self.conversation.transport

    @property
    def is_connected(self) -> bool:
        """Whether requests can be made."""
        return self._conversation is not None and not self._closed and self._conversation.transport.is_connected

    @property
    def is_closed(self) -> bool:
        """Whether the connection is over for good."""
        return self._closed

    @property
    def _server(self) -> HandshakeResult:
        if self._handshake is None:
            raise LocalProtocolError("The client is not connected: use `async with Client(…) as client`")
        return self._handshake

    @property
    def protocol_version(self) -> str:
        """The version of the protocol that is spoken."""
        return self._server.features.version

    @property
    def is_stateless(self) -> bool:
        """Whether it is the era without a handshake (2026-07-28 and later)."""
        return self._server.features.stateless

    @property
    def server_info(self) -> Implementation | None:
        """Name and version of the server."""
        return self._server.info

    @property
    def server_capabilities(self) -> Json:
        """What the server says it can do."""
        return self._server.capabilities

    @property
    def instructions(self) -> str | None:
        """How the server wants to be used, for the model."""
        return self._server.instructions

    def meta(self) -> Json:
        """The `_meta` of a request of the stateless era."""
        return self._handshaker.meta(self.protocol_version, self._log_level)

    # Requests of any kind

    async def request(
        self,
        method: str,
        params: Json | None = None,
        *,
        timeout: float | None = None,
        token: Token | None = None,
        progress: ProgressHandler | None = None,
        answers: Answers | None = None,
        on_task: TaskHandler | None = None,
    ) -> Any:
        """Make a request of any method and return its result as plain Python values. A call of a tool that becomes a
        task is waited for, and `on_task` gets the task at once and whenever it changed. `answers` answers what the
        server asks about this request in the stateless era, instead of the functions that the client was given.
        """
        raw = await self._answer(method, params or {}, timeout, token, progress, answers, on_task)
        await turn(len(raw))
        try:
            return json.decode(raw)
        except ParseError as error:
            raise RemoteProtocolError(f"The server's answer to {method} cannot be read: {error.message}") from None

    async def notify(self, method: str, params: Json | None = None) -> None:
        """Send a notification."""
        await self.conversation.notify(method, params)

    def on_notification(self, method: str, handler: NotificationHandler) -> Unsubscribe:
        """Call `handler` with the parameters of every notification of this method, until the result is called."""
        stop = self.conversation.on_notification(method, handler)
        if method not in LIST_CHANGES and not is_own(method):
            return stop
        self._refresh()

        def unsubscribe() -> None:
            stop()
            self._refresh()

        return unsubscribe

    def _refresh(self) -> None:
        """In the stateless era a server tells of changed lists, and of events of its own, only when it is asked to."""
        if self.is_stateless and self.is_connected and self._listening is not None:
            self.conversation.spawn(self._listening.refresh())

    async def _answer(
        self,
        method: str,
        params: Json,
        timeout: float | None,
        token: Token | None,
        progress: ProgressHandler | None,
        answers: Answers | None,
        on_task: TaskHandler | None,
    ) -> Raw:
        """The answer to a request of any method."""
        return await self._ask(method, params, timeout, token, progress, answers)

    async def _ask(
        self,
        method: str,
        params: Json,
        timeout: float | None = None,
        token: Token | None = None,
        progress: ProgressHandler | None = None,
        answers: Answers | None = None,
    ) -> Raw:
        """One request with the `_meta` it needs, and again while the server has questions before it can answer."""
        conversation = self.conversation
        if timeout is None:
            timeout = self.timeout
        sent = params
        for _ in range(MAX_ROUNDS + 1):
            if not self._open:
                await self._reopened(timeout)
            request_id = conversation.pending.next_id()
            if progress is not None or self._meta is not None:
                sent = {**sent, "_meta": self._request_meta(params, request_id if progress is not None else None)}
            raw = await conversation.request(
                method, sent, timeout=timeout, token=token, progress=progress, request_id=request_id
            )
            if self._meta is None or method not in INPUT_METHODS:
                return raw
            questions = results.questions_in(raw)
            if questions is None:
                return raw
            sent = {**params, "inputResponses": await self._answers_to(questions, answers)}
            if questions.request_state is not msgspec.UNSET:
                sent["requestState"] = questions.request_state
        raise RemoteProtocolError(f"The server came back with questions {MAX_ROUNDS} times: {method} was given up")

    def _request_meta(self, params: Json, progress_token: str | None) -> Json | Raw:
        """What goes with one request: who asks (in the stateless era), the caller's own, and the progress token."""
        own = params.get("_meta")
        if own is None and progress_token is None and self._meta is not None:
            return self._meta
        meta = {**(self.meta() if self._meta is not None else {}), **(own or {})}
        if progress_token is not None:
            meta["progressToken"] = progress_token
        return meta

    async def _answers_to(self, questions: results.InputRequired, answers: Answers | None) -> Json:
        given = answers or self._answers
        return {
            key: await given.answer(question.method, question.params)
            for key, question in questions.input_requests.items()
        }

    @property
    def is_ready(self) -> bool:
        """Whether the client is connected and initialized."""
        return self._open

    async def wait_until_ready(self) -> None:
        """Wait until the client is connected and initialized; raises `TransportClosedError` after its time-out."""
        if not self._open:
            await self._reopened(self.timeout)

    async def _reopened(self, timeout: float | None) -> None:
        """Wait for the new connection, when one is being looked for."""
        if not self._closed:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(timeout):
                    await self._ready.wait()
        if not self._open:
            raise TransportClosedError
