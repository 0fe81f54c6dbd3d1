"""Which message of a view is allowed when: the life of a view, as one table with a strict and a lenient column.

A view is `loading` until its `ui/initialize` was answered, `initializing` until it sends
`ui/notifications/initialized`, then `initialized` until it is `closed`. The host sends nothing but answers before
`initialized`: a view without handlers loses what comes earlier. `ping` is answered in every phase.

The strict column is the specification: requests and notifications wait for `initialized`, which comes once, after an
answered `ui/initialize`. The lenient column is what the product accepts, because views in the field need it: views of
older dialects never send `initialized`, so a request counts as one, and after a grace time the host arms the view
itself (`ARM`); logs and sizes are taken at any time; an `initialized` that nobody waits for is ignored. A second
`ui/initialize` is refused in both columns: a view says it once.

What a host says about the tool call has an order of its own, `DELIVERIES`: partial input any number of times, the input
once, then the result or the cancellation, once. A lenient host may cancel a call whose input never became complete.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

import msgspec

from cloche.errors import InvalidRequestError, shorten
from cloche.wire.types import Json


class ViewPhase(StrEnum):
    """Where a view is in its life."""

    LOADING = "loading"
    INITIALIZING = "initializing"
    INITIALIZED = "initialized"
    CLOSED = "closed"


class ViewEvent(StrEnum):
    """What can happen to a view."""

    INITIALIZE = "ui/initialize"
    GREETED = "greeted"
    """Its `ui/initialize` was answered."""
    INITIALIZED = "ui/notifications/initialized"
    PING = "ping"
    REQUEST = "request"
    NOTIFICATION = "notification"
    ARM = "arm"
    """The host no longer waits for `initialized`."""
    CLOSE = "close"


P = TypeVar("P", "ViewPhase", "CallPhase")


class Step(NamedTuple, Generic[P]):
    """The phase after an event, for a strict and for a lenient host; None where the host refuses it."""

    strict: P | None
    lenient: P | None


_LOADING, _INITIALIZING, _INITIALIZED, _CLOSED = ViewPhase


def _both(phase: P) -> Step[P]:
    return Step(phase, phase)


REFUSED: Step[ViewPhase] = Step(None, None)

TRANSITIONS: dict[ViewPhase, dict[ViewEvent, Step[ViewPhase]]] = {
    _LOADING: {
        ViewEvent.INITIALIZE: _both(_LOADING),
        ViewEvent.GREETED: _both(_INITIALIZING),
        ViewEvent.INITIALIZED: Step(None, _LOADING),
        ViewEvent.PING: _both(_LOADING),
        ViewEvent.REQUEST: REFUSED,
        ViewEvent.NOTIFICATION: Step(None, _LOADING),
        ViewEvent.ARM: _both(_LOADING),
        ViewEvent.CLOSE: _both(_CLOSED),
    },
    _INITIALIZING: {
        ViewEvent.INITIALIZE: REFUSED,
        ViewEvent.GREETED: _both(_INITIALIZING),
        ViewEvent.INITIALIZED: _both(_INITIALIZED),
        ViewEvent.PING: _both(_INITIALIZING),
        ViewEvent.REQUEST: Step(None, _INITIALIZED),
        ViewEvent.NOTIFICATION: Step(None, _INITIALIZING),
        ViewEvent.ARM: _both(_INITIALIZED),
        ViewEvent.CLOSE: _both(_CLOSED),
    },
    _INITIALIZED: {
        ViewEvent.INITIALIZE: REFUSED,
        ViewEvent.GREETED: _both(_INITIALIZED),
        ViewEvent.INITIALIZED: Step(None, _INITIALIZED),
        ViewEvent.PING: _both(_INITIALIZED),
        ViewEvent.REQUEST: _both(_INITIALIZED),
        ViewEvent.NOTIFICATION: _both(_INITIALIZED),
        ViewEvent.ARM: _both(_INITIALIZED),
        ViewEvent.CLOSE: _both(_CLOSED),
    },
    _CLOSED: dict.fromkeys(ViewEvent, _both(_CLOSED)),
}
"""Every step of a view's life."""


class CallPhase(StrEnum):
    """What a view knows of its tool call."""

    NOTHING = "nothing"
    PARTIAL = "partial input"
    INPUT = "input"
    OVER = "result or cancellation"


PARTIAL = "ui/notifications/tool-input-partial"
INPUT = "ui/notifications/tool-input"
RESULT = "ui/notifications/tool-result"
CANCELLED = "ui/notifications/tool-cancelled"

_BEFORE_INPUT = {
    PARTIAL: _both(CallPhase.PARTIAL),
    INPUT: _both(CallPhase.INPUT),
    CANCELLED: Step(None, CallPhase.OVER),
}
DELIVERIES: dict[CallPhase, dict[str, Step[CallPhase]]] = {
    CallPhase.NOTHING: _BEFORE_INPUT,
    CallPhase.PARTIAL: _BEFORE_INPUT,
    CallPhase.INPUT: {RESULT: _both(CallPhase.OVER), CANCELLED: _both(CallPhase.OVER)},
    CallPhase.OVER: {},
}
"""What a host may send about the tool call; what is not here is not sent."""


def next_phase(phase: ViewPhase, event: ViewEvent, *, strict: bool, method: str = "") -> ViewPhase:
    """The phase after `event`; raises `InvalidRequestError` when the view is not allowed to send `method` now."""
    step = TRANSITIONS[phase][event]
    found = step.strict if strict else step.lenient
    if found is not None:
        return found
    if event is ViewEvent.INITIALIZE:
        raise InvalidRequestError("ui/initialize was answered already: a view says it once")
    if event is ViewEvent.INITIALIZED:
        raise InvalidRequestError(
            "ui/notifications/initialized came without an answered ui/initialize before it, or twice"
        )
    awaited = ViewEvent.INITIALIZED if strict else ViewEvent.INITIALIZE
    raise InvalidRequestError(f"{shorten(method)} came before {awaited}")


def next_call_phase(phase: CallPhase, method: str, *, strict: bool) -> CallPhase | None:
    """What the view knows of its call after this notification; None when it must not be sent now."""
    step = DELIVERIES[phase].get(method)
    return None if step is None else step.strict if strict else step.lenient


class ViewState(msgspec.Struct, kw_only=True):
    """Where one view is: its call, its phase, what it was granted and told, and what was counted."""

    call: str = ""
    """The id of the call that it shows."""
    phase: ViewPhase = ViewPhase.LOADING
    delivered: CallPhase = CallPhase.NOTHING
    """What it was told of its call."""
    mode: str = "inline"
    """The display mode that the page shows it in."""
    size: Json = msgspec.field(default_factory=dict)
    """How large it last said it is."""
    context: Json = msgspec.field(default_factory=dict)
    """The host context that comes from the page."""
    granted: tuple[str, ...] = ()
    """The permissions that policy or user gave."""
    app: Json = msgspec.field(default_factory=dict)
    """What it said of itself in `ui/initialize`."""
    is_legacy: bool = False
    """Whether it has shown that it speaks the legacy dialect."""
    counters: dict[str, int] = msgspec.field(default_factory=dict)
    """How often something happened that is only noted or tolerated so often."""

    def count(self, what: str) -> int:
        """One more of it; how many there are now."""
        self.counters[what] = self.counters.get(what, 0) + 1
        return self.counters[what]
