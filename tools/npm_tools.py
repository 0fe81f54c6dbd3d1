"""Install the npm packages that a package.json pins, once, into a cache outside the repository.

`python tools/npm_tools.py tests/interop/node` prints the path of the `node_modules` folder. The cache is
`$CLOCHE_CACHE` or `~/.cache/cloche`; a folder in it is named after the package.json's content, so a changed pin
installs anew and an unchanged one costs a stat. Only the standard library is used: `make` calls this before anything
else exists.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NPM_FLAGS = ("--no-audit", "--no-fund", "--no-package-lock", "--no-progress", "--loglevel=error")
DEADLINE = 900
"""Seconds until an install counts as stuck."""


def cache_root() -> Path:
    """The folder everything downloaded goes to."""
    configured = os.environ.get("CLOCHE_CACHE")
    return Path(configured) if configured else Path.home() / ".cache" / "cloche"


def cached_folder(package_json: Path) -> Path:
    """Where the packages of `package_json` are, or will be."""
    digest = hashlib.sha256(package_json.read_bytes()).hexdigest()[:16]
    return cache_root() / "npm" / digest


def node_modules(folder: str | Path) -> Path:
    """The `node_modules` for the package.json in `folder`, installed on first use."""
    package_json = Path(folder) / "package.json"
    if not package_json.is_file():
        raise SystemExit(f"There is no {package_json}: name a folder with a package.json.")
    target = cached_folder(package_json)
    if not (target / "node_modules").is_dir():
        install(package_json, target)
    return target / "node_modules"


def install(package_json: Path, target: Path) -> None:
    """Install beside `target`, then rename: an interrupted install leaves nothing that looks finished."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is not on the PATH: install Node.js 20 or newer.")
    print(f"installing the npm packages of {package_json} (once, into {target})", file=sys.stderr, flush=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f"{target.name}-", dir=target.parent))
    try:
        shutil.copy(package_json, building / "package.json")
        run_npm([npm, "install", *NPM_FLAGS], building)
        move_into_place(building, target)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def run_npm(command: list[str], folder: Path) -> None:
    """Run npm quietly; on failure show the end of what it said."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SystemExit(f"npm install took more than {DEADLINE} s: check the network and try again.") from None
    if done.returncode != 0:
        raise SystemExit(f"npm install failed:\n{done.stdout[-2000:]}")


def move_into_place(building: Path, target: Path) -> None:
    """Rename; when another process was first, its folder is as good as ours."""
    try:
        building.rename(target)
    except OSError:
        if not (target / "node_modules").is_dir():
            raise


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("usage: npm_tools.py FOLDER...  (each with a package.json)")
    for argument in sys.argv[1:]:
        print(node_modules(argument))
