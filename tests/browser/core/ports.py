"""Both ends of a MessageChannel, held by the browser's Python through the page's own transports."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cloche.testing.behaviour import Link, connect, reference_server
from cloche.transports import PortTransport

LIMIT = 4 * 1024 * 1024


@asynccontextmanager
async def port(version: str | None) -> AsyncIterator[Link]:
    """A client and the reference server, each at a port."""
    import js

    channel = js.MessageChannel.new()
    ours, theirs = PortTransport(channel.port1), PortTransport(channel.port2)
    server = reference_server()
    await server.connect(theirs)

    async def post(rubbish: bytes) -> None:
        try:
            text = json.dumps({"type": "mcp", "payload": json.loads(rubbish)})
        except (ValueError, RecursionError):
            text = json.dumps({"type": "mcp", "payload": rubbish.decode("latin-1")})
        channel.port1.postMessage(js.JSON.parse(text))

    async with connect(ours, version=version, send_rubbish=post) as link:
        yield link
    await server.close()


@asynccontextmanager
async def ends() -> AsyncIterator[tuple[PortTransport, PortTransport]]:
    """Two ends with nobody behind them."""
    import js

    channel = js.MessageChannel.new()
    client, server = PortTransport(channel.port1, limit=LIMIT), PortTransport(channel.port2, limit=LIMIT)
    yield client, server
    await client.close()
