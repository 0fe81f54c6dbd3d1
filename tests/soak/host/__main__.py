"""The command line of the host's soak."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.soak.command import asked, telling, verdict
from tests.soak.host.checker import violations
from tests.soak.host.driver import WEIGHTS, Plan, run


def main() -> int:
    options = asked("python -m tests.soak.host", __doc__, faults=200, kinds=WEIGHTS)
    with tempfile.TemporaryDirectory(prefix="host-soak-") as folder:
        plan = Plan(options.seed, options.faults, kinds=options.kinds, told=telling())
        history = asyncio.run(run(plan, Path(folder)))
    return verdict(history, violations(history), options.seed)


if __name__ == "__main__":
    sys.exit(main())
