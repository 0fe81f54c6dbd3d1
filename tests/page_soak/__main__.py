"""The command line of the page's soak."""

from __future__ import annotations

import argparse
import random
import sys
import time

from tests.page_soak.checker import violations
from tests.page_soak.driver import KINDS, Plan, run

SHOWN = 20


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.page_soak", description=__doc__)
    parser.add_argument("--faults", type=int, default=500)
    parser.add_argument("--seed", type=int, default=None, help="the same seed gives the same faults")
    parser.add_argument("--kind", choices=[*KINDS, "all"], default="all")
    options = parser.parse_args()
    seed = random.randrange(1_000_000) if options.seed is None else options.seed
    kinds = tuple(KINDS) if options.kind == "all" else (options.kind,)
    began = time.monotonic()

    def told(line: str) -> None:
        print(f"{time.monotonic() - began:5.0f} s  {line}", flush=True)

    history = run(Plan(seed, options.faults, kinds, told))
    wrong = violations(history)
    print(history.summary())
    for sentence in wrong[:SHOWN]:
        print(f"  WRONG: {sentence}")
    print(f"{history.faults.total()} faults with seed {seed}: {'NOT all is well' if wrong else 'all is well'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
