"""What both of uvicorn's protocols do so that `deadlines` can watch a connection."""

from __future__ import annotations

import asyncio
from typing import Any

from cloche.serve.uvicorn.deadlines import HEADERS, IDLE, Watch, Watcher


class Counted:
    """Mixed in before a protocol of uvicorn's: counts the connection against its address."""

    watcher: Watcher
    watch: Watch
    loop: asyncio.AbstractEventLoop
    client: tuple[str, int] | None
    transport: asyncio.Transport
    flow: Any
    cycle: Any
    first_phase = HEADERS

    def connection_made(self, transport: Any) -> None:
        """Admit the connection, unless its address has too many."""
        super().connection_made(transport)  # type: ignore[misc]
        self.watch = Watch(self.loop.time(), self.client[0] if self.client else None, self.first_phase)
        self.watcher.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self.watcher.leave(self)
        super().connection_lost(exc)  # type: ignore[misc]


class Watched(Counted):
    """Mixed in before a protocol of uvicorn's: also notes when the connection receives a request's bytes."""

    def data_received(self, data: bytes) -> None:
        """Bytes came: the first of a request begin its deadline, and those of its headers are counted."""
        watch = self.watch
        # Not left to the parser, which may skip empty lines before a request: they too hold a connection.
        if watch.phase == IDLE:
            watch.begin(self.loop.time())
        since = watch.since
        super().data_received(data)  # type: ignore[misc]
        if watch.phase == HEADERS and watch.since == since:
            self.watcher.count_header_bytes(self, len(data))

    def handle_websocket_upgrade(self, *event: Any) -> None:
        """From here on another protocol counts for the connection."""
        self.watcher.leave(self)
        super().handle_websocket_upgrade(*event)  # type: ignore[misc]
