"""`Bus`: how a change reaches every stream that wants to hear of it, in this process or in all replicas.

At most once, ordered per topic and publisher. Whoever needs a message to survive puts it into the `SessionStore`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol, TypeAlias

Deliver: TypeAlias = Callable[[bytes], None]
Unsubscribe: TypeAlias = Callable[[], None]

logger = logging.getLogger("cloche.server")


class Bus(Protocol):
    """Publish and subscribe. Both are called on the event loop and never block."""

    def publish(self, topic: str, data: bytes) -> None:
        """Give `data` to every subscriber of `topic`."""

    def subscribe(self, topic: str, deliver: Deliver) -> Unsubscribe:
        """Call `deliver` for what is published on `topic`, until the returned function is called."""


class MemoryBus:
    """The bus of a single process."""

    def __init__(self) -> None:
        self._topics: dict[str, dict[object, Deliver]] = {}

    def publish(self, topic: str, data: bytes) -> None:
        """Give `data` to every subscriber of `topic`; one that raises is logged and keeps it from nobody else."""
        subscribers = self._topics.get(topic)
        if not subscribers:
            return
        for deliver in list(subscribers.values()):
            try:
                deliver(data)
            except Exception:
                logger.exception("a subscriber of %r failed", topic)

    def subscribe(self, topic: str, deliver: Deliver) -> Unsubscribe:
        """Call `deliver` for what is published on `topic`, until the returned function is called."""
        token = object()
        self._topics.setdefault(topic, {})[token] = deliver

        def unsubscribe() -> None:
            subscribers = self._topics.get(topic)
            if subscribers is not None:
                subscribers.pop(token, None)
                if not subscribers:
                    del self._topics[topic]

        return unsubscribe

    def subscribers(self, topic: str) -> int:
        """How many listen on `topic`."""
        return len(self._topics.get(topic, ()))
