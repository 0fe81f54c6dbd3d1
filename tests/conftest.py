"""What every test stands on: `async def` tests, no task left behind, nothing skipped, and the time of each folder."""

from __future__ import annotations

import asyncio
import inspect
import signal
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

ASYNC_DEADLINE = 60.0
"""Seconds until an `async def` test fails instead of hanging the run."""

SETTLE_TURNS = 20
"""Turns of the loop that a cancelled task gets to finish after the test's last line."""

if sys.platform != "emscripten" and signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A script that runs the tests in the background lets every process begin like that, and servers would not end.
    signal.signal(signal.SIGINT, signal.default_int_handler)

skipped_key = pytest.StashKey[list[str]]()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run `async def test_*` on a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    run_alone(run_case(pyfuncitem.obj, arguments))
    return True


def run_alone(case: Coroutine[Any, Any, None]) -> None:
    """Run a test on a loop of its own, in another thread where this one has a loop: a browser of Playwright's plain
    interface that the folder shares keeps one running. In the browser's Python there is always one, and no thread.
    """
    if sys.platform == "emscripten" or not has_loop():
        asyncio.run(case, debug=False)
        return
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, case).result()


def has_loop() -> bool:
    """Whether this thread has an event loop that runs."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def run_case(case: Callable[..., Awaitable[None]], arguments: dict[str, Any]) -> None:
    """Await the test within the deadline, then look for tasks that outlived it."""
    async with asyncio.timeout(ASYNC_DEADLINE):
        await case(**arguments)
    for _ in range(SETTLE_TURNS):
        if not pending_tasks():
            return
        await asyncio.sleep(0)
    left = "\n".join(f"  {task!r}" for task in pending_tasks())
    pytest.fail(f"The test left tasks running; cancel or await them:\n{left}", pytrace=False)


def pending_tasks() -> set[asyncio.Task[Any]]:
    """Every unfinished task of the loop except the one that asks."""
    return asyncio.all_tasks() - {asyncio.current_task()}


def pytest_configure(config: pytest.Config) -> None:
    config.stash[skipped_key] = []
    config.pluginmanager.register(NothingSkipped(config), "nothing-skipped")
    config.pluginmanager.register(FolderTimes(), "folder-times")


class NothingSkipped:
    """A run with a skipped or expected-to-fail test is a failed run: what is not run is not known."""

    def __init__(self, config: pytest.Config) -> None:
        self.skipped = config.stash[skipped_key]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:  # xfail reports count as skipped too
            self.skipped.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.skipped.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.skipped and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.skipped:
            terminalreporter.write_line(
                f"{len(self.skipped)} skipped, and no test of this project may be: make it run, or delete it.", red=True
            )


class FolderTimes:
    """Prints how long the tests of each folder took, so that a slow one is noticed when it becomes slow."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[_folder(report.nodeid)] += report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if len(self.seconds) < 2:
            return  # somebody works on one folder
        terminalreporter.section("seconds per folder (several tests run at a time)")
        for folder, seconds in sorted(self.seconds.items(), key=lambda item: -item[1]):
            terminalreporter.write_line(f"{seconds:8.1f}  {folder}")


def _folder(nodeid: str) -> str:
    """The folder directly below `tests/` that a test is in."""
    first, _, rest = nodeid.partition("::")[0].removeprefix("tests/").partition("/")
    return first if rest else "."
