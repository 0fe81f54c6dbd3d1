"""`def` tools: what the way through a thread costs, and whether stuck ones hold up the next."""

from __future__ import annotations

import asyncio
import threading
from time import perf_counter

from benchmarks.apps import ours
from benchmarks.apps.tools import double
from benchmarks.inprocess import App, repeating, result_of
from benchmarks.measure import Cost, Findings, Plan, Reading, Timed, race, rounded
from benchmarks.traffic import MODERN, call_tool

STUCK = 6
PATIENCE = 5.0


async def run(plan: Plan) -> Findings:
    found = Findings()
    app = ours.app_with([double])
    request = call_tool(MODERN, "double", 7)
    await result_of(app, request)
    bare = Timed("bare asyncio.to_thread", _bare)
    call = Timed("Cloche", repeating(app, request))
    await race([bare, call], plan)
    found.ratio("threads.call", call, bare)
    found.list_costs("`def` tool", [bare, call])
    await _stuck(found)
    return found


async def _bare(count: int) -> None:
    for _ in range(count):
        await asyncio.to_thread(double, 7)


async def _stuck(found: Findings) -> None:
    """Six tools block until the seventh has answered or our patience is over; no clock decides otherwise."""
    release = threading.Event()
    entered = threading.Semaphore(0)

    def stuck(value: int) -> int:
        """Block until released."""
        entered.release()
        release.wait()
        return value

    app = ours.app_with([stuck, double])
    blocked = [asyncio.create_task(_call(app, "stuck")) for _ in range(STUCK)]
    try:
        await asyncio.to_thread(lambda: [entered.acquire(timeout=PATIENCE) for _ in range(STUCK)])
        start = perf_counter()
        seventh = asyncio.create_task(_call(app, "double"))
        done, _ = await asyncio.wait([seventh], timeout=PATIENCE)
        waited = perf_counter() - start
        in_time = bool(done) and not any(task.done() for task in blocked)
    finally:
        release.set()
    await asyncio.gather(seventh, *blocked)
    note = f"the seventh answered in {rounded(waited * 1e3)} ms"
    found.readings.append(Reading("threads.stuck", 0 if in_time else 1, note))
    found.costs.append(Cost("seventh `def` tool beside six stuck ones, wall clock", waited * 1e6))


async def _call(app: App, name: str) -> object:
    return await result_of(app, call_tool(MODERN, name, 7))
