"""What all charts have around their marks: title, legend, axes, grid, the text alternative and the data as a table.

The marks are SVG that stretches with the page, in a box of 1000 by 1000 whose lines keep their width; words are HTML,
so that they keep their size at every width.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cloche.components.charts.scales import Scale, Tick
from cloche.components.component import data_script
from cloche.errors import ToolError
from cloche.views.html import Html, h

BOX = 1000
"""The sides of the box that marks are drawn in."""

HEIGHTS = (80, 1000)
HEIGHT = 260
"""Pixels from the highest to the lowest value."""

MOST_NAMES = 12
"""Names along an axis; of more, some are left out."""


def place(at: float) -> str:
    """A coordinate in the box."""
    return f"{at * BOX:.1f}".removesuffix(".0")


def figure(
    marks: Iterable[Html],
    *,
    kind: str,
    title: str,
    about: str,
    legend: Sequence[str] = (),
    x: Scale | None = None,
    y: Scale | None = None,
    x_label: str = "",
    y_label: str = "",
    height: int = HEIGHT,
    data: Any = None,
) -> Html:
    """A chart with axes: `marks` in a box where (0, 0) is above on the left."""
    low, high = HEIGHTS
    if not low <= height <= high:
        raise ToolError(f"height is a number of pixels, {low} to {high}")
    rows = [] if y is None else y.ticks
    columns = [] if x is None else x.ticks
    area = h.div(
        h.svg(
            [_grid_line(1 - one.at) for one in rows] if y is not None and y.kind != "name" else None,
            [_grid_line(one.at, is_upright=True) for one in columns] if kind == "bar" and _are_names(y) else None,
            *marks,
            viewBox=f"0 0 {BOX} {BOX}",
            preserveAspectRatio="none",
            aria_hidden=True,
            focusable="false",
        ),
        class_="cc-area",
        tabindex=0,
        role="application",
        aria_roledescription="chart",
        aria_label=f"{about} Use the arrow keys to read single values.",
        style=f"height:{height}px",
    )
    plot = h.div(
        h.div((_y_tick(one) for one in rows), class_="cc-y", aria_hidden=True),
        area,
        h.div(
            (_x_tick(one, number, columns) for number, one in enumerate(columns)),
            class_=["cc-x", "cc-names" if _are_names(x) else None],
            style=f"--names:{min(len(columns), MOST_NAMES)}" if _are_names(x) else None,
            aria_hidden=True,
        ),
        class_="cc-plot",
        style=f"--y-chars:{max((len(one.label) for one in rows), default=0)}",
    )
    return h.figure(
        h.figcaption(title, class_="cc-title") if title else None,
        legend_of(legend) if len(legend) > 1 else None,
        h.div(y_label, class_="cc-axis") if y_label else None,
        plot,
        h.div(x_label, class_="cc-axis cc-end") if x_label else None,
        data_script("chart", data) if data is not None else None,
        class_=f"cc cc-chart cc-{kind}",
        data_cc="chart",
    )


def legend_of(names: Sequence[str]) -> Html:
    """Which colour is which."""
    return h.ul((h.li(h.i(class_=f"cc-s{number % 8}"), name) for number, name in enumerate(names)), class_="cc-legend")


def empty(kind: str, title: str) -> Html:
    """A chart without data."""
    return h.figure(
        h.figcaption(title, class_="cc-title") if title else None,
        h.p("No data.", class_="cc-empty"),
        class_=f"cc cc-chart cc-{kind}",
    )


def _are_names(scale: Scale | None) -> bool:
    return scale is not None and scale.kind == "name"


def _grid_line(at: float, *, is_upright: bool = False) -> Html:
    return h.path(d=f"M{place(at)},0V{BOX}" if is_upright else f"M0,{place(at)}H{BOX}", class_="cc-grid")


def _y_tick(tick: Tick) -> Html:
    return h.span(tick.label, style=f"top:{100 * (1 - tick.at):.3g}%")


def _x_tick(tick: Tick, number: int, ticks: Sequence[Tick]) -> Html:
    """Narrow charts leave out every second one; of many names only some are written at all."""
    every = -(-len(ticks) // MOST_NAMES)
    if number % every:
        return Html("")
    shown = number // every
    position = f"left:{100 * tick.at:.4g}%"
    side = "cc-first" if tick.at < 0.03 else "cc-last" if tick.at > 0.97 else None
    crowded = -(-len(ticks) // every) > 4 and shown % 2 == 1
    return h.span(tick.label, style=position, class_=[side, "cc-minor" if crowded else None])
