"""Modules, compiled when bundling: a browser that starts from a snapshot would compile them for longer than
it needs for everything else. They fit exactly one Python, so they are made by it.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from cloche.browser.archives import write_zip
from cloche.browser.cache import cache_root, digest_of, made_once
from cloche.browser.engine import run_engine, script
from cloche.browser.runtime import PYODIDE_VERSION

PROGRAM = "compile.mjs"
COMPILED = "compiled.zip"


def compiled(files: Mapping[str, bytes], runtime: Path) -> dict[str, bytes]:
    """The compiled form of the modules among the files, for beside the sources, which tracebacks show."""
    modules = {name: content for name, content in files.items() if name.endswith(".py")}
    folder = made_once(
        cache_root() / "pyodide" / f"bytecode-{PYODIDE_VERSION}-{digest_of(modules, script(PROGRAM))}",
        lambda building: _compile(modules, runtime, building),
    )
    with zipfile.ZipFile(folder / COMPILED) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _compile(modules: Mapping[str, bytes], runtime: Path, folder: Path) -> None:
    sources = write_zip(folder / "sources.zip", modules)
    run_engine(PROGRAM, runtime, str(sources), str(folder / COMPILED), folder=folder, what="Compiling the modules")
    sources.unlink()
