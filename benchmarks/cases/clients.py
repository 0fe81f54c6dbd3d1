"""A client and its server together: one `tools/call` there and back, in memory, over stdio, and over sockets.

Each contender is a client with the server of its own house, and counts what both processes spend.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from time import process_time
from typing import Any

import fastmcp
import mcp
from mcp import StdioServerParameters

from benchmarks.apps import ours, peers
from benchmarks.apps.tools import echo_at_once, many
from benchmarks.inprocess import WrongAnswerError
from benchmarks.measure import Findings, Plan, Timed, race
from benchmarks.process import one_processor, serving
from cloche import Client

TOOLS = [echo_at_once, *many(1)]
ARGUMENTS = {"value": 7}
STDIO_CALLS = 50
PEER_ROUNDS = 20


async def run(plan: Plan) -> Findings:
    found = Findings()
    await _in_memory(plan, found)
    await _over_stdio(plan, found)
    await _over_sockets(plan, found)
    return found


async def _in_memory(plan: Plan, found: Findings) -> None:
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        server = ours.server_with(TOOLS)
        modern = [
            await _calling("Cloche", await enter(Client(server, version="2026-07-28"))),
            await _calling("mcp, MCPServer", await enter(mcp.Client(peers.mcp_object(TOOLS), mode="2026-07-28"))),
            await _calling("mcp, low-level server", await enter(mcp.Client(peers.low_object(), mode="2026-07-28"))),
            await _calling("fastmcp", await enter(fastmcp.Client(peers.fastmcp_object(TOOLS)))),
        ]
        legacy = [
            await _calling("Cloche", await enter(Client(server, version="2025-11-25"))),
            await _calling("mcp, MCPServer", await enter(mcp.Client(peers.mcp_object(TOOLS), mode="legacy"))),
            await _calling("mcp, low-level server", await enter(mcp.Client(peers.low_object(), mode="legacy"))),
        ]
        await race([*modern, *legacy], plan)
    found.ratio("clients.memory.modern", modern[1], modern[0])
    found.ratio("clients.memory.legacy", legacy[1], legacy[0])
    found.ratio("clients.memory.fastmcp", modern[3], modern[0])
    found.ratio("clients.memory.low", modern[2], modern[0])
    found.ratio("clients.memory.low_legacy", legacy[2], legacy[0])
    found.list_costs("client and server in memory, 2026-07-28", modern)
    found.list_costs("client and server in memory, 2025-11-25", legacy)


async def _calling(name: str, client: Any) -> Timed:
    async def run(count: int) -> None:
        for _ in range(count):
            await client.call_tool("echo", ARGUMENTS)

    await _check(name, client)
    return Timed(name, run)


async def _check(name: str, client: Any) -> None:
    await client.list_tools()  # the official client would otherwise do so behind our back
    result = await client.call_tool("echo", ARGUMENTS)
    if result.content[0].text != "7":
        raise WrongAnswerError(f"{name} answered {result!r:.200}.")


# Over stdio: the client's CPU and the server's


async def _over_stdio(plan: Plan, found: Findings) -> None:
    async with AsyncExitStack() as stack:
        stack.enter_context(one_processor())
        enter = stack.enter_async_context
        loads = [
            await _started("Cloche", lambda: enter(Client(_command("cloche")))),
            await _started("mcp", lambda: enter(mcp.Client(_parameters("mcp")))),
            await _started("fastmcp", lambda: enter(fastmcp.Client(_fast_transport()))),
        ]
        for number in range(plan.socket_rounds // 4):
            for load in loads[: None if number < PEER_ROUNDS else 1]:
                await load.round(STDIO_CALLS)
    cloche, official, fast = loads
    found.ratio("clients.stdio.mcp", official, cloche)
    found.ratio("clients.stdio.fastmcp", fast, cloche)
    found.list_costs("client and server over stdio", loads)


def _command(house: str) -> list[str]:
    return [sys.executable, "-m", "benchmarks.apps.over_stdio", house]


def _parameters(house: str) -> StdioServerParameters:
    command, *arguments = _command(house)
    return StdioServerParameters(command=command, args=arguments, env=dict(os.environ))


def _fast_transport() -> Any:
    command, *arguments = _command("fastmcp")
    return fastmcp.client.transports.StdioTransport(command, arguments, env=dict(os.environ), keep_alive=False)


class Load:
    """A client here, and its server in another process."""

    def __init__(self, name: str, client: Any, server: int) -> None:
        self.name, self.best = name, math.inf
        self._client, self._server = client, server

    async def round(self, calls: int) -> None:
        before = process_time() + spent_by(self._server)
        for _ in range(calls):
            await self._client.call_tool("echo", ARGUMENTS)
        self.best = min(self.best, (process_time() + spent_by(self._server) - before) / calls)


async def _started(name: str, start: Callable[[], Any]) -> Load:
    before = children()
    client = await start()
    (server,) = children() - before
    await _check(name, client)
    return Load(name, client, server)


def children() -> set[int]:
    """The processes that this one started."""
    found = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()
    return {int(child) for child in found.split()}


def spent_by(process: int) -> float:
    """CPU seconds of all threads of a process, in nanosecond steps."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


# Over sockets: WebSocket beside HTTP, with the same client


async def _over_sockets(plan: Plan, found: Findings) -> None:
    async with AsyncExitStack() as stack:
        stack.enter_context(one_processor())
        server = await stack.enter_async_context(serving("Cloche, both"))
        loads = []
        for name, url in (
            ("WebSocket", f"ws://{server.host}/ws"),
            ("HTTP", f"http://{server.host}/mcp"),
        ):
            client = await stack.enter_async_context(Client(url))
            await _check(name, client)
            loads.append(Load(name, client, server.pid))
        for _ in range(plan.socket_rounds // 8):
            for load in loads:
                await load.round(STDIO_CALLS)
    web_socket, http = loads
    found.ratio("clients.websocket", web_socket, http)
    found.list_costs("client and server over sockets", loads)
