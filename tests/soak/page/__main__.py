"""The command line of the page's soak."""

from __future__ import annotations

import sys

from tests.soak.command import asked, telling, verdict
from tests.soak.page.checker import violations
from tests.soak.page.driver import KINDS, Plan, run


def main() -> int:
    options = asked("python -m tests.soak.page", __doc__, faults=500, kinds=KINDS)
    history = run(Plan(options.seed, options.faults, options.kinds, telling()))
    return verdict(history, violations(history), options.seed)


if __name__ == "__main__":
    sys.exit(main())
