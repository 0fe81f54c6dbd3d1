"""Views embedded by our host beside the official basic-host's design: AppBridge and an HTTP client in the page.

"Start" is a call on a page that is there. Both are warm: the official design has connected to the servers and listed
their tools, our page is ready for their views (`session.preload`). A page that is not ready is compared with that warm
one, too. "Page" is a page that shows a view as soon as it is opened, in a browser that has nothing of it: nothing is
warm in either design.

The same servers in the same process, the same view on the official App, in a real Chromium, on loopback and with 80 ms
between browser and server. Wall clock, because it is the wait of a person; designs take turns, and the median counts.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Frame, Page, sync_playwright
from websockets.asyncio.client import connect

from benchmarks.apps.hosting import SERVERS, host_bundle, view_html
from benchmarks.delay import delayed
from benchmarks.measure import Cost, Findings, Plan, Reading
from benchmarks.process import ServerProcess, serving
from tests.support.chromium import FLAGS
from tools.chromium import whole_chromium

FAR = 0.08
CALLS = 30
VIEWS = 20
WEIGHED = 200
DEADLINE = 60_000
PAINTED = "() => window.painted"


@dataclass(slots=True)
class Design:
    """One way to host, and what it took, in milliseconds."""

    name: str
    path: str
    idle: int = 0
    """Frames without a view that the page has once it is warm."""
    taken: dict[str, list[float]] = field(default_factory=dict)

    @property
    def is_cold(self) -> bool:
        return self.path.endswith("?cold")

    def take(self, what: str, *milliseconds: float) -> None:
        self.taken.setdefault(what, []).extend(milliseconds)

    def of(self, what: str) -> float:
        return median(self.taken[what])


async def run(plan: Plan) -> Findings:
    host_bundle()  # made now, not by the server while it is asked
    view_html()
    designs = (
        Design("official basic-host", "/official"),
        Design("Cloche", "/ours", len(SERVERS)),
        Design("Cloche, page not ready", "/ours?cold"),
    )
    async with serving("Host") as process, delayed(process.port, FAR) as far:
        # Playwright's plain interface wants a thread without a loop.
        await asyncio.to_thread(_browse, plan, designs, process.port, far)
        weight = await _weigh(process)
    return _findings(designs, weight)


def _findings(designs: tuple[Design, ...], weight: float) -> Findings:
    found = Findings()
    official, ours, cold = designs
    for key, title in TITLES.items():
        found.costs.append(Cost(f"{title}: {official.name}", official.of(key), "ms"))
        for name, design in ((key, ours), (f"cold.{key}", cold)):
            if key in design.taken:
                note = f"{design.name} {design.of(key):.1f} ms, official {official.of(key):.1f} ms"
                found.readings.append(Reading(f"host.{name}", design.of(key) / official.of(key), note))
                found.costs.append(Cost(f"{title}: {design.name}", design.of(key), "ms"))
    found.readings.append(Reading("host.memory", weight, f"{WEIGHED} views of {len(SERVERS)} servers on one page"))
    return found


TITLES = {
    "call.near": "view to tool and back, loopback",
    "call.far": "view to tool and back, 80 ms away",
    "paint.near": "start to first paint, loopback",
    "paint.far": "start to first paint, 80 ms away",
    "page.near": "page to first paint, loopback",
    "page.far": "page to first paint, 80 ms away",
    "many": f"{VIEWS} views of {len(SERVERS)} servers painted",
    "behind": "a small call behind one of 7 MB",
}


def _browse(plan: Plan, designs: tuple[Design, ...], near: int, far: int) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=whole_chromium(), args=FLAGS)
        try:
            for _ in range(max(2, plan.shows // 3)):
                for design in designs:
                    for port, where in ((near, "near"), (far, "far")):
                        _visit(browser, design, port, where)
                        if not design.is_cold:
                            _first_visit(browser, design, port, where)
                    if not design.is_cold:
                        _crowd(browser, design, near)
        finally:
            browser.close()


@contextmanager
def _page(browser: Browser, design: Design, port: int) -> Iterator[Page]:
    # Tall, because a browser paints no frame that is out of sight.
    context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 200 * VIEWS})
    try:
        page = context.new_page()
        page.set_default_timeout(DEADLINE)
        page.goto(f"http://127.0.0.1:{port}{design.path}")
        page.evaluate("servers => warm(servers)", list(SERVERS))
        _views(page, design.idle)
        yield page
    finally:
        context.close()


def _visit(browser: Browser, design: Design, port: int, where: str) -> None:
    """One view after the other, and calls in the last."""
    with _page(browser, design, port) as page:
        for count, server in enumerate(SERVERS, 1):
            begun = page.evaluate("server => openView(server)", server)
            view = _views(page, design.idle + count)[-1]
            design.take(f"paint.{where}", view.wait_for_function(PAINTED).json_value() - begun)
        if design.is_cold:
            return
        view.evaluate("() => roundTrips(5)")
        design.take(f"call.{where}", *view.evaluate("count => roundTrips(count)", CALLS))
        if where == "near":
            view.evaluate("() => behind()")
            design.take("behind", view.evaluate("() => behind()"))


def _first_visit(browser: Browser, design: Design, port: int, where: str) -> None:
    """Pages that show a view as soon as they are opened, each in a browser without a cache of it."""
    for server in SERVERS:
        context: BrowserContext = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(DEADLINE)
        page.goto(f"http://127.0.0.1:{port}{design.path}?show={server}")
        painted = _views(page, 1)[-1].wait_for_function(PAINTED).json_value()
        design.take(f"page.{where}", painted - page.evaluate("() => performance.timeOrigin"))
        context.close()


def _views(page: Page, count: int) -> list[Frame]:
    """The frames of so many views, once they are there."""
    deadline = time.monotonic() + DEADLINE / 1000
    while time.monotonic() < deadline:
        found = [frame for frame in page.frames if frame.url == "about:srcdoc"]
        if len(found) >= count:
            return found
        page.wait_for_timeout(10)  # lets Playwright hear of new frames; what counts is measured in the views
    raise TimeoutError(f"{count} views were not shown in time")


def _crowd(browser: Browser, design: Design, port: int) -> None:
    """All views at once."""
    with _page(browser, design, port) as page:
        begun = page.evaluate(
            "servers => Promise.all(servers.map((server) => openView(server))).then((all) => Math.min(...all))",
            [SERVERS[number % len(SERVERS)] for number in range(VIEWS)],
        )
        views = _views(page, design.idle + VIEWS)[design.idle :]
        painted = [view.wait_for_function(PAINTED).json_value() for view in views]
        design.take("many", max(painted) - begun)


async def _weigh(process: ServerProcess) -> float:
    """Kilobytes that the host's process holds for each open view."""
    origin = f"http://{process.host}"
    async with connect(f"ws://{process.host}/cloche/socket", origin=origin, subprotocols=["cloche.1"]) as socket:  # type: ignore[list-item]
        await socket.send('{"hello": 1}')
        await _open(process, socket, range(1, 21))
        before = await process.memory()
        await _open(process, socket, range(21, 21 + WEIGHED - 20))
        after = await process.memory()
    return (after["rss"] - before["rss"]) / (WEIGHED - 20) / 1024


async def _open(process: ServerProcess, socket: Any, numbers: range) -> None:
    for number in numbers:
        ticket = await _ticket(process, SERVERS[number % len(SERVERS)])
        await socket.send(json.dumps({"open": number, "ticket": ticket, "context": {"theme": "light"}}))
        while "mount" not in json.loads(await socket.recv()):
            pass


async def _ticket(process: ServerProcess, server: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", process.port)
    writer.write(f"GET /start?server={server} HTTP/1.1\r\nHost: {process.host}\r\nConnection: close\r\n\r\n".encode())
    answer = (await reader.read()).decode()
    writer.close()
    return answer.partition('ticket="')[2].partition('"')[0]
