"""`wire/` knows the standard library and msgspec, and of the standard library nothing that touches the world.

The import contracts in pyproject.toml hold the direction of imports; they can forbid names but not allow a list, so
this does.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import cloche

PACKAGE = Path(cloche.__file__).parent
WORLDLY = {
    "asyncio", "concurrent", "http", "io", "logging", "multiprocessing", "os", "pathlib", "queue", "random", "secrets",
    "select", "selectors", "shutil", "signal", "socket", "ssl", "subprocess", "sys", "tempfile", "threading", "time",
    "uuid",
}  # fmt: skip
ALLOWED = (set(sys.stdlib_module_names) - WORLDLY) | {"msgspec"}


def imported(source: str) -> set[str]:
    """Every module a file imports, anywhere in it, by full name; relative imports as they are written."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


def foreign(source: str) -> set[str]:
    own = ("cloche.wire", "cloche.errors", ".")
    return {name for name in imported(source) if not name.startswith(own) and name.split(".")[0] not in ALLOWED}


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.glob("wire/**/*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_wire_touches_nothing_outside(path: Path) -> None:
    assert foreign(path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize(
    "line", ["import asyncio", "from time import monotonic", "import pydantic", "from cloche.server import x"]
)
def test_the_check_finds_what_it_looks_for(line: str) -> None:
    assert foreign(f"def f():\n    {line}\n")
