"""Data frames of the real pandas, with everything that is missing in the ways that pandas has for it."""

from __future__ import annotations

from typing import Any

import pandas
import pytest

from cloche import Client, Components, Context, Server, ToolResult
from cloche.components import line_chart, table
from cloche.components.records import records


def frame() -> Any:
    """Every kind of column that a table shows."""
    made = pandas.DataFrame(
        {
            "item": ["Rye", None, "<b>Spelt</b>"],
            "pieces": pandas.array([412, None, 2**40], dtype="Int64"),
            "price": [4.2, float("nan"), 1e300],
            "day": pandas.to_datetime(["2026-06-01", None, "2026-06-03T12:30"], format="ISO8601"),
            "kind": pandas.Categorical(["dark", "light", None]),
            "is_sold": [True, False, True],
        }
    )
    return made.set_index(pandas.Index([5, 6, 7], name="number"))


def test_each_kind_of_value_is_plain_and_what_is_missing_is_nothing() -> None:
    found = records(frame())
    assert found.columns == ["item", "pieces", "price", "day", "kind", "is_sold"]
    assert found.rows == [
        ("Rye", 412, 4.2, "2026-06-01T00:00:00", "dark", True),
        (None, None, None, None, "light", False),
        ("<b>Spelt</b>", 2**40, 1e300, "2026-06-03T12:30:00", None, True),
    ]
    assert {type(value) for row in found.rows for value in row} == {str, int, float, bool, type(None)}


def test_tables_and_charts_draw_a_frame() -> None:
    drawn = str(table(frame(), title="Bread"))
    assert "&lt;b&gt;Spelt" in drawn
    assert "<b>Spelt" not in drawn
    days = pandas.DataFrame({"sold": [3, 9]}, index=pandas.date_range("2026-06-01", periods=2, name="day"))
    said = line_chart.summary(days.reset_index(), x="day", y="sold", title="Bread")
    assert "2 values from 1 Jun 2026 to 2 Jun 2026" in said


@pytest.mark.parametrize("empty", [pandas.DataFrame(), pandas.DataFrame({"item": []})])
async def test_a_frame_without_rows_is_a_table_without_rows(empty: Any) -> None:
    server, components = Server("bakery"), Components()

    @server.tool(view=components.view)
    def sales(ctx: Context) -> ToolResult:
        """What was sold."""
        return components.show(ctx, "table", rows=empty)

    server.attach(components)
    async with Client(server) as client:
        result = await client.call_tool("sales")
        assert not result.is_error
        assert "Instance: " in result.text
