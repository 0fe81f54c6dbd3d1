"""A class name stands for one thing in a package, so that a reader who finds it knows which."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import cloche

PACKAGE = Path(cloche.__file__).parent
JAVASCRIPT = re.compile(r"^ *(?:export +)?(?:default +)?(?:\w+ +\w+ *= *)?class +(\w+)", re.MULTILINE)
"""The beginning of a class, under the name by which its own module knows it."""


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


def test_no_class_of_javascript_has_the_name_of_another() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted((PACKAGE / "web").rglob("*.js")):
        path = file.relative_to(PACKAGE / "web")
        if path.parts[0] != "dist":  # the same classes, bundled
            for name in JAVASCRIPT.findall(file.read_text("utf-8")):
                found[name].append(path.as_posix())
    assert len(found) > 100
    assert {name: files for name, files in found.items() if len(files) > 1} == {}


def test_classes_of_javascript_are_found_however_they_are_written() -> None:
    lines = [
        "class A {",
        "export class B extends A {",
        "export default class C {",
        "  const d = class E {",
        "// class F",
    ]
    assert JAVASCRIPT.findall("\n".join(lines)) == ["A", "B", "C", "E"]
