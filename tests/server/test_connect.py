"""`Server.connect`: who the client is, and what one that does not read may cost."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche import Context, Limits, Principal, Server
from cloche.errors import McpError
from cloche.transports.memory import MemoryTransport, create_memory_pair

META = "io.modelcontextprotocol/"
STATELESS = {"_meta": {f"{META}protocolVersion": "2026-07-28", f"{META}clientCapabilities": {}}}
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}


class StuckTransport(MemoryTransport):
    """Its client does not read: nothing is ever sent."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = 0

    async def send(self, data: bytes) -> None:
        self.waiting += 1
        await asyncio.Event().wait()


@pytest.mark.requirement(163)
@pytest.mark.parametrize("stateless", [False, True], ids=["handshake", "stateless"])
@pytest.mark.parametrize("scopes", [frozenset(), frozenset({"write"})], ids=["without scope", "with scope"])
async def test_the_principal_of_a_connection_reaches_its_requests(stateless: bool, scopes: frozenset[str]) -> None:
    server = Server("x")

    @server.tool(scopes=["write"])
    async def write(ctx: Context) -> str:
        assert ctx.principal is not None
        return ctx.principal.id

    client, ours = create_memory_pair()
    await server.connect(ours, principal=Principal("alice", scopes))
    extra: dict[str, Any] = STATELESS if stateless else {}
    if not stateless:
        await client.request("initialize", INITIALIZE)
        await client.notify("notifications/initialized")
    calling = client.request("tools/call", {"name": "write", "arguments": {}, **extra})
    if scopes:
        assert (await calling)["content"][0]["text"] == "alice"
    else:
        with pytest.raises(McpError):
            await calling
    await server.close()


async def test_notifications_that_a_client_does_not_read_are_dropped_not_kept() -> None:
    server = Server("x", limits=Limits(queue=10))
    stuck = StuckTransport()
    await server.connect(stuck)
    (connection,) = server._connections
    for _ in range(5):
        for _ in range(20):
            connection.push(b"{}")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert (stuck.waiting, connection.stray) == (10, 90)
    await server.close()
