"""The JavaScript engine in which the browser's Python runs when a server is bundled."""

from __future__ import annotations

import json
import shutil
import sysconfig
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from cloche.browser.cache import ProgramError, run_program
from cloche.browser.runtime import version_info
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
    """Run one of our programs with a runtime, in a folder that it may write to; `beside` is what it imports."""
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
