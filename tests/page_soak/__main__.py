"""The command line of the page's soak."""

from __future__ import annotations

import sys

from tests.page_soak.checker import violations
from tests.page_soak.driver import KINDS, Plan, run
from tests.soak.command import asked, telling, verdict


def main() -> int:
    options = asked("python -m tests.page_soak", __doc__, faults=500, kinds=KINDS)
    history = run(Plan(options.seed, options.faults, options.kinds, telling()))
    return verdict(history, violations(history), options.seed)


if __name__ == "__main__":
    sys.exit(main())
