"""A chart of CSV data, drawn as SVG in Python.

Over stdio:             cloche run examples/chart.py
Over HTTP, at /mcp:     cloche run examples/chart.py --http 127.0.0.1:8000
"""

import csv
import io
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from msgspec import Meta

from cloche import Server, ToolError
from cloche.views import Html, h, raw

server = Server("chart", version="1.0")

ROW = 28
"""Pixels from one bar to the next. What goes across is in percent, so that it fits every width."""

STYLE = raw("""
  body > main > svg { max-width: 720px }
  rect { fill: var(--color-ring-primary) }
  rect.below { fill: var(--color-text-danger) }
  text { fill: var(--color-text-primary); font: 13px var(--font-sans); dominant-baseline: middle }
  .name { font: 13px/28px var(--font-sans); overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
  .number { text-anchor: end; font-variant-numeric: tabular-nums }
""")


@dataclass
class Chart:
    """Names and numbers, ready to be drawn."""

    title: str
    unit: str
    bars: list[tuple[str, float]]


def draw(chart: Chart) -> Html:
    """Bars with their names on the left and their numbers on the right."""
    most = max((abs(value) for _, value in chart.bars), default=0) or 1
    table = "\n".join(f"{name},{value:.10g}" for name, value in chart.bars)
    return h(
        h.style(STYLE),
        h.h2(chart.title),
        h.svg(
            [bar(at * ROW, name, value, most, chart.unit) for at, (name, value) in enumerate(chart.bars)],
            width="100%",
            height=len(chart.bars) * ROW,
            role="img",
            aria_label=f"{chart.title}: {len(chart.bars)} bars",
        ),
        h.p(h.a("Save as CSV", href="data:text/csv," + quote(table), download="chart.csv")),
    )


def bar(top: int, name: str, value: float, most: float, unit: str) -> Html:
    """One row of the chart."""
    middle, number = top + ROW / 2, f"{value:,.10g} {unit}".strip()
    return h.g(
        h.title(f"{name}: {number}"),
        h.foreignObject(h.div(name, class_="name"), y=top, width="29%", height=ROW),  # SVG itself has no ellipsis
        h.rect(
            x="30%",
            y=top + 4,
            width=f"{max(45 * abs(value) / most, 0.3):.2f}%",
            height=ROW - 8,
            rx=3,
            class_="below" if value < 0 else None,
        ),
        h.text(number, x="100%", y=middle, class_="number"),
    )


EXAMPLE = "Monday,128\nTuesday,164\nWednesday,97\nThursday,181\nFriday,240\nSaturday,312"


@server.tool(view=draw, annotations={"readOnlyHint": True})
def chart(
    data: Annotated[str, Meta(examples=[EXAMPLE])],
    title: Annotated[str, Meta(examples=["Bread sold last week"])] = "Chart",
    unit: str = "",
) -> Chart:
    """Draw a bar chart.

    Args:
        data: CSV, a name and a number on each line; a first line without a number is the heading.
        title: What stands above it.
        unit: What the numbers count.
    """
    rows = [row for row in csv.reader(io.StringIO(data)) if row]
    bars = []
    for line, row in enumerate(rows, 1):
        try:
            name, number = row
            bars.append((name.strip(), float(number)))
        except ValueError:
            if line > 1:
                raise ToolError(f"Line {line} is not a name and a number: {','.join(row)[:80]}") from None
    if not bars:
        raise ToolError("There is nothing to draw: give lines such as 'Monday,12'.")
    return Chart(title, unit, bars)


if __name__ == "__main__":
    server.run()
