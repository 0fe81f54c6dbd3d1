"""`cloche new`: what it makes runs, is sound, and its tests pass; the commands it prints work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cloche.cli.new import PLACEHOLDER, TEMPLATES
from tests.cli.command import cloche, environment, refusal, serving

TESTS = 90.0
"""Seconds for the tests of a new project: they open a browser."""


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_new_project_runs_is_sound_and_tests_itself(template: str, tmp_path: Path) -> None:
    made = cloche("new", "my-server", "--template", template, folder=tmp_path)
    assert (made.returncode, made.stdout) == (0, ""), made.stderr
    folder = tmp_path / "my-server"
    assert not any(PLACEHOLDER in file.read_text("utf-8") for file in folder.iterdir())
    commands = [line.split("#")[0].split() for line in made.stderr.splitlines() if line.startswith("  ")]
    assert commands[0] == ["cd", "my-server"]
    assert commands[1][:2] == ["cloche", "run"]
    run = ["0" if word == "8000" else word for word in commands[1][2:]]
    with serving(*run, folder=folder) as running:
        assert running.said[0].startswith("my-server: ")
    assert cloche("check", "server.py", "--strict", folder=folder).returncode == 0
    assert commands[2] == ["pytest"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=TESTS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_mistakes_are_explained_and_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "server.py").write_text("mine", "utf-8")
    assert "there is something in 'taken' already" in refusal("new", "taken", folder=tmp_path)
    assert (tmp_path / "taken" / "server.py").read_text("utf-8") == "mine"
    assert "is no name for a server" in refusal("new", "../elsewhere", folder=tmp_path)
    assert "is no name for a server" in refusal("new", "9 lives", folder=tmp_path)
    assert "minimal" in refusal("new", "one", "--template", "huge", folder=tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["taken"]
