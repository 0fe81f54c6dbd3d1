"""The product: a host with hostile servers of every kind beside an honest one, and a look at how it fares.

`python -m tests.soak.upstream.product` reads a `Plan` as JSON from standard input and writes a `Report` to standard
output. It has a process of its own, so that nothing but the host runs on its loop.

Every few milliseconds the loop notes how late it is. All of it is a stop of ours, whether the loop computed, waited
for a lock, for a thread of ours or for a disk; except the time in which it was ready to run and the kernel ran another
process instead, which Linux counts for each thread (`run_delay` in /proc/thread-self/schedstat). Where nothing counts
that, the whole delay is ours.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import uvicorn

from cloche.errors import ClocheError
from cloche.host import Host, HostLimits, InBrowser, Policy, Remote
from cloche.host.session import HostSession
from cloche.host.upstreams import supervised
from cloche.serve.uvicorn.websocket_protocol import ClosingWebSocket

TICK = 0.005
NOTICED = 0.1
CALL_SECONDS = 3.0
HONEST_SECONDS = 60.0
"""What a call of the honest server may take before it counts as lost, on a machine that has much else to do."""

BEGIN_SECONDS = 60.0
"""What a short run waits, beyond its time, for every kind of server to have been asked."""

LIMITS = HostLimits(call_seconds=CALL_SECONDS)
USERS = ("ann", "bob", "cid", "eve")

PAUSES = (0.0, 0.05) * 100
"""A host leaves a server alone for longer and longer that fails all the time. Here that would be most of the time."""


class Plan(msgspec.Struct, kw_only=True):
    """What to do."""

    seed: int
    seconds: float
    hostile_url: str
    honest_url: str


class Report(msgspec.Struct, kw_only=True):
    """What happened."""

    stop: float = 0.0
    """The longest time that the loop stood still by our doing, in seconds."""
    worked: float = 0.0
    """How much of that time it used the CPU; the rest it was blocked."""
    doing: str = ""
    """What had been asked last when it stood still."""
    stops: int = 0
    """How many times it stood still for `NOTICED` seconds or longer."""
    late: float = 0.0
    """The longest time between two turns of the loop, with the work of other processes."""
    middle_bytes: int = 0
    """The most memory in the first half of the run."""
    peak_bytes: int = 0
    asked: int = 0
    answered: int = 0
    """Calls of the honest server."""
    slowest: float = 0.0
    """How long the slowest of them took, in seconds."""
    problems: list[str] = []
    outcomes: dict[str, int] = {}
    """What became of calls of hostile servers."""
    budgets: int = 0
    """Entries of the timeline about limits."""


class Errors(logging.Handler):
    """What the host logs as an error is one of its own."""

    def __init__(self, report: Report) -> None:
        super().__init__(logging.ERROR)
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        if len(self._report.problems) < 20:
            self._report.problems.append(self.format(record)[:3000])


class Schedule:
    """What the kernel counts of the thread that makes this: seconds on a CPU, and seconds ready to run without one."""

    def __init__(self) -> None:
        self._file: int | None = None
        with contextlib.suppress(OSError):
            self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)

    def read(self) -> tuple[float, float]:
        """Both, since the thread began."""
        if self._file is None:
            return time.thread_time(), 0.0
        worked, waited, _ = os.pread(self._file, 100, 0).split()
        return int(worked) / 1e9, int(waited) / 1e9


class Watch:
    """Looks how late the loop is."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.doing = ""

    async def run(self) -> None:
        schedule = Schedule()
        while True:
            began, (worked, waited) = time.perf_counter(), schedule.read()
            await asyncio.sleep(TICK)
            late = time.perf_counter() - began - TICK
            worked_now, waited_now = schedule.read()
            self.add(late, worked_now - worked, waited_now - waited)

    def add(self, late: float, worked: float, waited: float) -> None:
        """One turn of the loop: how late it was, its CPU time, and how long the kernel ran others instead."""
        report, stop = self._report, late - waited
        report.late = max(report.late, late)
        report.stops += stop >= NOTICED
        if stop > report.stop:
            report.stop, report.worked, report.doing = stop, worked, self.doing


class Callers:
    """Users who call everything there is."""

    def __init__(self, host: Host, plan: Plan, report: Report, watch: Watch) -> None:
        self._host, self._plan, self._report, self._watch = host, plan, report, watch
        self.outcomes: Counter[str] = Counter()

    def have_begun(self) -> bool:
        """Whether every kind of server was asked, and the honest one answered."""
        return len({name.split()[0] for name in self.outcomes}) == 3 and self._report.answered > 0

    async def hostile(self, server: str, user: str) -> None:
        """Call a hostile server, and look at its lists, until the end."""
        random = Random(f"{self._plan.seed} {server} {user}")
        session = self._host.session(user)
        while True:
            seed = random.randrange(2**40)
            what = random.choice(["call"] * 6 + ["tools", "read", "list"])
            self._watch.doing = f"{server} {what} {seed}"
            try:
                await self._ask(session, server, what, seed)
                self.outcomes[f"{server} {what} answered"] += 1
            except ClocheError as error:
                self.outcomes[f"{server} {what} {type(error).__name__}"] += 1
            await asyncio.sleep(0.02)

    async def _ask(self, session: HostSession, server: str, what: str, seed: int) -> None:
        upstream = session.upstream(server)
        if what == "call":
            call = await session.start(f"{server}.answer", {"seed": seed})
            await call.over()
            call.ticket_again(self._host.tickets.moment())
            await call.result()
        elif what == "tools":
            await session.tools()
        elif what == "read":
            await upstream.request("resources/read", {"uri": "a://b"}, timeout=CALL_SECONDS)
        else:
            await upstream.request("resources/list", {}, timeout=CALL_SECONDS)

    async def honest(self, user: str) -> None:
        """Call the honest server; every call has to be answered, and rightly."""
        session = self._host.session(user)
        for number in range(10**9):
            self._report.asked += 1
            began = time.perf_counter()
            try:
                async with asyncio.timeout(HONEST_SECONDS):
                    result = await session.run("honest.double", {"number": number})
            except asyncio.CancelledError:
                self._report.asked -= 1  # the end came first
                raise
            except (ClocheError, TimeoutError) as error:
                self._report.problems.append(f"an honest call failed: {type(error).__name__} {error}")
                return
            if result["structuredContent"] != {"result": 2 * number}:
                self._report.problems.append(f"an honest call of {number} was answered with {result}")
                return
            self._report.answered += 1
            self._report.slowest = max(self._report.slowest, time.perf_counter() - began)
            await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def serving(host: Host) -> AsyncIterator[str]:
    """The product's own site, where a user's tab gets its ticket and connects."""

    async def site(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            ticket = host.session(scope["path"][1:]).offer("tab").encode()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": ticket})

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(16)
    app = host.wrap(site)
    config = uvicorn.Config(app, log_level="critical", access_log=False, lifespan="off", ws=ClosingWebSocket)
    config.ws_max_size = 2**22
    config.load()
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield f"http://localhost:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task


def peak_bytes() -> int:
    """The most memory that this process ever had. The system's own figure, because the usual one begins with what the
    process had that started this one.
    """
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


async def run(plan: Plan) -> Report:
    report = Report()
    logging.getLogger("cloche").addHandler(Errors(report))
    supervised.PAUSES = PAUSES
    host = Host(
        {
            "url": Remote(plan.hostile_url, per_user=True),
            "program": [sys.executable, "-m", "tests.soak.upstream.program", str(plan.seed)],
            "tab": InBrowser(ask="never"),
            "honest": plan.honest_url,
        },
        secret="a secret of at least sixteen bytes",
        policy=Policy(tab_tool="allow"),
        limits=LIMITS,
    )
    watch = Watch(report)
    callers = Callers(host, plan, report, watch)
    async with serving(host) as url:
        command = [sys.executable, "-m", "tests.soak.upstream.tab", str(plan.seed), url]
        tabs = [await asyncio.create_subprocess_exec(*command, user) for user in USERS]
        await host.session("ann").run("honest.double", {"number": 1})
        kinds = ("url", "program", "tab")
        work = [asyncio.create_task(callers.hostile(kind, user)) for kind in kinds for user in USERS]
        work.append(asyncio.create_task(callers.honest("dan")))
        watching = asyncio.create_task(watch.run())
        done, _ = await asyncio.wait(work, timeout=plan.seconds / 2, return_when=asyncio.FIRST_COMPLETED)
        report.middle_bytes = peak_bytes()
        if not done:
            done, _ = await asyncio.wait(work, timeout=plan.seconds / 2, return_when=asyncio.FIRST_COMPLETED)
        until = time.monotonic() + BEGIN_SECONDS
        while not done and not callers.have_begun() and time.monotonic() < until:
            done, _ = await asyncio.wait(work, timeout=0.1, return_when=asyncio.FIRST_COMPLETED)
        report.problems += [f"a caller ended: {task.exception()!r}" for task in done if not task.cancelled()]
        watching.cancel()
        honest = work.pop()
        for task in work:
            task.cancel()
        honest.cancel()
        await asyncio.gather(*work, honest, watching, return_exceptions=True)
        for tab in tabs:
            tab.terminate()
            await tab.wait()
    await host.close()
    report.peak_bytes = peak_bytes()
    report.outcomes = dict(sorted(callers.outcomes.items()))
    report.budgets = len(host.timeline.entries(action="budget"))
    return report


def main() -> None:
    plan = msgspec.json.decode(sys.stdin.buffer.readline(), type=Plan)
    report = asyncio.run(run(plan))
    sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")


if __name__ == "__main__":
    main()
