"""`line_chart` and `area_chart`: values along a line."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from cloche.components import cells
from cloche.components.charts.frame import BOX, HEIGHT, empty, figure, place
from cloche.components.charts.scales import Linear, Names, Scale, scale_of
from cloche.components.charts.series import ChartData, described, read
from cloche.components.charts.thinning import Point, thinned
from cloche.components.component import component
from cloche.components.records import Rows
from cloche.views.html import Html, h

Height = Annotated[int, Meta(ge=80, le=1000)]

EXAMPLE = [
    {"month": f"2026-{number + 1:02}-01", "bread": bread, "cake": cake}
    for number, (bread, cake) in enumerate(
        [(820, 310), (932, 352), (901, 421), (1034, 390), (1290, 460), (1330, 512), (1320, 498), (1180, 530)]
    )
]


def _line_summary(rows: Rows, x: str | None, y: Any, title: str, **_: Any) -> str:
    return described("Line chart", title, read(rows, x, y))


def _area_summary(rows: Rows, x: str | None, y: Any, title: str, **_: Any) -> str:
    return described("Area chart", title, read(rows, x, y))


@component(
    category="chart",
    tags=("chart", "line", "time series"),
    summary=_line_summary,
    examples=[{"rows": EXAMPLE, "x": "month", "y": ["bread", "cake"], "title": "Sales by month", "y_label": "Pieces"}],
)
def line_chart(
    rows: Rows,
    x: str | None = None,
    y: str | list[str] | None = None,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    from_zero: bool = False,
    height: Height = HEIGHT,
) -> Html:
    """Values along a line, one line for each column of numbers.

    Args:
        rows: The data: objects with the same keys. From Python also dataclasses or a data frame.
        x: The column that runs from left to right: numbers, ISO dates or names. The first one unless given.
        y: The columns with numbers to draw; all of them unless given.
        title: What stands above the chart.
        x_label: What stands below the horizontal axis.
        y_label: What stands above the vertical axis.
        from_zero: Whether the vertical axis begins at 0 even if no value is near it.
        height: Pixels from the highest to the lowest value.
    """
    data = read(rows, x, y)
    return _chart("line", data, title, x_label, y_label, height, from_zero=from_zero)


@component(
    category="chart",
    tags=("chart", "area", "time series", "stacked"),
    summary=_area_summary,
    examples=[{"rows": EXAMPLE, "x": "month", "y": ["bread", "cake"], "title": "Sales by month", "stacked": True}],
)
def area_chart(
    rows: Rows,
    x: str | None = None,
    y: str | list[str] | None = None,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    stacked: bool = False,
    height: Height = HEIGHT,
) -> Html:
    """Values as areas above zero, one for each column of numbers.

    Args:
        rows: The data: objects with the same keys. From Python also dataclasses or a data frame.
        x: The column that runs from left to right: numbers, ISO dates or names. The first one unless given.
        y: The columns with numbers to draw; all of them unless given.
        title: What stands above the chart.
        x_label: What stands below the horizontal axis.
        y_label: What stands above the vertical axis.
        stacked: Whether each area stands on the one before, so that the highest line is the sum.
        height: Pixels from the highest to the lowest value.
    """
    data = read(rows, x, y)
    return _chart("area", data, title, x_label, y_label, height, from_zero=True, is_area=True, stacked=stacked)


def _chart(
    kind: str,
    data: ChartData,
    title: str,
    x_label: str,
    y_label: str,
    height: int,
    *,
    from_zero: bool,
    is_area: bool = False,
    stacked: bool = False,
) -> Html:
    if not data.numbers:
        return empty(kind, title)
    x_scale = scale_of(data.xs)
    bases, tops = _heights(data, stacked)
    known = [one for each in tops for one in each if one is not None]
    low, high = min(known), max(known)
    y_scale = Linear(min(low, 0) if from_zero else low, max(high, 0) if from_zero else high)
    runs = [_runs(x_scale, y_scale, data.xs, values) for values in tops]
    marks: list[Html] = []
    if is_area:
        floors = [_floor(x_scale, y_scale, data.xs, values) for values in bases]
        marks = [_area(parts, floors[at], at, y_scale) for at, parts in enumerate(runs)][::-1]
    marks += [_line(parts, at) for at, parts in enumerate(runs)]
    return figure(
        marks,
        kind=kind,
        title=title,
        about=described(f"{kind.capitalize()} chart", title, data),
        legend=[one.name for one in data.series],
        x=x_scale,
        y=y_scale,
        x_label=x_label,
        y_label=y_label,
        height=height,
        data=_readable(data, runs),
    )


def _heights(data: ChartData, stacked: bool) -> tuple[list[list[float]], list[list[float | None]]]:
    """Where each series begins and ends, at every x."""
    floor = [0.0] * len(data.xs)
    bases, tops = [], []
    for series in data.series:
        bases.append(floor)
        if not stacked:
            tops.append(series.values)
            continue
        floor = [base + (value or 0) for base, value in zip(floor, series.values, strict=True)]
        tops.append([*floor])
    return bases, tops


def _runs(x: Scale, y: Linear, xs: list[Any], values: list[float | None]) -> list[list[Point]]:
    """Points from left to right, in parts: a value that is missing ends one."""
    parts: list[list[Point]] = [[]]
    order = range(len(xs)) if isinstance(x, Names) else sorted(range(len(xs)), key=lambda at: x.at(xs[at]) or 0)
    for at in order:
        across, up = x.at(xs[at]), y.at(values[at])
        if across is None or up is None:
            if parts[-1]:
                parts.append([])
        else:
            parts[-1].append((across, up, at))
    return [thinned(part) for part in parts if part]


def _floor(x: Scale, y: Linear, xs: list[Any], base: list[float]) -> dict[int, float]:
    return {at: y.at(base[at]) or 0.0 for at in range(len(xs))}


def _path(points: list[Point]) -> str:
    return "M" + "L".join(f"{place(across)},{place(1 - up)}" for across, up, _ in points)


def _line(parts: list[list[Point]], number: int) -> Html:
    path = "".join(_path(part) if len(part) > 1 else _path(part) + "h0" for part in parts)
    return h.path(d=path, class_=f"cc-line cc-s{number % 8}")


def _area(parts: list[list[Point]], floor: dict[int, float], number: int, y: Linear) -> Html:
    path = ""
    for part in parts:
        back = "".join(f"L{place(across)},{place(1 - floor[at])}" for across, _, at in reversed(part))
        path += f"{_path(part)}{back}Z"
    return h.path(d=path, class_=f"cc-fill cc-s{number % 8}")


def _readable(data: ChartData, runs: list[list[list[Point]]]) -> dict[str, Any]:
    """What the page says of single points: place, name and value."""
    shown = [
        {
            "name": series.name,
            "points": [
                [
                    round(across * BOX, 1),
                    round((1 - up) * BOX, 1),
                    cells.text(data.xs[at]),
                    cells.text(series.values[at]),
                ]
                for part in parts
                for across, up, at in part
            ],
        }
        for series, parts in zip(data.series, runs, strict=True)
    ]
    return {"box": BOX, "series": shown}
