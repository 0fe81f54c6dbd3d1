"""What a person did beside hostile views, and what came of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

STALL = 100.0
"""Milliseconds that the page may stand still for."""

FELT = ("frames", "tasks", "events")
"""What a person notices when it waits. Timers may wait longer: see `RECORDER` in `driver.py`."""


class Stall(NamedTuple):
    """A time in which the page did nothing that it was asked for."""

    end: float
    length: float
    waited: float
    """Milliseconds for which it was ready to go on and had no processor: those are the machine's."""

    @property
    def own(self) -> float:
        """What the page itself, or a view, is to blame for."""
        return max(0.0, self.length - self.waited)


@dataclass
class History:
    """Everything that was recorded."""

    minutes: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    """What the person did, so often."""
    lives: int = 0
    """Views that were shown."""
    removed: Counter[str] = field(default_factory=Counter)
    """Why views were taken off the page."""
    typed: dict[str, str] = field(default_factory=lambda: {"text": "", "secret": ""})
    """What was typed into the product's own fields."""
    arrived: dict[str, str] = field(default_factory=lambda: {"text": "", "secret": ""})
    """What the fields held afterwards."""
    read: str = ""
    """Keys that views told their server of."""
    presses: int = 0
    counted: int = 0
    """Clicks on a button of the product, made and counted."""
    consents: list[str] = field(default_factory=list)
    """What was done that the person never agreed to."""
    stalls: dict[str, list[Stall]] = field(default_factory=dict)
    """When the page stood still: for which of its `frames`, `tasks`, `events` and `timers`."""

    def blamed(self, kind: str) -> list[float]:
        """Stalls of one kind that were too long, without what the machine added to them."""
        return [stall.own for stall in self.stalls.get(kind, []) if stall.own > STALL]

    def summary(self) -> str:
        """In a few lines."""
        lost = {name: len(self.typed[name]) - len(self.arrived[name]) for name in self.typed}
        return (
            f"{self.minutes:.1f} minutes; the person: {_written(self.faults)}; "
            f"{self.lives} views, removed: {_written(self.removed)}\n"
            f"typed {len(self.typed['secret'])} keys of secrets and {len(self.typed['text'])} others, "
            f"lost {lost['secret']} and {lost['text']}; views read {self.read!r}\n"
            + "\n".join(self._longest(kind) for kind in (*FELT, "timers"))
        )

    def _longest(self, kind: str) -> str:
        stalls = self.stalls.get(kind, [])
        longest = max((stall.length for stall in stalls), default=0.0)
        own = max((stall.own for stall in stalls), default=0.0)
        return (
            f"the page's {kind} waited for at most {own:.0f} ms, or {longest:.0f} ms with the time in which it had no "
            f"processor; {len(self.blamed(kind))} times for more than {STALL:.0f} ms"
        )


def violations(history: History, *, timed: bool = True) -> list[str]:
    """What must not have happened."""
    wrong = [f"{deed} without consent" for deed in history.consents]
    for name, typed in history.typed.items():
        if history.arrived[name] != typed:
            wrong.append(
                f"of {len(typed)} keys typed into the field {name!r}, {len(history.arrived[name])} arrived, or others"
            )
    if history.read:
        wrong.append(f"views read keys: {history.read!r}")
    if history.counted != history.presses:
        wrong.append(f"{history.presses} clicks on the product's button, {history.counted} counted")
    for kind in FELT if timed else ():
        if blamed := history.blamed(kind):
            wrong.append(f"the page's {kind} waited: {[round(length) for length in blamed]} ms")
    return wrong


def _written(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common()) or "none"
