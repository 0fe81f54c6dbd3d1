"""`tools/list` of 200 tools and a resource of 100 KB, beside every peer."""

from __future__ import annotations

from contextlib import AsyncExitStack

from benchmarks.apps import ours, peers
from benchmarks.apps.tools import LISTED, PAGE, many
from benchmarks.cases.call import started
from benchmarks.inprocess import App, WrongAnswerError, repeating, result_of
from benchmarks.measure import Findings, Plan, Timed, race
from benchmarks.traffic import RESOURCE, modern

LIST = modern("tools/list", {})
READ = modern("resources/read", {"uri": RESOURCE}, name=RESOURCE)


async def run(plan: Plan) -> Findings:
    tools = many(LISTED)
    async with AsyncExitStack() as stack:
        apps: dict[str, App] = {
            "Cloche": ours.app_with(tools),
            "mcp Server": await started(stack, peers.mcp_low(tools)),
            "MCPServer": await started(stack, peers.mcp_server(tools)),
            "fastmcp": await started(stack, peers.fastmcp(tools)),
        }
        for name, app in apps.items():
            await _check(name, app)
        lists = [Timed(name, repeating(app, LIST)) for name, app in apps.items()]
        reads = [Timed(name, repeating(app, READ)) for name, app in apps.items()]
        await race(lists, plan)
        await race(reads, plan)

    found = Findings()
    for key, (mine, *others) in (("lists.tools", lists), ("lists.resource", reads)):
        found.ratio(key, min(others, key=lambda each: each.best), mine)
    found.list_costs("tools/list of 200", lists)
    found.list_costs("resources/read of 100 KB", reads)
    return found


async def _check(name: str, app: App) -> None:
    listed = await result_of(app, LIST)
    if len(listed["tools"]) != LISTED:
        raise WrongAnswerError(f"{name} listed {len(listed['tools'])} tools on its first page instead of {LISTED}.")
    read = await result_of(app, READ)
    if read["contents"][0]["text"] != PAGE:
        raise WrongAnswerError(f"{name} returned another resource.")
