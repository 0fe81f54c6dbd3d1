"""Packages whose names are loaded when they are first used, so that importing the package costs next to nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package; `homes` says below which module of Cloche each name is found."""

    def load(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"cloche.{home}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: sorted([*vars(sys.modules[package]), *homes])
