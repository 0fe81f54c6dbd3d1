"""The examples, for a playground without a server of one's own."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from cloche.dev.servers import DevServer
from cloche.errors import LoadError

NAMES = ("chart", "todo_view", "canvas", "clock", "upload", "components")
"""The one that says most at first sight comes first: the page opens on it."""


def gallery() -> list[DevServer]:
    """Every example that has a view, in this process."""
    return [_example(name) for name in NAMES]


def _example(name: str) -> DevServer:
    module, title = _load(name), name.replace("_view", "")
    about = (module.__doc__ or "").strip().partition("\n")[0]
    return DevServer(title, module.server, about=about, picture=f"/dev/example-{title}.png")


def _load(name: str) -> ModuleType:
    file = _folder() / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"cloche_example_{name}", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise LoadError(f"the example {name} is missing from this installation: install cloche anew")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _folder() -> Path:
    """Where the examples are: in the wheel beside this file, in a checkout at its root."""
    beside = Path(__file__).parent / "examples"
    return beside if beside.is_dir() else Path(__file__).parents[3] / "examples"
