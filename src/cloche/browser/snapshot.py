"""A picture of Python's memory after start-up, which a browser restores in a fraction of the time of a start.

It holds the standard library only: compiled code must not be loaded when it is made (a snapshot with msgspec in it
cannot be restored). It fits exactly one build of Pyodide, so it is made once per release and kept.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import sysconfig
from importlib import resources
from pathlib import Path

from cloche.browser.cache import ProgramError, cache_root, made_once, run_program
from cloche.browser.runtime import PYODIDE_VERSION, version_info
from cloche.errors import ConfigurationError

ENGINE_SECONDS = 300.0
NO_ENGINE = (
    "A snapshot is made with Deno or with Node.js 25 or newer, and neither is here: pip install 'cloche[browser]', "
    "or bundle with --no-snapshot"
)
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
    script = resources.files("cloche.web") / "python" / "snapshot.mjs"
    text = script.read_text(encoding="utf-8")
    digest = hashlib.sha256(f"{text}{MODULES}".encode()).hexdigest()[:16]
    folder = made_once(
        cache_root() / "pyodide" / f"snapshot-{PYODIDE_VERSION}-{digest}",
        lambda building: _make(runtime, text, building),
    )
    return {kind: folder / f"{kind}.bin.gz" for kind in KINDS}


def _make(runtime: Path, script: str, folder: Path) -> None:
    engine = find_engine(folder)
    program, raw = folder / "snapshot.mjs", folder / "snapshot.bin"
    program.write_text(script, encoding="utf-8")
    for kind in KINDS:
        words = [*engine, str(program), str(runtime.resolve()), json.dumps(version_info()), kind, str(raw), *MODULES]
        try:
            run_program(words, what="Making the snapshot", seconds=ENGINE_SECONDS)
        except ProgramError as error:
            if "too old" in error.output:
                raise ConfigurationError(NO_ENGINE) from None
            raise
        (folder / f"{kind}.bin.gz").write_bytes(gzip.compress(raw.read_bytes(), 6, mtime=0))
    raw.unlink()
    program.unlink()


def find_engine(folder: Path) -> list[str]:
    """The words that start a JavaScript engine of today; it may read anything, and write into the folder."""
    deno = shutil.which("deno") or shutil.which("deno", path=sysconfig.get_path("scripts"))
    if deno is not None:
        # Without a configuration or a lock of a project that happens to be around.
        allowed = ["--allow-read", "--allow-env", "--allow-sys", f"--allow-write={folder}"]
        return [deno, "run", "--quiet", "--no-config", "--no-lock", "--no-remote", *allowed]
    node = shutil.which("node")
    if node is None:
        raise ConfigurationError(NO_ENGINE)
    return [node]
