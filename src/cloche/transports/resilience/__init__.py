"""Connections that last: heartbeats, reconnecting, cancellation, resource subscriptions and rate limits.

Each part works on any transport and on its own.
"""

from cloche.transports.resilience.cancellation import (
    CancellableRequest,
    CancellationToken,
    CancellationTokenSource,
    cancellable_request,
)
from cloche.transports.resilience.defaults import DEFAULT_TIMEOUTS
from cloche.transports.resilience.heartbeat import HEARTBEAT_INTERVAL, HEARTBEAT_TIMEOUT, Heartbeat
from cloche.transports.resilience.rate_limit import MAX_REQUESTS, RATE_WINDOW, RATES, RateLimited, RateLimiter
from cloche.transports.resilience.reconnection import (
    BACKOFF_MULTIPLIER,
    BASE_DELAY,
    MAX_ATTEMPTS,
    MAX_DELAY,
    Reconnecting,
)
from cloche.transports.resilience.subscriptions import ResourceSubscriptions, Subscription

__all__ = [
    "BACKOFF_MULTIPLIER",
    "BASE_DELAY",
    "DEFAULT_TIMEOUTS",
    "HEARTBEAT_INTERVAL",
    "HEARTBEAT_TIMEOUT",
    "MAX_ATTEMPTS",
    "MAX_DELAY",
    "MAX_REQUESTS",
    "RATES",
    "RATE_WINDOW",
    "CancellableRequest",
    "CancellationToken",
    "CancellationTokenSource",
    "Heartbeat",
    "RateLimited",
    "RateLimiter",
    "Reconnecting",
    "ResourceSubscriptions",
    "Subscription",
    "cancellable_request",
]
