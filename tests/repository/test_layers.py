"""`wire/` knows the standard library and msgspec, and of the standard library nothing that touches the world.

The import contracts in pyproject.toml hold the direction of imports; they can forbid names but not allow a list, so
this does. And CONTRIBUTING.md lists the layers as the contract has them.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
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


def test_contributing_lists_the_layers_of_the_import_contract() -> None:
    root = Path(__file__).parents[2]
    contracts = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [layers] = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    text = (root / "CONTRIBUTING.md").read_text("utf-8")
    block = text.partition("## The house\n\n```\n")[2].partition("```")[0]
    listed = [re.split(r" {2,}", line)[0] for line in block.splitlines()]
    assert listed == layers
    packages = {path.stem for path in PACKAGE.iterdir() if path.name[0] not in "._"} - {"py"}
    assert {name for layer in listed for name in layer.split(" | ")} == packages
