"""Server CPU per request over sockets: uvicorn with httptools and uvloop, 16 keep-alive connections."""

from __future__ import annotations

import math
from contextlib import AsyncExitStack

from benchmarks.measure import Findings, Plan
from benchmarks.process import ServerProcess, one_processor, serving
from benchmarks.sockets import Connection, Crew
from benchmarks.traffic import LEGACY, MODERN, Request, call_tool

CONNECTIONS = 16
WARM_UP = 20
PEER_ROUNDS = 15


async def run(plan: Plan) -> Findings:
    async with AsyncExitStack() as stack:
        stack.enter_context(one_processor())
        raw, cloche, mcp = [
            await stack.enter_async_context(serving(name)) for name in ("raw echo", "Cloche", "MCPServer")
        ]
        loads = [
            Load("raw ASGI", raw, MODERN),
            Load("Cloche 2026-07-28", cloche, MODERN),
            Load("raw ASGI, 2025-11-25's bytes", raw, LEGACY),
            Load("Cloche 2025-11-25", cloche, LEGACY),
            Load("MCPServer 2026-07-28", mcp, MODERN),
        ]
        for process in (raw, cloche, mcp):
            await process.freeze()
        for number in range(plan.socket_rounds):
            for load in loads[: None if number < PEER_ROUNDS else -1]:
                await load.round(plan.waves)

    found = Findings()
    modern_floor, modern, legacy_floor, legacy, _ = loads
    found.ratio("sockets.modern", modern, modern_floor)
    found.ratio("sockets.legacy", legacy, legacy_floor)
    found.list_costs("server CPU per request over sockets", loads)
    return found


class Load:
    """One server under one kind of traffic."""

    def __init__(self, name: str, process: ServerProcess, era: str) -> None:
        connections = [Connection(process.host) for _ in range(CONNECTIONS)]
        self._process = process
        self._crew = Crew(connections, [_request(connection, process, era) for connection in connections])
        self._crew.work(WARM_UP)
        self.name, self.best = name, math.inf

    async def round(self, waves: int) -> None:
        before = await self._process.cpu()
        requests = self._crew.work(waves)
        self.best = min(self.best, (await self._process.cpu() - before) / requests)


def _request(connection: Connection, process: ServerProcess, era: str) -> Request:
    speaks_mcp = process.name != "raw echo"
    session = connection.open_session() if era == LEGACY and speaks_mcp else "0" * 32
    return call_tool(era, "echo", 7, session=session, host=process.host)
