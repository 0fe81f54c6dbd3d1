"""A store: what a mutation costs where many keys and many subscribers are, and how soon a person sees it in a view.

The cost of a mutation is CPU time in this process, its notifications included; the subscribers are clients in memory.
The time to the pixel is wall clock in a real Chromium: from the mutation in Python until a view in our host has painted
it, beside a view that asks a tool every 500 ms. Mutations come at moments spread over that half second.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from statistics import median
from typing import Any

from playwright.sync_api import Frame, Page, sync_playwright

from benchmarks.measure import Cost, Findings, Plan, Reading, Timed, race, rounded
from cloche import Client, Server, Store
from cloche.host import Host
from tests.support.chromium import FLAGS
from tests.support.product import Product
from tools.chromium import whole_chromium

KEYS, FEW_KEYS = 10_000, 100
SUBSCRIBERS, FEW_SUBSCRIBERS = 500, 50
POLL = 0.5
DEADLINE = 60_000

PAINT = """
const shown = (text) => requestAnimationFrame(() => setTimeout(() => {
  window.painted = [text, performance.timeOrigin + performance.now()];
}));
"""
BOUND = f"""<output data-bind="bench.count"></output><script>{PAINT}
cloche.store.on("bench.count", (count) => shown(String(count)));</script>"""
POLLED = f"""<output></output><script>{PAINT}
const output = document.querySelector("output");
setInterval(async () => {{
  const text = String((await cloche.callTool("count")).structuredContent.result);
  if (output.textContent !== text) shown(output.textContent = text);
}}, {POLL * 1000:.0f});</script>"""


async def run(plan: Plan) -> Findings:
    found = Findings()
    await _mutations(plan, found)
    # Playwright's plain interface wants a thread without a loop.
    await asyncio.to_thread(_pixels, max(10, plan.shows), found)
    return found


class Subscribed:
    """A store with many keys on a server, and clients in memory that subscribed to it."""

    def __init__(self, keys: int, subscribers: int, uri: str) -> None:
        self.store = Store({f"key{number}": 0 for number in range(keys)}, name="bench", history=0)
        self.server = Server("bench")
        self.server.attach(self.store)
        self._subscribers = subscribers
        self._uri = uri
        self._told = 0
        self._all_told = asyncio.Event()

    async def open(self, stack: AsyncExitStack) -> Subscribed:
        """Connect everybody, and look whether they are told."""
        for number in range(self._subscribers):
            client = await stack.enter_async_context(Client(self.server))
            client.on_notification("notifications/resources/updated", self._updated)
            await client.subscribe_resource(self._uri.format(number + 1))
        return self

    def _updated(self, params: dict[str, Any]) -> None:
        self._told += 1
        if self._told == self._subscribers:
            self._all_told.set()

    async def mutate_unheard(self, count: int) -> None:
        """A mutation of a key that nobody subscribed to, one per turn of the loop."""
        for _ in range(count):
            self.store.state["key0"] += 1
            await asyncio.sleep(0)

    async def mutate_heard(self, count: int) -> None:
        """A mutation that everybody is told of, until everybody was."""
        for _ in range(count):
            self._told = 0
            self._all_told.clear()
            self.store.state["key0"] += 1
            async with asyncio.timeout(60):
                await self._all_told.wait()


async def _mutations(plan: Plan, found: Findings) -> None:
    async with AsyncExitStack() as stack:
        other, same = "store://bench/key{}", "store://bench/key0"
        few_keys = await Subscribed(FEW_KEYS, FEW_SUBSCRIBERS, other).open(stack)
        keys = await Subscribed(KEYS, SUBSCRIBERS, other).open(stack)
        few = await Subscribed(KEYS, FEW_SUBSCRIBERS, same).open(stack)
        many = await Subscribed(KEYS, SUBSCRIBERS, same).open(stack)
        unheard = [
            Timed(f"{FEW_KEYS} keys, {FEW_SUBSCRIBERS} subscribers elsewhere", few_keys.mutate_unheard),
            Timed(f"{KEYS:,} keys, {SUBSCRIBERS} subscribers elsewhere", keys.mutate_unheard),
        ]
        heard = [
            Timed(f"{KEYS:,} keys, {FEW_SUBSCRIBERS} subscribers told", few.mutate_heard),
            Timed(f"{KEYS:,} keys, {SUBSCRIBERS} subscribers told", many.mutate_heard),
        ]
        await race(unheard, plan)
        await race(heard, plan)
    found.ratio("store.keys", unheard[1], unheard[0])
    each = [one.best / count for one, count in zip(heard, (FEW_SUBSCRIBERS, SUBSCRIBERS), strict=True)]
    note = f"each of {SUBSCRIBERS} {rounded(each[1] * 1e6)} µs, each of {FEW_SUBSCRIBERS} {rounded(each[0] * 1e6)} µs"
    found.readings.append(Reading("store.subscribers", each[1] / each[0], note))
    found.list_costs("a mutation of a store", [*unheard, *heard])
    found.costs.append(Cost("a mutation of a store, each subscriber that is told", each[1] * 1e6))


def _product() -> tuple[Host, Store[dict[str, int]]]:
    server, store = Server("bench"), Store({"count": 0}, name="bench")
    server.attach(store)

    @server.tool(view=BOUND)
    async def bound() -> str:
        """A view bound to the store."""
        return ""

    @server.tool(view=POLLED)
    async def polled() -> str:
        """A view that asks."""
        return ""

    @server.tool
    async def count() -> int:
        """What the other view asks."""
        return store.state["count"]

    return Host({"bench": server}, secret="benchmark-benchmark"), store


def _pixels(turns: int, found: Findings) -> None:
    host, store = _product()
    taken: dict[str, list[float]] = {"bound": [], "polled": []}
    with Product(host) as product, sync_playwright() as playwright:
        views = "".join(product.embed(f"bench.{name}", {}) for name in taken)
        browser = playwright.chromium.launch(executable_path=whole_chromium(), args=FLAGS)
        try:
            page = browser.new_page(viewport={"width": 800, "height": 800})
            page.set_default_timeout(DEADLINE)
            page.goto(product.page(views))
            frames = [_frame(page, script) for script in ("cloche.store.on(", "setInterval(")]
            for turn in range(1, turns + 1):
                page.wait_for_timeout(POLL * 1000 * (turn % 7) / 7)  # not always at the same moment of the half second
                begun = time.time() * 1000
                product.run(_set(store, turn))
                for frame, name in zip(frames, taken, strict=True):
                    painted = frame.wait_for_function(PAINTED, arg=str(turn)).json_value()
                    taken[name].append(painted - begun)
        finally:
            browser.close()
    bound, polled = (median(times) for times in taken.values())
    found.readings.append(
        Reading("store.pixel", polled / bound, f"polled {rounded(polled)} ms, Cloche {rounded(bound)} ms")
    )
    found.costs += [
        Cost("mutation in Python to its pixel in a view: data-bind", bound, "ms"),
        Cost(f"mutation in Python to its pixel in a view: a tool asked every {POLL * 1000:.0f} ms", polled, "ms"),
    ]


PAINTED = "text => window.painted?.[0] === text && window.painted[1]"
"""When a view had painted a text."""


async def _set(store: Store[dict[str, int]], count: int) -> None:
    store.state["count"] = count


def _frame(page: Page, script: str) -> Frame:
    """The view that has a script, once it has painted what the store began with."""
    deadline = time.monotonic() + DEADLINE / 1000
    while time.monotonic() < deadline:
        for frame in page.frames:
            if frame.url == "about:srcdoc" and script in frame.content():
                frame.wait_for_function(PAINTED, arg="0")
                return frame
        page.wait_for_timeout(10)  # lets Playwright hear of new frames
    raise TimeoutError("A view was not shown in time")
