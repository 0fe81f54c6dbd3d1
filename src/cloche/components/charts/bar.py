"""`bar_chart`: values as bars beside, above or below each other."""

from __future__ import annotations

from typing import Any, NamedTuple

from cloche.components import cells
from cloche.components.charts.frame import BOX, HEIGHT, empty, figure, place
from cloche.components.charts.line import Height
from cloche.components.charts.scales import Linear, Names
from cloche.components.charts.series import ChartData, described, read
from cloche.components.component import component
from cloche.components.records import Rows
from cloche.errors import ToolError
from cloche.views.html import Html, h

MAX_BARS = 2_000
"""Bars in one chart."""

GAP = 0.24
"""The part of a name's share that stays free."""

EXAMPLE = [
    {"day": "Monday", "sold": 128, "returned": 9},
    {"day": "Tuesday", "sold": 164, "returned": 12},
    {"day": "Wednesday", "sold": 97, "returned": 4},
    {"day": "Thursday", "sold": 181, "returned": 15},
    {"day": "Friday", "sold": 240, "returned": 11},
    {"day": "Saturday", "sold": 312, "returned": 21},
]


class _Bar(NamedTuple):
    """A bar along its axis (`start` to `end`) and across it (`side` and `width`), all 0 to 1."""

    start: float
    end: float
    side: float
    width: float
    series: int
    row: int


def _summary(rows: Rows, x: str | None, y: Any, title: str, **_: Any) -> str:
    return described("Bar chart", title, read(rows, x, y))


@component(
    category="chart",
    tags=("chart", "bar", "column", "stacked"),
    summary=_summary,
    examples=[
        {"rows": EXAMPLE, "x": "day", "y": ["sold", "returned"], "title": "Bread last week", "y_label": "Loaves"},
        {"rows": EXAMPLE, "x": "day", "y": ["sold"], "title": "Bread last week", "horizontal": True},
    ],
)
def bar_chart(
    rows: Rows,
    x: str | None = None,
    y: str | list[str] | None = None,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    stacked: bool = False,
    horizontal: bool = False,
    height: Height = HEIGHT,
) -> Html:
    """Values as bars, one for each row and column of numbers.

    Args:
        rows: The data: objects with the same keys. From Python also dataclasses or a data frame.
        x: The column with the name of each row; the first one unless given.
        y: The columns with numbers to draw; all of them unless given.
        title: What stands above the chart.
        x_label: What stands below the horizontal axis.
        y_label: What stands above the vertical axis.
        stacked: Whether the bars of a row stand on each other instead of side by side.
        horizontal: Whether bars run from left to right: better for long names.
        height: Pixels from the highest to the lowest value.
    """
    data = read(rows, x, y)
    if not data.numbers:
        return empty("bar", title)
    if len(data.xs) * len(data.series) > MAX_BARS:
        raise ToolError(f"A bar chart shows at most {MAX_BARS:,} bars: use line_chart, or show fewer rows")
    names = Names([f"{at} {one}" for at, one in enumerate(data.xs)])  # rows of the same name are two rows
    labels = Names(data.xs) if len(set(map(cells.text, data.xs))) == len(data.xs) else names
    ends = _ends(data) if stacked else data.numbers
    values = Linear(min(*ends, 0), max(*ends, 0))
    bars = _bars(data, names.share, values, stacked)
    marks = [
        _marks([one for one in bars if one.series == number], number, horizontal) for number in range(len(data.series))
    ]
    if horizontal:
        labels = _upside_down(labels)
    return figure(
        [*marks, _zero(values, horizontal)],
        kind="bar",
        title=title,
        about=described("Bar chart", title, data),
        legend=[one.name for one in data.series],
        x=values if horizontal else labels,
        y=labels if horizontal else values,
        x_label=x_label,
        y_label=y_label,
        height=height,
        data=_readable(data, bars, horizontal),
    )


def _ends(data: ChartData) -> list[float]:
    """How far the bars of each row go, up and down, when they stand on each other."""
    found = []
    for at in range(len(data.xs)):
        row = [one.values[at] or 0 for one in data.series]
        found += [sum(one for one in row if one > 0), sum(one for one in row if one < 0)]
    return found


def _bars(data: ChartData, share: float, scale: Linear, stacked: bool) -> list[_Bar]:
    bars = []
    zero = scale.at(0) or 0.0
    width = share * (1 - GAP) / (1 if stacked else len(data.series))
    for at in range(len(data.xs)):
        up = down = 0.0
        for number, series in enumerate(data.series):
            value = series.values[at]
            if value is None:
                continue
            side = share * (at + GAP / 2) + (0 if stacked else number * width)
            base = 0.0
            if stacked:
                base = up if value >= 0 else down
                up, down = (up + value, down) if value >= 0 else (up, down + value)
            start, end = scale.at(base), scale.at(base + value)
            bars.append(_Bar(zero if start is None else start, zero if end is None else end, side, width, number, at))
    return bars


def _marks(bars: list[_Bar], number: int, horizontal: bool) -> Html:
    """All bars of one series as one path."""
    parts = []
    for one in bars:
        low, high = sorted((one.start, one.end))
        width = one.width * 0.94  # a hair between neighbours
        if horizontal:
            parts.append(f"M{place(low)},{place(one.side)}H{place(high)}v{place(width)}H{place(low)}z")
        else:
            parts.append(f"M{place(one.side)},{place(1 - high)}h{place(width)}V{place(1 - low)}h-{place(width)}z")
    return h.path(d="".join(parts), class_=f"cc-column cc-s{number % 8}")


def _zero(values: Linear, horizontal: bool) -> Html:
    at = values.at(0) or 0.0
    return h.path(d=f"M{place(at)},0V{BOX}" if horizontal else f"M0,{place(1 - at)}H{BOX}", class_="cc-base")


def _upside_down(names: Names) -> Names:
    """Names from above to below."""
    names.ticks = [one._replace(at=1 - one.at) for one in names.ticks]
    return names


def _readable(data: ChartData, bars: list[_Bar], horizontal: bool) -> dict[str, Any]:
    shown: list[dict[str, Any]] = [{"name": one.name, "points": []} for one in data.series]
    for one in bars:
        middle, tip = one.side + one.width / 2, one.end
        x, y = (tip, middle) if horizontal else (middle, 1 - tip)
        value = cells.text(data.series[one.series].values[one.row])
        shown[one.series]["points"].append([round(x * BOX, 1), round(y * BOX, 1), cells.text(data.xs[one.row]), value])
    return {"box": BOX, "along": "y" if horizontal else "x", "series": shown}
