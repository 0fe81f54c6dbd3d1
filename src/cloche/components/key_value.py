"""`key_value` and `metric`: single facts, and numbers that matter."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from cloche.components import cells
from cloche.components.charts.scales import Linear
from cloche.components.component import component
from cloche.components.records import Cell
from cloche.errors import ToolError
from cloche.views.html import Html, h

MAX_PAIRS = 200
"""Pairs of one list."""

MAX_TREND = 500
"""Values of one small line."""


def _pairs_summary(pairs: dict[str, Cell], title: str) -> str:
    shown = "; ".join(f"{name}: {cells.text(value)}" for name, value in [*pairs.items()][:10])
    return f"{title or 'Facts'}: {shown}{'; …' if len(pairs) > 10 else ''}"


@component(
    category="data",
    tags=("details", "facts", "list"),
    summary=_pairs_summary,
    examples=[
        {
            "title": "Order 4711",
            "pairs": {
                "Customer": "Ada Lovelace",
                "Placed": "2026-06-03T14:20",
                "Items": 3,
                "Total": "41.20 €",
                "Paid": True,
            },
        }
    ],
)
def key_value(pairs: dict[str, Cell], title: str = "") -> Html:
    """Names and their values, one below the other.

    Args:
        pairs: The values by name.
        title: What stands above them.
    """
    if len(pairs) > MAX_PAIRS:
        raise ToolError(f"At most {MAX_PAIRS} pairs can be shown, and there are {len(pairs)}: use a table")
    listed = h.dl(h.div(h.dt(name), h.dd(cells.text(value))) for name, value in pairs.items())
    return h.div(
        h.strong(title, class_="cc-title") if title else None,
        listed if pairs else h.p("No values.", class_="cc-empty"),
        class_="cc cc-pairs",
    )


def _metric_summary(label: str, value: float | str, unit: str, change: float | None, period: str, **_: object) -> str:
    moved = "" if change is None else f", {_percent(change)} {period}".rstrip()
    return f"{label}: {cells.text(value, unit=unit)}{moved}."


@component(
    category="data",
    tags=("number", "kpi", "trend"),
    summary=_metric_summary,
    examples=[
        {
            "label": "Revenue",
            "value": 48210,
            "unit": "€",
            "change": 0.124,
            "period": "since May",
            "trend": [31, 34, 33, 38, 37, 41, 44, 43, 48],
        }
    ],
)
def metric(
    label: str,
    value: float | str,
    unit: str = "",
    change: float | None = None,
    period: str = "",
    good: Literal["up", "down"] = "up",
    trend: Annotated[list[float], Meta(max_length=MAX_TREND)] | None = None,
) -> Html:
    """One number that matters, with how it changed.

    Args:
        label: What is counted.
        value: The number, or a text such as 3 h 20 min.
        unit: What stands after the number.
        change: How it changed: 0.12 is 12 % more, -0.05 is 5 % less.
        period: Since when, such as since May.
        good: Whether it is good when the number goes up, or down.
        trend: Earlier values, oldest first, for a small line.
    """
    return h.div(
        h.span(label, class_="cc-label"),
        h.span(
            h.b(cells.text(value)),
            h.span(unit, class_="cc-unit") if unit else None,
            class_="cc-value",
        ),
        None if change is None else _change(change, period, good),
        _trend(trend, label) if trend is not None and len(trend) > 1 else None,
        class_="cc cc-metric",
    )


def _change(change: float, period: str, good: str) -> Html:
    mood = "even" if change == 0 else "better" if (change > 0) == (good == "up") else "worse"
    arrow = "→" if change == 0 else "↑" if change > 0 else "↓"
    return h.span(
        h.span(h.span(arrow, aria_hidden=True), f" {_percent(change)}", class_=f"cc-{mood}"),
        f" {period}" if period else None,
        class_="cc-change",
    )


def _percent(change: float) -> str:
    return f"{change:+.1%}".replace("-", "−") if round(change, 3) else "0.0%"


def _trend(values: list[float], label: str) -> Html:
    scale = Linear(min(values), max(values), is_round=False)
    points = [
        f"{100 * at / (len(values) - 1):.1f},{28 - 26 * (scale.at(value) or 0):.1f}" for at, value in enumerate(values)
    ]
    first, last = cells.number_text(values[0]), cells.number_text(values[-1])
    return h.svg(
        h.path(d="M" + "L".join(points), class_="cc-line cc-s0"),
        viewBox="0 0 100 30",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"{label} went from {first} to {last}.",
    )
