"""`tools/call` through ASGI in process: beside bare Starlette, beside the peers, with few tools and with many."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from benchmarks.apps import floors, ours, peers
from benchmarks.apps.tools import echo, many
from benchmarks.inprocess import App, WrongAnswerError, open_session, repeating, result_of
from benchmarks.measure import Findings, Plan, Run, Timed, race
from benchmarks.traffic import LEGACY, MODERN, Request, call_tool, spaced

FEW = [echo, *many(1)]
LOTS = [echo, *many(201)]


async def run(plan: Plan) -> Findings:
    async with AsyncExitStack() as stack:
        mcp, fastmcp = [await started(stack, app) for app in (peers.mcp_server(FEW), peers.fastmcp(FEW))]
        few, lots = ours.app_with(FEW), ours.app_with(LOTS)
        eras = {
            name: [
                *_floors(era),
                await _calling("Cloche", few, era),
                await _calling("Cloche with 202 tools", lots, era),
                await _calling("MCPServer", mcp, era),
                await _calling("fastmcp", fastmcp, era),
                Timed("Starlette, JSON with spaces", _spaced_floor(era)),
                await _calling("Cloche, JSON with spaces", few, era, write=spaced),
            ]
            for name, era in (("modern", MODERN), ("legacy", LEGACY))
        }
        await race([timed for contenders in eras.values() for timed in contenders], plan)

    found = Findings()
    for name, contenders in eras.items():
        floor, suspending, cloche, grown, mcp_server, fast, spaced_floor, with_spaces = contenders
        found.ratio(f"call.{name}.floor", cloche, floor)
        found.ratio(f"call.{name}.floor_suspending", cloche, suspending)
        found.ratio(f"call.{name}.spaced", with_spaces, spaced_floor)
        found.ratio(f"call.{name}.growth", grown, cloche)
        if name == "modern":
            found.ratio("call.mcp", mcp_server, cloche)
            found.ratio("call.fastmcp", fast, cloche)
        found.list_costs(f"tools/call {name}", contenders)
    return found


async def started(stack: AsyncExitStack, app: Any) -> Any:
    """Runs a Starlette application's lifespan until the stack closes."""
    await stack.enter_async_context(app.router.lifespan_context(app))
    return app


def _floors(era: str) -> list[Timed]:
    request = call_tool(era, "echo", 7, session="0" * 32)
    return [
        Timed("Starlette", repeating(floors.starlette_echo(suspends=False), request)),
        Timed("suspending Starlette", repeating(floors.starlette_echo(suspends=True), request)),
    ]


def _spaced_floor(era: str) -> Run:
    return repeating(floors.starlette_echo(suspends=False), spaced(call_tool(era, "echo", 7, session="0" * 32)))


async def _calling(name: str, app: App, era: str, write: Callable[[Request], Request] = lambda it: it) -> Timed:
    session = await open_session(app) if era == LEGACY else ""
    request = write(call_tool(era, "echo", 7, session=session))
    result = await result_of(app, request)
    if result["content"] != [{"type": "text", "text": "7"}]:
        raise WrongAnswerError(f"{name} answered {result!r:.200}.")
    return Timed(name, repeating(app, request))
