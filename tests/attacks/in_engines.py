"""The attacks in other engines. What is open or dead there is written down in known.py, and nothing else may be so."""

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
from tests.attacks.kept import Kept
from tests.attacks.known import OPEN, SOMETIMES, UNSTEADY, dead_in
from tests.engines.driving import DriverError
from tests.engines.firefox import Firefox
from tests.engines.webkit import WebKit

STARTS: dict[str, Callable[[], Any]] = {"firefox": Firefox, "webkit": WebKit}

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
    def undriven(self) -> dict[str, list[str]]:
        """Why → attacks that its driver cannot drive; a class of which it can drive none is named as one."""
        tried, found = {one.attack.kind for one in self.tried}, dict[str, dict[str, None]]()
        for one in self.outcomes.values():
            if one.undriven:
                kind = one.attack.kind
                found.setdefault(one.undriven, {})[one.attack.name if kind in tried else f'the class "{kind}"'] = None
        return {why: list(names) for why, names in found.items()}

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
            if known[name] not in UNSTEADY
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


def in_engine(engine: str, attacks: Iterable[Attack] = ATTACKS, kept: Kept | None = None) -> Run:
    """Run every attack that needs a browser in this one; a class that is kept is not run again."""
    return asyncio.run(_run(engine, [attack for attack in attacks if attack.direct is None], kept))


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


async def _run(engine: str, attacks: list[Attack], kept: Kept | None) -> Run:
    """Class by class, each in a browser of its own: one that an attack has brought down takes no other class along."""
    run = Run(engine, "", {})
    for kind in dict.fromkeys(attack.kind for attack in attacks):
        of_kind = [attack for attack in attacks if attack.kind == kind]
        started, found = time.monotonic(), kept and kept.of(of_kind)
        if not found:
            found = await _run_class(engine, of_kind)
            if kept:
                kept.keep(*found)
        run.browser, outcomes = found
        run.outcomes |= outcomes
        print(f"  {score_of(outcomes.values())} {kind}, {time.monotonic() - started:.0f} s", flush=True)
    return run


async def _run_class(engine: str, attacks: list[Attack]) -> tuple[str, dict[str, Outcome]]:
    running = await Replaceable(engine).start()
    try:
        battery = Battery(attacks, running, PACES[engine])
        await battery.run()
    finally:
        await running.close()
    return battery.browser, battery.outcomes
