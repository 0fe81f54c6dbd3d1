"""Two processes that share a store: a session made by one is known to the other, for as long as it is used."""

from __future__ import annotations

from cloche import Context, Limits, Server
from cloche.server.session_store import MemorySessionStore
from tests.support.http_client import HttpClient, Legacy


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def replica(store: MemorySessionStore) -> tuple[Server, HttpClient]:
    server = Server("twin", sessions=store, limits=Limits(session_idle_seconds=0.2))

    @server.tool
    async def client(ctx: Context) -> str:
        assert ctx.client_info is not None
        return ctx.client_info.name

    return server, HttpClient(server.asgi())


async def test_a_session_goes_on_at_another_replica() -> None:
    store = MemorySessionStore()
    first, at_first = replica(store)
    second, at_second = replica(store)
    session = await at_first.initialize()
    moved = Legacy(at_second, session.id, "2025-11-25")
    assert (await moved.call("client")).text == "test"
    await first.close()
    await second.close()


async def test_a_session_in_use_is_kept_in_the_store_and_an_idle_one_is_forgotten_there_too() -> None:
    clock, store = Clock(), MemorySessionStore()
    store._clock = clock
    server, client = replica(store)
    session = await client.initialize()
    key = f"session:{session.id}"
    table = client.app.handshake.table  # type: ignore[attr-defined]
    for _ in range(3):  # used again and again, over more than its idle time
        clock.now += 0.15
        assert (await session.call("client")).status == 200
        await table._look_after()
        assert await store.get(key) is not None
    held = next(iter(table.sessions.values()))
    held.used, held.last_used = False, held.last_used - 1  # as if nobody had asked for a second
    await table._look_after()
    assert not table.sessions
    assert await store.get(key) is None
    assert (await session.call("client")).status == 404
    await server.close()
