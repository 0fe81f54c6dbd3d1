"""One soak: a product with hostile views, and a scripted person who types and clicks in it, for so many minutes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from tests.attacks.catalogue.consent import OURS, TOO_SLOW
from tests.soak.view.history import History, Stall
from tests.soak.view.waiting import Waiting, renderer_of
from tests.support.chromium import FLAGS
from tests.support.controls import installed
from tests.support.house import House
from tools.chromium import chromium

USER = "soak"
VIEWS = 2
PACE = (0.04, 0.16)
"""Seconds between two keys."""
HOLD = (0.05, 0.11)
"""Seconds for which a key is held: people need that long."""
PRESSED_WITHIN = 0.3
CLICKED_WITHIN = 5.0
"""Seconds for which the person waits for a key and for a click: nobody types before they see where."""
CLICK_PACE = 0.14
SIZE: ViewportSize = {"width": 900, "height": 800}

HERE = Path(__file__).parent
PRELUDE = HERE.parents[1] / "attacks" / "views" / "prelude.js"

KINDS = ("text", "secret", "button", "game", "refuse")
"""What the person does: types, types a secret, clicks the product's button, clicks fast in a view, refuses."""

# What hostile views scroll must not move what the person clicks: then a click would miss, and nobody would be to blame.
FORM = """() => {
  window.counted = 0;
  document.body.insertAdjacentHTML("afterbegin", `<form style="position: fixed; z-index: 5; top: 0; right: 0;
    padding: 8px; background: white" onsubmit="return false"><input id="text"><input id="secret" type="password">
    <button id="button" type="button" onclick="counted++">Save</button></form>`);
}"""

RECORDER = """
  window.stalls = { frames: [], tasks: [], events: [], timers: [] };
  const note = (kind, since) => {
    const now = performance.now();
    if (now - since > 30) window.stalls[kind].push([performance.timeOrigin + now, now - since]);
    return now;
  };
  let [frame, task, timer] = Array(3).fill(performance.now());
  const draw = () => (frame = note("frames", frame), requestAnimationFrame(draw));
  const work = () => (task = note("tasks", task), scheduler.postTask(work, { priority: "user-blocking", delay: 4 }));
  draw();
  work();
  setInterval(() => timer = note("timers", timer), 4);
  for (const type of ["keydown", "keyup", "pointerdown", "pointerup"]) {
    addEventListener(type, (event) => event.isTrusted && note("events", event.timeStamp), true);
  }
  window.trail = []; // what happened last, for when a key is lost
  for (const type of ["keydown", "keyup", "input", "pointerdown", "focus", "blur", "statechange"]) {
    addEventListener(type, ({ key, target, isTrusted }) => {
      const where = [target.id ?? "window", target.state ?? ""];
      trail.push([Math.round(performance.now()), isTrusted ? "" : "made", type, key ?? "", ...where].join(" "));
      trail.splice(0, trail.length - 60);
    }, true);
  }
"""
"""How long a person waits for the page: between two pictures, and for what they press to be heard. Nobody presses all
the time, so a task of the page's own is measured too that is as urgent as a page can make it, which is less urgent than
a key. A plain timer is measured beside these and is not a sign that the page stands still: the browser lets timers wait
behind messages that came first, while pictures and keys pass all of them."""
TAKE_STALLS = """() => {
  const taken = structuredClone(window.stalls);
  for (const found of Object.values(window.stalls)) found.length = 0;
  return taken;
}"""

WHERE = """selector => {
  const apps = [...document.querySelectorAll("mcp-app")];
  const leave = apps.map((app) => app.shadowRoot.querySelector("dialog.large .leave")).find((button) => button);
  const wanted = leave ?? document.querySelector(selector);
  const { x, y, width, height } = wanted.getBoundingClientRect();
  const [left, top] = [x + width / 2, y + height / 2];
  return [[left, top], document.elementFromPoint(left, top) === wanted];
}"""
"""Where to click, and whether that is what was wanted: it is not while a view fills the window."""

REFUSE = """() => document.querySelectorAll("mcp-app").forEach((app) => {
  if (!app.shadowRoot.querySelector(".shade").hidden) app.shadowRoot.querySelector(".refuse").click();
})"""

STATES = "() => [...document.querySelectorAll('mcp-app')].map((app) => app.state === 'error' ? app.error.code : '')"
RENEW = """() => Promise.all([...document.querySelectorAll("mcp-app")].map((app) => new Promise((done) => {
  if (app.state === "ready") return done(0);
  app.addEventListener("statechange", () => app.state === "loading" || done(1));
  if (app.state !== "loading") app.reload();
}))).then((shown) => shown.reduce((sum, one) => sum + one, 0))"""
"""Shows removed views again, and says how many."""


@dataclass
class Plan:
    """What to run."""

    seed: int
    minutes: float
    told: Callable[[str], None] = field(default=lambda _: None)


def hostile(seed: int, steals: bool) -> str:
    """The page of a hostile view; one that takes the focus is soon removed."""
    code = f"const setup = {json.dumps({'name': 'soak', 'seed': seed, 'steals': steals})};"
    code += "".join(path.read_text(encoding="utf-8") for path in (PRELUDE, HERE / "hostile.js"))
    return f"<!doctype html><body><script>{code}attempt();</script>"


class Soak:
    """A person at a page."""

    def __init__(self, plan: Plan, house: House) -> None:
        self.history = History(minutes=plan.minutes)
        self._plan = plan
        self._house = house
        self._random = random.Random(plan.seed)

    async def run(self, browser: Browser, page: Page) -> None:
        """Everything, from the first view to the last look."""
        await page.add_init_script(RECORDER)
        for number in range(VIEWS):
            self._house.add_view(USER, f"soak{number}", hostile(self._plan.seed + number, number == 0), {})
        self._house.diary(USER).on_entry(self._noted)
        await page.goto(await self._house.embed(USER, *(f"evil.soak{number}" for number in range(VIEWS))))
        await page.evaluate(FORM)
        with Waiting(await renderer_of(browser, page)) as waiting:
            await page.evaluate(TAKE_STALLS)  # that was a look for its process
            await self._live(page)
            stalls = await page.evaluate(TAKE_STALLS)
        for kind, found in stalls.items():
            self.history.stalls[kind] = [
                Stall(end, length, waiting.between(end - length, end)) for end, length in found
            ]
        self.history.counted = await page.evaluate("() => window.counted")

    async def _live(self, page: Page) -> None:
        """What the person does all the time."""
        end = time.monotonic() + self._plan.minutes * 60
        kinds = list(KINDS)
        while time.monotonic() < end or not all(self.history.faults[kind] for kind in KINDS):
            self.history.lives += await page.evaluate(RENEW)
            kind = kinds.pop() if kinds else self._random.choice(KINDS)
            self._plan.told(kind)
            self.history.faults[kind] += 1
            await getattr(self, f"_{kind}")(page)
            self.history.removed.update(filter(None, await page.evaluate(STATES)))

    def _noted(self, what: str, value: Any) -> None:
        if what == "log" and isinstance(value[1], str) and value[1].startswith("key "):
            self.history.read += value[1][4:]

    async def _type(self, page: Page, name: str, letters: str) -> None:
        before: str = await page.input_value(f"#{name}")
        has_caret = False
        while not has_caret:  # as one looks for it: a view may have filled the window under the pointer
            await self._click(page, f"#{name}")
            has_caret = await page.evaluate("name => document.activeElement.id === name", name)
        await page.keyboard.press("End")
        word = "".join(self._random.choice(letters) for _ in range(self._random.randrange(4, 12)))
        for letter in word:
            for half, seconds in ((page.keyboard.down, HOLD), (page.keyboard.up, PACE)):
                await _done(half(letter))
                await asyncio.sleep(self._random.uniform(*seconds))
        self.history.typed[name] += word
        arrived = (await page.input_value(f"#{name}"))[len(before) :]
        self.history.arrived[name] += arrived
        if arrived != word:
            trail = await page.evaluate("() => trail.splice(0)")
            self._plan.told(f"typed {word!r}, and {arrived!r} arrived: {'; '.join(trail)}")
        await page.evaluate(
            "name => { const field = document.getElementById(name); field.value = ''; field.blur() }", name
        )

    async def _text(self, page: Page) -> None:
        await self._type(page, "text", "abcdefghijklm")

    async def _secret(self, page: Page) -> None:
        await self._type(page, "secret", "nopqrstuvwxyz")

    async def _button(self, page: Page) -> None:
        await self._click(page, "#button")
        self.history.presses += 1

    async def _click(self, page: Page, selector: str) -> None:
        """Click in the product. A view that fills the window hides it: the person leaves that first, as one would."""
        is_there = False
        while not is_there:
            place, is_there = await page.evaluate(WHERE, selector)
            await _clicked(page, *place)
            is_there = is_there and (await page.evaluate(WHERE, selector))[1]

    async def _game(self, page: Page) -> None:
        """Somebody who clicks fast, at one place, and reads nothing; a question that is there already they refuse."""
        await self._refuse(page)
        at = self._random.uniform(20, 800), self._random.uniform(60, 700)
        before = self._done()
        slowest, last = 0.0, time.monotonic()
        for _ in range(self._random.randrange(5, 15)):
            await _clicked(page, *at)
            await asyncio.sleep(max(0.0, last + CLICK_PACE - time.monotonic()))
            slowest, last = max(slowest, time.monotonic() - last), time.monotonic()
        done = self._done()[len(before) :]
        if slowest < TOO_SLOW:  # else the machine was too slow for a fast click, and a slow one may be a yes
            self.history.consents += done

    def _done(self) -> list[str]:
        return [what for what, _ in self._house.diary(USER).entries if what in ("evil.erase", "link")]

    async def _refuse(self, page: Page) -> None:
        await page.evaluate(REFUSE)


async def _done(pressing: Awaitable[None], within: float = PRESSED_WITHIN) -> None:
    """Wait for a press, but not forever: one on its way into a frame that is removed is never reported as done."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(pressing, within)


async def _clicked(page: Page, x: float, y: float) -> None:
    for pressing in (page.mouse.move(x, y), page.mouse.down(), page.mouse.up()):
        await _done(pressing, CLICKED_WITHIN)


async def run(plan: Plan) -> History:
    """Run one soak."""
    with installed([OURS]):
        async with House(OURS) as house, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            try:
                soak = Soak(plan, house)
                await soak.run(browser, await browser.new_page(viewport=SIZE))
                return soak.history
            finally:
                await browser.close()
