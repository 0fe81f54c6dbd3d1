"""A line chart of 10,000 points in a view: what goes to the view, and how soon it is painted, beside `prefab-ui`'s.

Both are tools with a view in our host, on one page of a real Chromium that has nothing in its cache. Prefab's renderer
is in its page, as `PREFAB_BUNDLED_RENDERER` has it; without that it comes from another origin. Bytes are those of the
page, and of all messages to the view as JSON, not compressed. Paint is wall clock, from the page's start until the line
is painted; the two take turns, and the median counts.
"""

from __future__ import annotations

import asyncio
import math
import os
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from fastmcp import FastMCP, FastMCPApp
from playwright.sync_api import Browser, Response, sync_playwright
from prefab_ui.app import PrefabApp
from prefab_ui.components import Card, CardContent
from prefab_ui.components.charts import ChartSeries, LineChart

from benchmarks.measure import Cost, Findings, Plan, Reading, rounded
from cloche import Components, Context, Server, ToolResult
from cloche.host import Host, HostLimits
from tests.support.chromium import FLAGS
from tests.support.product import Product
from tools.chromium import whole_chromium

POINTS = 10_000
DEADLINE = 60_000
BODY = "/cloche/body/"

PAINTED = """selector => window.paintedAt ?? (document.querySelector(selector) && !window.waiting
  && (window.waiting = requestAnimationFrame(() => setTimeout(() => {
    window.paintedAt = performance.timeOrigin + performance.now();
  }))), null)"""
"""When the view had painted what a selector finds."""

WEIGH = """window.heard = 0;
addEventListener("message", ({ data }) => window.heard += new Blob([JSON.stringify(data)]).size, true);"""
"""Bytes of the messages to a frame."""


@dataclass(slots=True)
class Contender:
    """A way to show the chart, and what it took."""

    name: str
    tool: str
    line: str
    page: int = 0
    messages: int = 0
    paints: list[float] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        return self.page + self.messages


def rows() -> list[dict[str, float]]:
    """The same points for both."""
    return [{"at": at, "value": round(math.sin(at / 300) * 100 + at % 17, 3)} for at in range(POINTS)]


async def run(plan: Plan) -> Findings:
    os.environ["PREFAB_BUNDLED_RENDERER"] = "1"
    contenders = (
        Contender("prefab-ui", "prefab.chart", "path.recharts-line-curve"),
        Contender("Cloche", "ours.chart", "path.cc-line"),
    )
    # Playwright's plain interface wants a thread without a loop.
    await asyncio.to_thread(_browse, contenders, max(3, plan.shows // 2))
    prefab, ours = contenders
    found = Findings()
    for key, (theirs, mine), unit in (
        ("bytes", (prefab.bytes / 1e3, ours.bytes / 1e3), "kB"),
        ("messages", (prefab.messages / 1e3, ours.messages / 1e3), "kB"),
        ("paint", (median(prefab.paints), median(ours.paints)), "ms"),
    ):
        note = f"prefab-ui {rounded(theirs)} {unit}, Cloche {rounded(mine)} {unit}"
        found.readings.append(Reading(f"charts.{key}", theirs / mine, note))
    for one in contenders:
        found.costs += [
            Cost(f"chart of {POINTS:,} points, its page: {one.name}", one.page / 1e3, "kB"),
            Cost(f"chart of {POINTS:,} points, all messages: {one.name}", one.messages / 1e3, "kB"),
            Cost(f"chart of {POINTS:,} points, page to paint: {one.name}", median(one.paints), "ms"),
        ]
    return found


def _ours() -> Server:
    server, components = Server("ours"), Components()

    @server.tool(view=components.view)
    def chart(ctx: Context) -> ToolResult:
        """Show the chart."""
        return components.show(ctx, "line-chart", rows=rows(), x="at", y="value", title="Values")

    server.attach(components)
    return server


def _prefab() -> Any:
    app = FastMCPApp("Chart")

    @app.ui()
    def chart() -> PrefabApp:
        """Show the chart."""
        with Card() as view, CardContent():
            LineChart(data=rows(), series=[ChartSeries(data_key="value")], x_axis="at", animate=False)
        return PrefabApp(view=view)

    return FastMCP("prefab", providers=[app])


def _browse(contenders: tuple[Contender, ...], turns: int) -> None:
    patient = HostLimits(initialize_seconds=DEADLINE / 1000)
    host = Host({"ours": _ours(), "prefab": _prefab()}, secret="benchmark-benchmark", limits=patient)
    with Product(host) as product, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=whole_chromium(), args=FLAGS)
        try:
            for one in contenders:
                _show(browser, product, one, weigh=True)
            for _ in range(turns):
                for one in contenders:
                    _show(browser, product, one)
        finally:
            browser.close()


def _show(browser: Browser, product: Product, one: Contender, *, weigh: bool = False) -> None:
    context = browser.new_context(viewport={"width": 900, "height": 700})
    page = context.new_page()
    page.set_default_timeout(DEADLINE)
    bodies: list[Response] = []
    page.on("response", lambda response: bodies.append(response) if BODY in response.url else None)
    if weigh:
        page.add_init_script(WEIGH)
    page.goto(product.page(product.embed(one.tool, {})))
    view = page.frame_locator("mcp-app iframe").frame_locator("iframe")
    view.locator(one.line).first.wait_for(state="attached")
    frame = next(frame for frame in reversed(page.frames) if frame.url == "about:srcdoc")
    painted = frame.wait_for_function(PAINTED, arg=one.line).json_value()
    if weigh:
        one.page = sum(len(body.body()) for body in bodies)
        one.messages = frame.evaluate("() => heard")
    else:
        one.paints.append(painted - page.evaluate("() => performance.timeOrigin"))
    context.close()
