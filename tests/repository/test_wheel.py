"""The tests run against the wheel that users install."""

from __future__ import annotations

import re
import shutil
import sysconfig
import tomllib
from importlib import metadata
from pathlib import Path

import cloche

ROOT = Path(__file__).parents[2]


def test_the_package_under_test_is_the_installed_one() -> None:
    installed = Path(cloche.__file__).resolve()
    assert Path(sysconfig.get_path("purelib")).resolve() in installed.parents
    assert ROOT / "src" not in installed.parents


def test_the_wheel_holds_what_the_source_holds() -> None:
    source = ROOT / "src" / "cloche"
    wanted = {
        path.relative_to(source): path.read_bytes()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    package = Path(cloche.__file__).parent
    stale = [str(name) for name, data in wanted.items() if (package / name).read_bytes() != data]
    assert stale == [], "the installed wheel is older than src/: run the tests with make"
    assert Path("py.typed") in wanted


def test_version_licence_and_command() -> None:
    installed = metadata.distribution("cloche")
    assert installed.version == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert installed.metadata["License-Expression"] == "MIT"
    assert any(str(file).endswith("licenses/LICENSE") for file in installed.files or [])
    assert shutil.which("cloche", path=sysconfig.get_path("scripts"))


def test_the_core_needs_msgspec_alone() -> None:
    needed = [line for line in metadata.requires("cloche") or [] if "extra ==" not in line]
    assert [re.match(r"[\w-]+", line)[0] for line in needed] == ["msgspec"]  # type: ignore[index]


def test_the_extras_are_those_of_the_design() -> None:
    extras = metadata.metadata("cloche").get_all("Provides-Extra")
    names = ["agent", "all", "auth", "browser", "cli", "client", "host", "http", "test", "webmcp"]
    assert sorted(extras or []) == names
