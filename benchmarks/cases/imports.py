"""What `from cloche import Server` costs a process, beside the peers; bare Python's own CPU is taken off."""

from __future__ import annotations

import asyncio
import os
import sys
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.measure import Cost, Findings, Plan, Reading

RUNS = 6
IMPORTS = {
    "bare Python": "pass",
    "Cloche": "from cloche import Server",
    "MCPServer": "from mcp.server.mcpserver import MCPServer",
    "fastmcp": "from fastmcp import FastMCP",
}
_PROBE = """
import os, time
{statement}
cpu = time.process_time()
with open("/proc/self/statm") as file:
    print([cpu, int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")])
"""


async def run(plan: Plan) -> Findings:
    cpu = dict.fromkeys(IMPORTS, float("inf"))
    resident = dict.fromkeys(IMPORTS, float("inf"))
    with TemporaryDirectory() as bytecode:
        for statement in IMPORTS.values():
            await _probe(statement, bytecode)
        for _ in range(RUNS):
            for name, statement in IMPORTS.items():
                seconds, size = await _probe(statement, bytecode)
                cpu[name] = min(cpu[name], seconds)
                resident[name] = min(resident[name], size)
    millis = {name: (seconds - cpu["bare Python"]) * 1e3 for name, seconds in cpu.items()}
    megabytes = {name: size / 2**20 for name, size in resident.items()}
    cpu_note = ", ".join(f"{name} {millis[name]:.0f} ms" for name in ("MCPServer", "fastmcp"))
    rss_note = ", ".join(f"{name} {megabytes[name]:.0f} MB" for name in ("MCPServer", "fastmcp"))
    return Findings(
        [
            Reading("imports.cpu", millis["Cloche"], cpu_note),
            Reading("imports.rss", megabytes["Cloche"], rss_note),
        ],
        [
            *(Cost(f"import CPU: {name}", value, "ms") for name, value in millis.items() if name != "bare Python"),
            *(Cost(f"import resident: {name}", value, "MB") for name, value in megabytes.items()),
        ],
    )


async def _probe(statement: str, bytecode: str) -> tuple[float, float]:
    """CPU seconds and resident bytes of a process that imports.

    Compiled modules are kept, whatever the environment says: an installed package is compiled once, not at every start.
    """
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode, "PYTHONDONTWRITEBYTECODE": ""}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROBE.format(statement=statement)), stdout=asyncio.subprocess.PIPE, env=environment
    )
    output, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"`{statement}` failed; what it printed above says why.")
    return msgspec.json.decode(output, type=tuple[float, float])
