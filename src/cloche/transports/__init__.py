"""What carries messages, and what keeps connections alive. Names are loaded when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloche.transports.base import Transport
    from cloche.transports.browser import (
        BroadcastChannelTransport,
        BroadcastListener,
        BrowserTransport,
        ExtensionServerTransport,
        IframeChildTransport,
        IframeParentTransport,
        PortTransport,
        PostMessageTransport,
        TabClientTransport,
        TabServerTransport,
        WindowTransport,
        connect_to_extension,
        listen_for_ports,
        listen_in_extension,
    )
    from cloche.transports.event import EVENT_NAMES, Emitter, EventTransport, SimpleEmitter, create_linked_pair
    from cloche.transports.http.client import HttpTransport
    from cloche.transports.memory import MemoryTransport, create_memory_pair
    from cloche.transports.requests import RequestTransport
    from cloche.transports.resilience import (
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
    from cloche.transports.stdio.client import StdioTransport
    from cloche.transports.websocket.client import WebSocketTransport

_HOMES = {
    "BroadcastChannelTransport": "cloche.transports.browser",
    "BroadcastListener": "cloche.transports.browser",
    "BrowserTransport": "cloche.transports.browser",
    "CancellationToken": "cloche.transports.resilience",
    "CancellationTokenSource": "cloche.transports.resilience",
    "DEFAULT_TIMEOUTS": "cloche.transports.resilience",
    "EVENT_NAMES": "cloche.transports.event",
    "Emitter": "cloche.transports.event",
    "EventTransport": "cloche.transports.event",
    "ExtensionServerTransport": "cloche.transports.browser",
    "Heartbeat": "cloche.transports.resilience",
    "HttpTransport": "cloche.transports.http.client",
    "IframeChildTransport": "cloche.transports.browser",
    "IframeParentTransport": "cloche.transports.browser",
    "MemoryTransport": "cloche.transports.memory",
    "PortTransport": "cloche.transports.browser",
    "PostMessageTransport": "cloche.transports.browser",
    "RateLimited": "cloche.transports.resilience",
    "RateLimiter": "cloche.transports.resilience",
    "Reconnecting": "cloche.transports.resilience",
    "RequestTransport": "cloche.transports.requests",
    "ResourceSubscriptions": "cloche.transports.resilience",
    "SimpleEmitter": "cloche.transports.event",
    "StdioTransport": "cloche.transports.stdio.client",
    "TabClientTransport": "cloche.transports.browser",
    "TabServerTransport": "cloche.transports.browser",
    "Transport": "cloche.transports.base",
    "WebSocketTransport": "cloche.transports.websocket.client",
    "WindowTransport": "cloche.transports.browser",
    "cancellable_request": "cloche.transports.resilience",
    "connect_to_extension": "cloche.transports.browser",
    "create_linked_pair": "cloche.transports.event",
    "create_memory_pair": "cloche.transports.memory",
    "listen_for_ports": "cloche.transports.browser",
    "listen_in_extension": "cloche.transports.browser",
}

__all__ = [
    "DEFAULT_TIMEOUTS",
    "EVENT_NAMES",
    "BroadcastChannelTransport",
    "BroadcastListener",
    "BrowserTransport",
    "CancellationToken",
    "CancellationTokenSource",
    "Emitter",
    "EventTransport",
    "ExtensionServerTransport",
    "Heartbeat",
    "HttpTransport",
    "IframeChildTransport",
    "IframeParentTransport",
    "MemoryTransport",
    "PortTransport",
    "PostMessageTransport",
    "RateLimited",
    "RateLimiter",
    "Reconnecting",
    "RequestTransport",
    "ResourceSubscriptions",
    "SimpleEmitter",
    "StdioTransport",
    "TabClientTransport",
    "TabServerTransport",
    "Transport",
    "WebSocketTransport",
    "WindowTransport",
    "cancellable_request",
    "connect_to_extension",
    "create_linked_pair",
    "create_memory_pair",
    "listen_for_ports",
    "listen_in_extension",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'cloche.transports' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
