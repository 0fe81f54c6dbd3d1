"""From values to places on a chart, and the round numbers, dates and names that stand along its axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol

from cloche.components import cells

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  (a time without a zone is shown as it was given)


class Tick(NamedTuple):
    """A place on an axis, 0 to 1, and what stands there."""

    at: float
    label: str


class Scale(Protocol):
    """Where values are, and what stands along the axis."""

    kind: str
    ticks: list[Tick]

    def at(self, value: Any) -> float | None:
        """The place of a value, 0 to 1; None for what has no place."""


class Linear:
    """Numbers between two round ones."""

    kind = "number"

    def __init__(self, low: float, high: float, *, is_round: bool = True, count: int = 5) -> None:
        if high - low <= 1e-9 * abs(high):  # the same, as far as a person sees
            margin = max(abs(low) / 10, 1)
            low, high = (low - margin, high + margin) if low else (0.0, 1.0)
        step = nice_step((high - low) / count)
        if is_round:
            low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
        self.low, self.high = low, high
        first = math.ceil(low / step - 1e-9)
        last = math.floor(high / step + 1e-9)
        self.ticks = [
            Tick((number * step - low) / (high - low), cells.short_number(clean(number * step)))
            for number in range(first, last + 1)
        ]

    def at(self, value: Any) -> float | None:
        """The place of a number."""
        return (value - self.low) / (self.high - self.low) if cells.is_number(value) else None


class Moments:
    """Dates and times."""

    kind = "time"

    def __init__(self, values: Sequence[Any], *, count: int = 6) -> None:
        seconds = [one for one in map(_seconds, values) if one is not None]
        self.low, self.high = min(seconds), max(seconds)
        if self.low == self.high:
            self.low, self.high = self.low - 43_200, self.high + 43_200
        width = self.high - self.low
        self.ticks = [Tick((one - self.low) / width, label) for one, label in _moments(self.low, self.high, count)]

    def at(self, value: Any) -> float | None:
        """The place of a moment."""
        seconds = _seconds(value)
        return None if seconds is None else (seconds - self.low) / (self.high - self.low)


class Names:
    """Names side by side, each in the middle of its share."""

    kind = "name"

    def __init__(self, values: Sequence[Any]) -> None:
        self.names = list(dict.fromkeys(cells.text(one) for one in values))
        self.share = 1 / max(len(self.names), 1)
        self._places = {name: (at + 0.5) * self.share for at, name in enumerate(self.names)}
        self.ticks = [Tick(at, name) for name, at in self._places.items()]

    def at(self, value: Any) -> float | None:
        """The middle of a name's share."""
        return self._places.get(cells.text(value))


def scale_of(values: Sequence[Any], *, is_round: bool = False) -> Scale:
    """The scale that fits what a column holds: numbers, moments or names."""
    known = [one for one in values if one is not None]
    if cells.are_numbers(known):
        return Linear(min(known), max(known), is_round=is_round)
    if known and all(cells.as_time(one) is not None for one in known):
        return Moments(known)
    return Names(values)


def nice_step(rough: float) -> float:
    """The round step, 1, 2, 2.5 or 5 times a power of ten, that is nearest above a rough one."""
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(power * one for one in (1, 2, 2.5, 5, 10) if power * one >= rough * (1 - 1e-9))


def clean(value: float) -> float:
    """A multiple of a step without the noise of binary fractions."""
    return float(f"{value:.12g}")


def _seconds(value: Any) -> float | None:
    moment = cells.as_time(value)
    return None if moment is None else (moment - EPOCH).total_seconds()


_DAY = 86_400
_STEPS = (1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, _DAY, 2 * _DAY, 7 * _DAY, 14 * _DAY)
_MONTHS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)


def _moments(low: float, high: float, count: int) -> list[tuple[float, str]]:
    """Round moments between two."""
    rough = (high - low) / count
    step = next((one for one in _STEPS if one >= rough), None)
    if step is None:
        return _month_starts(low, high, count)
    first = math.ceil(low / step) * step
    found = [first + number * step for number in range(int((high - first) // step) + 1)]
    return [(one, _moment_label(EPOCH + timedelta(seconds=one), step)) for one in found]


def _moment_label(moment: datetime, step: int) -> str:
    if step >= _DAY or (moment.hour, moment.minute, moment.second) == (0, 0, 0):
        return f"{moment.day} {cells.MONTHS[moment.month - 1]}"
    return f"{moment:%H:%M}" if step >= 60 else f"{moment:%H:%M:%S}"


def _month_starts(low: float, high: float, count: int) -> list[tuple[float, str]]:
    start, end = EPOCH + timedelta(seconds=low), EPOCH + timedelta(seconds=high)
    months = (end.year - start.year) * 12 + end.month - start.month
    step = next((one for one in _MONTHS if one * count >= months), _MONTHS[-1])
    found: list[tuple[float, str]] = []
    number = -(-(start.year * 12 + start.month - 1) // step) * step
    while (moment := EPOCH.replace(year=number // 12, month=number % 12 + 1)) <= end:
        if moment >= start:
            month = cells.MONTHS[moment.month - 1]
            label = str(moment.year) if moment.month == 1 or step >= 12 else month
            if not found and step < 12:
                label = f"{month} {moment.year}"
            found.append(((moment - EPOCH).total_seconds(), label))
        number += step
    return found
