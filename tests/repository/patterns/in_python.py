"""Every regular expression in `src/`, found by reading the code, and the methods that it is used with."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import cloche

ROOT = Path(cloche.__file__).parent
FUNCTIONS = ("compile", "match", "fullmatch", "search", "split", "sub", "subn", "findall", "finditer")
WHOLE = ("match", "fullmatch")


class Found(NamedTuple):
    """One expression, and where."""

    place: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]


class Unknown(NamedTuple):
    """One that is made at run time: the function that it stands in, and its source."""

    place: str
    source: str


def modules() -> list[Path]:
    """Every module of the package."""
    return sorted(path for path in ROOT.rglob("*.py") if "templates" not in path.parts)


def all_patterns() -> Iterator[Found | Unknown]:
    """Every expression of the package."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in modules()}
    used = _used(trees.values())
    for path, tree in trees.items():
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_re(node.func)]
        if not calls:
            continue
        name = path.relative_to(ROOT.parent).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        module = importlib.import_module(name)
        parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
        for call in calls:
            place = f"{path.relative_to(ROOT).as_posix()}:{_owner(call, parents)}"
            try:
                pattern = _evaluated(call, vars(module))
            except NameError:
                yield Unknown(place, ast.unparse(call))
                continue
            yield Found(place, pattern, _methods(call, parents, used))


def _is_re(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "re"
        and node.attr in FUNCTIONS
    )


def _evaluated(call: ast.Call, names: dict[str, Any]) -> re.Pattern[Any]:
    def value(node: ast.expr) -> Any:
        return eval(compile(ast.Expression(node), "pattern", "eval"), names)

    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(_function(call), 2)
    flags = call.args[at] if len(call.args) > at else keywords.get("flags")
    return re.compile(value(call.args[0]), 0 if flags is None else value(flags))


def _function(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def _methods(call: ast.Call, parents: dict[ast.AST, ast.AST], used: dict[str, set[str]]) -> frozenset[str]:
    """With which methods an expression is used; `search` when that cannot be seen."""
    if _function(call) != "compile":
        return frozenset([_function(call)])
    parent = parents.get(call)
    if isinstance(parent, ast.Attribute):
        return frozenset([parent.attr])
    names = []
    if isinstance(parent, ast.Assign):
        names = [target.id for target in parent.targets if isinstance(target, ast.Name)]
    return frozenset().union(*(used.get(name, set()) for name in names)) or frozenset(["search"])


def _used(trees: Any) -> dict[str, set[str]]:
    """The methods that are called on each name, anywhere; `search` for a name that is handed on."""
    used: dict[str, set[str]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in FUNCTIONS and isinstance(node.value, ast.Name):
                used.setdefault(node.value.id, set()).add(node.attr)
            if isinstance(node, ast.Call):
                for argument in node.args:
                    if isinstance(argument, ast.Name) and argument.id.strip("_").isupper():
                        used.setdefault(argument.id, set()).add("search")
    return used


def _owner(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    """The name that an expression has, or the function that it stands in."""
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return node.name
    return "module"
