"""The attacks in other engines. What is open there is written down here with its reason, and nothing else may be so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import httpx2
from websockets.exceptions import ConnectionClosed

from tests.attacks.attack import Attack, Outcome
from tests.attacks.battery import Battery, Pace
from tests.attacks.catalogue import ATTACKS
from tests.engines.driving import DriverError
from tests.engines.firefox import Firefox
from tests.engines.webkit import WebKit

STARTS: dict[str, Callable[[], Any]] = {"firefox": Firefox, "webkit": WebKit}

CONNECTS = "no policy but Connection-Allowlist forbids to connect in advance; it carries no more than a name"

ONE_PROCESS = "WebKitGTK runs a page and its frames in one process: what stops a view stops the page"

OPEN: dict[str, dict[str, str]] = {
    "firefox": {"preconnect": CONNECTS},
    "webkit": {
        "preconnect": CONNECTS,
        **dict.fromkeys(("while-loop", "messages-to-top", "endless-loop", "endless-microtasks"), ONE_PROCESS),
    },
}
"""Engine → attack → why it succeeds against our host there."""

SOMETIMES = "Firefox runs timers between messages: the page stops for 40 to 320 ms, and only more than 100 count"
SLOW = "the browser tries for so long to make a text of it that the run does not wait for the end"
UNSTEADY = (SOMETIMES, SLOW)
"""Reasons for which an attack is dead in some runs only."""

NOT_FOUND = "the control shows nothing here; why was not found out"
A_CLICK = "no such permission exists here: a click is enough, whatever the host does, as said of every browser below"

DEAD: dict[str, dict[str, tuple[str, ...]]] = {
    "firefox": {
        "Firefox prefetches nothing for an opaque frame": ("prefetch",),
        "Firefox sends no pings unless the user turns them on": ("anchor-ping",),
        A_CLICK: ("clipboard-write",),
        SOMETIMES: ("messages-to-top",),
        SLOW: ("list-of-a-billion",),
    },
    "webkit": {
        "WebKitGTK prefetches nothing": ("prefetch",),
        A_CLICK: ("clipboard-write",),
        "WebKitGTK has no WebRTC": (
            *("stun", "turn-udp", "turn-tcp", "turn-tls", "stun-by-name", "child-frame-stun", "shadow-frame-stun"),
            *("declared-shadow-stun", "remote-candidate"),
        ),
        "WebKit calls it insecure whatever the frame may do": ("top-about-blank",),
        "WebKit gives the keyboard to a frame only after a click in it": (
            *("focus-a-field", "focus-the-window", "focus-by-validation", "focus-by-dialog"),
            *("focus-under-the-pointer", "focus-from-a-text", "swallow-a-letter", "read-a-letter"),
        ),
        SLOW: ("list-of-a-billion",),
        NOT_FOUND: (
            *("reload", "camera", "microphone", "geolocation", "declared-camera", "declared-all"),
            *("twenty-thousand-messages", "app-permission-by-silence", "app-call-by-silence", "app-permission-unasked"),
        ),
    },
}
"""Engine → why → attacks that fail there even without the protection, beside those that are dormant in Chromium: they
are tried, and show nothing.
"""


def dead_in(engine: str) -> dict[str, str]:
    """Attack → why it shows nothing in this engine."""
    return {name: why for why, names in DEAD[engine].items() for name in names}


PACES = {
    name: Pace(together=6, at_once=1, kinds_at_once=1, deadline=20, dead=dead_in(name))
    for name in ("firefox", "webkit")
}
"""One page at a time: a person has one keyboard. An attack that is dead in an engine is given up soon."""


OPENS_WITHIN = 20.0
"""Seconds in which a browser that lives opens a page."""


@dataclass
class Run:
    """The attacks in one engine."""

    engine: str
    browser: str
    outcomes: dict[str, Outcome]

    @property
    def tried(self) -> list[Outcome]:
        """Those that its driver can drive."""
        return [outcome for outcome in self.outcomes.values() if not outcome.undriven]

    @property
    def breaches(self) -> dict[str, str]:
        """What succeeded against our host, and what was seen of it."""
        return {outcome.attack.name: outcome.breach for outcome in self.tried if outcome.against_host}

    @property
    def complaints(self) -> list[str]:
        """What is not as it is written down."""
        known = OPEN[self.engine]
        found = [
            f"{name}: it succeeded against our host: {how}" for name, how in self.breaches.items() if name not in known
        ]
        found += [
            f"{name}: it is said to be open ({known[name]}), and was not"
            for name in known.keys() & {one.attack.name for one in self.tried} - self.breaches.keys()
        ]
        found += [f"{one.attack}: {one.problem.strip().splitlines()[-1]}" for one in self.tried if one.problem]
        return found + self._complaints_about_the_dead()

    def _complaints_about_the_dead(self) -> list[str]:
        dead = dead_in(self.engine)
        shown = [one for one in self.tried if not one.problem and one.attack.dormant is None]
        found = [
            f"{one.attack}: it failed even against a host without {one.attack.control.without}, so nothing was shown"
            for one in shown
            if not one.is_live and one.attack.name not in dead
        ]
        return found + [
            f"{one.attack}: it is said to be dead here ({dead[one.attack.name]}), and is live"
            for one in shown
            if one.is_live and dead.get(one.attack.name, SOMETIMES) not in UNSTEADY
        ]

    @property
    def silent(self) -> dict[str, list[str]]:
        """Why → attacks that show nothing in this browser."""
        dead, found = dead_in(self.engine), dict[str, list[str]]()
        for one in self.tried:
            if not one.is_live and not one.problem:
                why = one.attack.dormant and "in Chromium neither"
                found.setdefault(why or dead.get(one.attack.name, "not known"), []).append(one.attack.name)
        return found


def in_engine(engine: str, attacks: Iterable[Attack] = ATTACKS) -> Run:
    """Run every attack that needs a browser in this one."""
    return asyncio.run(_run(engine, [attack for attack in attacks if attack.direct is None]))


class Replaceable:
    """An engine that is started again when it opens no page any more: a hostile one may have brought it down."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    async def start(self) -> Replaceable:
        """Start it."""
        self._engine = await STARTS[self._kind]().start()
        return self

    @property
    def name(self) -> str:
        """The browser and its version."""
        return str(self._engine.name)

    async def new_page(self) -> Any:
        """Open a page, in another browser when need be."""
        try:
            return await asyncio.wait_for(self._engine.new_page(), OPENS_WITHIN)
        except (DriverError, TimeoutError, httpx2.HTTPError, ConnectionClosed):
            print(f"  {self.name} opens no page any more: it is started again", flush=True)
            await self.close()
            await self.start()
            return await self._engine.new_page()

    async def close(self) -> None:
        """End it."""
        await self._engine.close()


def score_of(outcomes: Iterable[Outcome]) -> str:
    """Blocked / live / tried."""
    tried = [one for one in outcomes if not one.undriven]
    live = [one for one in tried if one.is_live]
    return f"{len([one for one in live if one.is_blocked])}/{len(live)}/{len(tried)}"


async def _run(engine: str, attacks: list[Attack]) -> Run:
    """Class by class, each in a browser of its own: one that an attack has brought down takes no other class along."""
    run = Run(engine, "", {})
    for kind in dict.fromkeys(attack.kind for attack in attacks):
        started, running = time.monotonic(), await Replaceable(engine).start()
        try:
            battery = Battery([attack for attack in attacks if attack.kind == kind], running, PACES[engine])
            await battery.run()
        finally:
            await running.close()
        run.browser, run.outcomes = battery.browser, {**run.outcomes, **battery.outcomes}
        print(f"  {score_of(battery.outcomes.values())} {kind}, {time.monotonic() - started:.0f} s", flush=True)
    return run
