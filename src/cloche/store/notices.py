"""Telling clients which resources of a store changed: once for each per turn of the event loop, however often."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from cloche.store.journal import Change, reach_of
from cloche.store.subscribed import SubscribedPaths

if TYPE_CHECKING:
    from cloche.store.store import Store


class Notices:
    """The notifications of one store that are still to be sent."""

    def __init__(self, store: Store[Any]) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._due: dict[tuple[str, str | None], None] = {}
        self.subscribed = SubscribedPaths()

    def changed(self, owner: str | None, change: Change) -> None:
        """A state changed: that of `owner`, or the one that all share."""
        server = self._store.server
        if server is None or not self.subscribed.count:
            return
        uris = {
            uri
            for operation in change.patch
            if self._store.for_views.shows(parts := reach_of(operation))
            for uri in self.subscribed.affected(parts)
        }
        if not uris:
            return
        with self._lock:
            first = not self._due
            for uri in uris:
                self._due[(uri, owner)] = None
        if first:
            server.engine.on_loop(self._soon)

    def _soon(self) -> None:
        asyncio.get_running_loop().call_soon(self._send)

    def _send(self) -> None:
        server = self._store.server
        with self._lock:
            due, self._due = self._due, {}
        for uri, owner in due:
            if server is not None:
                server.resource_updated(uri, owner)
