"""A request and its cancellation can come in one read: a client gives up on a server that is slow to start."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from cloche import Server
from cloche.transports.base import Transport

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Wire(Transport):
    """A transport whose other end is the test."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def send(self, data: bytes) -> None:
        self.sent.put_nowait(json.loads(data))

    async def close(self) -> None:
        self.ended()

    def say(self, **message: Any) -> None:
        self.deliver(json.dumps({"jsonrpc": "2.0", **message}).encode())


async def test_a_request_is_cancelled_before_it_began() -> None:
    server = Server("early")
    ran: list[str] = []

    @server.tool
    async def work(name: str) -> str:
        ran.append(name)
        return name

    wire = Wire()
    await server.connect(wire)
    for number, name in ((1, "first"), (2, "second")):
        params = {"name": "work", "arguments": {"name": name}, "_meta": META}
        wire.say(id=number, method="tools/call", params=params)
        if number == 1:
            wire.say(method="notifications/cancelled", params={"requestId": 1})
    answer = await asyncio.wait_for(wire.sent.get(), 5)
    assert (answer["id"], answer["result"]["content"][0]["text"]) == (2, "second")
    assert ran == ["second"]
    # The id is free again.
    wire.say(id=1, method="tools/list", params={"_meta": META})
    assert (await asyncio.wait_for(wire.sent.get(), 5))["id"] == 1
    assert wire.sent.empty()
    await wire.close()


async def test_closing_before_a_request_began_leaves_nothing_behind() -> None:
    server = Server("early")
    wire = Wire()
    await server.connect(wire)
    wire.say(id=1, method="tools/list", params={"_meta": META})
    await wire.close()
    assert not server.is_connected
    assert wire.sent.empty()
