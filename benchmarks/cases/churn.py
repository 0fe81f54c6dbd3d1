"""Sessions opened and closed, 100,000 of them in one process: nothing may be left behind.

Runs in a process of its own, so that only sessions move its memory. The first 10,000 fill whatever is bounded on
purpose.
"""

from __future__ import annotations

import asyncio
import sys

import msgspec

from benchmarks import traffic
from benchmarks.measure import Findings, Plan, Reading

FIRST = 10_000


async def run(plan: Plan) -> Findings:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.cases.churn", str(plan.churn)), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError("The process that opens and closes sessions failed; what it printed above says why.")
    early, late = msgspec.json.decode(output, type=list[dict[str, float]])
    blocks, resident = late["blocks"] - early["blocks"], late["rss"] - early["rss"]
    return Findings(
        [
            Reading("churn.blocks", max(0.0, blocks) / (plan.churn - FIRST), f"{blocks:+.0f} blocks in all"),
            Reading("churn.rss", max(0.0, resident / 2**20), f"{early['rss'] / 2**20:.1f} MB after {FIRST:,}"),
        ]
    )


async def _churn(count: int) -> list[dict[str, float]]:
    from benchmarks.apps import ours
    from benchmarks.apps.tools import echo
    from benchmarks.inprocess import ask
    from benchmarks.serving import memory

    app = ours.app_with([echo])
    first = traffic.initialize()
    seen = []
    for number in range(1, count + 1):
        session = (await ask(app, first)).header(b"mcp-session-id")
        await ask(app, traffic.delete(session))
        if number in (FIRST, count):
            seen.append(memory())
    return seen


if __name__ == "__main__":
    print(msgspec.json.encode(asyncio.run(_churn(int(sys.argv[1])))).decode())
