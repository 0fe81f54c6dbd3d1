"""uvicorn's httptools protocol, watched: see `deadlines`."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from cloche.serve.uvicorn.deadlines import BODY, HEADERS, IDLE
from cloche.serve.uvicorn.watched_connection import Watched


class WatchedHttpTools(Watched, HttpToolsProtocol):
    """Notes where each request begins, where its headers end, and where its body ends."""

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
