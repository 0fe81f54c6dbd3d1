"""The test harness itself: it must fail what it promises to fail."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

CASES = {
    "passes": (
        "async def test_it(tmp_path):\n    await asyncio.sleep(0)\n    assert tmp_path.is_dir()\n",
        0,
        "1 passed",
    ),
    "fails": ("async def test_it():\n    await asyncio.sleep(0)\n    assert 1 == 2\n", 1, "assert 1 == 2"),
    "leaves a task": (
        "async def test_it():\n    globals()['task'] = asyncio.create_task(asyncio.Event().wait())\n",
        1,
        "The test left tasks running",
    ),
    "cancels its task": (
        "async def test_it():\n    asyncio.create_task(asyncio.Event().wait()).cancel()\n",
        0,
        "1 passed",
    ),
    "is skipped": (
        "def test_it():\n    pytest.skip('not today')\n",
        1,
        "1 skipped, and no test of this project may be",
    ),
    "module is skipped": ("pytest.skip('not here', allow_module_level=True)\n", 5, "1 skipped, and no test"),
    "is expected to fail": ("@pytest.mark.xfail\ndef test_it():\n    assert False\n", 1, "1 skipped, and no test"),
    "warns": (
        "import warnings\ndef test_it():\n    warnings.warn('old', DeprecationWarning)\n",
        1,
        "DeprecationWarning",
    ),
    "has an unknown mark": ("@pytest.mark.nonsense\ndef test_it():\n    pass\n", 2, "'nonsense' not found"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_harness_judges(case: str, tmp_path: Path) -> None:
    root = Path(__file__).parent.parent
    code, status, text = CASES[case]
    (tmp_path / "conftest.py").write_text((root / "conftest.py").read_text())
    (tmp_path / "pyproject.toml").write_text(pytest_settings(root.parent / "pyproject.toml"))
    (tmp_path / "test_case.py").write_text(f"import asyncio\nimport pytest\n{code}")
    command = [sys.executable, "-m", "pytest", "-q", "test_case.py", "-p", "no:hypothesispytest"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert text in done.stdout + done.stderr
    assert done.returncode == status


def pytest_settings(pyproject: Path) -> str:
    """Our own [tool.pytest.ini_options], so that the cases run under the settings the suite runs under."""
    found = re.search(r"\[tool\.pytest\.ini_options\]\n.*?(?=\n\[)", pyproject.read_text(), re.DOTALL)
    assert found
    return found.group().replace('testpaths = ["tests"]', 'testpaths = ["."]')


def test_a_run_of_several_folders_prints_the_time_of_each(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text((Path(__file__).parents[1] / "conftest.py").read_text())
    for folder in ("one", "two/deeper"):
        (tmp_path / "tests" / folder).mkdir(parents=True)
        (tmp_path / "tests" / folder / f"test_{folder[:3]}.py").write_text("def test_it(): pass\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:hypothesispytest", "tests"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert re.search(r"seconds per folder.*\n +[\d.]+  (one|two)\n +[\d.]+  (one|two)\n", done.stdout), done.stdout
