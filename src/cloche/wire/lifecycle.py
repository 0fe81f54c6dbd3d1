"""Which message is allowed when: the life of a connection, as one table.

A connection of the handshake era is `disconnected` until the client's `initialize` arrives, `initializing` until the
client says `initialized`, then `ready` until it is closed, which ends in `disconnected` again. `ping` is answered in
every state. A second `initialize` and an `initialized` nobody waits for are the peer's mistakes: they are answered
(or, for a notification, counted), and the connection stays what it was.

Requests that arrive after `initialize` was answered but before `initialized` are answered too: clients are known to
send the notification and the first request over separate HTTP requests, which may overtake each other. Before
`initialize` they are refused.
"""

from __future__ import annotations

from enum import StrEnum

from cloche.errors import RemoteProtocolError


class ConnectionState(StrEnum):
    """Where a connection is in its life."""

    DISCONNECTED = "disconnected"
    INITIALIZING = "initializing"
    READY = "ready"
    ERROR = "error"


class Event(StrEnum):
    """What can happen to a connection."""

    INITIALIZE = "initialize"
    INITIALIZED = "initialized"
    REQUEST = "request"
    PING = "ping"
    FAIL = "fail"
    CLOSE = "close"


_DISCONNECTED, _INITIALIZING, READY, _ERROR = ConnectionState

_ALWAYS = {Event.CLOSE: _DISCONNECTED, Event.FAIL: _ERROR}

TRANSITIONS: dict[ConnectionState, dict[Event, ConnectionState]] = {
    _DISCONNECTED: {Event.INITIALIZE: _INITIALIZING, Event.PING: _DISCONNECTED, **_ALWAYS},
    _INITIALIZING: {
        Event.INITIALIZED: READY,
        Event.REQUEST: _INITIALIZING,
        Event.PING: _INITIALIZING,
        **_ALWAYS,
    },
    READY: {Event.REQUEST: READY, Event.PING: READY, **_ALWAYS},
    _ERROR: {Event.PING: _ERROR, **_ALWAYS},
}
"""Every step a connection can take; what is not here is refused with the text in `REFUSALS`."""

REFUSALS: dict[Event, str] = {
    Event.INITIALIZE: "Already initialized",
    Event.INITIALIZED: "Unexpected initialized notification",
    Event.REQUEST: "Connection not initialized",
}

INITIALIZED_METHODS = frozenset({"notifications/initialized", "initialized"})
"""Both names of the notification: the protocol's, and the one older clients send."""

CANCELLED_METHODS = frozenset({"notifications/cancelled", "$/cancelRequest"})
"""Both names of a cancellation: the protocol's, and the language server's that the source documents use."""


def next_state(state: ConnectionState, event: Event) -> ConnectionState:
    """The state after `event`; raises `RemoteProtocolError` when the event is not allowed now."""
    try:
        return TRANSITIONS[state][event]
    except KeyError:
        raise RemoteProtocolError(REFUSALS[event]) from None
