"""What carries messages, and the care of connections. Names are loaded when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloche.transports.base import Transport
    from cloche.transports.care import (
        DEFAULT_TIMEOUTS,
        CancellationToken,
        CancellationTokenSource,
        Heartbeat,
        RateLimited,
        RateLimiter,
        Reconnecting,
        ResourceSubscriptions,
        cancellable_request,
    )
    from cloche.transports.event import EVENT_NAMES, Emitter, EventTransport, SimpleEmitter, create_linked_pair
    from cloche.transports.http.client import HttpTransport
    from cloche.transports.memory import MemoryTransport, create_memory_pair
    from cloche.transports.requests import RequestTransport
    from cloche.transports.stdio.client import StdioTransport
    from cloche.transports.websocket.client import WebSocketTransport

_HOMES = {
    "CancellationToken": "cloche.transports.care",
    "CancellationTokenSource": "cloche.transports.care",
    "DEFAULT_TIMEOUTS": "cloche.transports.care",
    "EVENT_NAMES": "cloche.transports.event",
    "Emitter": "cloche.transports.event",
    "EventTransport": "cloche.transports.event",
    "Heartbeat": "cloche.transports.care",
    "HttpTransport": "cloche.transports.http.client",
    "MemoryTransport": "cloche.transports.memory",
    "RateLimited": "cloche.transports.care",
    "RateLimiter": "cloche.transports.care",
    "Reconnecting": "cloche.transports.care",
    "RequestTransport": "cloche.transports.requests",
    "ResourceSubscriptions": "cloche.transports.care",
    "SimpleEmitter": "cloche.transports.event",
    "StdioTransport": "cloche.transports.stdio.client",
    "Transport": "cloche.transports.base",
    "WebSocketTransport": "cloche.transports.websocket.client",
    "cancellable_request": "cloche.transports.care",
    "create_linked_pair": "cloche.transports.event",
    "create_memory_pair": "cloche.transports.memory",
}

__all__ = [
    "DEFAULT_TIMEOUTS",
    "EVENT_NAMES",
    "CancellationToken",
    "CancellationTokenSource",
    "Emitter",
    "EventTransport",
    "Heartbeat",
    "HttpTransport",
    "MemoryTransport",
    "RateLimited",
    "RateLimiter",
    "Reconnecting",
    "RequestTransport",
    "ResourceSubscriptions",
    "SimpleEmitter",
    "StdioTransport",
    "Transport",
    "WebSocketTransport",
    "cancellable_request",
    "create_linked_pair",
    "create_memory_pair",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'cloche.transports' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
