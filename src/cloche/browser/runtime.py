"""Pyodide, which is Python for browsers: its files, from npm once into a cache, or from a given folder or URL."""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cloche.browser.cache import ProgramError, cache_root, made_once, run_program
from cloche.errors import ConfigurationError, shorten

PYODIDE_VERSION = "314.0.7"
"""The release that everything here is tested with; a snapshot and compiled wheels fit no other."""

DIGESTS = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
}
"""The files that a browser needs, and what they must be: nobody can slip in another Python."""

INFO = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"}
"""What Pyodide's own list of packages says of itself. The list is left out: every wheel is chosen when bundling."""

NPM_SECONDS = 900.0


@dataclass(frozen=True)
class Runtime:
    """Where the files are: in a folder here, or behind a URL that the browser loads them from."""

    folder: Path
    url: str | None = None


def find_runtime(given: str | Path | None = None) -> Runtime:
    """The runtime that was named; without a name the one in the cache, fetched when it is not there."""
    text = "" if given is None else str(given)
    if "://" not in text:
        return Runtime(check_folder(Path(given)) if given is not None else fetch_runtime())
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ConfigurationError(f"{shorten(text)!r} is not an address of a runtime: write https://host/folder/")
    return Runtime(fetch_runtime(), text if text.endswith("/") else text + "/")


def fetch_runtime(to: str | Path | None = None) -> Path:
    """The folder with the runtime, from npm on first use; with `to` also as a copy there."""
    folder = made_once(cache_root() / "pyodide" / PYODIDE_VERSION, _download)
    if to is None:
        return folder
    target = Path(to)
    try:
        copy_runtime(folder, target)
    except OSError as error:
        raise ConfigurationError(f"The runtime cannot be written to {shorten(str(to))!r}: {error.strerror}") from None
    return target


def copy_runtime(folder: Path, target: Path) -> None:
    """Copy the files that a browser needs."""
    target.mkdir(parents=True, exist_ok=True)
    for name in DIGESTS:
        shutil.copyfile(folder / name, target / name)


def check_folder(folder: Path) -> Path:
    """The folder, when the runtime is in it, and it is ours."""
    shown = shorten(str(folder))
    missing = [name for name in DIGESTS if not (folder / name).is_file()]
    if missing:
        raise ConfigurationError(
            f"{shown!r} has no {missing[0]}, so it is not a Pyodide folder: "
            f"`cloche pyodide fetch --to {shown}` puts one there"
        )
    for name, digest in DIGESTS.items():
        if _digest(folder / name) != digest:
            raise ConfigurationError(
                f"{name} in {shown!r} is not that of Pyodide {PYODIDE_VERSION}: "
                "`cloche pyodide fetch` gets the right one"
            )
    return folder


def version_info() -> dict[str, Any]:
    """What the browser is told instead of a list of packages."""
    return {"info": {**INFO, "version": PYODIDE_VERSION}, "packages": {}}


def _download(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise ConfigurationError(
            "npm is not on the PATH, and Pyodide comes from it: install Node.js 20 or newer, or name a folder or URL "
            "that has Pyodide with --runtime"
        )
    package = f"pyodide@{PYODIDE_VERSION}"
    words = [npm, "pack", package, "--json", "--loglevel=error", f"--pack-destination={folder}"]
    try:
        run_program(words, what=f"npm pack {package}", seconds=NPM_SECONDS, folder=folder)
    except ProgramError as error:
        raise ConfigurationError(
            "Pyodide could not be fetched from npm; check the network and npm's settings, then try again "
            f"({_why(error)})"
        ) from None
    archives = list(folder.glob("*.tgz"))
    if not archives:
        raise ConfigurationError(f"npm pack {package} wrote no archive: update npm, it is older than this needs")
    _unpack(archives[0], folder)
    archives[0].unlink()
    check_folder(folder)


def _unpack(archive: Path, folder: Path) -> None:
    try:
        with tarfile.open(archive) as packed:
            for name in DIGESTS:
                found = packed.extractfile(f"package/{name}")
                if found is not None:
                    (folder / name).write_bytes(found.read())
    except (tarfile.TarError, KeyError, OSError, EOFError):
        raise ConfigurationError(f"The archive of Pyodide {PYODIDE_VERSION} is damaged: fetch it again") from None


def _why(error: ProgramError) -> str:
    """npm's own reason, which it gives as JSON or as a line."""
    try:
        told = json.loads(error.output)["error"]
        return shorten(str(told.get("summary") or told.get("code")), 200)
    except (ValueError, KeyError, TypeError, AttributeError):
        lines = [line for line in error.output.splitlines() if line.strip()]
        return shorten(lines[0] if lines else "npm said nothing", 200)


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
