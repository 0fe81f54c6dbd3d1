"""The npm cache: installed once, never half, and a failure says what npm said. A script stands in for npm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import npm_tools

WORKING = "#!/bin/sh\necho run >> ../runs\nmkdir -p node_modules/thing\n"
FAILING = "#!/bin/sh\nmkdir -p node_modules/half\necho 'no such version'\nexit 1\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a package.json, an empty cache, and a PATH that begins with our npm."""
    monkeypatch.setenv("CLOCHE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    (tmp_path / "bin").mkdir()
    (tmp_path / "package.json").write_text('{"dependencies": {"thing": "1.0.0"}}')
    return tmp_path


def pretend_npm(project: Path, script: str) -> None:
    npm = project / "bin" / "npm"
    npm.write_text(script)
    npm.chmod(0o755)


def test_a_second_use_installs_nothing(project: Path) -> None:
    pretend_npm(project, WORKING)
    first = npm_tools.node_modules(project)
    assert (first / "thing").is_dir()
    assert npm_tools.node_modules(project) == first
    assert (project / "cache" / "npm" / "runs").read_text() == "run\n"


def test_another_pin_is_another_folder(project: Path) -> None:
    pretend_npm(project, WORKING)
    before = npm_tools.node_modules(project)
    (project / "package.json").write_text('{"dependencies": {"thing": "1.0.1"}}')
    assert npm_tools.node_modules(project) != before


def test_a_failed_install_leaves_nothing_and_says_why(project: Path) -> None:
    pretend_npm(project, FAILING)
    with pytest.raises(SystemExit, match="no such version"):
        npm_tools.node_modules(project)
    assert list((project / "cache" / "npm").iterdir()) == []
    pretend_npm(project, WORKING)
    assert (npm_tools.node_modules(project) / "thing").is_dir()


def test_a_folder_without_a_package_json_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"There is no .*package\.json"):
        npm_tools.node_modules(tmp_path)
