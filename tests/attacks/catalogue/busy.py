"""Views that take all the time there is: they must stop neither the page nor another server's view, and are cut off."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any

from tests.attacks.attack import Attack
from tests.attacks.catalogue.floods import UNLIMITED
from tests.attacks.catalogue.isolation import NO_SANDBOX_SITE
from tests.attacks.python_page import PythonPage, Refused
from tests.attacks.scene import Attempt, Scene
from tests.engines.driving import DriverError
from tests.support.controls import Control, Edit, Patch
from tests.support.house import House

KIND = "busy loops"

ROUNDS = 3
"""A busy machine stalls a page by chance, a busy view stalls it each time: at our host the best of these counts, at the
control the worst.
"""

STALL = 100.0
"""Milliseconds that nobody else may be stopped for."""

MEASURE = """milliseconds => new Promise((done) => {
  const begun = performance.now();
  let longest = 0, last = begun;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (now - begun < milliseconds) return;
    clearInterval(timer);
    done(longest);
  }, 4);
})"""
"""The longest time that the page is stopped for within so many milliseconds."""

TURN_DARK = "document.querySelectorAll('mcp-app').forEach((app) => app.setAttribute('theme', 'dark'))"
"""Tells the hostile view to begin, and the other one to measure."""

STANDS_STILL = "the page stands still"

SHORTER_TIMES = (
    Edit("host/frame.js", "const PING_EVERY = 5000;", "const PING_EVERY = 300;"),
    Edit("host/frame.js", "const PONG_WITHIN = 10_000;", "const PONG_WITHIN = 1500;"),
)
OURS_SOONER = Control(
    "ours-with-a-shorter-watch", "nothing: the watchdog only waits for a shorter time", (), SHORTER_TIMES
)
NO_WATCHDOG = Control(
    "no-watchdog",
    "the watchdog",
    (),
    (*SHORTER_TIMES, Edit("host/frame.js", 'this.#end("unresponsive")', "void 0")),
)
UNCOUNTED = Control(
    "uncounted-messages",
    "the count of messages that a view posts to the page's own window",
    (),
    (Edit("host/stray.js", "if (!counted.bucket.take()) counted.flooded(counted.count);", ""),),
)
FLOODED = Control(
    "flooded-page",
    "a site of its own for the sandbox, and rate limits",
    (*NO_SANDBOX_SITE.patches, *UNLIMITED.patches),
    NO_SANDBOX_SITE.edits,
)


def found_by_trying(_original: Any, template: Any, uri: str) -> dict[str, str] | None:
    """Matches as an ordinary regular expression does."""
    pattern = re.sub(r"\\{\w+\\}", r"([^/?#\\s]+)", re.escape(template.template))
    found = re.fullmatch(pattern, uri)
    return dict(zip(template.names, found.groups(), strict=True)) if found else None


BACKTRACKING = Control(
    "backtracking",
    "URI templates that are matched without backtracking",
    (Patch("cloche.wire.uri_template:UriTemplate._find", found_by_trying),),
)


async def address_that_never_ends(house: House, user: str) -> bool:
    """Whether an address of four times the length costs the product's loop far more than four times the work."""
    page = await PythonPage.open(house, user)

    async def cost(length: int) -> float:
        started = time.thread_time()
        try:
            await page.ask("resources/read", {"uri": "date://" + "-" * length + "/"})
        except Refused:
            return time.thread_time() - started
        raise AssertionError("no resource has this address")

    ratio = min([await cost(700) / await cost(175) for _ in range(1 if house.control else ROUNDS)])
    await page.close()
    return ratio > 12


async def measure(scene: Scene, attempt: Attempt) -> None:
    """How long the page and the other server's view are stopped, without the attack and with it."""
    await asyncio.wait_for(scene.victim_started.wait(), 45)
    quiet: float = await scene.page.evaluate(MEASURE, 400)
    expects_stall = scene.house.control is attempt.attack.control
    for turn in range(ROUNDS):
        if turn > 0:
            await scene.reload(attempt)
        other = asyncio.ensure_future(scene.diary.next("log", lambda value: isinstance(value[1], dict)))
        page_stop = await scene.page.evaluate(f"() => {{ {TURN_DARK}; return ({MEASURE})(1000); }}")
        _, view = await asyncio.wait_for(other, 20)
        stopped = max(page_stop, view["stopped"])
        if is_stall(stopped, quiet) == expects_stall:
            break
    attempt.note = f"stopped for {stopped:.0f} ms, without the attack {quiet:.0f} ms"
    if is_stall(stopped, quiet):
        attempt.win(attempt.note)


def is_stall(milliseconds: float, quiet: float) -> bool:
    """Whether it is more than a busy machine does to a page by itself."""
    return milliseconds > max(STALL, 2 * quiet)


async def lives_on(scene: Scene, attempt: Attempt) -> None:
    """Succeeds when the view is still there after the watchdog's time."""
    waited = """() => new Promise(done => {
      const app = document.querySelector("mcp-app");
      const look = () => app.state === "error" && done(app.error.code);
      app.addEventListener("statechange", look);
      look();
      setTimeout(() => done("still there"), 4000);
    })"""
    try:
        found = await asyncio.wait_for(scene.page.evaluate(waited), 15)
    except (TimeoutError, DriverError):  # where a view and the page share a process
        found = STANDS_STILL
    attempt.note = found
    if found in ("still there", STANDS_STILL):
        attempt.win(found)


def stall(name: str, control: Control = NO_SANDBOX_SITE) -> Attack:
    return Attack(
        name=name,
        kind=KIND,
        case="W23",
        control=control,
        script="busy",
        alone=True,
        exclusive=True,
        silent=True,
        driver=measure,
        with_victim=True,
    )


def endless(name: str) -> Attack:
    return Attack(
        name=name,
        kind=KIND,
        case="W23",
        control=NO_WATCHDOG,
        ours=OURS_SOONER,
        script="busy",
        alone=True,
        silent=True,
        driver=lives_on,
    )


ATTACKS = [
    stall("while-loop"),
    stall("twenty-thousand-messages", FLOODED),
    Attack(
        name="address-that-never-ends",
        kind=KIND,
        case="W23",
        control=BACKTRACKING,
        direct=address_that_never_ends,
        exclusive=True,
    ),
    stall("messages-to-top", UNCOUNTED),
    *(endless(name) for name in ("endless-loop", "endless-microtasks")),
]
