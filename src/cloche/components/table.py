"""`table`: rows that a person sorts, searches and pages through, thousands of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from cloche.components import cells
from cloche.components.component import component, data_script
from cloche.components.records import Records, Rows, records
from cloche.views.html import Html, h

PAGE_SIZE = 25
"""Rows on a page."""

SHORT = 16
"""Characters up to which the texts of a column are never broken into lines."""

EXAMPLE = [
    {"product": "Rye bread", "sold": 412, "price": 4.2, "since": "2026-03-01", "organic": True},
    {"product": "Baguette", "sold": 1280, "price": 1.6, "since": "2025-11-12", "organic": False},
    {"product": "Croissant", "sold": 954, "price": 1.9, "since": "2026-01-20", "organic": False},
    {"product": "Apple tart", "sold": 87, "price": 3.8, "since": "2026-06-05", "organic": True},
]


class Column(msgspec.Struct, forbid_unknown_fields=True):
    """How one column of a table is shown."""

    key: str
    """The name of the value in each row."""
    label: str | None = None
    """The heading; the key in plain words unless given."""
    format: str = ""
    """How numbers are written: ',', '.2f', ',.1f', '.0%'."""
    unit: str = ""
    """What stands after each number."""
    align: Literal["start", "end"] | None = None
    """Where the text stands; numbers stand at the end."""


class _Shown(NamedTuple):
    """A column, ready to be written."""

    heading: str
    looks: str
    """The class of its cells."""
    texts: list[str]
    keys: list[Any] | None
    """What is sorted by, where that is not the text."""


def _summary(rows: Rows, columns: list[Column | str] | None = None, title: str = "", **_: Any) -> str:
    found = records(rows)
    shown = ", ".join(one.key for one in _columns(found, columns))
    named = f"The table {title!r}" if title else "A table"
    return f"{named} is shown, {len(found.rows):,} rows with the columns {shown or '(none)'}."


@component(
    category="data",
    tags=("table", "rows", "sort", "dataframe"),
    summary=_summary,
    examples=[
        {
            "rows": EXAMPLE,
            "columns": [
                {"key": "product"},
                {"key": "sold"},
                {"key": "price", "format": ".2f", "unit": "€"},
                {"key": "since"},
                {"key": "organic"},
            ],
            "title": "What was sold in June",
        }
    ],
)
def table(
    rows: Rows,
    columns: list[Column | str] | None = None,
    title: str = "",
    page_size: Annotated[int, Meta(ge=1, le=500)] = PAGE_SIZE,
    search: bool = True,
    empty: str = "No rows.",
) -> Html:
    """A table that a person sorts, searches and pages through.

    Args:
        rows: The rows: objects with the same keys. From Python also dataclasses or a data frame.
        columns: Which columns are shown, in which order and how; all of them unless given.
        title: What stands above the table.
        page_size: Rows on one page.
        search: Whether there is a field to search with; tables of one page have none.
        empty: What is shown when there are no rows.
    """
    found = records(rows)
    shown = [_shown(found, one) for one in _columns(found, columns)]
    total = len(found.rows)
    is_paged = total > page_size
    heading = h.div(
        h.strong(title, class_="cc-title") if title else None,
        h.input(type="search", placeholder="Search", aria_label=f"Search {title or 'the table'}", hidden=True)
        if search and is_paged
        else None,
        class_="cc-head",
    )
    return h.div(
        heading if title or (search and is_paged) else None,
        h.div(
            h.table(
                h.thead(h.tr(_heading(one, at) for at, one in enumerate(shown))),
                h.tbody(h.tr(_cell(one, number) for one in shown) for number in range(min(total, page_size))),
            ),
            class_="cc-scroll",
            tabindex=0,
            role="region",
            aria_label=title or "Table",
        )
        if total
        else h.p(empty, class_="cc-empty"),
        h.div(_pages(total, page_size), class_="cc-foot") if is_paged else None,
        data_script("rows", _data(shown, page_size)) if total > 1 else None,
        class_="cc cc-table",
        data_cc="table",
    )


def _columns(found: Records, given: list[Column | str] | None) -> list[Column]:
    if given is None:
        return [Column(name) for name in found.columns]
    return [Column(one) if isinstance(one, str) else one for one in given]


def _shown(found: Records, column: Column) -> _Shown:
    values = found.column(column.key) if found.rows else []
    form = cells.checked_format(column.format)
    is_number = cells.are_numbers(values)
    if is_number and not form:
        form = cells.common_format(values)
    texts = [cells.text(one, form, column.unit) for one in values]
    looks = ["cc-end"] if (column.align or ("end" if is_number else "start")) == "end" else []
    if all(len(one) <= SHORT for one in texts):
        looks.append("cc-short")
    keys = values if is_number or any(isinstance(one, bool) or cells.as_time(one) for one in values[:50]) else None
    return _Shown(column.label if column.label is not None else cells.label(column.key), " ".join(looks), texts, keys)


def _heading(column: _Shown, at: int) -> Html:
    return h.th(
        h.button(column.heading, h.span(class_="cc-arrow", aria_hidden=True), type="button", data_column=at),
        scope="col",
        class_=column.looks or None,
    )


def _cell(column: _Shown, number: int) -> Html:
    return h.td(column.texts[number], class_=column.looks or None)


def _pages(total: int, page_size: int) -> Html:
    """Which rows are seen, and the way to the others."""
    return h(
        h.span(f"1–{min(page_size, total):,} of {total:,}", class_="cc-range", role="status"),
        h.span(
            h.button("Previous", type="button", data_step=-1, disabled=True),
            h.button("Next", type="button", data_step=1),
            class_="cc-steps",
        ),
    )


def _data(shown: list[_Shown], page_size: int) -> dict[str, Any]:
    """What the page sorts and searches: texts by column, and what they are sorted by."""
    return {
        "size": page_size,
        "looks": [one.looks for one in shown],
        "texts": [one.texts for one in shown],
        "keys": [one.keys for one in shown],
    }
