"""Every way from a client to the reference server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cloche.testing.behaviour import Link, reference_server
from cloche.transports.memory import create_memory_pair
from tests.behaviour.in_process import Way, event, memory
from tests.behaviour.official import bridged, connect_official

WAYS: list[Way] = [memory, event]


@asynccontextmanager
async def official_memory(mode: str | None) -> AsyncIterator[Link]:
    ours, theirs = create_memory_pair()
    server = reference_server()
    await server.connect(theirs)
    async with connect_official(bridged(ours), str(mode)) as link:
        yield link
    await server.close()


OFFICIAL_WAYS: list[Way] = [official_memory]
