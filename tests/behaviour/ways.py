"""Every way from a client to the reference server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from cloche.testing.behaviour import Link, connect, reference_server
from cloche.transports.event import EventTransport, SimpleEmitter
from cloche.transports.memory import create_memory_pair
from tests.behaviour.official import bridged, connect_official

Way = Callable[[str | None], AbstractAsyncContextManager[Link]]


@asynccontextmanager
async def memory(version: str | None) -> AsyncIterator[Link]:
    ours, theirs = create_memory_pair()
    server = reference_server()
    await server.connect(theirs)
    async with connect(ours, version=version) as link:
        yield link
    await server.close()


@asynccontextmanager
async def event(version: str | None) -> AsyncIterator[Link]:
    emitter = SimpleEmitter()
    ours, theirs = EventTransport(emitter, role="client"), EventTransport(emitter)
    server = reference_server()
    await server.connect(theirs)

    async def emit(rubbish: bytes) -> None:
        emitter.emit(theirs.receive_event, rubbish)

    async with connect(ours, version=version, send_rubbish=emit) as link:
        yield link
    await server.close()


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
