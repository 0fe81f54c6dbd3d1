"""The JavaScript engine in which the browser's Python runs when a server is bundled."""

from __future__ import annotations

import hashlib
import json
import shutil
import sysconfig
import zipfile
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path

from cloche.browser.archives import write_zip
from cloche.browser.cache import ProgramError, cache_root, made_once, run_program
from cloche.browser.runtime import PYODIDE_VERSION, version_info
from cloche.errors import ConfigurationError

ENGINE_SECONDS = 300.0
NO_ENGINE = (
    "A snapshot is made with Deno or with Node.js 25 or newer, and neither is here: pip install 'cloche[browser]', "
    "or bundle with --no-snapshot"
)


def script(name: str) -> str:
    """A program of ours for the engine."""
    return (resources.files("cloche.web") / "python" / name).read_text(encoding="utf-8")


def run_engine(name: str, runtime: Path, *words: str, folder: Path, what: str, beside: Sequence[str] = ()) -> None:
    """Run one of our programs with a runtime; it may read anything, and write into the folder. What it imports is
    put beside it.
    """
    program = folder / name
    engine = find_engine(folder)
    for file in (name, *beside):
        (folder / file).write_text(script(file), encoding="utf-8")
    given = [*engine, str(program), str(runtime.resolve()), json.dumps(version_info()), *words]
    try:
        run_program(given, what=what, seconds=ENGINE_SECONDS)
    except ProgramError as error:
        if "too old" in error.output:
            raise ConfigurationError(NO_ENGINE) from None
        raise
    finally:
        for file in (name, *beside):
            (folder / file).unlink()


def find_engine(folder: Path) -> list[str]:
    """The words that start a current JavaScript engine; it may read anything, and write into the folder."""
    deno = shutil.which("deno") or shutil.which("deno", path=sysconfig.get_path("scripts"))
    if deno is not None:
        # Without a configuration or a lock of a project that happens to be around.
        allowed = ["--allow-read", "--allow-env", "--allow-sys", f"--allow-write={folder}"]
        return [deno, "run", "--quiet", "--no-config", "--no-lock", "--no-remote", *allowed]
    node = shutil.which("node")
    if node is None:
        raise ConfigurationError(NO_ENGINE)
    return [node]


# Modules, compiled when bundling: a browser that starts from a snapshot would compile them for longer than
# it needs for everything else. They fit exactly one Python, so they are made by it.

PROGRAM = "compile.mjs"
COMPILED = "compiled.zip"


def compiled(files: Mapping[str, bytes], runtime: Path) -> dict[str, bytes]:
    """The compiled form of the modules among the files, for beside the sources, which tracebacks show."""
    modules = {name: content for name, content in files.items() if name.endswith(".py")}
    digest = hashlib.sha256(script(PROGRAM).encode())
    for name in sorted(modules):
        digest.update(f"{name}\n{len(modules[name])}\n".encode() + modules[name])
    folder = made_once(
        cache_root() / "pyodide" / f"bytecode-{PYODIDE_VERSION}-{digest.hexdigest()[:16]}",
        lambda building: _compile(modules, runtime, building),
    )
    with zipfile.ZipFile(folder / COMPILED) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _compile(modules: Mapping[str, bytes], runtime: Path, folder: Path) -> None:
    sources = write_zip(folder / "sources.zip", modules)
    run_engine(PROGRAM, runtime, str(sources), str(folder / COMPILED), folder=folder, what="Compiling the modules")
    sources.unlink()
