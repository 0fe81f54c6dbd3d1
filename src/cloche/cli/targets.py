"""`FILE[:OBJECT]` and `package.module[:OBJECT]`: which file or module, and which name in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from cloche.errors import LoadError, shorten


@dataclass(frozen=True, slots=True)
class Target:
    """What to import, and the dotted name of the object in it; no name means: find it."""

    file: Path | None
    module: str | None
    name: str | None

    @property
    def label(self) -> str:
        """What the user calls it."""
        return self.file.name if self.file else str(self.module)

    @property
    def folder(self) -> Path:
        """Where the user's other files are, as far as one can tell."""
        return self.file.parent if self.file else Path.cwd()


def parse_target(text: str) -> Target:
    """Split `text` and look whether there is such a file; a module is looked for by importing it."""
    source, name = split(text)
    if name is not None and not is_dotted(name):
        raise LoadError(f"{shorten(name)!r} is not the name of an object: write FILE:OBJECT, as in server.py:server")
    if not source:
        raise LoadError("there is no file before the colon: write FILE:OBJECT, as in server.py:server")
    path = Path(source)
    if not os.path.exists(path) and is_dotted(source) and not source.endswith(".py"):
        return Target(None, source, name)
    return Target(_file(path), None, name)


def split(text: str) -> tuple[str, str | None]:
    """Source and object; a colon of a Windows drive is not one of ours."""
    source, colon, name = text.rpartition(":")
    if not colon or os.path.isfile(text):
        return text, None
    drive = len(source) == 1 and source.isascii() and source.isalpha()
    if drive and (name.startswith(("\\", "/")) or name.endswith(".py")):
        return text, None
    return source, name


def is_dotted(text: str) -> bool:
    """Whether `text` is a name, or names joined by dots."""
    return all(part.isidentifier() for part in text.split("."))


def _file(path: Path) -> Path:
    shown = shorten(str(path))
    if not os.path.exists(path):  # not Path.exists: that raises for a name that is too long
        near = f": did you mean {path}.py?" if os.path.exists(f"{path}.py") else ": check the path"
        raise LoadError(f"there is no file {shown!r}{near}")
    if path.is_dir():
        raise LoadError(f"{shown!r} is a folder: name the .py file in it that makes the server")
    if path.suffix != ".py":
        raise LoadError(f"{shown!r} is not a Python file: its name must end in .py")
    if not os.access(path, os.R_OK):
        raise LoadError(f"{shown!r} cannot be read: check its permissions")
    return path.resolve()
