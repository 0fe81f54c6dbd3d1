"""The command line of the soak with hostile upstreams."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.soak.upstream.soak import soak, summary, wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.upstream", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=None, help="the same seed gives the same answers")
    options = parser.parse_args()
    seed = random.randrange(1_000_000) if options.seed is None else options.seed
    print(f"hostile servers for {options.minutes:g} minutes, with seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="upstream-soak-") as folder:
        report = soak(seed, options.minutes * 60, Path(folder))
    for name, count in report.outcomes.items():
        print(f"  {count:6} {name}")
    print(summary(report))
    found = wrong(report)
    for sentence in found:
        print(f"  WRONG: {sentence}")
    print(f"seed {seed}: {'NOT all is well' if found else 'all is well'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
