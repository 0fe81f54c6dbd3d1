"""A picture of Python's memory after start-up, which a browser restores in a fraction of the time of a start.

It holds the standard library only: compiled code must not be loaded when it is made (a snapshot with msgspec in it
cannot be restored). It fits exactly one build of Pyodide, so it is made once per release and kept.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from importlib import resources
from pathlib import Path

from cloche.browser.cache import cache_root, made_once, run_program
from cloche.browser.runtime import PYODIDE_VERSION, version_info
from cloche.errors import ConfigurationError

NODE_SECONDS = 300.0
NAME = "snapshot.bin.gz"

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


def snapshot_for(runtime: Path) -> Path:
    """The compressed snapshot for a runtime, made with Node on first use (some seconds)."""
    script = resources.files("cloche.web") / "python" / "snapshot.mjs"
    text = script.read_text(encoding="utf-8")
    digest = hashlib.sha256(f"{text}{MODULES}".encode()).hexdigest()[:16]
    folder = made_once(
        cache_root() / "pyodide" / f"snapshot-{PYODIDE_VERSION}-{digest}",
        lambda building: _make(runtime, text, building),
    )
    return folder / NAME


def _make(runtime: Path, script: str, folder: Path) -> None:
    node = shutil.which("node")
    if node is None:
        raise ConfigurationError("node is not on the PATH, and it makes the snapshot: install Node.js 20 or newer")
    program, raw = folder / "snapshot.mjs", folder / "snapshot.bin"
    program.write_text(script, encoding="utf-8")
    words = [node, str(program), str(runtime.resolve()), json.dumps(version_info()), str(raw), *MODULES]
    run_program(words, what="Making the snapshot with Node", seconds=NODE_SECONDS)
    (folder / NAME).write_bytes(gzip.compress(raw.read_bytes(), 6, mtime=0))
    raw.unlink()
    program.unlink()
