"""The functions that a real call passes through, in order, and the walks that docs/architecture.md describes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import cloche

PACKAGE = str(Path(cloche.__file__).parent)


@contextmanager
def followed() -> Iterator[list[str]]:
    """`with followed() as calls`: every function of cloche that is called meanwhile, as `module.Class.method`."""
    calls: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE):
            module = code.co_filename[len(PACKAGE) + 1 : -len(".py")].replace("\\", "/").replace("/", ".")
            calls.append(f"{module}.{code.co_qualname}")

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def missing(walk: list[str], calls: list[str]) -> list[str]:
    """The part of a walk that the calls do not follow, from its first step that does not come in this order."""
    rest = iter(calls)
    for number, step in enumerate(walk):
        if step not in rest:  # consumes the calls up to the step
            return walk[number:]
    return []
