"""`python -m benchmarks`: runs the cases, prints the table, writes RESULTS.md, exits 1 when a bound is missed."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import sys
import traceback
from collections.abc import Coroutine
from time import perf_counter
from typing import Any

from benchmarks import report
from benchmarks.measure import Findings, Plan

CASES = (
    "imports",
    "call",
    "threads",
    "lists",
    "sockets",
    "fanout",
    "sessions",
    "churn",
    "clients",
    "views",
    "host",
    "store",
    "charts",
    "dev",
    "browser",
)


def main() -> int:
    options = _options()
    plan = Plan.quick() if options.quick else Plan()
    cases = options.only or CASES
    found = Findings()
    broken: list[report.Verdict] = []
    for case in cases:
        start = perf_counter()
        print(f"{case} ...", end=" ", file=sys.stderr, flush=True)
        try:
            result = _run(case, plan, options.loop)
        except Exception as error:
            traceback.print_exc()
            broken.append(report.Verdict.broken(case, error))
            continue
        print(f"{perf_counter() - start:.0f} s", file=sys.stderr)
        found.readings += result.readings
        found.costs += result.costs
    verdicts = [*(report.Verdict.of(reading) for reading in found.readings), *broken]
    print(report.as_text(verdicts))
    if options.write or not (options.only or options.quick):
        report.RESULTS.write_text(report.as_markdown(verdicts, found.costs, loop=options.loop), encoding="utf-8")
    missed = sum(not verdict.passed for verdict in verdicts)
    print(f"\n{len(verdicts) - missed} of {len(verdicts)} bounds held.")
    return 1 if missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=CASES, help="run this case alone; may be repeated")
    parser.add_argument("--quick", action="store_true", help="shorter turns, for a first look; writes no RESULTS.md")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md even after --only or --quick")
    parser.add_argument("--loop", choices=("uvloop", "asyncio"), default="uvloop", help="the loop of in-process cases")
    return parser.parse_args()


def _run(case: str, plan: Plan, loop: str) -> Findings:
    coroutine: Coroutine[Any, Any, Findings] = importlib.import_module(f"benchmarks.cases.{case}").run(plan)
    if loop == "asyncio":
        return asyncio.run(coroutine)
    import uvloop

    return uvloop.run(coroutine)


if __name__ == "__main__":
    sys.exit(main())
