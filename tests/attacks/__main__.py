"""`make security`: run every attack, print the score and write it to docs/security.md."""

from __future__ import annotations

import asyncio
import sys
import time

from tests.attacks import score
from tests.attacks.battery import Battery
from tests.attacks.catalogue import ATTACKS


def main() -> int:
    """Whether every live attack was blocked."""
    print(
        f"{len(ATTACKS)} attacks, each against a host without the protection and against ours: about a minute",
        flush=True,
    )
    started = time.monotonic()
    battery = Battery(ATTACKS)
    asyncio.run(battery.run())
    wrong = [outcome for outcome in battery.outcomes.values() if outcome.complaint]
    for outcome in wrong:
        print(f"  {outcome.attack}: {outcome.complaint}")
    print(f"{score.summary(battery.outcomes.values(), battery.browser)} ({time.monotonic() - started:.0f} s)")
    if wrong:
        return 1
    score.write(battery.outcomes, battery.browser)
    return 0


if __name__ == "__main__":
    sys.exit(main())
