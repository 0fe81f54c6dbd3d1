"""An ASGI app that runs on its own is told when it starts and ends. A mounted one opens with its first request."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from cloche.asgi import Receive, Send

if TYPE_CHECKING:
    from cloche.server.server import Server

logger = logging.getLogger("cloche.http")


async def run_lifespan(server: Server, close: Callable[[], Awaitable[None]], receive: Receive, send: Send) -> None:
    """Open the server's lifespan, and at the end `close` the app."""
    while True:
        event = await receive()
        if event["type"] == "lifespan.startup":
            try:
                await server.engine.lifespan.open()
            except Exception as error:
                logger.exception("the server's lifespan failed")
                text = f"the lifespan of {server.name} failed: {error}"
                await send({"type": "lifespan.startup.failed", "message": text})
                return
            await send({"type": "lifespan.startup.complete"})
        elif event["type"] == "lifespan.shutdown":
            await close()
            await send({"type": "lifespan.shutdown.complete"})
            return
