"""Chromium is found, or installed once, or one sentence says what to do. A script stands in for apt-get."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tools import chromium as tool

INSTALLING = """#!/bin/sh
echo "$@" >> {log}
case "$*" in *install*) for name in chromium {shell}; do
  case " $* " in *" $name "*) printf '#!/bin/sh\\n' > {bin}/$name; /bin/chmod +x {bin}/$name;; esac
done;; esac
"""
FAILING = "#!/bin/sh\necho 'no such package'\nexit 100\n"
EMPTY = "#!/bin/sh\n"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv(tool.VARIABLE, raising=False)
    return folder


def put(machine: Path, name: str, script: str) -> None:
    file = machine / name
    file.write_text(script)
    file.chmod(0o755)


def test_the_one_on_the_path_is_taken_and_nothing_installed(machine: Path) -> None:
    put(machine, "chromium", EMPTY)
    assert tool.chromium() == str(machine / "chromium")


def test_a_missing_one_is_installed_once(machine: Path) -> None:
    log = machine.parent / "log"
    put(machine, "apt-get", INSTALLING.format(log=log, bin=machine, shell=tool.SHELL))
    assert tool.chromium() == tool.chromium() == str(machine / "chromium")
    assert log.read_text().splitlines() == ["-qq update", "-qq install --yes --no-install-recommends chromium"]


def test_the_one_that_is_named_is_taken_except_where_it_must_be_the_whole(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(machine, "chromium", EMPTY)
    monkeypatch.setenv(tool.VARIABLE, "another")
    assert tool.chromium() == "another"
    assert tool.whole_chromium() == str(machine / "chromium")


def test_the_engine_without_windows_is_installed_once_beside_the_whole(machine: Path) -> None:
    log = machine.parent / "log"
    put(machine, "chromium", EMPTY)
    put(machine, "apt-get", INSTALLING.format(log=log, bin=machine, shell=tool.SHELL))
    assert tool.shell() == tool.shell() == str(machine / tool.SHELL)
    assert log.read_text().splitlines() == [
        "-qq update",
        "-qq install --yes --no-install-recommends chromium chromium-headless-shell",
    ]


def test_where_there_is_no_engine_without_windows_the_whole_is_taken(
    machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(machine, "chromium", EMPTY)
    assert tool.shell() == str(machine / "chromium")
    put(machine, "apt-get", FAILING)
    assert tool.shell() == str(machine / "chromium")
    assert "which takes longer" in capsys.readouterr().err


def test_without_apt_a_sentence_says_what_to_do(machine: Path) -> None:
    with pytest.raises(SystemExit, match=r"no apt-get .*: install Chromium by hand, so that `chromium` is on the PATH"):
        tool.chromium()


def test_a_failed_install_says_what_apt_said(machine: Path) -> None:
    put(machine, "apt-get", FAILING)
    with pytest.raises(SystemExit, match=r"install Chromium by hand.*\nno such package"):
        tool.chromium()


def test_an_install_that_brought_nothing_is_told(machine: Path) -> None:
    put(machine, "apt-get", EMPTY)
    with pytest.raises(SystemExit, match="no command of that name"):
        tool.chromium()


def test_what_is_found_here_is_a_chromium() -> None:
    path = tool.find()
    assert path is not None, "run the tests with make"
    assert shutil.which(path)
    said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
    assert "Chrom" in said
