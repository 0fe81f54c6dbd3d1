"""The soak with hostile upstreams: its processes, and what must hold afterwards."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tests.soak.upstream.product import NOTICED, Plan, Report
from tests.support.live_server import LiveServer

MAX_STOP = 0.25
"""The longest that the product's loop may stand still, in seconds."""

MAX_BYTES = 1024 * 1024 * 1024
"""The most memory that the product may ever have: four users who keep 128 MB of results each, twelve answers of up to
16 MB that are being read at a time, and what Python needs to decode them.
"""

HONEST = """
from cloche import Server
server = Server("honest")

@server.tool
async def double(number: int) -> int:
    return 2 * number

app = server.asgi(path="/mcp")
"""


def soak(seed: int, seconds: float, folder: Path) -> Report:
    """Run it for so long."""
    with LiveServer(folder, HONEST) as honest, _hostile(seed) as url:
        honest_url = f"http://127.0.0.1:{honest.port}/mcp"
        plan = Plan(seed=seed, seconds=seconds, hostile_url=url, honest_url=honest_url)
        done = subprocess.run(
            [sys.executable, "-m", "tests.soak.upstream.product"],
            input=msgspec.json.encode(plan) + b"\n",
            capture_output=True,
            timeout=seconds + 120,
            check=False,
        )
    if done.returncode:
        return Report(problems=[f"the product ended with {done.returncode}: {done.stderr[-2000:].decode()}"])
    return msgspec.json.decode(done.stdout, type=Report)


@contextlib.contextmanager
def _hostile(seed: int) -> Iterator[str]:
    command = [sys.executable, "-m", "tests.soak.upstream.hostile", str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def wrong(report: Report) -> list[str]:
    """What should not be, in sentences."""
    found = list(report.problems)
    if report.stop > MAX_STOP:
        found.append(f"the loop stood still for {report.stop * 1000:.0f} ms, at {report.doing}")
    if report.peak_bytes > MAX_BYTES:
        found.append(f"the product had {report.peak_bytes / 2**20:.0f} MB, and may have {MAX_BYTES / 2**20:.0f}")
    if report.answered != report.asked or not report.answered:
        found.append(f"{report.answered} of {report.asked} calls of the honest server were answered")
    kinds = {name.split()[0] for name in report.outcomes}
    if kinds != {"url", "program", "tab"}:
        found.append(f"not every kind of hostile server was called: {sorted(kinds)}")
    return found


def summary(report: Report) -> str:
    """In a line."""
    stop, worked, late = report.stop * 1000, report.worked * 1000, report.late * 1000
    return (
        f"{sum(report.outcomes.values())} hostile calls, {report.answered} of {report.asked} honest ones answered, the "
        f"slowest in {report.slowest * 1000:.0f} ms; the loop stood still for at most {stop:.0f} ms ({worked:.0f} ms "
        f"of CPU time, at {report.doing}), {report.stops} times for {NOTICED * 1000:.0f} ms or longer; with the work "
        f"of other processes for at most {late:.0f} ms; at most {report.peak_bytes / 2**20:.0f} MB, in the first half "
        f"{report.middle_bytes / 2**20:.0f} MB; {report.budgets} entries about limits"
    )
