"""The playground's start: CPU time of `cloche dev FILE` and of its server, until the page has its list."""

from __future__ import annotations

import asyncio
import json
import re
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

from websockets.asyncio.client import connect

from benchmarks.measure import Cost, Findings, Plan, Reading
from cloche.dev.site import SOCKET, SUBPROTOCOL

SERVER = Path(__file__).parents[2] / "examples" / "todo_view.py"
TURNS = 5


async def run(plan: Plan) -> Findings:
    seconds = median([await asyncio.to_thread(_start) for _ in range(TURNS)])
    found = Findings()
    found.readings.append(Reading("dev.start", seconds, "cloche dev and its server, median of 5"))
    found.costs.append(Cost("cloche dev FILE until the page has its list", seconds * 1000, "ms"))
    return found


def _start() -> float:
    """Seconds of CPU time, of the playground and of everything that it started."""
    before = _spent()
    command = [sys.executable, "-m", "cloche", "dev", "--no-open", "--port", "0", str(SERVER)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        found = (re.search(r"http://localhost:(\d+)/#token=(\S+)", line) for line in process.stderr)
        port, token = next(match.groups() for match in found if match)
        asyncio.run(_listed(port, token))
    finally:
        process.terminate()
        process.communicate()
    return _spent() - before


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def _listed(port: str, token: str) -> None:
    """What the page does first."""
    origin = f"http://localhost:{port}"
    async with connect(
        f"ws://localhost:{port}{SOCKET}", subprotocols=[SUBPROTOCOL], origin=origin, max_size=None
    ) as socket:  # type: ignore[arg-type,list-item]
        await socket.send(json.dumps({"token": token}))
        while True:
            told = json.loads(await socket.recv())
            if told.get("event") == "ready":
                await socket.send(json.dumps({"id": 1, "do": "list", "server": told["servers"][0]["name"]}))
            if told.get("id") == 1:
                assert told["value"]["tools"]
                return
