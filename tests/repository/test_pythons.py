"""`make test-pythons`: which interpreters it finds, and which tests need no browser."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import pythons
from tools.browserless import imported, imports_playwright

ROOT = Path(__file__).parents[2]
OWN = "{}.{}".format(*sys.version_info)
STALE = "#!/bin/sh\necho 'pyenv: python3.99: command not found' >&2\nexit 127\n"


def program(path: Path, script: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script, "utf-8")
    path.chmod(0o755)
    return str(path)


def pretend(version: str) -> str:
    return f"#!/bin/sh\necho {version}\n"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that has the Python of this test and no other."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv(pythons.VARIABLE, raising=False)
    return tmp_path


def test_every_claimed_python_is_looked_for() -> None:
    assert pythons.claimed() == ["3.11", "3.12", "3.13", "3.14"]


def test_the_python_that_runs_is_one(machine: Path) -> None:
    assert pythons.find(OWN) == sys.executable
    assert pythons.find("3.99") is None


@pytest.mark.parametrize(
    "place",
    ["bin/python3.99", "pyenv/versions/3.99.1/bin/python3.99", "data/uv/python/cpython-3.99.1-x/bin/python3.99"],
)
def test_places_where_pythons_are(machine: Path, place: str) -> None:
    python = program(machine / place, pretend("3.99"))
    assert pythons.find("3.99") == python


def test_a_shim_with_nothing_behind_it_is_passed_over(machine: Path) -> None:
    program(machine / "bin/python3.99", STALE)
    assert pythons.find("3.99") is None
    behind = program(machine / "pyenv/versions/3.99.1/bin/python3.99", pretend("3.99"))
    assert pythons.find("3.99") == behind


def test_interpreters_can_be_named(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [program(machine / f"elsewhere/{version}", pretend(version)) for version in ("3.98", "3.99")]
    monkeypatch.setenv(pythons.VARIABLE, os.pathsep.join([str(machine / "missing"), *names]))
    assert [pythons.find("3.98"), pythons.find("3.99")] == names


def test_a_python_on_which_tests_fail_is_named(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pythons, "claimed", lambda: ["3.97", "3.98", "3.99"])
    monkeypatch.setattr(pythons, "passes", lambda version, python, arguments: version != "3.98")
    for version in ("3.97", "3.98"):
        program(machine / f"bin/python{version}", pretend(version))
    assert pythons.main([]) == 1
    said = capsys.readouterr().out
    assert "Python 3.99: not found; CLOCHE_PYTHONS=/path/to/python3.99 names one" in said
    assert said.endswith("tested on Python 3.97, 3.98; failed on 3.98\n")


def test_no_python_at_all_is_no_success(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pythons, "claimed", lambda: ["3.99"])
    assert pythons.main([]) == 1


def test_a_module_needs_a_browser_when_it_leads_to_playwright(tmp_path: Path) -> None:
    assert imports_playwright("tests.support.playground")
    assert imports_playwright("tests.repository.test_pythons") is False
    source = tmp_path / "some.py"
    source.write_text("import os.path\ndef f():\n    from tests.support import chromium, growth\n", "utf-8")
    assert imported(source) == {"os.path", "tests.support", "tests.support.chromium", "tests.support.growth"}


def test_tests_that_show_something_in_a_browser_are_left_out() -> None:
    folders = [
        "tests/check/test_live.py",
        "tests/check/test_relaxations.py",
        "tests/wire/test_json.py",
        "tests/web/host",
    ]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "tools.browserless", *folders]
    ran = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    kept = {line.partition("::")[0] for line in ran.stdout.splitlines() if "::" in line}
    assert {"tests/check/test_relaxations.py", "tests/wire/test_json.py"} <= kept
    assert not kept & {"tests/check/test_live.py", "tests/web/host/test_product.py"}
    assert " deselected" in ran.stdout
