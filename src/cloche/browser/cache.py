"""Where downloads are kept, and how something large gets there whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cloche.errors import ConfigurationError

VARIABLE = "CLOCHE_CACHE"
"""The environment variable that names another folder."""

TAIL = 600
"""Characters of a failed program's last words that a person is shown."""


def cache_root() -> Path:
    """The folder everything downloaded goes to."""
    configured = os.environ.get(VARIABLE)
    return Path(configured) if configured else Path.home() / ".cache" / "cloche"


def digest_of(files: Mapping[str, bytes], *texts: str) -> str:
    """A name for what is made of these files by the programs in these texts."""
    digest = hashlib.sha256("".join(texts).encode())
    for name in sorted(files):
        digest.update(f"{name}\n{len(files[name])}\n".encode() + files[name])
    return digest.hexdigest()[:16]


def made_once(target: Path, make: Callable[[Path], None]) -> Path:
    """The folder `target`, made by `make` when it is not there: beside it, then renamed, so it is never half of it."""
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=f"{target.name}-", dir=target.parent))
    except OSError as error:
        raise ConfigurationError(
            f"The cache {target.parent} cannot be written ({error.strerror}): set {VARIABLE} to a folder that can"
        ) from None
    try:
        make(building)
        try:
            building.rename(target)
        except OSError:  # another process was first, and its folder is as good as ours
            if not target.is_dir():
                raise
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return target


def run_program(words: Sequence[str], *, what: str, seconds: float, folder: Path | None = None) -> str:
    """What a program prints; when it fails, one sentence with the end of what it said."""
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ConfigurationError(f"{what} took more than {seconds:g} s: check the network and try again") from None
    except OSError as error:
        raise ConfigurationError(f"{what} could not be started: {error.strerror}") from None
    if done.returncode != 0:
        raise ProgramError(f"{what} failed: {done.stdout.strip()[-TAIL:]}", done.stdout)
    return done.stdout


class ProgramError(ConfigurationError):
    """A program that was needed failed; `output` is all it said."""

    def __init__(self, message: str, output: str) -> None:
        super().__init__(message)
        self.output = output
