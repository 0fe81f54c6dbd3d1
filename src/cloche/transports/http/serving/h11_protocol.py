"""uvicorn's h11 protocol, watched: see `deadlines`."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from cloche.transports.http.serving.deadlines import BODY, HEADERS, IDLE, Watch, Watcher


class WatchedH11(H11Protocol):
    """Reads how far a request has come from h11's own state, after every round of events."""

    watcher: Watcher
    watch: Watch

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.watch = Watch(self.loop.time(), self.client[0] if self.client else None)
        self.watcher.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.watcher.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        watch = self.watch
        if watch.phase == IDLE:
            watch.begin(self.loop.time())
        since = watch.since
        super().data_received(data)
        if watch.phase == HEADERS and watch.since == since:
            self.watcher.count_header_bytes(self, len(data))

    def handle_events(self) -> None:
        super().handle_events()
        watch, state = self.watch, self.conn.their_state
        if state is h11.SEND_BODY:
            watch.phase = BODY
        elif state is not h11.IDLE:
            watch.phase = IDLE
        elif watch.phase != HEADERS:
            watch.phase = IDLE
            if self.conn.trailing_data[0]:  # pipelined: the rest of the bytes that held the request before
                watch.begin(self.loop.time())
