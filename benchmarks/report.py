"""The table a person reads, on the terminal and in RESULTS.md."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.bounds import BOUNDS
from benchmarks.measure import Cost, Reading, rounded

RESULTS = Path(__file__).parent / "RESULTS.md"
PACKAGES = ("cloche", "mcp", "fastmcp", "starlette", "uvicorn", "httptools", "uvloop", "msgspec", "pydantic")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A reading beside its bound."""

    label: str
    value: str
    bound: str
    note: str
    passed: bool

    @classmethod
    def of(cls, reading: Reading) -> Verdict:
        bound = BOUNDS[reading.key]
        value = f"{rounded(reading.value)} {bound.unit}"
        return cls(bound.label, value, str(bound), reading.note, bound.admits(reading.value))

    @classmethod
    def broken(cls, case: str, error: Exception) -> Verdict:
        """A case that could not be measured counts as missed."""
        return cls(case, "broken", "", f"{type(error).__name__}, see the traceback above", False)

    @property
    def word(self) -> str:
        return "pass" if self.passed else "MISSED"


def as_text(verdicts: Sequence[Verdict]) -> str:
    """Aligned lines for a terminal."""
    rows = [(each.label, each.value, each.bound, each.word, each.note) for each in verdicts]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join(
        f"{label:<{widths[0]}}  {value:>{widths[1]}}  {bound:>{widths[2]}}  {word:<{widths[3]}}  {note}"
        for label, value, bound, word, note in rows
    )


def as_markdown(verdicts: Sequence[Verdict], costs: Sequence[Cost], *, loop: str) -> str:
    """The whole of RESULTS.md."""
    return "\n".join(
        [
            "# Benchmark results",
            "",
            "Written by `make bench`. CPU time per operation, the least of many short turns taken in rotation;",
            f"in process on {loop}, over sockets on uvicorn with httptools and uvloop.",
            "",
            *(f"- {line}" for line in machine()),
            "",
            "| what | value | bound | | measured |",
            "|---|--:|--:|---|---|",
            *(f"| {each.label} | {each.value} | {each.bound} | {each.word} | {each.note} |" for each in verdicts),
            "",
            "## What each costs",
            "",
            "| operation | cost |",
            "|---|--:|",
            *(f"| {cost.what} | {rounded(cost.value)} {cost.unit} |" for cost in costs),
            "",
        ]
    )


def machine() -> list[str]:
    """What the numbers were taken on and with."""
    versions = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    return [
        f"date: {datetime.datetime.now(datetime.UTC).date().isoformat()}",
        f"processor: {_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        f"Python {platform.python_version()} ({platform.python_implementation()})",
        versions,
    ]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "from source"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")
