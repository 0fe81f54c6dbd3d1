"""uvicorn's WebSocket protocol, watched: it counts against its address, and a goodbye that is not read is cut off.

Other deadlines are not ours: uvicorn sends pings, and drops a connection that does not answer them.
"""

from __future__ import annotations

import contextlib
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from cloche.serve.uvicorn.deadlines import IDLE
from cloche.serve.uvicorn.watched_connection import Counted


class ClosingWebSocket(WebSocketsSansIOProtocol):
    """A connection that can be shut down while it is being closed: uvicorn's own raises then, and ends its server."""

    def shutdown(self) -> None:
        with contextlib.suppress(InvalidState):
            super().shutdown()
            return
        self.transport.close()


class WatchedWebSocket(Counted, ClosingWebSocket):
    """A connection after its handshake; before, it is one of HTTP."""

    flow: Any = None
    cycle: Any = None
    first_phase = IDLE
