"""The tests that need no browser, on every Python that the package claims and this machine has.

    python -m tools.pythons [pytest's arguments …]

Looks on the PATH, in pyenv and uv, and at the interpreters that `CLOCHE_PYTHONS` names. Each gets an environment of its
own in `.venv/pythons`, with the development tools and the wheel that `make .venv/.wheel` built.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = ROOT / ".venv/pythons"
PIP = "pip==26.3"
VARIABLE = "CLOCHE_PYTHONS"
"""The environment variable that names further interpreters, separated as in PATH."""


def main(arguments: list[str]) -> int:
    """Run the tests on each Python; returns 1 when they fail on one."""
    found = {version: find(version) for version in claimed()}
    for version, python in found.items():
        print(f"Python {version}: {python or f'not found; {VARIABLE}=/path/to/python{version} names one'}", flush=True)
    failed = [version for version, python in found.items() if python and not passes(version, python, arguments)]
    tested = [version for version, python in found.items() if python]
    print(f"\ntested on Python {', '.join(tested)}" + (f"; failed on {', '.join(failed)}" if failed else ""))
    return 1 if failed or not tested else 0


def claimed() -> list[str]:
    """The versions that the package's classifiers name: `3.11`, …"""
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    last = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("Programming Language :: Python ::")]
    return [version for version in last if "." in version]


def find(version: str) -> str | None:
    """An interpreter of this version that starts."""
    return next((python for python in candidates(version) if version_of(python) == version), None)


def candidates(version: str) -> Iterator[str]:
    """Where an interpreter of this version may be, the likeliest first."""
    name = f"python{version}"
    yield sys.executable
    yield from filter(None, os.environ.get(VARIABLE, "").split(os.pathsep))
    yield from filter(None, [shutil.which(name)])
    homes = {
        Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions": f"{version}.*/bin/{name}",
        Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
        / "uv/python": f"*-{version}.*/bin/{name}",
    }
    for home, pattern in homes.items():
        yield from map(str, sorted(home.glob(pattern), reverse=True))


def version_of(python: str) -> str | None:
    """Which Python this is; None when it does not start, as a pyenv shim without a version behind it."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        ran = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return ran.stdout.strip()


def passes(version: str, python: str, arguments: list[str]) -> bool:
    """Install what the tests need, and run them."""
    print(f"\nPython {version}", flush=True)
    inside = install(version, python)
    tests = ["tools/run_tests.py", "-q", "-p", "tools.browserless", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([inside, *tests], cwd=ROOT, env=environment, check=False).returncode == 0


def install(version: str, python: str) -> str:
    """The interpreter of an environment with the development tools and the wheel as it is now."""
    home = ENVIRONMENTS / version
    inside, stamp = str(home / "bin/python"), home / "tools"
    wanted = (ROOT / "pyproject.toml").read_text("utf-8") + (ROOT / "tools/constraints.txt").read_text("utf-8")
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        print(f"installing the development tools into {home.relative_to(ROOT)}", flush=True)
        _run(python, "-m", "venv", "--clear", str(home))
        _run(inside, "-m", "pip", "install", "-qq", PIP)
        _run(inside, "-m", "pip", "install", "-qq", "-c", "tools/constraints.txt", "--group", "dev")
        stamp.write_text(wanted, "utf-8")
    wheels = map(str, (ROOT / ".venv/wheel").glob("*.whl"))
    _run(inside, "-m", "pip", "install", "-qq", "--no-deps", "--force-reinstall", *wheels)
    return inside


def _run(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
