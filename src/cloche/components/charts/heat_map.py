"""`heat_map`: a number for each pair of names, as a field of colours."""

from __future__ import annotations

from typing import Any

from cloche.components import cells
from cloche.components.charts.frame import BOX, HEIGHT, empty, figure, place
from cloche.components.charts.line import Height
from cloche.components.charts.scales import Names
from cloche.components.charts.series import numbers_of
from cloche.components.component import component
from cloche.components.records import Records, Rows, records
from cloche.errors import ToolError
from cloche.views.html import Html, h

STEPS = 9
"""Shades between the lowest and the highest value."""

MAX_FIELDS = 10_000
"""Fields of one heat map."""

_HOURS = {
    "Mon": (4, 9, 14, 8),
    "Tue": (5, 11, 15, 9),
    "Wed": (3, 8, 12, 10),
    "Thu": (6, 12, 18, 13),
    "Fri": (7, 15, 24, 21),
}
EXAMPLE = [
    {"hour": hour, "day": day, "orders": count}
    for day, counts in _HOURS.items()
    for hour, count in zip(("08–10", "10–12", "12–14", "14–16"), counts, strict=True)
]


def _about(found: Records, x: str, y: str, value: str, title: str) -> str:
    named = f"Heat map: {title}." if title else "Heat map."
    known = (
        [(number, at) for at, number in enumerate(numbers_of(found, value)) if number is not None] if found.rows else []
    )
    if not known:
        return f"{named} There is no data."
    (low, low_at), (high, high_at) = min(known), max(known)

    def where(at: int) -> str:
        return f"{cells.text(found.column(y)[at])}, {cells.text(found.column(x)[at])}"

    return (
        f"{named} {cells.label(value)} by {cells.label(y).lower()} and {cells.label(x).lower()}: "
        f"lowest {cells.number_text(low)} at {where(low_at)}, highest {cells.number_text(high)} at {where(high_at)}."
    )


def _summary(rows: Rows, x: str, y: str, value: str, title: str, **_: Any) -> str:
    return _about(records(rows), x, y, value, title)


@component(
    category="chart",
    tags=("chart", "heat map", "matrix"),
    summary=_summary,
    examples=[
        {"rows": EXAMPLE, "x": "hour", "y": "day", "value": "orders", "title": "Orders by day and hour", "height": 200}
    ],
)
def heat_map(
    rows: Rows,
    x: str,
    y: str,
    value: str,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    height: Height = HEIGHT,
) -> Html:
    """A number for each pair of names, as a field of colours.

    Args:
        rows: The data: objects with the same keys. From Python also dataclasses or a data frame.
        x: The column whose values stand side by side.
        y: The column whose values stand below each other.
        value: The column with the numbers.
        title: What stands above the chart.
        x_label: What stands below the horizontal axis.
        y_label: What stands above the vertical axis.
        height: Pixels from the highest to the lowest value.
    """
    found = records(rows)
    numbers = numbers_of(found, value) if found.rows else []
    known = [one for one in numbers if one is not None]
    if not known:
        return empty("heat", title)
    columns, lines = Names(found.column(x)), Names(found.column(y))
    if len(columns.names) * len(lines.names) > MAX_FIELDS:
        raise ToolError(f"A heat map shows at most {MAX_FIELDS:,} fields: use fewer names")
    low, high = min(known), max(known)
    fields: dict[int, list[str]] = {}
    points = []
    for across, down, number in zip(found.column(x), found.column(y), numbers, strict=True):
        left, top = columns.at(across), lines.at(down)
        if number is None or left is None or top is None:
            continue
        step = min(int((number - low) / (high - low) * STEPS), STEPS - 1) if high > low else STEPS // 2
        corner = f"M{place(left - columns.share / 2)},{place(top - lines.share / 2)}"
        fields.setdefault(step, []).append(
            f"{corner}h{place(columns.share)}v{place(lines.share)}h-{place(columns.share)}z"
        )
        about = f"{cells.text(down)}, {cells.text(across)}"
        points.append([round(left * BOX, 1), round(top * BOX, 1), about, cells.text(number)])
    lines.ticks = [one._replace(at=1 - one.at) for one in lines.ticks]
    marks = [h.path(d="".join(parts), class_=f"cc-field cc-h{step}") for step, parts in sorted(fields.items())]
    drawn = figure(
        marks,
        kind="heat",
        title=title,
        about=_about(found, x, y, value, title),
        x=columns,
        y=lines,
        x_label=x_label,
        y_label=y_label,
        height=height,
        data={"box": BOX, "along": "both", "series": [{"name": cells.label(value), "points": points}]},
    )
    return h.div(drawn, _shades(low, high), class_="cc")


def _shades(low: float, high: float) -> Html:
    """What the colours mean."""
    return h.div(
        h.span(cells.short_number(low)),
        h.div((h.i(class_=f"cc-h{step}") for step in range(STEPS)), class_="cc-shades"),
        h.span(cells.short_number(high)),
        class_="cc-scale",
        aria_hidden=True,
    )
