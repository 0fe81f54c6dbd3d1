"""`scatter_chart`: points by two numbers, in groups."""

from __future__ import annotations

from typing import Any

from cloche.components import cells
from cloche.components.charts.frame import BOX, HEIGHT, empty, figure, place
from cloche.components.charts.line import Height
from cloche.components.charts.scales import Scale, scale_of
from cloche.components.charts.series import MAX_SERIES
from cloche.components.charts.thinning import Point, distinct
from cloche.components.component import component
from cloche.components.records import Records, Rows, records
from cloche.errors import ToolError
from cloche.views.html import Html, h

EXAMPLE = [
    {"weight": weight, "length": length, "kind": kind}
    for weight, length, kind in (
        *((120, 18.2, "Trout"), (150, 20.1, "Trout"), (145, 19.4, "Trout"), (210, 23.0, "Trout"), (242, 23.2, "Trout")),
        *((430, 30.5, "Bream"), (500, 31.2, "Bream"), (450, 29.7, "Bream"), (610, 33.4, "Bream"), (720, 35.0, "Bream")),
        *((300, 34.8, "Pike"), (345, 36.0, "Pike"), (510, 40.1, "Pike"), (540, 42.3, "Pike"), (770, 44.8, "Pike")),
    )
]


def _summary(rows: Rows, x: str, y: str, group: str | None, title: str, **_: Any) -> str:
    found = records(rows)
    return _about(found, _groups(found, group), x, y, title)


def _about(found: Records, groups: dict[str, list[int]], x: str, y: str, title: str) -> str:
    named = f"Scatter chart: {title}." if title else "Scatter chart."
    if not found.rows:
        return f"{named} There is no data."
    ranges = []
    for name in (x, y):
        known = [one for one in found.column(name) if cells.is_number(one)]
        if known:
            ranges.append(
                f" {cells.label(name)} from {cells.number_text(min(known))} to {cells.number_text(max(known))}."
            )
    parts = (
        f" Groups: {', '.join(f'{name} ({len(rows):,})' for name, rows in groups.items())}." if len(groups) > 1 else ""
    )
    return f"{named} {len(found.rows):,} points.{''.join(ranges)}{parts}"


@component(
    category="chart",
    tags=("chart", "scatter", "points", "correlation"),
    summary=_summary,
    examples=[
        {
            "rows": EXAMPLE,
            "x": "weight",
            "y": "length",
            "group": "kind",
            "title": "Fish by weight and length",
            "x_label": "Weight (g)",
            "y_label": "Length (cm)",
        }
    ],
)
def scatter_chart(
    rows: Rows,
    x: str,
    y: str,
    group: str | None = None,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    height: Height = HEIGHT,
) -> Html:
    """Points by two numbers.

    Args:
        rows: The data: objects with the same keys. From Python also dataclasses or a data frame.
        x: The column that says how far to the right a point is: numbers or ISO dates.
        y: The column that says how high it is.
        group: The column by which points have different colours.
        title: What stands above the chart.
        x_label: What stands below the horizontal axis; the column's name unless given.
        y_label: What stands above the vertical axis; the column's name unless given.
        height: Pixels from the highest to the lowest value.
    """
    found = records(rows)
    groups = _groups(found, group)
    if not found.rows:
        return empty("scatter", title)
    xs, ys = found.column(x), found.column(y)
    across, up = scale_of(xs, is_round=True), scale_of(ys, is_round=True)
    points = {name: distinct(_points(across, up, xs, ys, members)) for name, members in groups.items()}
    return figure(
        [_marks(one, number) for number, one in enumerate(points.values())],
        kind="scatter",
        title=title,
        about=_about(found, groups, x, y, title),
        legend=[*groups],
        x=across,
        y=up,
        x_label=x_label or cells.label(x),
        y_label=y_label or cells.label(y),
        height=height,
        data={
            "box": BOX,
            "along": "both",
            "series": [
                {
                    "name": name,
                    "points": [
                        [
                            round(one[0] * BOX, 1),
                            round((1 - one[1]) * BOX, 1),
                            cells.text(xs[one[2]]),
                            cells.text(ys[one[2]]),
                        ]
                        for one in found_points
                    ],
                }
                for name, found_points in points.items()
            ],
        },
    )


def _groups(found: Records, group: str | None) -> dict[str, list[int]]:
    """The rows of each group, by its name."""
    if group is None or not found.rows:
        return {"": list(range(len(found.rows)))}
    groups: dict[str, list[int]] = {}
    for at, value in enumerate(found.column(group)):
        groups.setdefault(cells.text(value), []).append(at)
    if len(groups) > MAX_SERIES:
        raise ToolError(f"A chart shows at most {MAX_SERIES} groups, and there are {len(groups)}")
    return groups


def _points(x: Scale, y: Scale, xs: list[Any], ys: list[Any], members: list[int]) -> list[Point]:
    found = []
    for at in members:
        across, up = x.at(xs[at]), y.at(ys[at])
        if across is not None and up is not None:
            found.append((across, up, at))
    return found


def _marks(points: list[Point], number: int) -> Html:
    """All points of a group as one path: lines without length, whose round ends are the points."""
    path = "".join(f"M{place(across)},{place(1 - up)}h0" for across, up, _ in points)
    return h.path(d=path or "M0,0", class_=f"cc-points cc-s{number % 8}")
