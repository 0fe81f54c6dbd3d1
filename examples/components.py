"""Every component of the starter set, a dashboard made of them, and a table of 10,000 rows.

Over stdio:             cloche run examples/components.py
Over HTTP, at /mcp:     cloche run examples/components.py --http 127.0.0.1:8000
"""

import math
from dataclasses import dataclass
from datetime import date, timedelta

from cloche import Components, Context, Server, ToolResult
from cloche.components import bar_chart, component, grid, line_chart, metric, pie_chart, stack, table
from cloche.views import Html

server = Server("components", version="1.0", instructions="Shows data: read components://list, then call render.")
components = Components(tools=True)


@dataclass
class Order:
    """One order of a bakery."""

    number: int
    day: date
    item: str
    pieces: int
    total: float


ITEMS = {"Rye bread": 4.2, "Baguette": 1.6, "Croissant": 1.9, "Apple tart": 3.8}


def orders_of(count: int) -> list[Order]:
    """Invented orders, always the same ones."""
    made = []
    for number in range(count):
        item = [*ITEMS][(number * 7 + number // 3) % len(ITEMS)]
        season = 1 + math.sin(number / count * 6.3) / 2
        pieces = 1 + int((number * 37 % 11) * season)
        day = date(2026, 1, 1) + timedelta(days=number * 364 // count)
        made.append(Order(number + 1, day, item, pieces, round(pieces * ITEMS[item], 2)))
    return made


@component(category="example", tags=("dashboard",))
def bakery(orders: list[Order]) -> Html:
    """The year of a bakery: what was earned, when, and with what."""
    months = {f"2026-{month:02}-01": 0.0 for month in range(1, 13)}
    pieces = dict.fromkeys(ITEMS, 0)
    for order in orders:
        months[f"{order.day:%Y-%m}-01"] += order.total
        pieces[order.item] += order.pieces
    earned = sum(months.values())
    sold = sum(pieces.values())
    return stack(
        [
            grid(
                [
                    metric("Revenue", round(earned), "€", 0.124, "since 2025", trend=[*months.values()]),
                    metric("Orders", len(orders), change=0.06, period="since 2025"),
                    metric("Pieces per order", round(sold / len(orders), 1), change=-0.03, period="since 2025"),
                ],
                columns=3,
            ),
            line_chart(
                [{"month": month, "revenue": round(total)} for month, total in months.items()],
                title="Revenue by month",
                y_label="€",
                from_zero=True,
                height=200,
            ),
            grid(
                [
                    pie_chart([{"item": item, "pieces": count} for item, count in pieces.items()], title="Pieces sold"),
                    bar_chart(
                        [{"item": item, "revenue": round(count * ITEMS[item])} for item, count in pieces.items()],
                        title="Revenue by item, €",
                        horizontal=True,
                        height=180,
                    ),
                ]
            ),
            table(orders[-8:], title="The last orders"),
        ],
        gap="large",
    )


@server.tool(view=bakery, annotations={"readOnlyHint": True})
def dashboard(orders: int = 400) -> list[Order]:
    """Show the year of a bakery.

    Args:
        orders: How many orders there were, 10 to 1,000.
    """
    return orders_of(max(10, min(orders, 1000)))


@server.tool(view=components.view, annotations={"readOnlyHint": True})
def many_orders(ctx: Context) -> ToolResult:
    """Show a table of 10,000 orders. The person sorts and searches them; the model reads one sentence."""
    return components.show(ctx, "table", rows=orders_of(10_000), title="Orders of 2026")


server.attach(components)

if __name__ == "__main__":
    server.run()
