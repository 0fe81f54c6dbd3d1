"""What happened during a soak, for the checker to read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class History:
    """Everything that was recorded; times are milliseconds of the page."""

    began: list[tuple[str, str, float]] = field(default_factory=list)
    """Calls: id, line, time."""
    ended: list[tuple[str, str, float]] = field(default_factory=list)
    """Outcomes: id, what, time."""
    executed: list[str] = field(default_factory=list)
    """Calls that a server began to carry out, as far as it could tell."""
    schedule: list[tuple[str, str | int, float]] = field(default_factory=list)
    """Attempts to reconnect, by their numbers, and what came of them."""
    delays: dict[str, float] = field(default_factory=dict)
    """The schedule that they should keep to."""
    steady: dict[str, Any] = field(default_factory=dict)
    """What the page held when every line worked for the first time."""
    rested: dict[str, Any] = field(default_factory=dict)
    """And when they had come to rest after the last fault."""
    before: dict[str, Any] = field(default_factory=dict)
    """And before the first line was opened."""
    after: dict[str, Any] = field(default_factory=dict)
    """And when all were closed."""
    faults: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)
    """What the driver waited for in vain."""

    def summary(self) -> str:
        """One line: what was done and what became of it."""
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(self.faults.items()))
        outcomes = Counter(outcome.split(";")[0] for _, outcome, _ in self.ended)
        ended = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
        return f"{self.faults.total()} faults ({faults}); {len(self.began)} calls ({ended})"
