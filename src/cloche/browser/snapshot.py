"""A picture of Python's memory after start-up, which a browser restores in a fraction of the time of a start.

It holds the standard library only: compiled code must not be loaded when it is made (a snapshot with msgspec in it
cannot be restored). It fits exactly one build of Pyodide, so it is made once per release and kept.
"""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

from cloche.browser.cache import cache_root, made_once
from cloche.browser.engine import run_engine, script
from cloche.browser.runtime import PYODIDE_VERSION

PROGRAM = "snapshot.mjs"
KINDS = ("switching", "plain")
"""One for browsers in which Python can wait for a promise (JSPI), one for the others."""

MODULES = [
    "ast", "asyncio", "asyncio.queues", "asyncio.taskgroups", "asyncio.timeouts", "atexit", "base64", "binascii",
    "bisect", "collections.abc", "concurrent.futures", "contextlib", "contextvars", "copy", "dataclasses",
    "datetime", "decimal", "enum", "functools", "hashlib", "heapq", "hmac", "html", "importlib.metadata",
    "importlib.resources", "inspect", "io", "ipaddress", "itertools", "json", "logging", "math", "mimetypes",
    "numbers", "operator", "pathlib", "platform", "queue", "random", "re", "secrets", "shutil", "signal", "string",
    "struct", "sysconfig", "tempfile", "textwrap", "threading", "traceback", "types", "typing", "urllib.parse",
    "uuid", "warnings", "weakref", "zipfile", "zlib", "pyodide.code", "pyodide.ffi", "pyodide.webloop",
]  # fmt: skip
"""What a server of ours imports of the standard library."""


def snapshots_for(runtime: Path) -> dict[str, Path]:
    """The compressed snapshots for a runtime, by kind, made on first use (some seconds)."""
    text = script(PROGRAM)
    digest = hashlib.sha256(f"{text}{MODULES}".encode()).hexdigest()[:16]
    folder = made_once(
        cache_root() / "pyodide" / f"snapshot-{PYODIDE_VERSION}-{digest}",
        lambda building: _make(runtime, building),
    )
    return {kind: folder / f"{kind}.bin.gz" for kind in KINDS}


def _make(runtime: Path, folder: Path) -> None:
    raw = folder / "snapshot.bin"
    for kind in KINDS:
        run_engine(PROGRAM, runtime, kind, str(raw), *MODULES, folder=folder, what="Making the snapshot")
        (folder / f"{kind}.bin.gz").write_bytes(gzip.compress(raw.read_bytes(), 6, mtime=0))
    raw.unlink()
