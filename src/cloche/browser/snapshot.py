"""A picture of Python's memory after start-up, which a browser restores in a fraction of the time of a start.

Cloche is in it, and what it imports. It fits exactly one build of Pyodide and these packages, so it is made once for
them and kept. The server's own file is not in it: what that does when it is imported is for each visitor.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cloche.browser.archives import write_zip
from cloche.browser.cache import cache_root, digest_of, made_once
from cloche.browser.dependencies import OWN
from cloche.browser.engine import run_engine, script
from cloche.browser.runtime import PYODIDE_VERSION
from cloche.browser.wheels import SITE, is_left_out

PROGRAM = "snapshot.mjs"
BESIDE = ("libraries.js", "unzip.js")
KINDS = ("switching", "plain")
"""One for browsers in which Python can wait for a promise (JSPI), one for the others."""

MODULES = ["cloche.browser.python_main", "cloche.server.connection", "cloche.server.engine", "cloche.views.view"]
"""What is imported in it: what a server needs from its definition to its first answer, and what that imports."""

COMPILED = re.compile(r"__pycache__/(\w+)\.[\w.-]+\.pyc$")


@dataclass(frozen=True)
class Snapshot:
    """A compressed snapshot, and what a browser must know to restore it."""

    file: Path
    about: dict[str, Any]


def snapshots_for(runtime: Path, packages: Mapping[str, bytes]) -> dict[str, Snapshot]:
    """The snapshots for a runtime and packages, by kind, made on first use (some seconds)."""
    packages = {name: content for name, content in packages.items() if not _is_idle(name)}
    digest = digest_of(packages, *(script(name) for name in (PROGRAM, *BESIDE)), repr(MODULES))
    folder = made_once(
        cache_root() / "pyodide" / f"snapshot-{PYODIDE_VERSION}-{digest}",
        lambda building: _make(runtime, packages, building),
    )
    return {
        kind: Snapshot(folder / f"{kind}.bin.gz", json.loads((folder / f"{kind}.json").read_bytes())) for kind in KINDS
    }


def _is_idle(name: str) -> bool:
    """Whether nothing in the snapshot can depend on a file: it is read later, or by tests only."""
    source = COMPILED.sub(r"\1.py", name)
    own = source.removeprefix("cloche/")
    return own != source and ((own.startswith("web/") and not own.endswith(".py")) or is_left_out(own))


def _make(runtime: Path, packages: Mapping[str, bytes], folder: Path) -> None:
    # An archive, because what is in a wheel may have any name, and is for Python's file system only.
    archive, raw = write_zip(folder / "packages.zip", packages), folder / "snapshot.bin"
    for kind in KINDS:
        plan = {
            "kind": kind,
            "packages": str(archive),
            "site": SITE,
            "libraries": sorted(name for name in packages if name.startswith(f"{OWN}/") and name.endswith(".so")),
            "modules": MODULES,
            "target": str(raw),
            "about": str(folder / f"{kind}.json"),
        }
        run_engine(PROGRAM, runtime, json.dumps(plan), folder=folder, what="Making the snapshot", beside=BESIDE)
        (folder / f"{kind}.bin.gz").write_bytes(gzip.compress(raw.read_bytes(), 6, mtime=0))
    archive.unlink()
    raw.unlink()
