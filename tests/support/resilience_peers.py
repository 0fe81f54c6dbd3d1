"""What the tests of connection care talk to: servers over connections that can be cut, and peers that keep silent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from cloche import Server
from cloche.transports.memory import MemoryTransport, create_memory_pair
from cloche.transports.requests import RequestTransport

DEADLINE = 5.0


async def until(condition: Callable[[], object]) -> None:
    """Let the loop turn until `condition` holds."""
    async with asyncio.timeout(DEADLINE):
        while not condition():  # noqa: ASYNC110 (what is waited for has no event of its own)
            await asyncio.sleep(0)


async def turns(count: int = 20) -> None:
    """Let everything happen that needs no time: what did not happen now, does not."""
    for _ in range(count):
        await asyncio.sleep(0)


async def greet(transport: RequestTransport) -> None:
    """The handshake of 2025-11-25, by hand."""
    info = {"name": "test", "version": "1"}
    await transport.request(
        "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}, timeout=DEADLINE
    )
    await transport.notify("notifications/initialized", {})


class Wires:
    """Opens connections to `server`, and cuts them. `wires.open` is what `Reconnecting` takes."""

    def __init__(self, server: Server, *, greeting: bool = True) -> None:
        self.server = server
        self.greeting = greeting
        self.ours: list[MemoryTransport] = []
        self.theirs: list[MemoryTransport] = []
        self.tries = 0
        self.failing = 0
        """How many of the next attempts fail."""

    async def open(self) -> MemoryTransport:
        self.tries += 1
        if self.failing:
            self.failing -= 1
            raise ConnectionRefusedError("nobody is there")
        ours, theirs = create_memory_pair()
        await self.server.connect(theirs)
        if self.greeting:
            await greet(ours)
        self.ours.append(ours)
        self.theirs.append(theirs)
        return ours

    async def cut(self) -> None:
        """The server's end of the newest connection goes away."""
        await self.theirs[-1].close()


class Naps:
    """A `sleep` that takes no time, and remembers how long it should have been."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await asyncio.sleep(0)


class Gate:
    """A `sleep` that lasts until `open()`, and then until the next one."""

    def __init__(self) -> None:
        self.waiting: list[asyncio.Future[None]] = []

    async def __call__(self, seconds: float) -> None:
        future = asyncio.get_running_loop().create_future()
        self.waiting.append(future)
        try:
            await future
        finally:
            self.waiting.remove(future)

    async def open(self) -> None:
        """Let go whoever sleeps; when nobody does, wait for somebody."""
        await until(lambda: self.waiting)
        for future in self.waiting:
            if not future.done():
                future.set_result(None)
        await turns(1)


class Silent:
    """The far end of a memory pair: hears everything, and answers only when it is told to."""

    def __init__(self) -> None:
        self.near, self.far = create_memory_pair()
        self.heard: list[dict[str, Any]] = []
        self.far.on_message(lambda data: self.heard.append(json.loads(data)))

    def methods(self) -> list[str]:
        return [message["method"] for message in self.heard]

    async def answer(self, number: int = -1, **members: Any) -> None:
        """Answer a request that was heard, with `result={…}` or `error={…}`."""
        await self.tell(id=self.heard[number]["id"], **members)

    async def tell(self, **members: Any) -> None:
        await self.far.send(json.dumps({"jsonrpc": "2.0", **members}).encode())
