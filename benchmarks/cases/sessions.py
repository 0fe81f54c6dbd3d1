"""Legacy sessions: what 1,000 with an open GET stream weigh, and whether they give it back when they close."""

from __future__ import annotations

import asyncio

from benchmarks import traffic
from benchmarks.measure import Cost, Findings, Plan, Reading
from benchmarks.process import ServerProcess, serving
from benchmarks.serving import allow_many_sockets
from benchmarks.sockets import Connection, Stream, open_stream

SESSIONS = 1000
WARM_UP = 20
PATIENCE = 50


async def run(plan: Plan) -> Findings:
    allow_many_sockets()
    async with serving("Cloche") as process:
        connection = Connection(process.host)
        _close(connection, await _open(connection, WARM_UP))
        before = await process.memory()
        opened = await _open(connection, SESSIONS)
        open_memory = await process.memory()
        _close(connection, opened)
        after = await _settled(process, before["blocks"] + SESSIONS)
        await _open(Connection(process.host), SESSIONS)
        again = await process.memory()

    weight = (open_memory["rss"] - before["rss"]) / SESSIONS / 1024
    held = (open_memory["blocks"] - before["blocks"]) / SESSIONS
    kept = max(0.0, (after["blocks"] - before["blocks"]) / SESSIONS)
    added = max(0.0, (again["rss"] - open_memory["rss"]) / SESSIONS / 1024)
    return Findings(
        [
            Reading("sessions.memory", weight, f"{SESSIONS} sessions, uvicorn's connection included"),
            Reading("sessions.returned", kept, f"{held:.0f} blocks each while open"),
            Reading("sessions.reused", added, "the next thousand live in what the first gave back"),
        ],
        [Cost("memory per legacy session with an open stream", weight, "KB")],
    )


async def _open(connection: Connection, count: int) -> list[tuple[str, Stream]]:
    opened = []
    for _ in range(count):
        session = connection.open_session()
        request = traffic.open_stream(session, connection.host)
        opened.append((session, await open_stream(connection.host, request, b"HTTP/1.1 200 OK")))
    return opened


def _close(connection: Connection, opened: list[tuple[str, Stream]]) -> None:
    for session, stream in opened:
        connection.ask(traffic.delete(session, connection.host))
        stream.transport.close()


async def _settled(process: ServerProcess, enough: float) -> dict[str, float]:
    """The server's memory once it has noticed the closed sockets, or after five seconds."""
    for _ in range(PATIENCE):
        memory = await process.memory()
        if memory["blocks"] <= enough:
            break
        await asyncio.sleep(0.1)
    return memory
