"""The command line of the soak with hostile views."""

from __future__ import annotations

import argparse
import asyncio
import random
import sys

from tests.soak.command import telling
from tests.soak.view.driver import Plan, run
from tests.soak.view.history import violations


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.view", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None, help="the same seed gives the same person and the same views")
    parser.add_argument("--quiet", action="store_true", help="do not tell what the person does")
    given = parser.parse_args()
    seed = random.randrange(1_000_000) if given.seed is None else given.seed
    history = asyncio.run(run(Plan(seed, given.minutes, (lambda _: None) if given.quiet else telling())))
    wrong = violations(history)
    print(history.summary())
    for sentence in wrong:
        print(f"  WRONG: {sentence}")
    print(f"{given.minutes:g} minutes with seed {seed}: {'NOT all is well' if wrong else 'all is well'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
