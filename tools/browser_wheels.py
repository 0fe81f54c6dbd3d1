"""Download the wheels that the tests need in the browser's Python, once, into a cache outside the repository.

`python -m tools.browser_wheels tests/browser/core/packages.txt` prints the folder. The file names packages; their
versions are those of tools/constraints.txt, so that both Pythons run the same ones. The cache is that of npm_tools.py;
a folder in it is named after its packages, so a changed pin downloads again and an unchanged one costs a stat.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.npm_tools import cache_root

PLATFORM = "pyemscripten_2026_0_wasm32"
PYTHON = "3.14"
ABI = "cp314"
"""What Pyodide 314 is."""

CONSTRAINTS = Path(__file__).parent / "constraints.txt"
DEADLINE = 600
"""Seconds until a download counts as stuck."""


def browser_wheels(packages: Path, constraints: Path = CONSTRAINTS) -> Path:
    """The folder with a wheel of each package in the file, downloaded on first use."""
    wanted = pins(packages, constraints)
    digest = hashlib.sha256("\n".join([PLATFORM, *wanted]).encode()).hexdigest()[:16]
    target = cache_root() / "wheels" / digest
    if not target.is_dir():
        download(wanted, target)
    return target


def pins(packages: Path, constraints: Path) -> list[str]:
    """`name==version` of every package in the file."""
    pinned = {normal(line.partition("==")[0]): line for line in lines(constraints)}
    missing = [name for name in lines(packages) if normal(name) not in pinned]
    if missing:
        raise SystemExit(f"{constraints.name} has no version of {', '.join(missing)}: add it there.")
    return [pinned[normal(name)] for name in lines(packages)]


def lines(file: Path) -> list[str]:
    """The lines of a file that say something."""
    stripped = (line.strip() for line in file.read_text().splitlines())
    return [line for line in stripped if line and not line.startswith("#")]


def normal(name: str) -> str:
    """A package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def download(wanted: list[str], target: Path) -> None:
    """Download beside `target`, then rename: an interrupted download leaves nothing that looks finished."""
    print(f"downloading {len(wanted)} wheels for the browser (once, into {target})", file=sys.stderr, flush=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f"{target.name}-", dir=target.parent))
    try:
        run_pip(command(wanted, building))
        move_into_place(building, target)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def command(wanted: list[str], folder: Path) -> list[str]:
    """How pip is asked for wheels of another Python; ones without compiled code fit any."""
    platforms = [f"--platform={name}" for name in (PLATFORM, "any")]
    abis = [f"--abi={name}" for name in (ABI, "abi3", "none")]
    return [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"),
        *(*platforms, "--implementation=cp", f"--python-version={PYTHON}", *abis),
        *(f"--dest={folder}", *wanted),
    ]


def run_pip(arguments: list[str]) -> None:
    """Run pip; on failure show the end of what it said."""
    try:
        done = subprocess.run(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SystemExit(f"pip download took more than {DEADLINE} s: check the network and try again.") from None
    if done.returncode != 0:
        raise SystemExit(f"pip download failed:\n{done.stdout[-2000:]}")


def move_into_place(building: Path, target: Path) -> None:
    """Rename; when another process was first, its folder is as good as ours."""
    try:
        building.rename(target)
    except OSError:
        if not target.is_dir():
            raise


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m tools.browser_wheels FILE  (one package per line)")
    print(browser_wheels(Path(sys.argv[1])))
