"""uvicorn's h11 protocol, watched: see `deadlines`."""

from __future__ import annotations

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from cloche.serve.uvicorn.deadlines import BODY, HEADERS, IDLE
from cloche.serve.uvicorn.watched_connection import Watched


class WatchedH11(Watched, H11Protocol):
    """Reads how far a request has come from h11's own state, after every round of events."""

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
