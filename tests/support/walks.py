"""The functions that a real call passes through, in order, and the walks that docs/architecture.md describes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import cloche

TEXT = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGE = str(Path(cloche.__file__).parent)


def walk(title: str) -> list[str]:
    """The functions that a section of docs/architecture.md lists, in order."""
    section = TEXT.partition(f"## {title}\n")[2].partition("\n## ")[0]
    steps = re.findall(r"^\d+\. `([\w.]+)`: ", section, re.MULTILINE)
    assert len(steps) == len(re.findall(r"^\d+\. ", section, re.MULTILINE)) >= 5
    return steps


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
