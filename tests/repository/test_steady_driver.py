"""Playwright's driver goes on after the race that steady_driver.cjs is about, and only after that one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

REJECTED = 'Promise.reject(new Error("{}")); setTimeout(() => console.log("still running"), 50)'
RACE = "Frame has been detached."


def run(tmp_path: Path, message: str, *words: str, options: str | None = None) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "program.js"
    script.write_text(REJECTED.format(message), encoding="utf-8")
    node = compute_driver_executable()[0]
    environment = os.environ | ({} if options is None else {"NODE_OPTIONS": options})
    command = [node, script, *words]
    return subprocess.run(command, capture_output=True, check=False, text=True, env=environment, timeout=30)


def test_the_driver_goes_on_and_would_not(tmp_path: Path) -> None:
    assert run(tmp_path, RACE, "run-driver").stdout == "still running\n"
    without = run(tmp_path, RACE, "run-driver", options="")
    assert (without.stdout, without.returncode) == ("", 1)
    assert RACE in without.stderr


@pytest.mark.parametrize(("message", "words"), [("something else", ["run-driver"]), (RACE, ["a program of ours"])])
def test_every_other_error_ends_a_program(tmp_path: Path, message: str, words: list[str]) -> None:
    done = run(tmp_path, message, *words)
    assert (done.stdout, done.returncode) == ("", 1)
    assert message in done.stderr
