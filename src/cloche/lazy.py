"""Packages whose names are loaded when they are first used, so that importing the package costs next to nothing."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str], renamed: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package; `homes` says in which module of Cloche each name is found, `renamed`
    what former names are called now.
    """

    def load(name: str) -> Any:
        if renamed is not None and name in renamed:
            warnings.warn(f"{package}.{name} is now {renamed[name]}", DeprecationWarning, stacklevel=2)
            name = renamed[name]
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"cloche.{home}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: sorted([*vars(sys.modules[package]), *homes])
