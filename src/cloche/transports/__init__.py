"""What carries messages, and what keeps connections alive. Names are loaded when they are first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloche.lazy import lazy_names

if TYPE_CHECKING:
    from cloche.transports.base import Transport as Transport
    from cloche.transports.browser import BroadcastChannelTransport as BroadcastChannelTransport
    from cloche.transports.browser import BroadcastListener as BroadcastListener
    from cloche.transports.browser import BrowserTransport as BrowserTransport
    from cloche.transports.browser import ExtensionServerTransport as ExtensionServerTransport
    from cloche.transports.browser import IframeChildTransport as IframeChildTransport
    from cloche.transports.browser import IframeParentTransport as IframeParentTransport
    from cloche.transports.browser import PortTransport as PortTransport
    from cloche.transports.browser import PostMessageTransport as PostMessageTransport
    from cloche.transports.browser import TabClientTransport as TabClientTransport
    from cloche.transports.browser import TabServerTransport as TabServerTransport
    from cloche.transports.browser import WindowTransport as WindowTransport
    from cloche.transports.browser import connect_to_extension as connect_to_extension
    from cloche.transports.browser import listen_for_ports as listen_for_ports
    from cloche.transports.browser import listen_in_extension as listen_in_extension
    from cloche.transports.event import EVENT_NAMES as EVENT_NAMES
    from cloche.transports.event import Emitter as Emitter
    from cloche.transports.event import EventTransport as EventTransport
    from cloche.transports.event import SimpleEmitter as SimpleEmitter
    from cloche.transports.event import create_linked_pair as create_linked_pair
    from cloche.transports.http.client import HttpTransport as HttpTransport
    from cloche.transports.memory import MemoryTransport as MemoryTransport
    from cloche.transports.memory import create_memory_pair as create_memory_pair
    from cloche.transports.requests import RequestTransport as RequestTransport
    from cloche.transports.resilience import DEFAULT_TIMEOUTS as DEFAULT_TIMEOUTS
    from cloche.transports.resilience import CancellationToken as CancellationToken
    from cloche.transports.resilience import CancellationTokenSource as CancellationTokenSource
    from cloche.transports.resilience import Heartbeat as Heartbeat
    from cloche.transports.resilience import RateLimited as RateLimited
    from cloche.transports.resilience import RateLimiter as RateLimiter
    from cloche.transports.resilience import Reconnecting as Reconnecting
    from cloche.transports.resilience import ResourceSubscriptions as ResourceSubscriptions
    from cloche.transports.resilience import cancellable_request as cancellable_request
    from cloche.transports.stdio.client import StdioTransport as StdioTransport
    from cloche.transports.websocket.client import WebSocketTransport as WebSocketTransport

_HOMES = {
    "DEFAULT_TIMEOUTS": "transports.resilience",
    "EVENT_NAMES": "transports.event",
    "BroadcastChannelTransport": "transports.browser",
    "BroadcastListener": "transports.browser",
    "BrowserTransport": "transports.browser",
    "CancellationToken": "transports.resilience",
    "CancellationTokenSource": "transports.resilience",
    "Emitter": "transports.event",
    "EventTransport": "transports.event",
    "ExtensionServerTransport": "transports.browser",
    "Heartbeat": "transports.resilience",
    "HttpTransport": "transports.http.client",
    "IframeChildTransport": "transports.browser",
    "IframeParentTransport": "transports.browser",
    "MemoryTransport": "transports.memory",
    "PortTransport": "transports.browser",
    "PostMessageTransport": "transports.browser",
    "RateLimited": "transports.resilience",
    "RateLimiter": "transports.resilience",
    "Reconnecting": "transports.resilience",
    "RequestTransport": "transports.requests",
    "ResourceSubscriptions": "transports.resilience",
    "SimpleEmitter": "transports.event",
    "StdioTransport": "transports.stdio.client",
    "TabClientTransport": "transports.browser",
    "TabServerTransport": "transports.browser",
    "Transport": "transports.base",
    "WebSocketTransport": "transports.websocket.client",
    "WindowTransport": "transports.browser",
    "cancellable_request": "transports.resilience",
    "connect_to_extension": "transports.browser",
    "create_linked_pair": "transports.event",
    "create_memory_pair": "transports.memory",
    "listen_for_ports": "transports.browser",
    "listen_in_extension": "transports.browser",
}

__all__ = [*_HOMES]  # noqa: PLE0604
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
