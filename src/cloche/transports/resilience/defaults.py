"""The default time-outs by name, in seconds. Each is also a constant of the module that it belongs to."""

from __future__ import annotations

from cloche.transports.requests import REQUEST_TIMEOUT
from cloche.transports.resilience.heartbeat import HEARTBEAT_INTERVAL, HEARTBEAT_TIMEOUT

DEFAULT_TIMEOUTS = {
    "REQUEST": REQUEST_TIMEOUT,
    "HEARTBEAT_INTERVAL": HEARTBEAT_INTERVAL,
    "HEARTBEAT_TIMEOUT": HEARTBEAT_TIMEOUT,
}
"""What waits how long, unless it is told otherwise."""
