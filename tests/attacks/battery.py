"""Runs every attack twice: against a host without the protection, and against ours."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import traceback
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass

from playwright.async_api import BrowserContext, async_playwright

from tests.attacks.attack import Attack, Outcome
from tests.attacks.browsers import Chromium, Started, name_of
from tests.attacks.scene import Attempt, Scene, opened
from tests.engines.driving import CannotDrive, Engine
from tests.support.controls import Control, acting_as, installed
from tests.support.house import House

TOGETHER = 12
"""Views on one page, of attacks that leave each other alone."""

AT_ONCE = 4
"""Pages at the same time."""

KINDS_AT_ONCE = 2
"""Classes of attacks at the same time: their tests are done one after the other, not all at the end."""

PATIENCE = 0.5
"""Seconds that an attack gets at least, after it has tried, to succeed against our host."""

LONGER = 3.0
"""Times as long as it took against the control: an attack that is slow is not taken for blocked."""

DEADLINE = 30.0
"""Seconds until a view that says nothing is a failed test, and an attack on the control a dead one."""


@dataclass(frozen=True)
class Pace:
    """How much happens at a time, and how long it is waited for."""

    together: int = TOGETHER
    at_once: int = AT_ONCE
    kinds_at_once: int = KINDS_AT_ONCE
    deadline: float = DEADLINE
    dead: Collection[str] = ()
    """Attacks that are known to fail in this browser whatever the host does: they are tried once."""


class Battery:
    """All attacks, in batches that share a page; in Chromium, or in another engine."""

    def __init__(self, attacks: Iterable[Attack], engine: Engine | None = None, pace: Pace | None = None) -> None:
        self.outcomes = {attack.id: Outcome(attack) for attack in attacks}
        self.browser = ""
        self.lost: list[str] = []
        """The attacks under which a browser ended, which were tried again in a new one."""
        self._engine = engine
        self._pace = pace or Pace()
        self.on_done: Callable[[Outcome], None] = lambda _: None
        self._houses: dict[str | None, House] = {}
        self._chromium: dict[bool, Chromium] = {}
        self._pages = itertools.count()
        self._turns = asyncio.Semaphore(self._pace.at_once)

    async def run(self) -> None:
        """Run them all."""
        try:
            await self._run()
        finally:
            for outcome in self.outcomes.values():
                if not outcome.done.is_set():
                    outcome.problem = "the battery ended before it was tried"
                    outcome.done.set()

    async def _run(self) -> None:
        attacks = [outcome.attack for outcome in self.outcomes.values()]
        used = [control for attack in attacks for control in (attack.control, attack.ours) if control is not None]
        controls = list({control.name: control for control in used}.values())
        with installed(controls):
            async with contextlib.AsyncExitStack() as stack:
                for control in (None, *controls):
                    house = await stack.enter_async_context(House(control))
                    self._houses[control.name if control else None] = house
                if self._engine is None:
                    await self._start_chromium(stack, attacks)
                else:
                    self.browser = self._engine.name
                await self._run_all([attack for attack in attacks if not attack.exclusive])
                for attack in attacks:
                    if attack.exclusive:
                        await self._run_all([attack])
                for outcome in self.outcomes.values():
                    if not outcome.done.is_set():
                        outcome.forget()
                        await self._run_kind([outcome.attack], last=True)

    def _is_dead_here(self, outcome: Outcome) -> bool:
        """Whether it was tried in an engine in which it may be dead."""
        attack = outcome.attack
        is_known = attack.name in self._pace.dead or attack.dormant is not None
        return self._engine is not None and not outcome.problem and is_known

    async def _start_chromium(self, stack: contextlib.AsyncExitStack, attacks: list[Attack]) -> None:
        playwright = await stack.enter_async_context(async_playwright())
        for stores in {attack.stores for attack in attacks if attack.direct is None}:
            self._chromium[stores] = Chromium(playwright, stores=stores)
            stack.push_async_callback(self._chromium[stores].close)
            started = await self._chromium[stores].running()
            assert isinstance(started.browser, BrowserContext)
            self.browser = await name_of(started.browser)

    async def _started(self, stores: bool) -> Started:
        """The browser for attacks that store something, or that do not."""
        return Started(self._engine) if self._engine is not None else await self._chromium[stores].running()

    async def _run_all(self, attacks: list[Attack]) -> None:
        """Class by class."""
        turns = asyncio.Semaphore(self._pace.kinds_at_once)

        async def in_turn(kind: str) -> None:
            async with turns:
                await self._run_kind([attack for attack in attacks if attack.kind == kind])

        await asyncio.gather(*map(in_turn, dict.fromkeys(attack.kind for attack in attacks)))

    async def _run_kind(self, attacks: list[Attack], *, last: bool = False) -> None:
        """First against the controls, then against our host, which more of them can share a page of. What says nothing,
        because the machine was too busy to show it, is not done yet and gets a second chance; a breach does not.
        """
        direct = [attack for attack in attacks if attack.direct is not None]
        shown = [attack for attack in attacks if attack.direct is None]
        at_control = [self._run_pages(batch, against_control) for batch in batches(shown, self._pace.together)]
        await asyncio.gather(*map(self._run_direct, direct), *at_control)
        await asyncio.gather(
            *(self._run_pages(batch, against_host) for batch in batches_of_ours(shown, self._pace.together))
        )
        for outcome in (self.outcomes[attack.id] for attack in attacks):
            if last or outcome.against_host or not outcome.complaint or self._is_dead_here(outcome):
                outcome.done.set()
                self.on_done(outcome)

    async def _run_pages(self, batch: list[Attack], against: Against) -> None:
        """Put a batch on one page, and on one of a new browser when the first one ended under it."""
        async with self._turns:
            started = await self._started(batch[0].stores)
            if await started.until_gone(self._run_page(batch, against, started)):
                return
            self.lost.append(", ".join(attack.id for attack in batch))
            again = [attack for attack in batch if not self.outcomes[attack.id].against_host]
            for attack in again:
                self.outcomes[attack.id].problem = ""
            if again:
                await self._run_page(again, against, await self._started(batch[0].stores))

    async def _run_page(self, batch: list[Attack], against: Against, started: Started) -> None:
        outcomes = [self.outcomes[attack.id] for attack in batch]
        control = batch[0].control if against is against_control else batch[0].ours
        house = self._houses[control.name if control else None]
        name = f"{batch[0].id.replace('/', '-')}-{next(self._pages)}"  # a person of its own, whom no cache knows
        try:
            async with (
                asyncio.timeout(3 * DEADLINE),
                opened(started.browser, house, name, batch, self._pace.deadline, started.net_log) as scene,
            ):
                pairs = zip(scene.attempts, outcomes, strict=True)
                await asyncio.gather(*(_driven(against, scene, attempt, outcome) for attempt, outcome in pairs))
        except CannotDrive as error:
            for outcome in outcomes:
                outcome.undriven = str(error)
        except Exception as error:  # of one batch: the others go on, and its tests say what happened
            for outcome in outcomes:
                outcome.problem = outcome.problem or "".join(traceback.format_exception(error))

    async def _run_direct(self, attack: Attack) -> None:
        """The same without a page."""
        outcome = self.outcomes[attack.id]
        assert attack.direct is not None
        try:
            async with asyncio.timeout(3 * DEADLINE):
                for control in (attack.control, attack.ours):
                    with acting_as(control):
                        house = self._houses[control.name if control else None]
                        succeeded = await attack.direct(house, f"{attack.name}-user")
                    if control is attack.ours:
                        outcome.against_host = succeeded
                    else:
                        outcome.against_control = succeeded
        except Exception as error:
            outcome.problem = "".join(traceback.format_exception(error))


Against = Callable[[Scene, Attempt, Outcome], Awaitable[None]]


async def _driven(against: Against, scene: Scene, attempt: Attempt, outcome: Outcome) -> None:
    """Try it; one that the driver cannot drive does not keep the others of its page from being tried."""
    try:
        await against(scene, attempt, outcome)
    except CannotDrive as error:
        outcome.undriven = str(error)


async def against_control(scene: Scene, attempt: Attempt, outcome: Outcome) -> None:
    """Wait until it has succeeded; one that is known to be dormant gets less time."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DEADLINE):
            await attempt.started.wait()
            await _drive(scene, attempt)
            await _wait(attempt.won, 2 * PATIENCE if attempt.attack.dormant else scene.deadline)
    attempt.over = True
    outcome.against_control, outcome.proof, outcome.seconds = attempt.won.is_set(), attempt.proof, attempt.seconds


async def against_host(scene: Scene, attempt: Attempt, outcome: Outcome) -> None:
    """Wait until it has tried, and longer than it took to succeed against the control."""
    outcome.problem = outcome.problem or await _problem_at_host(scene, attempt, PATIENCE + LONGER * outcome.seconds)
    attempt.over = True
    outcome.against_host, outcome.breach, outcome.note = attempt.won.is_set(), attempt.proof, attempt.note


async def _problem_at_host(scene: Scene, attempt: Attempt, patience: float) -> str:
    if attempt.attack.refused:
        await _wait(attempt.won, patience)
        return ""
    if not await _wait(attempt.started, DEADLINE):
        return "the hostile view was not shown, so nothing was tried"
    await _drive(scene, attempt)
    if not attempt.attack.silent and not await _wait_any(attempt.tried, attempt.won):
        return "the hostile view never said that it had tried"
    await _wait(attempt.won, patience)
    return ""


async def _drive(scene: Scene, attempt: Attempt) -> None:
    if attempt.attack.driver is not None:
        await attempt.attack.driver(scene, attempt)


async def _wait(event: asyncio.Event, seconds: float) -> bool:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()


async def _wait_any(*events: asyncio.Event) -> bool:
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    done, rest = await asyncio.wait(waiting, timeout=DEADLINE, return_when=asyncio.FIRST_COMPLETED)
    for one in rest:
        one.cancel()
    return bool(done)


def batches(attacks: list[Attack], together: int = TOGETHER) -> list[list[Attack]]:
    """Attacks that can share a page of a control, in groups; the others by themselves."""
    single = [[attack] for attack in attacks if attack.alone]
    shared: dict[tuple[str, bool, Control], list[Attack]] = {}
    for attack in attacks:
        if not attack.alone:
            shared.setdefault((attack.kind, attack.stores, attack.control), []).append(attack)
    return [*_cut(shared.values(), together), *single]


def batches_of_ours(attacks: list[Attack], together: int = TOGETHER) -> list[list[Attack]]:
    """The same for our host, where attacks fail and so leave each other alone."""
    single = [[attack] for attack in attacks if attack.apart]
    shared: dict[tuple[str, bool, Control | None], list[Attack]] = {}
    for attack in attacks:
        if not attack.apart:
            shared.setdefault((attack.kind, attack.stores, attack.ours), []).append(attack)
    return [*_cut(shared.values(), together), *single]


def _cut(groups: Iterable[list[Attack]], together: int) -> list[list[Attack]]:
    return [group[first : first + together] for group in groups for first in range(0, len(group), together)]
