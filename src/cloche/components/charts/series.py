"""The data of a chart: rows with one column for x and one or more for y."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cloche.components import cells
from cloche.components.records import Records, records
from cloche.errors import ToolError, shorten

MAX_SERIES = 20
"""Series in one chart: nobody tells more apart."""


class Series(NamedTuple):
    """A name and its values, one for each x."""

    name: str
    values: list[float | None]


class ChartData(NamedTuple):
    """What is drawn."""

    x: str
    xs: list[Any]
    series: list[Series]

    @property
    def numbers(self) -> list[float]:
        """Every number of every series."""
        return [one for each in self.series for one in each.values if one is not None]


def read(rows: Any, x: str | None, y: str | Sequence[str] | None) -> ChartData:
    """The data of a chart: `x` is the first column and `y` are the columns with numbers, unless they are named."""
    found = records(rows)
    names = _y_names(found, x, y)
    at = x if x is not None else next((one for one in found.columns if one not in names), None)
    xs = found.column(at) if at is not None else list(range(1, len(found.rows) + 1))
    if len(names) > MAX_SERIES:
        raise ToolError(f"A chart shows at most {MAX_SERIES} series, and there are {len(names)}: name some with y=[…]")
    return ChartData(at or "", xs, [Series(cells.label(one), numbers_of(found, one)) for one in names])


def numbers_of(found: Records, name: str) -> list[float | None]:
    """A column of numbers; raises `ToolError` when it has something else."""
    values = found.column(name)
    for one in values:
        if one is not None and not cells.is_number(one):
            raise ToolError(f"The column {shorten(name)!r} has {shorten(str(one), 30)!r}, which is not a number")
    return values


def _y_names(found: Records, x: str | None, y: str | Sequence[str] | None) -> list[str]:
    if y is not None:
        return [y] if isinstance(y, str) else [*y]
    numeric = [one for one in found.columns if one != x and cells.are_numbers(found.column(one))]
    # Without any names, a first column of numbers is what the others depend on.
    if x is None and len(numeric) > 1 and len(numeric) == len(found.columns):
        numeric = numeric[1:]
    if found.rows and not numeric:
        raise ToolError("There is no column with numbers to draw: name one with y='…'")
    return numeric


def described(kind: str, title: str, data: ChartData) -> str:
    """A chart in words: the text alternative, and what a model reads."""
    named = f"{kind}: {title}." if title else f"{kind}."
    if not data.xs or not data.numbers:
        return f"{named} There is no data."
    first, last = cells.text(data.xs[0]), cells.text(data.xs[-1])
    over = f" {len(data.xs):,} values from {first} to {last}." if len(data.xs) > 1 else f" One value, {first}."
    return named + over + "".join(f" {_range(one, data)}" for one in data.series)


def _range(series: Series, data: ChartData) -> str:
    known = [(value, at) for at, value in enumerate(series.values) if value is not None]
    if not known:
        return f"{series.name} has no values."
    (low, low_at), (high, high_at) = min(known), max(known)
    where = cells.text(data.xs[low_at]), cells.text(data.xs[high_at])
    if low == high:
        return f"{series.name} is {cells.number_text(low)} throughout."
    lowest, highest = cells.number_text(low), cells.number_text(high)
    return f"{series.name}: lowest {lowest} at {where[0]}, highest {highest} at {where[1]}."
