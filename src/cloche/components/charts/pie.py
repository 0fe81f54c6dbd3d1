"""`pie_chart`: parts of a whole."""

from __future__ import annotations

import math
from typing import Any

from cloche.components import cells
from cloche.components.charts.frame import empty
from cloche.components.charts.series import numbers_of
from cloche.components.component import component, data_script
from cloche.components.records import Rows, records
from cloche.errors import ToolError
from cloche.views.html import Html, h

MAX_PARTS = 12
"""Parts of one pie; what is smaller than those is one part together."""

SIDE = 200
EXAMPLE = [
    {"source": "Search", "visits": 4210},
    {"source": "Newsletter", "visits": 2380},
    {"source": "Social", "visits": 1460},
    {"source": "Direct", "visits": 1120},
]


def _parts(rows: Rows, label: str | None, value: str | None) -> list[tuple[str, float]]:
    """The parts, largest first; many small ones are one together."""
    found = records(rows)
    if not found.rows:
        return []
    values = value or next(
        (one for one in found.columns if one != label and cells.are_numbers(found.column(one))), None
    )
    if values is None:
        raise ToolError("There is no column with numbers to draw: name one with value='…'")
    names = label or next((one for one in found.columns if one != values), values)
    pairs = [
        (cells.text(name), number)
        for name, number in zip(found.column(names), numbers_of(found, values), strict=True)
        if number is not None and number != 0
    ]
    if any(number < 0 for _, number in pairs):
        raise ToolError("A pie has no parts below 0: use bar_chart")
    pairs.sort(key=lambda one: -one[1])
    if len(pairs) <= MAX_PARTS:
        return pairs
    rest = pairs[MAX_PARTS - 1 :]
    return [*pairs[: MAX_PARTS - 1], (f"{len(rest)} others", sum(number for _, number in rest))]


def _about(parts: list[tuple[str, float]], title: str) -> str:
    named = f"Pie chart: {title}." if title else "Pie chart."
    whole = sum(number for _, number in parts)
    if not parts:
        return f"{named} There is no data."
    return f"{named} " + ", ".join(f"{name} {number / whole:.1%}" for name, number in parts) + "."


def _summary(rows: Rows, label: str | None, value: str | None, title: str, **_: Any) -> str:
    return _about(_parts(rows, label, value), title)


@component(
    category="chart",
    tags=("chart", "pie", "donut", "share"),
    summary=_summary,
    examples=[{"rows": EXAMPLE, "label": "source", "value": "visits", "title": "Where visitors come from"}],
)
def pie_chart(
    rows: Rows, label: str | None = None, value: str | None = None, title: str = "", donut: bool = True
) -> Html:
    """Parts of a whole, with their shares.

    Args:
        rows: The data: objects with the same keys. From Python also dataclasses or a data frame.
        label: The column with the name of each part; the first one unless given.
        value: The column with numbers; the first one that has them unless given.
        title: What stands above the chart.
        donut: Whether the middle is open and shows the total.
    """
    parts = _parts(rows, label, value)
    if not parts:
        return empty("pie", title)
    whole = sum(number for _, number in parts)
    marks, points, start = [], [], 0.0
    for number, (name, size) in enumerate(parts):
        end = start + size / whole
        marks.append(h.path(d=_wedge(start, end, 56 if donut else 0), class_=_colour(number)))
        x, y = _spot((start + end) / 2, 78)
        points.append([round(x, 1), round(y, 1), name, f"{cells.number_text(size)} ({size / whole:.1%})"])
        start = end
    drawing = h.div(
        h.svg(marks, viewBox=f"0 0 {SIDE} {SIDE}", aria_hidden=True, focusable="false"),
        h.div(h.b(cells.short_number(whole)), h.span("total"), class_="cc-whole", aria_hidden=True) if donut else None,
        class_="cc-area",
        tabindex=0,
        role="application",
        aria_roledescription="chart",
        aria_label=f"{_about(parts, title)} Use the arrow keys to read single values.",
    )
    rows_of_legend = (
        h.li(
            h.i(class_=_colour(number)),
            h.span(name),
            h.b(cells.number_text(size)),
            h.em(f"{size / whole:.1%}"),
        )
        for number, (name, size) in enumerate(parts)
    )
    return h.figure(
        h.figcaption(title, class_="cc-title") if title else None,
        h.div(drawing, h.ul(rows_of_legend, class_="cc-shares"), class_="cc-round"),
        data_script("chart", {"box": SIDE, "along": "both", "series": [{"name": "", "points": points}]}),
        class_="cc cc-chart cc-pie",
        data_cc="chart",
    )


def _colour(number: int) -> str:
    return f"cc-s{number % 8}" + (" cc-again" if number >= 8 else "")


def _spot(turn: float, radius: float) -> tuple[float, float]:
    """A place on a circle, from above and with the clock."""
    angle = 2 * math.pi * turn
    return SIDE / 2 + radius * math.sin(angle), SIDE / 2 - radius * math.cos(angle)


def _wedge(start: float, end: float, inner: float) -> str:
    outer = SIDE / 2 - 1
    end = min(end, start + 0.99999)  # a whole circle has no two ends
    is_large = int(end - start > 0.5)
    (x0, y0), (x1, y1) = _spot(start, outer), _spot(end, outer)
    arc = f"M{x0:.2f},{y0:.2f}A{outer},{outer} 0 {is_large} 1 {x1:.2f},{y1:.2f}"
    if not inner:
        return f"{arc}L{SIDE / 2},{SIDE / 2}Z"
    (x2, y2), (x3, y3) = _spot(end, inner), _spot(start, inner)
    return f"{arc}L{x2:.2f},{y2:.2f}A{inner},{inner} 0 {is_large} 0 {x3:.2f},{y3:.2f}Z"
