"""Rows in any form that Python has them: dicts, dataclasses, Structs, tuples, or a data frame; as columns of values."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cloche.errors import ToolError, shorten
from cloche.server.content import encode_model
from cloche.server.schema import schema_of

MAX_ROWS = 100_000
"""Rows of one table or chart."""

MAX_COLUMNS = 100
"""Columns of one table."""

_MIDNIGHT = re.compile(r"\d{4}-\d\d-\d\dT00:00:00")

Cell = str | int | float | bool | None
"""A value that is shown: what JSON has, apart from lists and objects."""

if TYPE_CHECKING:
    Rows = Any
    """Rows from Python: a list of dicts, dataclasses or Structs, or a pandas or polars data frame. In JSON: a list of
    objects."""
else:
    Rows = list[dict[str, Cell]]


class Records(NamedTuple):
    """Rows as tuples, all with the same columns."""

    columns: list[str]
    rows: list[tuple[Any, ...]]

    def column(self, name: str) -> list[Any]:
        """The values of one column; raises `ToolError` with those that there are."""
        if name not in self.columns:
            there = shorten(", ".join(self.columns), 300) or "none"
            raise ToolError(f"There is no column {shorten(name)!r}; there are {there}")
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def as_json(self) -> list[dict[str, Any]]:
        """The rows as JSON has them."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def records(given: Any) -> Records:
    """The rows of whatever holds some, with plain values."""
    of_frame = is_frame(given)
    if of_frame:
        columns, rows = [str(one) for one in given.columns], _frame_rows(given)
    else:
        if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
            raise ToolError(f"Rows are a list of objects or a data frame, and not a {type(given).__name__}")
        items = given if isinstance(given, Sequence) else [*given]
        columns, rows = _listed(items)
    if len(columns) > MAX_COLUMNS:
        raise ToolError(f"At most {MAX_COLUMNS} columns can be shown, and these rows have {len(columns)}")
    found = [tuple(map(plain, row)) for row in _checked_length(rows)]
    return Records(columns, _with_days(found) if of_frame else found)


def is_frame(given: Any) -> bool:
    """Whether this is a data frame of pandas or polars, or of somebody who makes them alike."""
    return hasattr(given, "columns") and (hasattr(given, "itertuples") or hasattr(given, "iter_rows"))


def _frame_rows(frame: Any) -> list[tuple[Any, ...]]:
    _checked_length(frame)
    rows = frame.itertuples(index=False, name=None) if hasattr(frame, "itertuples") else frame.iter_rows()
    return [*rows]


def _with_days(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The rows of a data frame, with days where it keeps days: as moments, all of them at midnight."""
    columns = [*zip(*rows, strict=True)]
    for at, values in enumerate(columns):
        known = [one for one in values if one is not None]
        if known and all(isinstance(one, str) and _MIDNIGHT.fullmatch(one) for one in known):
            columns[at] = tuple(None if one is None else one[:10] for one in values)
    return [*zip(*columns, strict=True)]


def _listed(items: Sequence[Any]) -> tuple[list[str], list[tuple[Any, ...]]]:
    _checked_length(items)
    if items and isinstance(items[0], list | tuple) and not hasattr(items[0], "_fields"):
        width = max(len(row) for row in items)
        names = [str(number + 1) for number in range(width)]
        return names, [(*row, *[None] * (width - len(row))) for row in items]
    mappings = [_mapping(one) for one in items]
    columns = list(dict.fromkeys(str(name) for one in mappings for name in one))
    return columns, [tuple(one.get(name) for name in columns) for one in mappings]


def _mapping(row: Any) -> Mapping[str, Any]:
    if isinstance(row, Mapping):
        return row
    if dataclasses.is_dataclass(row) and not isinstance(row, type):
        return {field.name: getattr(row, field.name) for field in dataclasses.fields(row)}
    if isinstance(row, msgspec.Struct):
        return {name: getattr(row, name) for name in row.__struct_fields__}
    if hasattr(row, "_asdict"):
        found: Mapping[str, Any] = row._asdict()
        return found
    if hasattr(row, "model_dump"):
        dumped: Mapping[str, Any] = row.model_dump()
        return dumped
    return {"value": row}


def plain(value: Any) -> Any:
    """A cell's value as Python and JSON both have it; NaN and its kin are nothing."""
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime | date | time):
        return None if type(value).__name__ == "NaTType" else value.isoformat()
    if isinstance(value, Decimal):
        return float(value) if value.is_finite() else None
    if hasattr(value, "item") and callable(value.item) and getattr(value, "shape", None) == ():
        return plain(value.item())  # a scalar of numpy
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    try:
        return msgspec.json.encode(value, enc_hook=encode_model).decode().strip('"')
    except (TypeError, ValueError):
        return str(value)


def _checked_length(rows: Any) -> Any:
    if len(rows) > MAX_ROWS:
        raise ToolError(f"At most {MAX_ROWS:,} rows can be shown, and there are {len(rows):,}: show a part of them")
    return rows


def as_props(value: Any) -> Any:
    """A prop from Python as JSON: data frames become rows, objects become dicts, types their JSON Schema."""
    if isinstance(value, type):
        return schema_of(value, what="prop")[0]
    if is_frame(value):
        return records(value).as_json()
    if isinstance(value, list) and value and not isinstance(value[0], dict | str | int | float | bool | None):
        return [as_props(one) for one in value]
    return msgspec.to_builtins(value, enc_hook=encode_model)
