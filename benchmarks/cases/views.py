"""A view in a real Chromium, on our runtime and on the official App: how large, how soon there, how fast a call is.

Both are shown by the official host, in one frame and behind a proxy frame on another site. Wall clock, because most of
the work is the browser's; views take turns and each keeps its best.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from benchmarks.measure import Cost, Findings, Plan, Reading
from cloche.views import Html, h
from cloche.views.scripts import generate_bridge, inject, script
from tests.support.official_app.bundles import bundle
from tests.support.official_app.harness import LAYOUTS, Hosted, Theatre, theatre
from tests.support.official_app.views import official_view, our_view

LATEST = "2.0.4"
CALLS = 40
ROWS = 200
MEGABYTE = "x" * 1_000_000
RESULTS = {
    "small": {"result": {"content": [{"type": "text", "text": "done"}], "structuredContent": {"id": 1}}},
    "large": {"result": {"content": [{"type": "text", "text": MEGABYTE}]}},
}

START = """html => new Promise((resolve) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  document.body.append(frame);
  const heard = ({ source, data }) => {
    if (source !== frame.contentWindow || data?.method !== "ui/initialize") return;
    const taken = performance.now() - begun;
    removeEventListener("message", heard);
    frame.remove();
    resolve(taken);
  };
  addEventListener("message", heard);
  const begun = performance.now();
  frame.srcdoc = html;
})"""
"""Milliseconds from the HTML to the first message of the handshake."""

EDIT = """row => new Promise((resolve) => {
  const begun = performance.now();
  new MutationObserver((changes) => {
    const gone = changes.flatMap(({ removedNodes }) => [...removedNodes]).filter(({ nodeName }) => nodeName === "TR");
    if (gone.length) resolve([gone.length, performance.now() - begun]);
  }).observe(document.body, { childList: true, subtree: true });
  document.querySelector(row + " button").click();
})"""
"""How many rows a click replaced, and the milliseconds it took."""

ROUND_TRIPS = """async ([tool, count]) => {
  const begun = performance.now();
  for (let turn = 0; turn < count; turn++) await act.callTool(tool, { turn });
  return (performance.now() - begun) / count;
}"""
"""Milliseconds per call, measured in the view."""


@dataclass(slots=True)
class View:
    """A contender."""

    name: str
    html: str
    best: float = inf

    def take(self, milliseconds: float) -> None:
        self.best = min(self.best, milliseconds / 1e3)


def views() -> list[View]:
    return [View("official App", official_view(LATEST)), View("Cloche", our_view())]


async def run(plan: Plan) -> Findings:
    # Playwright's plain interface wants a thread without a loop.
    return await asyncio.to_thread(_run, plan)


def _run(plan: Plan) -> Findings:
    found = Findings()
    _sizes(found)
    with theatre() as stage:
        _start(stage, plan, found)
        for layout, key in zip(LAYOUTS, ("one", "two"), strict=True):
            _calls(stage, layout, plan.shows, found, f"views.call.{key}", ("small", CALLS))
            _calls(stage, layout, plan.shows, found, f"views.megabyte.{key}", ("large", 4))
        _table(stage, found)
    return found


def _sizes(found: Findings) -> None:
    official, ours = (text.encode() for text in (bundle(LATEST, "app"), generate_bridge()))
    weighed: dict[str, Callable[[bytes], int]] = {"gzip": lambda text: len(gzip.compress(text, 9)), "raw": len}
    found.readings.append(Reading("views.interact.gzip", weighed["gzip"](script("interact.js").encode()) / 1e3))
    for key, weigh in weighed.items():
        note = f"official App {weigh(official) / 1e3:.0f} kB"
        found.readings.append(Reading(f"views.bridge.{key}", weigh(ours) / 1e3, note))


def _row(number: int, text: str) -> Html:
    edit = {"data-tool": "edit", "data-target": f"#row-{number}", "data-swap": "outer"}
    return h.tr(h.td(str(number)), h.td(text), h.td(h.button("Edit", edit)), id=f"row-{number}")


def _table(stage: Theatre, found: Findings) -> None:
    """One button in a table that Python rendered: what else is replaced besides its row?"""
    table = h.table(h.tbody(_row(number, "before") for number in range(ROWS)))
    html = inject(f"<!doctype html><body>{table}</body>", bridge=generate_bridge())
    edited = {"content": [{"type": "text", "text": str(_row(ROWS // 2, "after"))}]}
    with stage.hosted(html, LATEST, LAYOUTS[0]) as hosted:
        hosted.until_handled("initialized")
        hosted.script(edit={"result": edited})
        replaced, milliseconds = hosted.view.evaluate(EDIT, f"#row-{ROWS // 2}")
    found.readings.append(Reading("views.table", replaced, f"{milliseconds:.1f} ms from click to row"))


def _start(stage: Theatre, plan: Plan, found: Findings) -> None:
    official, ours = contenders = views()
    with stage.page("/dialects.html") as page:
        for _ in range(plan.shows):
            for view in contenders:
                view.take(page.evaluate(START, view.html))
    found.ratio("views.start", official, ours)
    found.costs += [Cost(f"srcdoc to ui/initialize: {view.name}", view.best * 1e3, "ms") for view in contenders]


def _calls(stage: Theatre, layout: str, rounds: int, found: Findings, key: str, what: tuple[str, int]) -> None:
    official, ours = contenders = views()
    with stage.hosted(official.html, LATEST, layout) as first, stage.hosted(ours.html, LATEST, layout) as second:
        shown: list[Hosted] = [first.until_ready(), second.until_ready()]
        for each in shown:
            each.script(**RESULTS)
        for _ in range(rounds):
            for view, each in zip(contenders, shown, strict=True):
                view.take(each.view.evaluate(ROUND_TRIPS, list(what)))
                # What the page keeps for tests to look at would grow with every call.
                each.page.evaluate("() => [host.received, host.sent, host.handled].forEach((kept) => kept.splice(0))")
    found.ratio(key, ours, official)
    title = f"tools/call of a view, {what[0]} result, {layout}"
    found.list_costs(title, contenders)
