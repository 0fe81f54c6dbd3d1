"""`ViewPeer`: the host's side of the conversation with one view, without I/O, clock or chance.

`receive(message, now)` takes what the view sent and returns what happened, as events. `answer`, `refuse`, `notify`,
`deliver` and `ask` put messages into the outbox, which the owner sends with `take_outbox()`. Nothing that a view sends
raises: what is not a message is reported and dropped, a request gets exactly one answer unless the view cancels it, and
the order is that of `lifecycle`, in its strict or its lenient column.
"""

from __future__ import annotations

import itertools
from collections import deque
from typing import Any

from cloche.errors import (
    ID_IN_USE,
    InvalidRequestError,
    LocalProtocolError,
    McpError,
    RateLimitError,
    TransportError,
    error_of,
    shorten,
)
from cloche.wire.apps.lifecycle import CANCELLED, PARTIAL, ViewEvent, ViewPhase, ViewState, next_call_phase, next_phase
from cloche.wire.apps.methods import LEGACY_REQUESTS, TO_HOST, TO_VIEW, Dialect, current, legacy_error
from cloche.wire.apps.peer_events import (
    Answered,
    Asked,
    Breach,
    Cancelled,
    Initialized,
    OutOfOrder,
    PeerEvent,
    PeerLimits,
    Refused,
    RequestKey,
    Stray,
    Told,
)
from cloche.wire.token_bucket import TokenBucket
from cloche.wire.types import Json

MAX_ID = 128
"""Characters of an id or a method."""


class ViewPeer:
    """One view's messages, in both directions. `prefix` begins the ids of what the view is asked: nobody guesses it.

    `limits` is None for a peer that takes everything. With `greets_again` a view may send `ui/initialize` more than
    once: where there is `window.openai`, both it and the page do.
    """

    def __init__(
        self,
        prefix: str,
        now: float,
        *,
        strict: bool = False,
        limits: PeerLimits | None = None,
        dialect: Dialect | None = None,
        greets_again: bool = False,
        state: ViewState | None = None,
    ) -> None:
        self.state = state or ViewState()
        self.strict = strict
        self.dialect = dialect or Dialect()
        self.pending: dict[RequestKey, Asked] = {}
        """What the view asked and was not answered."""
        self._limits = limits
        self._bucket = None if limits is None else TokenBucket(limits.rate, limits.burst, now)
        self._greets_again = greets_again
        self._prefix = prefix
        self._numbers = itertools.count(1)
        self._asked: set[str] = set()
        self._queue: deque[Json] = deque()
        self._outbox: list[Json] = []

    @property
    def phase(self) -> ViewPhase:
        """Where the view is in its life."""
        return self.state.phase

    # From the view

    def receive(self, message: object, now: float, gesture: int = 0) -> list[PeerEvent]:
        """Take a message of the view, right after the gesture with this number."""
        if self.phase is ViewPhase.CLOSED:
            return []
        settled = self._settled(message)  # of answers there are no more than we asked for
        if settled is not None:
            return [settled]
        if self._bucket is not None and not self._bucket.take(now):
            return self._too_many(message)
        if not isinstance(message, dict) or not is_message(message):
            return [Stray(message=message)]
        if "method" not in message:
            is_late = isinstance(message["id"], str) and message["id"].startswith(self._prefix)
            return [] if is_late else [Breach("answered something that was not asked")]
        params = message.get("params") or {}
        if "id" in message:
            return self._requested(message["id"], message["method"], params, gesture)
        return self._notified(message["method"], params)

    def _too_many(self, message: object) -> list[PeerEvent]:
        assert self._limits is not None
        refused = self.state.count("refused messages")
        if isinstance(message, dict) and is_id(message.get("id")):
            self._send({"id": message["id"], "error": RateLimitError(1 / self._limits.rate).to_json_rpc_error()})
        fatal = refused == self._limits.refusals
        return [Breach("sends more messages than a view may", fatal)] if fatal or refused == 1 else []

    def _requested(self, key: RequestKey, called: str, params: Json, gesture: int) -> list[PeerEvent]:
        try:
            self._check_room(key)
            method, given = self._understood(called, params)
            events = self._step(_event_of(method), method)
        except McpError as error:
            self._send_error(key, called, error)
            return [Refused(called, params, error)]
        asked = self.pending[key] = Asked(key, method, given, called, gesture)
        return [*events, asked]

    def _check_room(self, key: RequestKey) -> None:
        if key in self.pending:
            raise InvalidRequestError(ID_IN_USE)
        if self._limits is not None and len(self.pending) >= self._limits.pending:
            raise McpError(f"{self._limits.pending} requests are open, and that is the limit", code=-32000)

    def _understood(self, called: str, params: Json) -> tuple[str, Json]:
        """Current words: a strict host of today knows no others."""
        if self.strict:
            return self.dialect.understood(called, params)
        self.dialect.check(called)
        self.state.is_legacy = self.state.is_legacy or called in LEGACY_REQUESTS
        return current(called, params)

    def _notified(self, called: str, params: Json) -> list[PeerEvent]:
        method, given = current(called, params) if self._knows_legacy else (called, params)
        row = TO_HOST.get(method)
        try:
            events = self._step(_event_of(method, is_request=False), method)
        except McpError as error:
            return [OutOfOrder(error.message)]
        if method == ViewEvent.INITIALIZED:
            return events
        if method == "notifications/cancelled":
            key = given.get("requestId")
            return [Cancelled(key)] if isinstance(key, str | int) and key in self.pending else []
        if row is None or row.is_request:
            return [Breach(f"sent {shorten(method)}, which views do not send")]
        return [*events, Told(method, given)]

    def _step(self, event: ViewEvent, method: str) -> list[PeerEvent]:
        """Go on to the next phase; raises `InvalidRequestError` when the table says no."""
        if self._is_repeated(event):
            return []
        if event is ViewEvent.INITIALIZE and any(asked.method == event for asked in self.pending.values()):
            raise InvalidRequestError("ui/initialize is being answered: a view says it once")
        before = self.phase
        self.state.phase = next_phase(before, event, strict=self.strict, method=method)
        return self._now_initialized() if self.phase != before and self.phase is ViewPhase.INITIALIZED else []

    def _is_repeated(self, event: ViewEvent) -> bool:
        """Whether a handshake is gone through once more that may be."""
        if event is ViewEvent.INITIALIZE:
            return self._greets_again and self.phase is not ViewPhase.LOADING
        may_repeat = self._greets_again or not self.dialect.waits
        return event is ViewEvent.INITIALIZED and may_repeat and self.phase is ViewPhase.INITIALIZED

    def _now_initialized(self) -> list[PeerEvent]:
        while self._queue:
            self._send(self._queue.popleft())
        return [Initialized()]

    def greeted(self, app: Json) -> None:
        """The view has its answer to `ui/initialize`, in which it said this of itself."""
        self.state.app = app
        self._step(ViewEvent.GREETED, "")

    def arm(self) -> list[PeerEvent]:
        """Wait no longer for a view to say that it is initialized."""
        return self._step(ViewEvent.ARM, "")

    # To the view

    def take_outbox(self) -> list[Json]:
        """What is to be sent now, in this order."""
        messages, self._outbox = self._outbox, []
        return messages

    def answer(self, key: RequestKey, result: Any) -> None:
        """Answer a request; one that is no longer open is not answered."""
        asked = self.pending.pop(key, None)
        if asked is None:
            return
        if asked.method == ViewEvent.INITIALIZE:
            self.greeted(asked.params)
        self._send({"id": key, "result": result})

    def refuse(self, key: RequestKey, error: McpError | TransportError) -> None:
        """Answer a request with an error, in the codes of the view's dialect."""
        asked = self.pending.pop(key, None)
        if asked is not None:
            self._send_error(key, asked.called, error)

    def drop(self, key: RequestKey) -> None:
        """Forget a request that the view no longer wants to be answered."""
        self.pending.pop(key, None)

    def notify(self, method: str, params: Json) -> None:
        """Send a notification. Before the view is initialized it waits; a strict host raises `LocalProtocolError`."""
        message = {"method": method, "params": params}
        if self.phase is ViewPhase.INITIALIZED:
            self._send(message)
        elif self.strict:
            raise LocalProtocolError(f"The view is {self.phase}: nothing may be sent to it but answers")
        elif self.phase is not ViewPhase.CLOSED:
            if self._limits is not None and len(self._queue) >= self._limits.queued:
                self._make_room()
            self._queue.append(message)

    @property
    def waiting(self) -> list[Json]:
        """The notifications that are sent when the view is initialized, in their order, as they are sent then."""
        return [{"jsonrpc": "2.0", **self.dialect.worded(message)} for message in self._queue]

    def _make_room(self) -> None:
        """Of what waits, partial input can be spared: a later one says more."""
        for message in self._queue:
            if message["method"] == PARTIAL:
                self._queue.remove(message)
                return
        self._queue.popleft()

    def deliver(self, method: str, params: Json) -> bool:
        """Tell the view of its tool call; False when it is not the time for that, and nothing was sent."""
        after = next_call_phase(self.state.delivered, method, strict=self.strict)
        if after is None:
            return False
        self.notify(method, params)
        self.state.delivered = after
        return True

    def ask(self, method: str, params: Json) -> str:
        """Ask the view; the id under which `Answered` comes. Raises `LocalProtocolError` before it is initialized."""
        if self.phase is not ViewPhase.INITIALIZED:
            raise LocalProtocolError(f"The view is {self.phase}: nothing can be asked of it")
        key = f"{self._prefix}-{next(self._numbers)}"
        self._asked.add(key)
        self._send({"id": key, "method": method, "params": params})
        return key

    def give_up(self, key: str) -> None:
        """Wait no longer for an answer of the view."""
        if key in self._asked:
            self._asked.discard(key)
            self._send({"method": "notifications/cancelled", "params": {"requestId": key, "reason": "timeout"}})

    def _settled(self, message: object) -> Answered | None:
        """The answer to something that was asked of the view, if this is one."""
        if not isinstance(message, dict) or "method" in message or not is_message(message):
            return None
        key = message["id"]
        if not isinstance(key, str) or key not in self._asked:
            return None
        self._asked.discard(key)
        error = message.get("error")
        if not isinstance(error, dict):
            return Answered(key, message.get("result"))
        code = error.get("code")
        code = code if isinstance(code, int) and not isinstance(code, bool) else -32603
        return Answered(key, None, error_of(code, shorten(str(error.get("message")), 300)))

    def _send_error(self, key: RequestKey, called: str, error: McpError | TransportError) -> None:
        if self._knows_legacy and isinstance(error, McpError):
            error = legacy_error(called, error)
        self._send({"id": key, "error": error.to_json_rpc_error()})

    @property
    def _knows_legacy(self) -> bool:
        """Whether this host understands older names; a strict host of today does not."""
        return not self.strict or self.dialect.takes is not None

    def _send(self, message: Json) -> None:
        if self.phase is ViewPhase.CLOSED:
            return
        if self.state.is_legacy and message.get("method") == CANCELLED:
            message = {**message, "method": TO_VIEW[CANCELLED].legacy[0]}
        self._outbox.append({"jsonrpc": "2.0", **self.dialect.worded(message)})

    def close(self) -> None:
        """The view is gone: nothing is received or sent any more."""
        self._step(ViewEvent.CLOSE, "")
        self._queue.clear()
        self._asked.clear()
        self.pending.clear()


def _event_of(method: str, *, is_request: bool = True) -> ViewEvent:
    if is_request:
        return {"ui/initialize": ViewEvent.INITIALIZE, "ping": ViewEvent.PING}.get(method, ViewEvent.REQUEST)
    return ViewEvent.INITIALIZED if method == ViewEvent.INITIALIZED else ViewEvent.NOTIFICATION


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
