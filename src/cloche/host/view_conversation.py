"""asyncio around `ViewPeer`: requests of a view are answered in tasks, and what the view is asked is waited for."""

from __future__ import annotations

import asyncio
import functools
import itertools
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from cloche.errors import InternalError, McpError, RequestTimeoutError, TransportClosedError, TransportError, shorten
from cloche.host.timeline import Outcome
from cloche.wire.apps.peer import ViewPeer
from cloche.wire.apps.peer_events import (
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
)
from cloche.wire.json import encode
from cloche.wire.types import Json

FIRST_BYTES = 16 * 1024
"""A message up to this size is sent to the page before the view is initialized, and once more after."""

Failure = McpError | TransportError

logger = logging.getLogger("cloche.host")


class Owner(Protocol):
    """Whose conversation it is: answers requests, hears notifications, and is told how things went."""

    async def answer(self, asked: Asked) -> Json:
        """The result of a request of the view; raises `McpError` or `TransportError`."""

    def notified(self, method: str, params: Json) -> None:
        """The view says something."""

    def initialized(self) -> None:
        """The view may be spoken to."""

    def finished(self, method: str, params: Json, outcome: Outcome, error: Failure | None, seconds: float) -> None:
        """A request of the view came to its end."""

    def broke(self, rule: Breach | OutOfOrder | Stray) -> None:
        """The view broke a rule of the protocol."""


class Conversation:
    """One view's messages, in both directions."""

    def __init__(self, owner: Owner, post: Callable[[Json], None], peer: ViewPeer) -> None:
        self.peer = peer
        self._owner = owner
        self._post = post
        self._tasks: dict[RequestKey, asyncio.Task[None]] = {}
        self._asked: dict[str, asyncio.Future[Any]] = {}

    # From the view

    def receive(self, message: object, gesture: int = 0) -> None:
        """A message of the view arrived, right after the gesture with this number."""
        self._take(self.peer.receive(message, time.monotonic(), gesture))

    def arm(self) -> None:
        """Wait no longer for the view to say that it is initialized."""
        self._take(self.peer.arm())

    def _take(self, events: list[PeerEvent]) -> None:
        for event in events:
            match event:
                case Asked():
                    task = self._begin(event.id, self._answer(event))
                    task.add_done_callback(functools.partial(self._note_cancelled, event))
                case Told():
                    self._owner.notified(event.method, event.params)
                case Answered():
                    self._settle(event)
                case Cancelled() if event.id in self._tasks:
                    self._tasks[event.id].cancel()
                case Refused():
                    self._owner.finished(event.method, event.params, "refused", event.error, 0.0)
                case Initialized():
                    self._owner.initialized()
                case Breach():
                    self._owner.broke(event)
        self._flush()

    def _begin(self, key: RequestKey, answering: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._tasks[key] = asyncio.get_running_loop().create_task(answering)
        task.add_done_callback(functools.partial(self._ended, key))
        return task

    def _ended(self, key: RequestKey, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
            self.peer.drop(key)

    def _note_cancelled(self, asked: Asked, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            self._owner.finished(asked.called, asked.params, "cancelled", None, 0.0)

    async def _answer(self, asked: Asked) -> None:
        started = time.monotonic()
        problem: Failure | None = None
        result: Json = {}
        try:
            result = await self._owner.answer(asked)
        except (McpError, TransportError) as error:
            problem = error
        except Exception as error:
            problem = InternalError(f"{type(error).__name__} in the host")
            logger.error("the host failed at %s", shorten(asked.method), exc_info=error)
        # From here on nothing waits, so a cancellation comes before the answer or not at all. Whoever hears the answer
        # may ask again at once, under the same id.
        self._tasks.pop(asked.id, None)
        seconds = time.monotonic() - started
        if problem is None:
            self.peer.answer(asked.id, result)
            outcome: Outcome = "done"
        else:
            self.peer.refuse(asked.id, problem)
            outcome = "failed" if isinstance(problem, TransportError | InternalError) else "refused"
        self._flush()
        self._owner.finished(asked.called, asked.params, outcome, problem, seconds)

    # To the view

    def _flush(self) -> None:
        for message in self.peer.take_outbox():
            self._post(message)

    async def sent(self) -> None:
        """Wait until everything that was posted is sent: at once, where posting is sending."""

    def notify(self, method: str, params: Json) -> None:
        """Send a notification, as soon as the view is initialized: what is sent earlier is lost (1.5 of the wire)."""
        self.peer.notify(method, params)
        self._flush()

    @property
    def waiting(self) -> list[Json]:
        """What is sent first when the view is initialized, as far as it is small. The page gets a copy beforehand: it
        can tell the view at once, and leaves out what is sent again.
        """
        return [*itertools.takewhile(lambda message: len(encode(message)) <= FIRST_BYTES, self.peer.waiting)]

    def deliver(self, method: str, params: Json) -> bool:
        """Tell the view of its call, in the order that the protocol has for it; False when it is not the time."""
        is_sent = self.peer.deliver(method, params)
        self._flush()
        return is_sent

    async def request(self, method: str, params: Json, timeout: float) -> Any:
        """Ask the view. Raises `McpError`, `RequestTimeoutError`, or `TransportClosedError` when it goes away."""
        key = self.peer.ask(method, params)
        answer = self._asked[key] = asyncio.get_running_loop().create_future()
        self._flush()
        try:
            await self.sent()
            return await asyncio.wait_for(answer, timeout)
        except TimeoutError:
            self.peer.give_up(key)
            self._flush()
            await self.sent()
            raise RequestTimeoutError(key) from None
        finally:
            self._asked.pop(key, None)

    def _settle(self, answered: Answered) -> None:
        answer = self._asked.get(answered.id)
        if answer is None or answer.done():
            return
        if answered.error is not None:
            answer.set_exception(answered.error)
        else:
            answer.set_result(answered.result)

    async def close(self) -> None:
        """Stop whatever is being answered; whoever waits for the view is told that it is gone."""
        self.peer.close()
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(TransportClosedError())
        tasks = [task for task in self._tasks.values() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
