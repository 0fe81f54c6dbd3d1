"""Write docs/api.md: every name that a public package exports, as it is called, with the first sentence about it.

`python -m tools.api_page` writes the page, `make docs` runs it, and a test compares. The sentences are those of the
docstrings; a constant's is the text below it in its module.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import pkgutil
import re
import sys
import typing
from pathlib import Path
from types import ModuleType

import cloche
from cloche.components import Component

PAGE = Path(__file__).parent.parent / "docs" / "api.md"

HEAD = """\
# Every exported name

What `from cloche… import …` gives, package by package, with its parameters and the first sentence about it;
`help(name)` has the rest. `make docs` writes this page from the code. The guides of [the documentation](README.md)
show these names at work.
"""

MOST = 110
"""Characters of a call that are shown; a longer one is shown without its parameters' defaults."""


def packages() -> list[ModuleType]:
    """`cloche` and its packages that export names."""
    names = [cloche.__name__, *(f"cloche.{one.name}" for one in pkgutil.iter_modules(cloche.__path__) if one.ispkg)]
    found = [importlib.import_module(name) for name in names]
    return [package for package in found if getattr(package, "__all__", None)]


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for package in packages():
        rows = [f"| `{called(package, name)}` | {sentence(package, name)} |" for name in sorted(package.__all__)]
        parts.append("\n".join([f"## {package.__name__}", "", "| name | what it is |", "|---|---|", *rows, ""]))
    return "\n".join(parts)


def called(package: ModuleType, name: str) -> str:
    """A name, with its parameters when it is called."""
    thing = getattr(package, name)
    is_type = typing.get_origin(thing) is not None
    if is_type or not callable(thing) or (inspect.isclass(thing) and issubclass(thing, BaseException)):
        return name
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return name
    shown = [one.replace(annotation=inspect.Parameter.empty) for one in parameters if not one.name.startswith("_")]
    texts = [_plain(one) for one in shown]
    if len(f"{name}({', '.join(texts)})") > MOST:
        texts = [one.name if one.default is one.empty else f"{one.name}=…" for one in shown]
    return f"{name}({', '.join(texts)})".replace("|", "\\|")


def _plain(parameter: inspect.Parameter) -> str:
    """A parameter with its default, where that is something a reader can type."""
    if parameter.default is parameter.empty or re.search(r"<|object at|msgspec|UNSET", repr(parameter.default)):
        return str(parameter).split("=")[0] + ("" if parameter.default is parameter.empty else "=…")
    return str(parameter)


def sentence(package: ModuleType, name: str) -> str:
    """The first sentence about a name."""
    thing = getattr(package, name)
    if inspect.isclass(thing) or inspect.isroutine(thing):
        text = inspect.getdoc(thing)
    else:
        is_ours = type(thing).__module__.startswith("cloche.")
        text = thing.description if isinstance(thing, Component) else None
        text = text or _below(package, name) or (inspect.getdoc(type(thing)) if is_ours else None)
    if not text:
        raise SystemExit(f"{package.__name__}.{name} has no docstring, and there is no text below it")
    first = re.split(r"(?<=[.!?:])\s+(?=[A-Z`(\[]|$)", " ".join(text.split("\n\n")[0].split()), maxsplit=1)[0]
    return first.rstrip(":").replace("|", "\\|")


def _below(package: ModuleType, name: str) -> str | None:
    """The text below a constant, in the module that assigns it."""
    for module in [package, *(one for key, one in sorted(sys.modules.items()) if key.startswith("cloche."))]:
        if vars(module).get(name) is not getattr(package, name) or getattr(module, "__file__", None) is None:
            continue
        body = ast.parse(Path(str(module.__file__)).read_text("utf-8")).body
        for statement, following in itertools.pairwise(body):
            targets = getattr(statement, "targets", [getattr(statement, "target", None)])
            is_assigned = any(isinstance(target, ast.Name) and target.id == name for target in targets)
            if is_assigned and isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
                return str(following.value.value)
    return None


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
