"""Runs in the browser's Python: the project's own pytest over its own tests, every outcome told outside."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

ARGUMENTS = ["-q", "--color=no", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=0"]
"""There is nowhere to keep a cache, no terminal, and no thread that could watch the time."""

Tell = Callable[[str, Any], None]


class Telling:
    """A pytest plugin: tells what is collected, what is running and how it ended; leaves out what cannot run here."""

    def __init__(self, tell: Tell, left_out: list[str]) -> None:
        self._tell = tell
        self._left_out = left_out

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        self._tell("collected", [item.nodeid for item in items])
        dropped = [item for item in items if any(covers(entry, item.nodeid) for entry in self._left_out)]
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if item not in dropped]

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._tell("running", nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            self._tell_outcome(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.outcome != "passed":
            self._tell_outcome(report)

    def _tell_outcome(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        self._tell("outcome", {"name": report.nodeid, "outcome": report.outcome, "text": report.longreprtext})


def covers(entry: str, name: str) -> bool:
    """Is the case `name` the entry, or in the module or among the parameters of the entry?"""
    return name == entry or name.startswith((f"{entry}::", f"{entry}["))


def facts() -> dict[str, Any]:
    """Where we are."""
    import js

    found = importlib.util.find_spec("cloche")
    return {
        "platform": sys.platform,
        "version": list(sys.version_info[:2]),
        "scope": js.self.constructor.name,
        "cloche": found and found.origin,
    }


def run(project: str, plan: str, tell_json: Callable[[str, str], None]) -> None:
    """Run what is planned of the tests in the folder `project`."""

    def tell(kind: str, content: Any) -> None:
        tell_json(kind, json.dumps(content))

    tell("python", facts())
    os.chdir(project)
    wanted = json.loads(plan)
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        status = pytest.main([*ARGUMENTS, *wanted["paths"]], plugins=[Telling(tell, wanted["left_out"])])
    tell("finished", {"status": int(status), "output": output.getvalue()})
