"""The care of connections: is the other side alive, what if it goes, what is no longer wanted, what is too much.

Each part works on any transport and on its own.
"""

from cloche.transports.care.cancellation import (
    CancellableRequest,
    CancellationToken,
    CancellationTokenSource,
    cancellable_request,
)
from cloche.transports.care.defaults import DEFAULT_TIMEOUTS
from cloche.transports.care.heartbeat import HEARTBEAT_INTERVAL, HEARTBEAT_TIMEOUT, Heartbeat
from cloche.transports.care.rate_limit import MAX_REQUESTS, RATE_WINDOW, RATES, RateLimited, RateLimiter
from cloche.transports.care.reconnecting import BACKOFF_MULTIPLIER, BASE_DELAY, MAX_ATTEMPTS, MAX_DELAY, Reconnecting
from cloche.transports.care.subscriptions import ResourceSubscriptions, Subscription

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
