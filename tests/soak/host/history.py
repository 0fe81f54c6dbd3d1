"""What happened during a soak, from every side, for the checker to read."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Began:
    """A call was made by the life of a view, or by the model."""

    id: str
    life: str
    at: float


@dataclass
class Ended:
    """A call got an outcome, as whoever made it saw it."""

    id: str
    outcome: str
    at: float


@dataclass
class History:
    """Everything that was recorded."""

    began: list[Began] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)
    alive: set[str] = field(default_factory=set)
    """Lives of views that are there at the end, when everything has come to rest."""
    executed: list[tuple[str, float]] = field(default_factory=list)
    """Calls that the server began to carry out, and when."""
    timeline: list[dict[str, Any]] = field(default_factory=list)
    """The host's entries that have an outcome."""
    host_kills: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)
    """What the driver waited for in vain."""

    def journal(self, entry: dict[str, Any]) -> None:
        """What a view says of its calls."""
        if "began" in entry:
            self.began.append(Began(entry["began"], entry["life"], time.time()))
        else:
            self.ended.append(Ended(entry["ended"], entry["outcome"], time.time()))

    def read(self, folder: Path) -> None:
        """What server and host wrote down."""
        self.executed = [(entry["id"], entry["at"]) for entry in lines(folder / "executed.jsonl")]
        self.timeline = [entry for entry in lines(folder / "timeline.jsonl") if "outcome" in entry]

    def outcomes(self) -> dict[str, list[str]]:
        """Outcomes on the host's timeline, by the id of the call."""
        found: dict[str, list[str]] = {}
        for entry in self.timeline:
            given = _arguments(entry)
            if "id" in given:
                found.setdefault(given["id"], []).append(entry["outcome"])
        return found

    def summary(self) -> str:
        """One line: what was done and what became of it."""
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(self.faults.items()))
        outcomes = Counter(one.outcome.split(":")[0] for one in self.ended)
        ended = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
        lives = len({one.life for one in self.began})
        return (
            f"{self.faults.total()} faults ({faults}); {len(self.began)} calls of {lives} views and the model ({ended})"
        )


def _arguments(entry: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call on the timeline: of a view (`tools/call`) or of the model (`call`)."""
    try:
        args = json.loads(entry.get("args", "{}"))
    except ValueError:
        return {}
    found = args.get("arguments", {}) if entry["action"] == "tools/call" else args if entry["action"] == "call" else {}
    return found if isinstance(found, dict) else {}


def lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a file; the last one may have been cut off by a kill."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found
