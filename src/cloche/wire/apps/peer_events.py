"""What a `ViewPeer` reports: one type for each thing that a view did."""

from __future__ import annotations

from typing import Any

import msgspec

from cloche.errors import McpError
from cloche.wire.apps.methods import TO_HOST
from cloche.wire.types import Json

RequestKey = str | int


class PeerLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How much a peer takes from one view."""

    rate: float
    """Messages per second, for long."""
    burst: int
    """Messages at once."""
    refusals: int
    """Messages beyond the rate after which the view is cut off."""
    pending: int
    """Requests that may be open at a time."""
    queued: int
    """Notifications that wait for a view which is not initialized."""


class Asked(msgspec.Struct, frozen=True):
    """The view asks something: answer with `answer` or `refuse`."""

    id: RequestKey
    method: str
    """The current name."""
    params: Json
    called: str
    """The name that the view used."""
    gesture: int = 0

    @property
    def is_notification(self) -> bool:
        """Whether the legacy dialect asks what is a notification today."""
        row = TO_HOST.get(self.method)
        return self.called != self.method and row is not None and not row.is_request


class Told(msgspec.Struct, frozen=True):
    """The view says something that wants no answer."""

    method: str
    params: Json


class Answered(msgspec.Struct, frozen=True):
    """The view answered what it was asked."""

    id: str
    result: Any = None
    error: McpError | None = None


class Cancelled(msgspec.Struct, frozen=True):
    """The view no longer wants an answer."""

    id: RequestKey


class Refused(msgspec.Struct, frozen=True):
    """The peer answered a request with an error by itself."""

    method: str
    params: Json
    error: McpError


class Initialized(msgspec.Struct, frozen=True):
    """The view may be spoken to from now on."""


class Breach(msgspec.Struct, frozen=True):
    """The view did something that it must not: "The view {text}"."""

    text: str
    fatal: bool = False


class OutOfOrder(Breach, frozen=True):
    """A notification came when the strict order does not allow it; it is dropped."""


class Stray(Breach, frozen=True, kw_only=True):
    """The view sent something that is not a JSON-RPC message."""

    text: str = "sent something that is not a JSON-RPC message"
    message: Any


PeerEvent = Asked | Told | Answered | Cancelled | Refused | Initialized | Breach
