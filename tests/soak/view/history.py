"""What a person did beside hostile views, and what came of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

STALL = 100.0
"""Milliseconds that the page may stand still for."""

EXCUSE_WITHIN = 3000.0
EXCUSE_SHARE = 1 / 3
"""Milliseconds around a stall in which the page without views must have stood still too, and for what share of it, if
the machine and not a view is to blame: two pages never wait for the processor at the same moments. On a machine with
nothing else to do that page hardly ever waits for 30 ms.
"""

STALLS_A_MINUTE = 1.0
"""A busy machine stops one page and not the other now and then; a view that can do it does it again and again."""

KEYS_A_THEFT = 3
"""From a field that holds no secret: a view is removed at its third theft, and each may cost the key of that moment."""


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
    stalls: list[tuple[float, float]] = field(default_factory=list)
    """When the page stood still, and for how many milliseconds."""
    quiet: list[tuple[float, float]] = field(default_factory=list)
    """The same of a page without views, in the same browser at the same time."""

    @property
    def blamed(self) -> list[float]:
        """Stalls that the machine does not explain."""
        return [
            length
            for at, length in self.stalls
            if length > STALL
            and not any(abs(at - other) < EXCUSE_WITHIN and calm >= length * EXCUSE_SHARE for other, calm in self.quiet)
        ]

    @property
    def is_measured(self) -> bool:
        """Whether the machine left the page without views alone: else the other one's stalls say nothing."""
        return sum(length > STALL for _, length in self.quiet) <= max(1.0, STALLS_A_MINUTE * self.minutes)

    def summary(self) -> str:
        """In a few lines."""
        lost = {name: len(self.typed[name]) - len(self.arrived[name]) for name in self.typed}
        longest = max((length for _, length in self.stalls), default=0.0)
        calm = max((length for _, length in self.quiet), default=0.0)
        over = sum(length > STALL for _, length in self.stalls)
        return (
            f"{self.minutes:.1f} minutes; the person: {_written(self.faults)}; "
            f"{self.lives} views, removed: {_written(self.removed)}\n"
            f"typed {len(self.typed['secret'])} keys of secrets and {len(self.typed['text'])} others, "
            f"lost {lost['secret']} and {lost['text']}; views read {self.read!r}\n"
            f"the page stood still for at most {longest:.0f} ms, a page without views {calm:.0f} ms; "
            f"for more than {STALL:.0f} ms {over} times, {len(self.blamed)} of them not the machine's"
            + ("" if self.is_measured else "; the machine was too busy for this to say anything")
        )


def violations(history: History, *, timed: bool = True) -> list[str]:
    """What must not have happened."""
    wrong = [f"{deed} without consent" for deed in history.consents]
    secret = set(history.typed["secret"]) & set(history.read)
    if secret:
        wrong.append(f"views read keys of a secret: {sorted(secret)}")
    read = sum(key in history.typed["text"] for key in history.read)
    lost = len(history.typed["text"]) - len(history.arrived["text"])
    thefts = KEYS_A_THEFT * history.removed["focus"] + KEYS_A_THEFT
    if max(read, lost) > thefts:
        wrong.append(f"views took {read} keys and {lost} were lost, with {history.removed['focus']} thieves")
    if history.counted != history.presses:
        wrong.append(f"{history.presses} clicks on the product's button, {history.counted} counted")
    if timed and history.is_measured and len(history.blamed) > max(1.0, STALLS_A_MINUTE * history.minutes):
        wrong.append(f"the page stood still: {[round(length) for length in history.blamed]} ms")
    return wrong


def _written(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common()) or "none"
