"""JSON-RPC with one view: who asked what, what is still to be answered, and in which order things may be said.

Nothing that a view sends raises here. A message that is no message is dropped and counted; a request gets exactly one
answer unless the view cancels it or goes away; an answer to something that was not asked is dropped.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Literal, Protocol

from cloche.errors import (
    InternalError,
    InvalidRequestError,
    LocalProtocolError,
    McpError,
    RateLimitError,
    RequestTimeoutError,
    TransportClosedError,
    TransportError,
    error_of,
    shorten,
)
from cloche.host.budgets import Bucket
from cloche.host.limits import HostLimits
from cloche.host.timeline import Outcome
from cloche.wire.json import encode
from cloche.wire.types import Json

FIRST_BYTES = 16 * 1024
"""A message up to this size is sent to the page before the view is initialized, and once more after."""

logger = logging.getLogger("cloche.host")

Stage = Literal["loading", "initializing", "initialized", "closed"]
RequestKey = str | int

MAX_ID = 128


class Owner(Protocol):
    """Whose conversation it is: answers requests, hears notifications, and is told how things went."""

    async def answer(self, method: str, params: Json, request_id: RequestKey, gesture: int) -> Json:
        """The result of a request of the view; raises `McpError` or `TransportError`. `gesture` is the number of the
        click, tap or key it may come from, or 0.
        """

    def notified(self, method: str, params: Json) -> None:
        """The view says something."""

    def finished(self, method: str, params: Json, outcome: Outcome, problem: str | None, seconds: float) -> None:
        """A request of the view came to its end."""

    def misbehaved(self, what: str, *, fatal: bool = False) -> None:
        """The view did something that it must not."""


class Conversation:
    """One view's messages, in both directions."""

    def __init__(self, owner: Owner, post: Callable[[Json], None], limits: HostLimits) -> None:
        self.stage: Stage = "loading"
        self._owner = owner
        self._post = post
        self._limits = limits
        self._bucket = Bucket(limits.rate, limits.burst)
        self._refused = 0
        self._tasks: dict[RequestKey, asyncio.Task[None]] = {}
        self._queue: deque[Json] = deque()
        self._prefix = secrets.token_hex(8)
        self._numbers = itertools.count(1)
        self._asked: dict[str, asyncio.Future[Any]] = {}

    # From the view

    def receive(self, message: object, gesture: int = 0) -> None:
        """A message of the view arrived, right after the gesture with this number."""
        if self.stage == "closed":
            return
        if self._settle(message) or not self._within_rate(message):  # of answers there are no more than we asked for
            return
        if not is_message(message):
            self._owner.misbehaved("sent something that is no JSON-RPC message")
            return
        assert isinstance(message, dict)
        if "method" not in message:
            self._owner.misbehaved("answered something that was not asked")
        elif "id" in message:
            self._requested(message, gesture)
        else:
            self._owner.notified(message["method"], message.get("params") or {})

    def _within_rate(self, message: object) -> bool:
        if self._bucket.take():
            return True
        self._refused += 1
        if isinstance(message, dict) and is_id(message.get("id")):
            self._answer_error(message["id"], RateLimitError(1 / self._limits.rate))
        fatal = self._refused == self._limits.refusals
        if fatal or self._refused == 1:
            self._owner.misbehaved("sends more messages than a view may", fatal=fatal)
        return False

    def _requested(self, message: Json, gesture: int = 0) -> None:
        request_id, method, params = message["id"], message["method"], message.get("params") or {}
        if request_id in self._tasks:
            self._refuse(message, InvalidRequestError("This id is in use by a request that is not answered yet"))
        elif len(self._tasks) >= self._limits.pending:
            error = McpError(f"{self._limits.pending} requests are open, and that is the limit", code=-32000)
            self._refuse(message, error)
        else:
            task = asyncio.get_running_loop().create_task(self._answer(request_id, method, params, gesture))
            self._tasks[request_id] = task
            task.add_done_callback(lambda done: self._answered(request_id, method, params, done))

    def _refuse(self, message: Json, error: McpError) -> None:
        self._answer_error(message["id"], error)
        self._owner.finished(message["method"], message.get("params") or {}, "refused", error.message, 0.0)

    def _answered(self, request_id: RequestKey, method: str, params: Json, task: asyncio.Task[None]) -> None:
        if self._tasks.get(request_id) is task:
            del self._tasks[request_id]
        if task.cancelled():
            self._owner.finished(method, params, "cancelled", None, 0.0)

    async def _answer(self, request_id: RequestKey, method: str, params: Json, gesture: int = 0) -> None:
        started = time.monotonic()
        problem: McpError | TransportError | None = None
        result: Json = {}
        try:
            result = await self._owner.answer(method, params, request_id, gesture)
        except (McpError, TransportError) as error:
            problem = error
        except Exception as error:
            problem = InternalError(f"{type(error).__name__} in the host")
            logger.error("the host failed at %s", shorten(method), exc_info=error)
        # From here on nothing waits, so a cancellation comes before the answer or not at all. Whoever hears the answer
        # may ask again at once, under the same id.
        self._tasks.pop(request_id, None)
        seconds = time.monotonic() - started
        if problem is None:
            self.send({"id": request_id, "result": result})
            self._owner.finished(method, params, "done", None, seconds)
        else:
            self._answer_error(request_id, problem)
            outcome: Outcome = "failed" if isinstance(problem, TransportError | InternalError) else "refused"
            self._owner.finished(method, params, outcome, problem.message, seconds)

    def _answer_error(self, request_id: RequestKey, error: McpError | TransportError) -> None:
        self.send({"id": request_id, "error": error.to_json_rpc_error()})

    def cancel(self, request_id: object) -> None:
        """The view no longer wants an answer."""
        task = self._tasks.get(request_id) if isinstance(request_id, str | int) else None
        if task is not None:
            task.cancel()

    # To the view

    def send(self, message: Json) -> None:
        """Send anything now; after the end nothing is sent."""
        if self.stage != "closed":
            self._post({"jsonrpc": "2.0", **message})

    def notify(self, method: str, params: Json) -> None:
        """Send a notification, as soon as the view is initialized: what is sent earlier is lost (1.5 of the wire)."""
        message = {"method": method, "params": params}
        if self.stage == "initialized":
            self.send(message)
        elif self.stage != "closed":
            if len(self._queue) >= self._limits.queued:
                self._make_room()
            self._queue.append(message)

    @property
    def waiting(self) -> list[Json]:
        """What is sent first when the view is initialized, as far as it is small. The page gets a copy beforehand: it
        can tell the view at once, and leaves out what is sent again.
        """
        small = itertools.takewhile(lambda message: len(encode(message)) <= FIRST_BYTES, self._queue)
        return [{"jsonrpc": "2.0", **message} for message in small]

    def _make_room(self) -> None:
        """Of what waits, partial input can be spared: a later one says more."""
        for message in self._queue:
            if message["method"] == "ui/notifications/tool-input-partial":
                self._queue.remove(message)
                return
        self._queue.popleft()

    def initialized(self) -> None:
        """The view may be spoken to."""
        self.stage = "initialized"
        while self._queue:
            self.send(self._queue.popleft())

    async def request(self, method: str, params: Json, timeout: float) -> Any:
        """Ask the view. Raises `McpError`, `RequestTimeoutError`, or `TransportClosedError` when it goes away."""
        if self.stage != "initialized":
            raise LocalProtocolError(f"The view is {self.stage}: nothing can be asked of it")
        request_id = f"{self._prefix}-{next(self._numbers)}"
        answer = self._asked[request_id] = asyncio.get_running_loop().create_future()
        self.send({"id": request_id, "method": method, "params": params})
        try:
            return await asyncio.wait_for(answer, timeout)
        except TimeoutError:
            self.send({"method": "notifications/cancelled", "params": {"requestId": request_id, "reason": "timeout"}})
            raise RequestTimeoutError(request_id) from None
        finally:
            self._asked.pop(request_id, None)

    def _settle(self, message: object) -> bool:
        """Take an answer to something that was asked of the view, if this is one."""
        if not isinstance(message, dict) or "method" in message or not is_message(message):
            return False
        answer = self._asked.get(message["id"]) if isinstance(message["id"], str) else None
        if answer is None or answer.done():
            return False
        if isinstance(error := message.get("error"), dict):
            code, text = error.get("code"), error.get("message")
            code = code if isinstance(code, int) and not isinstance(code, bool) else -32603
            answer.set_exception(error_of(code, shorten(str(text), 300)))
        else:
            answer.set_result(message.get("result"))
        return True

    async def close(self) -> None:
        """Stop whatever is being answered; whoever waits for the view is told that it is gone."""
        self.stage = "closed"
        self._queue.clear()
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(TransportClosedError())
        tasks = [task for task in self._tasks.values() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def is_message(message: object) -> bool:
    """Whether this is a JSON-RPC request, notification or response, and not something that only looks like one."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    if "id" in message and not is_id(message["id"]):
        return False
    if "method" not in message:
        return "id" in message and ("result" in message) != ("error" in message)
    method, params = message["method"], message.get("params")
    return isinstance(method, str) and 0 < len(method) <= MAX_ID and (params is None or isinstance(params, dict))


def is_id(value: object) -> bool:
    """Whether this can be the id of a request."""
    if isinstance(value, str):
        return len(value) <= MAX_ID
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53
