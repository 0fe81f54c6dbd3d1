"""docs/tasks.md: its code and output are run by test_snippets.py and test_shown.py; here is the rest."""

from __future__ import annotations

import inspect
import re

from cloche import Limits
from cloche.client import ClientTask, TaskUpdate
from cloche.server.options import TASK_MODES
from cloche.server.tasks.methods import HANDSHAKE, STATELESS
from cloche.server.tasks.table import KEPT_SECONDS
from cloche.wire.tasks import LONGEST_POLL, SHORTEST_POLL, STATUSES, poll_seconds
from tests.support.snippets import ROOT

TEXT = (ROOT / "docs/tasks.md").read_text(encoding="utf-8")


def test_the_numbers_are_those_of_the_code() -> None:
    limits = Limits()
    assert (limits.task_seconds, limits.task_most_seconds, KEPT_SECONDS) == (3600, 24 * 3600, 5 * 60)
    assert f"{limits.tasks} tasks run at once, {limits.tasks_per_caller} of them for one principal" in TEXT
    assert (poll_seconds(0), poll_seconds(1), poll_seconds(3600)) == (0.1, 0.1, 5.0)
    assert (SHORTEST_POLL, LONGEST_POLL) == (0.1, 5.0)


def test_every_mode_status_and_method_is_there() -> None:
    assert set(re.findall(r'`task="(\w+)"`', TEXT)) == set(TASK_MODES)
    assert [status for status in STATUSES if f"`{status}`" not in TEXT] == []
    assert [method for method in {**HANDSHAKE, **STATELESS} if f"`{method}`" not in TEXT] == []


def test_the_table_of_a_task_in_the_hand_is_the_class() -> None:
    own = [name for name, _ in inspect.getmembers(ClientTask, inspect.isfunction) if not name.startswith("_")]
    assert set(own) == set(re.findall(r"^\| `await task\.(\w+)\(\)` \|", TEXT, re.MULTILINE))
    (row,) = re.findall(r"a `TaskUpdate` with (.*) \|", TEXT)
    for name in re.findall(r"`(\w+)`", row):
        assert hasattr(TaskUpdate, name)
