"""`make security`: run every attack, print the score and write it to docs/security.md.

With `--engines`, only in the browsers that are not Chromium: `make test-engines`. With `--chromium`, only there. What
is written says nothing new of the others then.
"""

from __future__ import annotations

import asyncio
import sys
import time

from tests.attacks import score
from tests.attacks.battery import Battery
from tests.attacks.catalogue import ATTACKS
from tests.attacks.in_engines import OPEN, in_engine
from tools.engines import installed

SECOND_GO = 5
"""As many attacks that showed nothing, live or not, are run once more; more of them are never the machine's doing."""


def main() -> int:
    """Whether every live attack was blocked."""
    print(
        f"{len(ATTACKS)} attacks, each against a host without the protection and against ours: some minutes",
        flush=True,
    )
    started = time.monotonic()
    battery = Battery(ATTACKS)
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
    print(f"{score.summary(battery.outcomes.values(), battery.browser)} ({time.monotonic() - started:.0f} s)")
    if not wrong:
        score.write(battery.outcomes, battery.browser)
    failed = "--chromium" not in sys.argv[1:] and in_engines()
    return 1 if wrong or failed else 0


def in_engines() -> bool:
    """The attacks in every other engine that is installed: whether something was not as it is written down."""
    failed = False
    for engine in installed():
        print(f"the attacks that need a browser, in {engine}: some minutes", flush=True)
        started = time.monotonic()
        run = in_engine(engine)
        for complaint in run.complaints:
            print(f"  {complaint}")
        for name in run.breaches:
            print(f"  open: {name} ({OPEN[engine].get(name, 'not known')})")
        print(f"{score.summary(run.tried, run.browser)} ({time.monotonic() - started:.0f} s)", flush=True)
        if run.complaints:
            failed = True
        else:
            score.write_engine(run)
    return failed


if __name__ == "__main__":
    sys.exit(in_engines() if "--engines" in sys.argv[1:] else main())
