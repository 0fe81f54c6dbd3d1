"""A class name stands for one thing in a package, so that a reader who finds it knows which."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import cloche

PACKAGE = Path(cloche.__file__).parent


def classes(source: str) -> list[str]:
    """The classes that a module defines at its top."""
    return [node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]


def test_no_class_name_stands_for_two_things_in_one_package() -> None:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE)
        if "templates" not in path.parts and "examples" not in path.parts:
            for name in classes(file.read_text("utf-8")):
                found[path.parts[0], name].append(path.as_posix())
    assert len(found) > 300
    assert {name: files for name, files in found.items() if len(files) > 1} == {}
