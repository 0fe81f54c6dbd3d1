"""How values are written for people: numbers, dates, yes and no."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from cloche.errors import ToolError, shorten

MAX_TEXT = 2_000
"""Characters of one cell; longer text is cut."""

_FORMAT = re.compile(r"[+]?,?(?:\.\d)?[df%]?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?")


def is_number(value: Any) -> bool:
    """Whether a value is a number; yes and no are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def are_numbers(values: Iterable[Any]) -> bool:
    """Whether there are values, and all of them are numbers."""
    found = [one for one in values if one is not None]
    return bool(found) and all(map(is_number, found))


def as_time(value: Any) -> datetime | None:
    """The moment that an ISO date or date with time stands for."""
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found.replace(tzinfo=None) if found.tzinfo is None else found.astimezone(tz=None).replace(tzinfo=None)


def checked_format(given: str) -> str:
    """A format of numbers, as Python writes them: ',' or '.2f' or ',.1f' or '.0%'."""
    if given and not _FORMAT.fullmatch(given):
        raise ToolError(f"format={shorten(given, 20)!r} is not known: write one such as ',', '.2f', ',.1f' or '.0%'")
    return given


def number_text(value: float, form: str = "") -> str:
    """A number with thousands separated, and as many digits as it needs."""
    if form:
        return format(int(value) if form.endswith("d") else value, form)
    if isinstance(value, int) or (float(value).is_integer() and abs(value) < 1e15):
        return f"{int(value):,}"
    size = abs(value)
    if size >= 1e15 or size < 1e-4:
        return f"{value:.4g}"
    digits = 2 if size >= 100 else 3 if size >= 1 else 4
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".")


def common_format(values: Iterable[Any]) -> str:
    """The format in which all numbers of a column have the same digits after the point: as many as one of them needs,
    and two at most, unless all of them are small.
    """
    known = [abs(one) for one in values if is_number(one)]
    if all(float(one).is_integer() for one in known) or max(known) >= 1e15 or max(known) < 0.01:
        return ""
    digits = next(count for count in (1, 2, 3) if count == 3 or all(round(one, count) == one for one in known))
    return f",.{2 if digits == 3 and max(known) >= 1 else digits + (digits == 3)}f"


def short_number(value: float) -> str:
    """A number for an axis: 1.2k, 3M."""
    size = abs(value)
    for limit, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e4, "k")):
        if size >= limit:
            return f"{value / (1e3 if letter == 'k' else limit):.4g}{letter}"
    if size >= 1e-4 or value == 0:
        return f"{value:,.10g}"
    return f"{value:.2e}"


def text(value: Any, form: str = "", unit: str = "") -> str:
    """Any value as people read it."""
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if is_number(value):
        made = number_text(value, form)
        return f"{made} {unit}".rstrip() if unit not in ("%", "°") else made + unit
    moment = as_time(value)
    if moment is not None:
        return date_text(moment, is_date=len(value) == 10)
    shown = str(value)
    return shown if len(shown) <= MAX_TEXT else shown[:MAX_TEXT] + "…"


def date_text(moment: datetime, *, is_date: bool = False) -> str:
    """A date that nobody takes for another one, with the time unless it is a date alone."""
    day = date(moment.year, moment.month, moment.day)
    written = f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    if is_date:
        return written
    return f"{written}, {moment:%H:%M}" + (f":{moment:%S}" if moment.second else "")


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def label(key: str) -> str:
    """A column's name as a heading: `unit_price` is Unit price."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", key).replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:] if words else key
