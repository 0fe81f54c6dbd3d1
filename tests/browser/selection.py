"""Which tests run in the browser's Python. To add a folder or a module, add a line."""

from __future__ import annotations

from pathlib import Path

from tests.browser.inside import covers

ROOT = Path(__file__).parent.parent.parent

FLOORS = {
    "tests/wire": 550,
    "tests/schema": 340,
    "tests/server": 85,
    "tests/client": 80,
    "tests/care": 200,
    "tests/behaviour/test_contract.py": 24,
    "tests/browser/behaviour.py": 150,
    "tests/browser/contract.py": 16,
    "tests/test_errors.py": 6,
    "tests/test_exported_members.py": 50,
    "tests/test_early_cancellation.py": 2,
}
"""Folders and modules, and how many cases of each run at least: so that none quietly stops running."""

CANNOT_RUN = {
    "tests/schema/test_without_pydantic.py": "starts processes, and a browser has none",
    "tests/schema/test_output.py::test_a_value_that_contains_itself": (
        "the encoder follows the loop, and in WebAssembly its recursion ends the worker"
    ),
    "tests/test_exported_members.py::test_importing_the_server_loads_no_framework_no_event_loop_and_no_transport": (
        "starts a process, and a browser has none"
    ),
    "tests/server/test_watchdog.py": "watches the loop from a thread, and a browser has none",
    "tests/server/test_tools.py::test_stuck_threads_are_replaced": "blocks threads, and a browser has none",
}
"""Modules and tests that stay outside, and why."""


def modules() -> list[str]:
    """Every module of the selection of which something runs."""
    found = [
        file.relative_to(ROOT).as_posix()
        for entry in FLOORS
        for file in ([ROOT / entry] if entry.endswith(".py") else sorted((ROOT / entry).rglob("test_*.py")))
    ]
    return [name for name in found if name not in CANNOT_RUN]


def is_left_out(name: str) -> bool:
    """Does a case stay outside?"""
    return any(covers(entry, name) for entry in CANNOT_RUN)
