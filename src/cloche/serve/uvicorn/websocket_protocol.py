"""uvicorn's WebSocket protocol, watched: it counts against its address, and a goodbye that is not read is cut off.

Other deadlines are not ours: uvicorn sends pings, and drops a connection that does not answer them.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from cloche.serve.uvicorn.deadlines import IDLE, Watch, Watcher


class ClosingWebSocket(WebSocketsSansIOProtocol):
    """A connection that can be shut down while it is being closed: uvicorn's own raises then, and ends its server."""

    def shutdown(self) -> None:
        with contextlib.suppress(InvalidState):
            super().shutdown()
            return
        self.transport.close()


class WatchedWebSocket(ClosingWebSocket):
    """A connection after its handshake; before, it is one of HTTP."""

    watcher: Watcher
    watch: Watch
    flow: Any = None
    cycle: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.watch = Watch(self.loop.time(), self.client[0] if self.client else None)
        self.watch.phase = IDLE
        self.watcher.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.watcher.leave(self)
        super().connection_lost(exc)
