"""Which tests run in the browser's Python. To add a folder or a module, add a line."""

from __future__ import annotations

from pathlib import Path

from tests.browser.core.inside import covers

ROOT = Path(__file__).parents[3]

FLOORS = {
    "tests/wire": 550,
    "tests/server": 477,
    "tests/server/schema": 340,
    "tests/server/test_early_cancellation.py": 2,
    "tests/store": 50,
    "tests/client": 115,
    "tests/components/test_component.py": 17,
    "tests/components/test_data.py": 33,
    "tests/components/test_tools.py": 17,
    "tests/transports/resilience": 200,
    "tests/testing/behaviour/test_contract.py": 24,
    "tests/browser/core/behaviour.py": 165,
    "tests/browser/core/contract.py": 16,
    "tests/test_errors.py": 6,
    "tests/test_exported_members.py": 50,
}
"""Folders and modules, and how many cases of each run at least: so that none quietly stops running. A folder includes
those inside it."""

CANNOT_RUN = {
    "tests/server/schema/test_without_pydantic.py": "starts processes, and a browser has none",
    "tests/server/schema/test_output.py::test_a_value_that_contains_itself": (
        "the encoder follows the loop, and in WebAssembly its recursion ends the worker"
    ),
    "tests/test_exported_members.py::test_importing_the_server_loads_no_framework_no_event_loop_and_no_transport": (
        "starts a process, and a browser has none"
    ),
    "tests/store/persistence/test_sqlite.py": "starts processes and uses SQLite files, and a browser has none",
    "tests/store/test_mutations.py::test_threads_lose_no_update_inside_batches": (
        "starts threads, and a browser has none"
    ),
    "tests/wire/frames/test_messages.py::test_python_and_the_pages_schemas_agree": (
        "compares with jsonschema, which needs a compiled package"
    ),
    "tests/server/test_watchdog.py": "watches the loop from a thread, and a browser has none",
    "tests/server/test_tools.py::test_stuck_threads_are_replaced": "blocks threads, and a browser has none",
}
"""Modules and tests that stay outside, and why."""


def paths() -> list[str]:
    """What pytest is asked to run: the folders and modules that are not inside another one."""
    return [entry for entry in FLOORS if not any(entry.startswith(f"{other}/") for other in FLOORS)]


def modules() -> list[str]:
    """Every module of the selection of which something runs."""
    found = [
        file.relative_to(ROOT).as_posix()
        for entry in paths()
        for file in ([ROOT / entry] if entry.endswith(".py") else sorted((ROOT / entry).rglob("test_*.py")))
    ]
    return [name for name in found if name not in CANNOT_RUN]


def is_left_out(name: str) -> bool:
    """Does a case stay outside?"""
    return any(covers(entry, name) for entry in CANNOT_RUN)
