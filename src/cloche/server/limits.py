"""How much a peer may ask for: every bound of a server in one place."""

from __future__ import annotations

import msgspec

from cloche.wire.json import MAX_ANSWER_BYTES, MAX_MESSAGE_BYTES

BLOCKING_SECONDS = 1.0


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of a server. Pass `Server(limits=Limits(message_bytes=…))` to change one.

    They keep a peer from costing more than it should; only the last is about your own tools.
    """

    message_bytes: int = MAX_MESSAGE_BYTES
    """The largest message that is read."""
    result_bytes: int = MAX_ANSWER_BYTES
    """The largest answer that is sent."""
    body_seconds: float = 30.0
    """How long an HTTP body may take to arrive."""
    in_flight: int = 256
    """Requests one connection may have open."""
    sessions: int = 10_000
    """HTTP sessions of the handshake era that may exist."""
    session_idle_seconds: float = 1800.0
    """A session that neither asks nor listens for this long is forgotten."""
    connections: int = 1000
    """WebSocket connections that may be open."""
    subscriptions: int = 1000
    """Resources one session or stream may subscribe to."""
    listeners: int = 10_000
    """Open `subscriptions/listen` streams."""
    queue: int = 256
    """Messages that wait for a slow reader before it is cut off."""
    log: int = 256
    """Messages kept for a client that reconnects with `Last-Event-ID`."""
    tasks: int = 256
    """Tasks that may run at once; one more is refused."""
    tasks_per_caller: int = 32
    """Tasks that may run at once for one principal or, without auth, for one session; one more is refused."""
    task_seconds: float = 3600.0
    """How long a task is kept unless the client asks for another time, and how long a tool with `task` may run."""
    task_most_seconds: float = 86_400.0
    """The longest that a client can have a task kept; one that asks for more gets this."""
    threads: int = 128
    """Worker threads for `def` tools; stuck ones are replaced and do not count."""
    state_bytes: int = 64 * 1024
    """What `ctx.once` and earlier answers may put into a stateless request's state."""
    ask_seconds: float = 600.0
    """How long a client may take to answer a question of a tool."""
    keepalive_seconds: float = 15.0
    """How often a silent stream sends a comment, so that proxies keep it open."""
    progress_per_second: float = 50.0
    """Progress notifications of one request; more are dropped, the last one never."""
    blocking_seconds: float = BLOCKING_SECONDS
    """How long a tool may block the event loop before the log names it; 0 means never. Used by `run`."""
