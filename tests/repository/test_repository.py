"""What is committed: nothing of one machine, nothing too long, and the documents keep their promises."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

REGISTRIES = ("registry." + "npmjs", "py" + "pi.org", "pythonhosted" + ".org", "yarnpkg" + ".com", "npm" + ".pkg.")
MACHINE = re.compile(
    r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+|opt/\w+|github/workspace)(?:/|\b(?=['\"\s]))"
    r"|" + "|".join(re.escape(host) for host in REGISTRIES)
)


def committed() -> list[Path]:
    """What git has, and what it would take with the next `git add`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def texts() -> dict[Path, str]:
    found = {}
    for path in committed():
        data = path.read_bytes()
        if b"\0" not in data:
            found[path] = data.decode("utf-8")
    return found


def test_git_lists_the_project() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in committed()}
    assert {
        "pyproject.toml",
        "Makefile",
        ".ci/run",
        "src/cloche/errors.py",
        "tests/conftest.py",
    } <= names
    assert not [name for name in names if name.endswith(("package-lock.json", ".pyc"))]


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    named = [
        f"{path.relative_to(ROOT)}:{number}: {found.group()}"
        for path, text in texts().items()
        for number, line in enumerate(text.splitlines(), 1)
        if (found := MACHINE.search(line))
    ]
    assert named == []


@pytest.mark.parametrize(
    "line",
    [
        "/wo" + "rk/main/x",
        "cache = '/ro" + "ot/.cache'",
        "file:///ho" + "me/ann/x",
        "https://registry." + "npmjs.org/a",
    ],
)
def test_the_scan_finds_what_it_looks_for(line: str) -> None:
    assert MACHINE.search(line)


def test_ci_runs_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert "make test" in script.read_text()


def test_the_makefile_has_one_word_per_job() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"dev", "test", "bench", "check", "docs", "test-all", "fuzz", "conformance", "clean"} <= targets


def test_contributing_fits_on_two_screens() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text().splitlines()) <= 100


def test_the_changelog_keeps_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    headings = re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)
    assert headings[0] in ("Unreleased", version)
    sections = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert sections <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


PIN = re.compile(r"(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?")
"""An exact version, of the package or of another one under its name."""


def test_npm_packages_are_pinned_exactly() -> None:
    for path in (path for path in committed() if path.name == "package.json"):
        content = json.loads(path.read_text())
        pins = {**content.get("dependencies", {}), **content.get("devDependencies", {})}
        assert pins, path
        assert [pin for pin in pins.values() if not PIN.fullmatch(pin)] == [], path


def test_development_tools_are_pinned_exactly_and_agree_with_the_constraints() -> None:
    group = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["dev"]
    pins = [pin.split(";")[0].strip() for pin in group]
    assert [pin for pin in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", pin)] == []
    constraints = (ROOT / "tools" / "constraints.txt").read_text().lower().splitlines()
    assert [pin for pin in pins if pin.lower() not in constraints] == []
