"""uvicorn's httptools protocol, watched: see `deadlines`."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from cloche.transports.http.serving.deadlines import BODY, HEADERS, IDLE, Watch, Watcher


class WatchedHttpTools(HttpToolsProtocol):
    """Notes where each request begins, where its headers end, and where its body ends."""

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
        # Not left to on_message_begin: the parser skips empty lines before a request, and they too hold a connection.
        if watch.phase == IDLE:
            watch.begin(self.loop.time())
        since = watch.since
        super().data_received(data)
        if watch.phase == HEADERS and watch.since == since:
            self.watcher.count_header_bytes(self, len(data))

    def on_message_begin(self) -> None:
        if self.watch.phase != HEADERS:  # a pipelined request, in the bytes that ended the one before
            self.watch.begin(self.loop.time())
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self.watch.phase = BODY
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.watch.phase = IDLE
        super().on_message_complete()
