"""How a transport, a server and a client must behave together, as cases that run anywhere.

`CASES` take a `Link` (a connected client); `CONTRACT` takes both ends of a transport. Run them with `run_cases` and
look at the outcomes with `check`, or give each to your test framework with `run_case`.
"""

from cloche.testing.behaviour.cases import CASES
from cloche.testing.behaviour.contract import CONTRACT
from cloche.testing.behaviour.link import Link, connect
from cloche.testing.behaviour.runner import Outcome, check, name_of, run_case, run_cases
from cloche.testing.behaviour.server import reference_server

__all__ = [
    "CASES",
    "CONTRACT",
    "Link",
    "Outcome",
    "check",
    "connect",
    "name_of",
    "reference_server",
    "run_case",
    "run_cases",
]
