"""What happened during a soak, as a list that the checker reads."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

OUTCOMES = (
    "result",
    "tool error",
    "McpError",
    "RequestTimeoutError",
    "RequestCancelledError",
    "TransportClosedError",
    "task cancelled",
)
"""What may become of a request."""

_nonce = re.compile(rb'"nonce":"([^"]+)"')


@dataclass
class Began:
    """A request was begun."""

    nonce: str
    what: str
    at: float


@dataclass
class Ended:
    """A request has an outcome; `echo` is the nonce in its answer."""

    nonce: str
    outcome: str
    at: float
    echo: str | None = None
    detail: str = ""


@dataclass
class Progressed:
    """Progress of the request `nonce` was heard of; it was made for `echo`."""

    nonce: str
    echo: str | None


@dataclass
class Published:
    """A state was published; `final` after the last fault, when every listener must hear of it."""

    uri: str
    value: int
    final: bool = False


@dataclass
class Subscribed:
    """A listener listens from now on."""

    listener: str
    uri: str


@dataclass
class Unsubscribed:
    """A listener asked to hear no more."""

    listener: str


@dataclass
class Delivered:
    """A listener heard of a state."""

    listener: str
    uri: str
    value: int


@dataclass
class Reconnected:
    """The client has a new connection."""


@dataclass
class ClosedForGood:
    """The client gave up."""


@dataclass
class Left:
    """Something is there at the end that was not there at the beginning."""

    kind: str
    what: str


Event = (
    Began | Ended | Progressed | Published | Subscribed | Unsubscribed | Delivered | Reconnected | ClosedForGood | Left
)


@dataclass
class History:
    """Everything that was recorded."""

    events: list[Event] = field(default_factory=list)
    effects: list[str] = field(default_factory=list)
    """Nonces of requests that the server carried out."""
    duplicated: Counter[str] = field(default_factory=Counter)
    """How often a request with this nonce was sent once more by a fault."""
    faults: Counter[str] = field(default_factory=Counter)

    def add(self, event: Event) -> None:
        """Record one event."""
        self.events.append(event)

    def of(self, kind: type[Any]) -> list[Any]:
        """Every event of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def began(self, nonce: str, what: str) -> None:
        """A request begins now."""
        self.add(Began(nonce, what, time.monotonic()))

    def ended(self, nonce: str, outcome: str, echo: str | None = None, detail: str = "") -> None:
        """A request ends now."""
        self.add(Ended(nonce, outcome, time.monotonic(), echo, detail))

    def fault(self, kind: str, direction: str, data: bytes) -> None:
        """A fault was injected into this message."""
        self.faults[kind] += 1
        found = _nonce.search(data)
        if kind == "duplicate" and direction == "out" and found:
            self.duplicated[found[1].decode()] += 1

    def summary(self) -> str:
        """One line: what was done and what became of it."""
        outcomes = Counter(event.outcome for event in self.of(Ended))
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(self.faults.items()))
        ended = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
        return (
            f"{sum(self.faults.values())} faults ({faults}); {len(self.of(Began))} requests ({ended}); "
            f"{len(self.of(Reconnected))} reconnects; {len(self.of(Published))} published, "
            f"{len(self.of(Delivered))} delivered"
        )
