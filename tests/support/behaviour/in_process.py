"""The ways from a client to the reference server that need no I/O: they exist in the browser's Python, too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from cloche.testing.behaviour import Link, connect, reference_server
from cloche.transports.event import EventTransport, SimpleEmitter
from cloche.transports.memory import create_memory_pair

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
