"""The command line of the soak."""

from __future__ import annotations

import argparse
import random
import sys
import time

from tests.soak.transports.soak import ERAS, plans, run
from tests.soak.transports.ways import WAYS

SHOWN = 20


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.transports", description=__doc__)
    parser.add_argument("--faults", type=int, default=1000, help="how many faults at least, over all ways together")
    parser.add_argument("--seed", type=int, default=None, help="the same seed gives the same faults")
    parser.add_argument("--way", choices=[*WAYS, "all"], default="all")
    parser.add_argument("--era", choices=[*ERAS, "all"], default="all")
    options = parser.parse_args()
    seed = random.randrange(1_000_000) if options.seed is None else options.seed
    ways = list(WAYS) if options.way == "all" else [options.way]
    eras = list(ERAS) if options.era == "all" else [options.era]
    total, failed = 0, False
    for plan in plans(ways, eras, seed, options.faults):
        began = time.monotonic()
        history, wrong = run(plan)
        injected = sum(history.faults.values())
        total += injected
        print(f"{plan.name}, {time.monotonic() - began:.0f} s: {history.summary()}", flush=True)
        if injected < plan.faults:
            wrong.append(f"only {injected} faults were injected, of {plan.faults}")
        for sentence in wrong[:SHOWN]:
            print(f"  WRONG: {sentence}")
        failed = failed or bool(wrong)
    print(f"{total} faults with seed {seed}: {'NOT all is well' if failed else 'all is well'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
