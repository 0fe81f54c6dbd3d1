"""`make security`: run every attack, print the score of each browser and write it to docs/security.md.

`python -m tests.attacks firefox webkit` runs them in these browsers alone, and leaves what is written of the others.
With `--only REGEX`, only attacks whose class or name fits: what came of each is printed, and nothing is written.
With `--resume`, a run of these browsers that was interrupted goes on after the last class that it did.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import time
from collections.abc import Iterable
from functools import partial

from tests.attacks import score
from tests.attacks.attack import Attack, Outcome
from tests.attacks.battery import Battery
from tests.attacks.catalogue import ATTACKS
from tests.attacks.in_engines import STARTS, in_engine
from tests.attacks.kept import Kept
from tests.attacks.known import OPEN
from tools.engines import installed

SECOND_GO = 5
"""As many attacks that showed nothing, live or not, are run once more; more of them are never the machine's doing."""

CHROMIUM = "chromium"


def in_chromium(attacks: list[Attack], *, writes: bool) -> bool:
    """Every attack in Chromium: whether every live one was blocked."""
    print(f"{len(attacks)} attacks, each against a host without the protection and against ours", flush=True)
    started = time.monotonic()
    battery = Battery(attacks)
    asyncio.run(battery.run())
    silent = [one.attack for one in battery.outcomes.values() if one.complaint and not one.against_host]
    if 0 < len(silent) <= SECOND_GO:  # these said nothing; a breach is one, however the machine was
        print(f"once more, alone: {', '.join(map(str, silent))}", flush=True)
        alone = Battery(silent)
        asyncio.run(alone.run())
        battery.outcomes |= alone.outcomes
    wrong = [outcome for outcome in battery.outcomes.values() if outcome.complaint]
    for outcome in wrong:
        print(f"  {outcome.attack}: {outcome.complaint}")
    for names in battery.lost:
        print(f"  the browser ended under these, which were tried again in a new one: {names}")
    print(f"{score.summary(battery.outcomes.values(), battery.browser)} ({time.monotonic() - started:.0f} s)")
    if writes and not wrong:
        score.write(battery.outcomes, battery.browser)
    return not wrong


def in_another(engine: str, attacks: list[Attack], *, writes: bool, resumes: bool) -> bool:
    """The attacks that need a browser, in another one: whether all was as it is written down."""
    print(f"the attacks that need a browser, in {engine}: a quarter of an hour", flush=True)
    started = time.monotonic()
    run = in_engine(engine, attacks, Kept(engine, resumes=resumes) if writes else None)
    for complaint in run.complaints:
        print(f"  {complaint}")
    for name in run.breaches:
        print(f"  open: {name} ({OPEN[engine].get(name, 'not known')})")
    print(f"{score.summary(run.tried, run.browser)} ({time.monotonic() - started:.0f} s)", flush=True)
    if writes and not run.complaints:
        score.write_engine(run)
    if not writes:
        show(run.outcomes.values())
    return not run.complaints


def show(outcomes: Iterable[Outcome]) -> None:
    """One line for each: what came of it at the control and at our host."""
    for one in outcomes:
        control = one.proof if one.is_live else "nothing"
        host = one.problem.strip().split("\n")[-1] or one.breach or one.note or "nothing"
        print(f"  {one.attack}: {one.undriven or f'control: {control}; our host: {host}'}")


def main() -> int:
    """In every browser that is installed, or in those that are named."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("browsers", nargs="*", metavar="browser", help=", ".join((CHROMIUM, *STARTS)))
    parser.add_argument("--only", metavar="REGEX", help="attacks whose class or name fits")
    parser.add_argument("--resume", action="store_true", help="go on with a run that was interrupted")
    given = parser.parse_args()
    if unknown := set(given.browsers) - {CHROMIUM, *STARTS}:
        parser.error(f"unknown: {', '.join(unknown)}")
    attacks = [attack for attack in ATTACKS if given.only is None or re.search(given.only, attack.id)]
    fine = True
    for browser in given.browsers or (CHROMIUM, *installed()):
        run = in_chromium if browser == CHROMIUM else partial(in_another, browser, resumes=given.resume)
        fine = run(attacks, writes=given.only is None) and fine
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
