"""Which message of the two phases is allowed when: the lives of the outer and of the inner page, as two tables.

The **setup phase** happens when a server is added: the outer page loads the URL with `#setup`, the inner page announces
itself (`MCP_SETUP_HANDSHAKE`), the outer page decides on version and permissions and replies with a session, and the
inner page says when it is set up (`MCP_SETUP_COMPLETE`). In the **transport phase** the URL is loaded without `#setup`,
the inner page announces itself (`MCP_TRANSPORT_HANDSHAKE`), gets the session, gives its receipt
(`MCP_TRANSPORT_ACCEPTED`), and both exchange JSON-RPC (`MCP_MESSAGE`).

The inner page announces itself several times, because nothing tells it when the outer page listens. So a second
announcement is answered like the first, and a second reply is ignored. An announcement after the receipt comes from
another document in the same window (`reloaded`), and the connection is over until the program takes the new document
up. One of the same document was overtaken by the receipt, which comes by a port: its `documentId` tells, and it is
ignored.

The outer page may ask a person before it replies (`deciding`), and a permission for the setup phase takes effect only
when the page is loaded again, so it goes back to `loading setup`. The inner page may take as long as its person needs
(`configuring`). Every other state that waits has a deadline.

What is not in a row is refused: a message is dropped and counted, a call of the program raises the sentence of
`refusal`. A row's `effect` names what the side does as it changes its state.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from cloche.errors import LocalProtocolError


class OuterState(StrEnum):
    """Where the outer page is with one inner page."""

    IDLE = "idle"
    LOADING_SETUP = "loading setup"
    DECIDING = "deciding"
    CONFIGURING = "configuring"
    CONFIGURED = "configured"
    LOADING = "loading"
    REPLIED = "replied"
    CONNECTED = "connected"
    LOST = "lost"
    RELOADED = "reloaded"
    SETUP_REQUIRED = "setup required"
    FAILED = "failed"
    CLOSED = "closed"


class InnerState(StrEnum):
    """Where the inner page is with its outer page."""

    IDLE = "idle"
    ANNOUNCING_SETUP = "announcing setup"
    CONFIGURING = "configuring"
    CONFIGURED = "configured"
    ANNOUNCING = "announcing"
    CONNECTED = "connected"
    SETUP_REQUIRED = "setup required"
    FAILED = "failed"
    CLOSED = "closed"


class FrameEvent(StrEnum):
    """What can happen to either side. In upper case: messages of the other one."""

    SETUP_HANDSHAKE = "MCP_SETUP_HANDSHAKE"
    SETUP_HANDSHAKE_REPLY = "MCP_SETUP_HANDSHAKE_REPLY"
    SETUP_REFUSED = "MCP_SETUP_HANDSHAKE_REPLY with an error"
    SETUP_COMPLETE = "MCP_SETUP_COMPLETE"
    SETUP_FAILED = "MCP_SETUP_COMPLETE with an error"
    TRANSPORT_HANDSHAKE = "MCP_TRANSPORT_HANDSHAKE"
    TRANSPORT_HANDSHAKE_REPLY = "MCP_TRANSPORT_HANDSHAKE_REPLY"
    TRANSPORT_REFUSED = "MCP_TRANSPORT_HANDSHAKE_REPLY with an error"
    TRANSPORT_ACCEPTED = "MCP_TRANSPORT_ACCEPTED"
    MESSAGE = "MCP_MESSAGE"
    SETUP_REQUIRED = "MCP_SETUP_REQUIRED"
    SETUP_REQUIRED_NOW = "MCP_SETUP_REQUIRED that cannot continue"
    TRANSPORT_FAILED = "MCP_SETUP_REQUIRED with an error"
    SETUP = "setup"
    """The program begins the setup phase."""
    CONNECT = "connect"
    """The program begins the transport phase."""
    GRANT = "grant"
    """The outer page has decided in favour of the inner one."""
    LOAD_AGAIN = "load again"
    """The outer page has given a permission that takes effect when the page is loaded, or does not know whether what is
    in a frame without an origin is still the server."""
    COMPLETE = "complete"
    """The inner page is set up."""
    REQUIRE = "require setup"
    """The inner page has to be set up again, and answers meanwhile."""
    REQUIRE_NOW = "require setup now"
    """The inner page has to be set up again before it answers."""
    FAIL = "fail"
    """A deadline has passed, somebody gave up, or the other side did what it may not."""
    GONE = "gone"
    """The other window, or the document in it, is no more."""
    CLOSE = "close"


class FrameStep(NamedTuple):
    """What becomes of an event: the next state, and what is done about it; nothing when `effect` is empty."""

    state: str
    effect: str = ""


Table: TypeAlias = Mapping[str, Mapping[FrameEvent, FrameStep]]

_O, _I, _E = OuterState, InnerState, FrameEvent
_START_OUTER = {
    _E.SETUP: FrameStep(_O.LOADING_SETUP, "navigate"),
    _E.CONNECT: FrameStep(_O.LOADING, "navigate"),
    _E.CLOSE: FrameStep(_O.CLOSED),
}
_END_OUTER = {
    _E.FAIL: FrameStep(_O.FAILED, "refuse"),
    _E.GONE: FrameStep(_O.FAILED, "give up"),
    _E.CLOSE: FrameStep(_O.CLOSED, "refuse"),
}

OUTER: Table = {
    _O.IDLE: _START_OUTER,
    _O.LOADING_SETUP: {
        _E.SETUP_HANDSHAKE: FrameStep(_O.DECIDING, "decide"),
        _E.SETUP_FAILED: FrameStep(_O.FAILED, "give up"),
        **_END_OUTER,
    },
    _O.DECIDING: {
        _E.SETUP_HANDSHAKE: FrameStep(_O.DECIDING),
        _E.SETUP_FAILED: FrameStep(_O.FAILED, "give up"),
        _E.GRANT: FrameStep(_O.CONFIGURING, "reply"),
        _E.LOAD_AGAIN: FrameStep(_O.LOADING_SETUP, "navigate"),
        **_END_OUTER,
    },
    _O.CONFIGURING: {
        _E.SETUP_HANDSHAKE: FrameStep(_O.CONFIGURING, "reply"),
        _E.SETUP_COMPLETE: FrameStep(_O.CONFIGURED, "complete"),
        _E.SETUP_FAILED: FrameStep(_O.FAILED, "give up"),
        **_END_OUTER,
    },
    _O.CONFIGURED: _START_OUTER,
    _O.LOADING: {
        _E.TRANSPORT_HANDSHAKE: FrameStep(_O.REPLIED, "reply"),
        _E.TRANSPORT_FAILED: FrameStep(_O.FAILED, "give up"),
        **_END_OUTER,
    },
    _O.REPLIED: {
        _E.TRANSPORT_HANDSHAKE: FrameStep(_O.REPLIED, "reply"),
        _E.TRANSPORT_ACCEPTED: FrameStep(_O.CONNECTED, "connect"),
        _E.SETUP_REQUIRED_NOW: FrameStep(_O.SETUP_REQUIRED, "require setup"),
        _E.TRANSPORT_FAILED: FrameStep(_O.FAILED, "give up"),
        **_END_OUTER,
    },
    _O.CONNECTED: {
        _E.MESSAGE: FrameStep(_O.CONNECTED, "deliver"),
        _E.SETUP_REQUIRED: FrameStep(_O.CONNECTED, "tell of setup"),
        _E.SETUP_REQUIRED_NOW: FrameStep(_O.SETUP_REQUIRED, "require setup"),
        _E.TRANSPORT_FAILED: FrameStep(_O.FAILED, "give up"),
        _E.TRANSPORT_HANDSHAKE: FrameStep(_O.RELOADED, "lose"),
        **_END_OUTER,
        _E.GONE: FrameStep(_O.LOST, "lose"),
    },
    _O.LOST: {**_START_OUTER, _E.TRANSPORT_HANDSHAKE: FrameStep(_O.RELOADED, "remember")},
    _O.RELOADED: {
        **_START_OUTER,
        _E.TRANSPORT_HANDSHAKE: FrameStep(_O.RELOADED, "remember"),
        _E.CONNECT: FrameStep(_O.REPLIED, "take up"),
        _E.LOAD_AGAIN: FrameStep(_O.LOADING, "navigate"),
    },
    _O.SETUP_REQUIRED: _START_OUTER,
    _O.FAILED: _START_OUTER,
    _O.CLOSED: {},
}
"""Every step of the outer page."""

_START_INNER = {
    _E.SETUP: FrameStep(_I.ANNOUNCING_SETUP, "announce"),
    _E.CONNECT: FrameStep(_I.ANNOUNCING, "announce"),
    _E.CLOSE: FrameStep(_I.CLOSED),
}
_END_INNER = {
    _E.FAIL: FrameStep(_I.FAILED, "tell"),
    _E.GONE: FrameStep(_I.FAILED, "give up"),
    _E.CLOSE: FrameStep(_I.CLOSED, "tell"),
}

INNER: Table = {
    _I.IDLE: _START_INNER,
    _I.ANNOUNCING_SETUP: {
        _E.SETUP_HANDSHAKE_REPLY: FrameStep(_I.CONFIGURING, "pin"),
        _E.SETUP_REFUSED: FrameStep(_I.FAILED, "give up"),
        **_END_INNER,
    },
    _I.CONFIGURING: {
        _E.SETUP_HANDSHAKE_REPLY: FrameStep(_I.CONFIGURING),
        _E.SETUP_REFUSED: FrameStep(_I.FAILED, "give up"),
        _E.COMPLETE: FrameStep(_I.CONFIGURED, "send"),
        **_END_INNER,
    },
    _I.CONFIGURED: {_E.CONNECT: FrameStep(_I.ANNOUNCING, "announce"), _E.CLOSE: FrameStep(_I.CLOSED)},
    _I.ANNOUNCING: {
        _E.TRANSPORT_HANDSHAKE_REPLY: FrameStep(_I.CONNECTED, "accept"),
        _E.TRANSPORT_REFUSED: FrameStep(_I.FAILED, "give up"),
        **_END_INNER,
    },
    _I.CONNECTED: {
        _E.MESSAGE: FrameStep(_I.CONNECTED, "deliver"),
        _E.TRANSPORT_HANDSHAKE_REPLY: FrameStep(_I.CONNECTED),
        _E.TRANSPORT_REFUSED: FrameStep(_I.FAILED, "give up"),
        _E.REQUIRE: FrameStep(_I.CONNECTED, "send"),
        _E.REQUIRE_NOW: FrameStep(_I.SETUP_REQUIRED, "send"),
        _E.FAIL: FrameStep(_I.FAILED, "tell"),
        _E.GONE: FrameStep(_I.CLOSED, "end"),
        _E.CLOSE: FrameStep(_I.CLOSED, "end"),
    },
    _I.SETUP_REQUIRED: {_E.CLOSE: FrameStep(_I.CLOSED)},
    _I.FAILED: _START_INNER,
    _I.CLOSED: {},
}
"""Every step of the inner page."""

OUTER_DEADLINES: dict[str, str] = {
    _O.LOADING_SETUP: "handshake",
    _O.DECIDING: "consent",
    _O.CONFIGURING: "setup",
    _O.LOADING: "handshake",
    _O.REPLIED: "handshake",
}
INNER_DEADLINES: dict[str, str] = {_I.ANNOUNCING_SETUP: "handshake", _I.ANNOUNCING: "handshake"}
"""The states that wait for something, and which of the time-outs ends them."""

TIMEOUTS: dict[str, int] = {"handshake": 30_000, "consent": 25_000, "setup": 0}
"""Milliseconds, unless a transport is told otherwise; 0 for a wait without end, which a program or a person ends. A
person has less time to allow something than the inner page waits for its reply."""

ANNOUNCE_AFTER: tuple[int, ...] = (0, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800)
"""Milliseconds from one announcement of an inner page to the next: it stops after the last."""

NAVIGATIONS = 2
"""How often one setup phase may load the inner page: once, and once more for its permissions."""

REFUSALS: dict[FrameEvent, str] = {
    _E.SETUP: "Transport already in use: make another one for the setup phase, or close this one first",
    _E.CONNECT: "Transport already in use: make another one for the transport phase, or close this one first",
    _E.COMPLETE: "Must call prepareSetup() first",
    _E.REQUIRE: "Must call prepareToConnect() first",
    _E.REQUIRE_NOW: "Must call prepareToConnect() first",
    _E.MESSAGE: "Transport not ready: call prepareToConnect() first, and wait for it",
}
"""What a program is told that calls too early or too late."""

CLOSED = "Transport already closed: make another one"
COMPLETED = "Setup already completed"


def refusal(state: str, event: FrameEvent) -> str:
    """Why a program may not do this now."""
    if state == "closed":
        return CLOSED
    if state == "configured" and event is FrameEvent.COMPLETE:
        return COMPLETED
    return REFUSALS.get(event, f"Not now: the transport is {state}")


def next_step(table: Table, state: str, event: FrameEvent) -> FrameStep:
    """The step that an event leads to; raises `LocalProtocolError` when there is none."""
    try:
        return table[state][event]
    except KeyError:
        raise LocalProtocolError(refusal(state, event)) from None
