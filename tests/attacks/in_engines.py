"""The attacks in other engines. What is open there is written down here with its reason, and nothing else may be so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.attacks.attack import Attack, Outcome
from tests.attacks.battery import Battery, Pace
from tests.attacks.catalogue import ATTACKS
from tests.engines.firefox import Firefox
from tests.engines.webkit import WebKit

STARTS: dict[str, Callable[[], Any]] = {"firefox": Firefox, "webkit": WebKit}

PACES = {
    "firefox": Pace(together=6, at_once=1, kinds_at_once=1, deadline=8),
    "webkit": Pace(together=6, at_once=1, kinds_at_once=1, deadline=8),
}
"""WebDriver drives one page at a time. An attack that is dead in an engine is given up soon."""

CONNECTS = "no policy but Connection-Allowlist forbids to connect in advance; it carries no more than a name"

OPEN: dict[str, dict[str, str]] = {"firefox": {"preconnect": CONNECTS}, "webkit": {"preconnect": CONNECTS}}
"""Engine → attack → why it succeeds against our host there."""


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
            f"{name}: it is said to be open ({known[name]}), and was not" for name in known if name not in self.breaches
        ]
        return found + [f"{one.attack}: {one.problem.strip().splitlines()[-1]}" for one in self.tried if one.problem]


def in_engine(engine: str, fits: Callable[[Attack], bool] = lambda _: True) -> Run:
    """Run every attack that needs a browser in this one."""
    return asyncio.run(_run(engine, [attack for attack in ATTACKS if attack.direct is None and fits(attack)]))


async def _run(engine: str, attacks: list[Attack]) -> Run:
    """Class by class, each in a browser of its own: one that an attack has brought down takes no other class along."""
    run = Run(engine, "", {})
    for kind in dict.fromkeys(attack.kind for attack in attacks):
        running = await STARTS[engine]().start()
        try:
            battery = Battery([attack for attack in attacks if attack.kind == kind], running, PACES[engine])
            await battery.run()
        finally:
            await running.close()
        run.browser, run.outcomes = battery.browser, {**run.outcomes, **battery.outcomes}
    return run
