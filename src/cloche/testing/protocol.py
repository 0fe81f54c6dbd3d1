"""The testing host's conversation with a view: `ViewPeer` in its strict column, and a record of every breach.

Nothing is sent before the view is initialized, requests are refused until then, a tool that is not for apps is not
called, and every breach is noted as a problem. Messages come in through `receive` and go out through `post`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from cloche.errors import InternalError, LocalProtocolError, McpError, RequestTimeoutError, shorten
from cloche.host.profile import PLAIN, HostProfile
from cloche.testing.records import Log, Record, Size
from cloche.wire.apps.lifecycle import CANCELLED, INPUT, PARTIAL, RESULT, ViewPhase
from cloche.wire.apps.methods import TO_HOST
from cloche.wire.apps.peer import (
    Answered,
    Asked,
    Breach,
    Cancelled,
    Initialized,
    OutOfOrder,
    PeerEvent,
    Refused,
    RequestKey,
    Stray,
    Told,
    ViewPeer,
)
from cloche.wire.types import Json

BREACHES = (-32600, -32601, -32602)
"""Codes of answers that say the view did something wrong; others say that something went wrong."""

Post = Callable[[Json], Awaitable[None]]
Ask = Callable[[str, Json], Awaitable[Any]]
"""Answers a request of the view: method, parameters."""


class ViewConversation:
    """One life of a view: from `ui/initialize` to teardown."""

    def __init__(self, record: Record, post: Post, ask: Ask, profile: HostProfile = PLAIN) -> None:
        self.record = record
        # window.openai says hello for itself, and the page may do so too
        self.peer = ViewPeer(
            secrets.token_hex(8), 0.0, strict=True, dialect=profile.dialect, greets_again=profile.openai
        )
        self.refusal: str | None = None
        """Why `ui/initialize` was refused."""
        self.received: list[Json] = []
        self._post = post
        self._ask = ask
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._tasks: dict[RequestKey, asyncio.Task[None]] = {}
        self._sending: set[asyncio.Task[None]] = set()
        self._in_order = asyncio.Lock()
        self._initialized = asyncio.Event()

    @property
    def phase(self) -> ViewPhase:
        """Where the view is in its life."""
        return self.peer.phase

    # From the view

    def receive(self, message: Any) -> None:
        """A message of the view arrived."""
        if self.phase is ViewPhase.CLOSED:
            return
        if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
            self.received.append(message)
        self._take(self.peer.receive(message, 0.0))

    def _take(self, events: list[PeerEvent]) -> None:
        for event in events:
            match event:
                case Asked():
                    self._begin(event.id, self._answer(event))
                case Told():
                    self._notified(event.method, event.params)
                case Answered():
                    self._settle(event)
                case Cancelled() if event.id in self._tasks:
                    self._tasks[event.id].cancel()
                case Refused():
                    self._refused(event.method, event.error)
                case Initialized():
                    self._initialized.set()
                    self.record.add("initialized", self.peer.state.app)
                case OutOfOrder():
                    self._problem(event.text)
                case Breach():
                    self._problem(f"the view {event.text}")
                case Stray():
                    self.record.add("stray", event.message)
        task = asyncio.get_running_loop().create_task(self._flush())
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    def _begin(self, key: RequestKey, answering: Coroutine[Any, Any, None]) -> None:
        task = self._tasks[key] = asyncio.get_running_loop().create_task(answering)
        task.add_done_callback(lambda done: self._ended(key, done))

    def _ended(self, key: RequestKey, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
            self.peer.drop(key)

    async def _answer(self, asked: Asked) -> None:
        try:
            result = await self._result_of(asked)
        except McpError as error:
            self._refused(asked.called, error)
            self.peer.refuse(asked.id, error)
        except Exception as error:
            self.peer.refuse(asked.id, InternalError(shorten(f"{type(error).__name__}: {error}", 300)))
        else:
            self.peer.answer(asked.id, result)
        await self._flush()
        if self.phase is ViewPhase.INITIALIZING and not self.peer.dialect.waits:
            self._take(self.peer.arm())

    async def _result_of(self, asked: Asked) -> Any:
        row = TO_HOST.get(asked.method)
        if row is not None and row.is_legacy:
            self.record.add("tools_changed", asked.params)
        elif asked.is_notification:
            self._notified(asked.method, asked.params)
        else:
            return await self._ask(asked.method, asked.params)
        return {}

    def _refused(self, method: str, error: McpError) -> None:
        if method == "ui/initialize" and self.phase is ViewPhase.LOADING:
            self.refusal = error.message
        if error.code in BREACHES or method == "ui/initialize":
            self._problem(f"{method} was refused: {error.message}")

    def _notified(self, method: str, params: Json) -> None:
        if method == "ui/notifications/size-changed":
            self._on_size(params)
        elif method == "notifications/message":
            self.record.add("log", Log(str(params.get("level")), params.get("data"), params.get("logger")))
        elif method == "ui/notifications/request-teardown":
            self.record.add("teardown_request", params)
        elif method == "notifications/tools/list_changed":
            self.record.add("tools_changed", params)

    def _on_size(self, params: Json) -> None:
        width, height = params.get("width"), params.get("height")
        wrong = [v for v in (width, height) if v is not None and (not isinstance(v, int | float) or not 0 <= v < 1e6)]
        if wrong:
            self._problem(f"ui/notifications/size-changed has {shorten(repr(wrong[0]))}, which is no size in pixels")
        else:
            self.record.add("size", Size(width, height))

    def _problem(self, text: str) -> None:
        self.record.add("problem", text)

    # To the view

    async def initialized(self, timeout: float) -> None:
        """Wait until the view may be spoken to. Raises `TimeoutError`."""
        async with asyncio.timeout(timeout):
            await self._initialized.wait()

    async def _flush(self) -> None:
        """Send what is to be sent, in its order; after the end nothing is."""
        async with self._in_order:
            for message in self.peer.take_outbox():
                if self.phase is not ViewPhase.CLOSED:
                    await self._post(message)

    async def notify(self, method: str, params: Json) -> None:
        """Send a notification, which the view must be ready for."""
        self.peer.notify(method, params)
        await self._flush()

    async def request(self, method: str, params: Json, timeout: float) -> Any:
        """Ask the view; raises `McpError` for an error and `RequestTimeoutError` when no answer comes."""
        key = self.peer.ask(method, params)
        answer = self._waiting[key] = asyncio.get_running_loop().create_future()
        await self._flush()
        try:
            return await asyncio.wait_for(answer, timeout)
        except TimeoutError:
            self.peer.give_up(key)
            await self._flush()
            raise RequestTimeoutError(key) from None
        finally:
            self._waiting.pop(key, None)

    def _settle(self, answered: Answered) -> None:
        answer = self._waiting.get(answered.id)
        if answer is None or answer.done():
            return
        if answered.error is not None:
            answer.set_exception(answered.error)
        else:
            answer.set_result(answered.result)

    async def send_partial(self, arguments: Json) -> None:
        """Arguments as far as they are known; only before the whole ones."""
        await self._deliver(
            PARTIAL,
            {"arguments": arguments},
            "The view has its input: partial input comes before it, so open it with stream=True",
        )

    async def send_input(self, arguments: Json) -> None:
        """The arguments, once."""
        await self._deliver(INPUT, {"arguments": arguments}, "The view has its input already: a host sends it once")
        self.record.add("input", arguments)

    async def send_result(self, result: Json) -> None:
        """The tool's result, after its input, once."""
        await self._deliver(RESULT, result, "A result comes once, and after send_input()")
        self.record.add("result", result)

    async def send_cancelled(self, reason: str) -> None:
        """Instead of a result."""
        await self._deliver(CANCELLED, {"reason": reason}, "A cancellation comes once, and after send_input()")

    async def _deliver(self, method: str, params: Json, otherwise: str) -> None:
        if not self.peer.deliver(method, params):
            raise LocalProtocolError(otherwise)
        await self._flush()

    async def close(self) -> None:
        """Stop whatever is still being answered."""
        self.peer.close()
        tasks = [*self._tasks.values(), *self._sending]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
