"""Where a played view is not what was recorded, in words."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from cloche.errors import shorten

WIDTH = 160


@dataclass(frozen=True)
class Difference:
    """The first thing that came out differently; `at` is when, in milliseconds of the recording."""

    view: str
    at: float
    what: str

    def __str__(self) -> str:
        return f"{self.view}, {self.at / 1000:.1f} s after it began: {self.what}"


def compared(recorded: str, now: str) -> str:
    """The first line in which two documents differ."""
    for number, (before, after) in enumerate(zip_longest(recorded.split("\n"), now.split("\n")), 1):
        if before != after:
            recorded_line, now_line = _around(before, after)
            shown = f"    recorded: {recorded_line}\n    now:      {now_line}"
            return f"the document differs in line {number} of its text\n{shown}"
    return "the documents are the same"


def _around(before: str | None, after: str | None) -> tuple[str, str]:
    """Both lines, cut to where they begin to differ."""
    if before is None or after is None:
        return tuple("nothing" if line is None else shorten(line.strip(), WIDTH) for line in (before, after))  # type: ignore[return-value]
    same = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    start = max(0, min(len(before), len(after)) - 20 if same is None else same - 40)
    return _cut(before, start), _cut(after, start)


def _cut(line: str, start: int) -> str:
    lead = "… " if start else ""
    return lead + shorten(line[start:].strip() if not start else line[start:], WIDTH)
