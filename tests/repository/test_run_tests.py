"""`make test` gives a few failed tests a second go, alone, and says which needed it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "tools" / "run_tests.py"
UNSTEADY = """
from pathlib import Path

def test_unsteady():
    marker = Path("ran")
    ran = marker.exists()
    marker.touch()
    assert ran
"""


@pytest.mark.parametrize(
    ("source", "code", "said"),
    [
        ("def test_good(): pass", 0, ""),
        (UNSTEADY, 0, "unsteady (failed beside the others, passed alone): test_it.py::test_unsteady"),
        (UNSTEADY + "\ndef test_broken(): assert False", 1, "once more, alone: "),
        (
            "import pytest\n@pytest.mark.parametrize('n', range(20))\ndef test_many(n): assert False",
            1,
            "once more, alone: ",
        ),
        ("import missing", 2, ""),
    ],
    ids=["good", "unsteady", "broken", "many", "not collected"],
)
def test_a_second_go_is_for_few_and_is_said(tmp_path: Path, source: str, code: int, said: str) -> None:
    (tmp_path / "test_it.py").write_text(source, "utf-8")
    bare = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # the plugins take seconds of every start
    command = [sys.executable, PROGRAM, "-q"]
    done = subprocess.run(command, cwd=tmp_path, env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout
    assert said in done.stdout
    assert ("once more" in done.stdout) == bool(said)


def test_failures_in_many_files_have_no_second_go(tmp_path: Path) -> None:
    for number in range(13):
        (tmp_path / f"test_{number}.py").write_text("def test_broken(): assert False", "utf-8")
    bare = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, PROGRAM, "-q"], cwd=tmp_path, env=bare, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stdout
    assert "once more" not in done.stdout
