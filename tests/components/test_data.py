"""Rows of every kind in tables and charts: what is read, written, thinned out and refused."""

from __future__ import annotations

import html
import json
import math
import re
from collections import namedtuple
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloche.components import area_chart, bar_chart, cells, heat_map, line_chart, pie_chart, scatter_chart, table
from cloche.components.charts.scales import Linear, Moments, Names, nice_step, scale_of
from cloche.components.charts.thinning import COLUMNS, thinned
from cloche.components.code import coloured
from cloche.components.records import records
from cloche.components.table import Column
from cloche.errors import ToolError

CHARTS = (line_chart, area_chart, bar_chart)


class Size(Enum):
    LARGE = "large"


@dataclass
class Order:
    item: str
    count: int


class OrderStruct(msgspec.Struct):
    item: str
    count: int


OrderTuple = namedtuple("OrderTuple", "item count")


class Frame:
    """What pandas and polars have in common, for a machine with neither."""

    def __init__(self, rows: list[tuple[Any, ...]]) -> None:
        self.columns = ["item", "count"]
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def itertuples(self, index: bool, name: str | None) -> Any:
        assert index is False
        assert name is None
        return iter(self._rows)


class Scalar:
    """A number as numpy has it."""

    shape = ()

    def item(self) -> float:
        return 2.5


@pytest.mark.parametrize(
    "rows",
    [
        [{"item": "Bread", "count": 3}],
        [Order("Bread", 3)],
        [OrderStruct("Bread", 3)],
        [OrderTuple("Bread", 3)],
        Frame([("Bread", 3)]),
        (one for one in [Order("Bread", 3)]),
    ],
)
def test_rows_of_every_kind(rows: Any) -> None:
    found = records(rows)
    assert (found.columns, found.rows) == (["item", "count"], [("Bread", 3)])


def test_values_become_plain() -> None:
    given = [1, 1.5, math.nan, math.inf, None, True, Decimal("2.5"), Size.LARGE, Scalar(), date(2026, 6, 3), ["a"]]
    found = records([{"value": one} for one in given]).column("value")
    assert found == [1, 1.5, None, None, None, True, 2.5, "large", 2.5, "2026-06-03", '["a"]']
    assert records([{"at": datetime.fromisoformat("2026-06-03T14:20")}]).rows == [("2026-06-03T14:20:00",)]
    assert records([(1, 2), (3,)]).rows == [(1, 2), (3, None)]
    assert records([{"a": 1}, {"b": 2}]).rows == [(1, None), (None, 2)]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("text", "not a str"),
        ({"a": 1}, "not a dict"),
        (3, "not a int"),
        ([{"a": 1}] * 100_001, "100,000 rows"),
        ([{str(number): 1 for number in range(101)}], "100 columns"),
    ],
)
def test_what_are_no_rows_or_too_many_is_refused(rows: Any, words: str) -> None:
    with pytest.raises(ToolError, match=words):
        records(rows)


def test_values_are_written_for_people() -> None:
    written = [
        cells.text(one) for one in (None, "", True, False, 1234567, 0.5, 1e20, "2026-06-03", "2026-06-03T14:20:05")
    ]
    assert written == ["–", "–", "Yes", "No", "1,234,567", "0.5", "1e+20", "3 Jun 2026", "3 Jun 2026, 14:20:05"]
    assert (cells.text(0.126, ".1%"), cells.text(3, unit="kg"), cells.text(3, unit="°")) == ("12.6%", "3 kg", "3°")
    assert [cells.short_number(one) for one in (0, 950, 12_000, 2_500_000)] == ["0", "950", "12k", "2.5M"]
    assert cells.label("unitPrice_net") == "Unit Price net"


def test_a_table_has_one_page_and_the_data_of_all() -> None:
    made = table([Order(f"Item {number}", number) for number in range(10_000)], title="Orders")
    assert made.count("<tr>") == 26
    assert "1–25 of 10,000" in made
    data = json.loads(re.search(r"<script[^>]*>(.*)</script>", made)[1])  # type: ignore[index]
    assert data["texts"][1][9_999] == "9,999"
    assert data["keys"][1][9_999] == 9_999
    assert data["keys"][0] is None
    assert len(made) < 500_000


def test_the_numbers_of_a_column_have_the_same_digits() -> None:
    columns = {"whole": [1, 2.0], "one": [1.5, 20], "two": [1.25, 3.5], "many": [1.23456, 2], "small": [0.001, 0.002]}
    assert {name: cells.common_format(values) for name, values in columns.items()} == {
        "whole": "",
        "one": ",.1f",
        "two": ",.2f",
        "many": ",.2f",
        "small": "",
    }
    assert "<td>" not in table([{"price": 1.5}, {"price": 20}])
    assert ">20.0</td>" in table([{"price": 1.5}, {"price": 20}])


def test_columns_are_chosen_and_formatted() -> None:
    made = table([Order("Bread", 3)], columns=[Column("count", "How many", ".1f", "kg"), "item"])
    assert "How many" in made
    assert '<td class="cc-end cc-short">3.0 kg</td><td class="cc-short">Bread</td>' in made
    for wrong in (["price"], [Column("count", format="{0.__class__}")], [Column("count", format="1000000f")]):
        with pytest.raises(ToolError):
            table([Order("Bread", 3)], columns=wrong)
    assert "No rows." in table([])
    assert "Nothing yet" in table([], empty="Nothing yet")


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e9))
def test_ticks_are_round_and_hold_the_values(low: float, width: float) -> None:
    scale = Linear(low, low + width)
    slack = 1e-6 * width
    assert scale.low <= low + slack
    assert scale.high >= low + width - slack
    assert 2 <= len(scale.ticks) <= 8
    assert all(-1e-6 <= one.at <= 1 + 1e-6 for one in scale.ticks)


def test_steps_and_scales() -> None:
    assert [nice_step(one) for one in (0.9, 1.1, 2.2, 3, 7, 0.03)] == [1, 2, 2.5, 5, 10, 0.05]
    assert [one.label for one in Linear(0, 100).ticks] == ["0", "20", "40", "60", "80", "100"]
    assert next(one.label for one in Linear(3, 3).ticks) == "2"
    assert isinstance(scale_of([1, 2]), Linear)
    assert isinstance(scale_of(["a", 1]), Names)
    days = scale_of(["2026-06-01", "2026-06-07"])
    assert isinstance(days, Moments)
    assert [one.label for one in days.ticks] == ["1 Jun", "2 Jun", "3 Jun", "4 Jun", "5 Jun", "6 Jun", "7 Jun"]
    assert [one.label for one in Moments(["2026-01-01T09:00", "2026-01-01T12:00"]).ticks][:2] == ["09:00", "09:30"]
    assert [one.label for one in Moments(["2020-03-01", "2026-01-01"]).ticks] == [
        "2021",
        "2022",
        "2023",
        "2024",
        "2025",
        "2026",
    ]
    months = [one.label for one in Moments(["2026-01-01", "2026-12-31"]).ticks]
    assert months == ["Jan 2026", "Mar", "May", "Jul", "Sep", "Nov"]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=4000))
def test_thinning_keeps_ends_and_extremes_and_makes_nothing_up(heights: list[float]) -> None:
    points = [(number / len(heights), height, number) for number, height in enumerate(heights)]
    kept = thinned(points, 20)
    assert set(kept) <= set(points)
    assert kept == sorted(kept)
    assert {kept[0], kept[-1]} == {points[0], points[-1]}
    assert {max(one[1] for one in kept), min(one[1] for one in kept)} == {max(heights), min(heights)}
    assert len(kept) <= 4 * 20 + 4 or len(points) <= 80


def test_ten_thousand_points_are_drawn_with_those_that_are_seen() -> None:
    rows = [{"at": number, "value": math.sin(number / 300) * 100} for number in range(10_000)]
    rows[5_000]["value"] = 480.0
    made = line_chart(rows)
    points = json.loads(re.search(r"<script[^>]*>(.*)</script>", made)[1])["series"][0]["points"]  # type: ignore[index]
    assert len(points) <= 4 * COLUMNS + 4
    assert [one for one in points if one[3] == "480"]
    assert points[-1][2] == "9,999"
    assert len(made) < 150_000


@pytest.mark.parametrize("chart", CHARTS)
def test_a_chart_says_in_words_what_it_shows(chart: Any) -> None:
    rows = [{"day": "Mon", "sold": 3}, {"day": "Tue", "sold": 9}, {"day": "Wed", "sold": None}]
    made = chart(rows, title="Bread <b>")
    assert 'role="application"' in made
    assert "Bread &lt;b&gt;" in made
    assert "3 values from Mon to Wed. Sold: lowest 3 at Mon, highest 9 at Tue." in made
    assert "No data." in chart([], title="Bread")


def test_what_cannot_be_drawn_is_refused_with_the_reason() -> None:
    words = [{"day": "Mon", "sold": "many"}]
    for draw, reason in [
        (lambda: line_chart(words), "no column with numbers"),
        (lambda: line_chart(words, y="sold"), "not a number"),
        (lambda: line_chart(words, y="price"), "there are day, sold"),
        (lambda: line_chart([{str(number): 1 for number in range(30)}]), "at most 20 series"),
        (lambda: bar_chart([{"a": str(number), "b": 1} for number in range(2_001)]), "2,000 bars"),
        (lambda: pie_chart([{"a": "x", "b": -1}]), "below 0"),
        (lambda: line_chart([{"a": 1, "b": 2}], height=5000), "height"),
        (
            lambda: heat_map([{"x": a, "y": b, "v": 1} for a in range(101) for b in range(100)], "x", "y", "v"),
            "10,000 fields",
        ),
        (
            lambda: scatter_chart([{"x": 1, "y": 1, "g": str(number)} for number in range(21)], "x", "y", "g"),
            "20 groups",
        ),
    ]:
        with pytest.raises(ToolError, match=reason):
            draw()


def test_a_gap_ends_a_line_and_stacked_areas_stand_on_each_other() -> None:
    rows = [{"x": 1, "y": 1}, {"x": 2, "y": None}, {"x": 3, "y": 3}, {"x": 4, "y": 4}]
    path = re.search(r'd="([^"]*)" class="cc-line', line_chart(rows))[1]  # type: ignore[index]
    assert path.count("M") == 2
    stacked = area_chart([{"x": 1, "a": 1, "b": 2}, {"x": 2, "a": 1, "b": 2}], stacked=True)
    tops = re.findall(r'd="M0,([\d.]+)L[^"]*" class="cc-line', stacked)
    assert float(tops[0]) > float(tops[1])
    bars = bar_chart([{"x": "a", "y": 2, "z": -3}], stacked=True)
    assert "cc-base" in bars


def test_a_pie_gathers_what_is_small() -> None:
    made = pie_chart([{"name": f"Part {number}", "size": 100 - number} for number in range(20)])
    assert made.count("<path") == 12
    assert "9 others" in made
    assert pie_chart([{"name": "All", "size": 4}]).count("<path") == 1


@pytest.mark.parametrize(
    ("text", "language", "marked"),
    [
        ("x = 'a' # b\nif x: 3.5", "python", ["'a'", "# b", "if", "3.5"]),
        ('"""doc\n\'x\'"""\nNone', "py", ['"""doc\n\'x\'"""', "None"]),
        ("const a = `b\n${c}`; // d\n/* e\n*/ f(2)", "ts", ["const", "`b\n${c}`", "// d", "/* e\n*/", "2"]),
        ("SELECT 'a''b' FROM t -- x", "sql", ["SELECT", "'a'", "'b'", "FROM", "-- x"]),
        ('{"a": true}', "json", ['"a"', "true"]),
        ('"not closed', "python", ['"not closed']),
        ("if then", "klingon", []),
    ],
)
def test_words_of_code_are_told_apart(text: str, language: str, marked: list[str]) -> None:
    made = coloured(text, language)
    assert [html.unescape(one) for one in re.findall(r"<span[^>]*>([^<]*)</span>", made)] == marked
    assert html.unescape(re.sub(r"<[^>]+>", "", made)) == text
