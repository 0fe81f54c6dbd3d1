"""Docstrings: the description of a function and of its parameters, from Google, NumPy and reST styles."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any

_GOOGLE_HEADING = re.compile(r"(Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters):\s*")
_GOOGLE_ENTRY = re.compile(r"\*{0,2}(?P<name>\w+)\s*(?:\([^)]*\))?\s*:(?:\s+(?P<text>.*)|\s*)")
_NUMPY_HEADING = re.compile(r"(Parameters|Other Parameters)\s*")
_NUMPY_RULE = re.compile(r"-{3,}\s*")
_NUMPY_ENTRY = re.compile(r"(?P<names>\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?")
_REST_PARAM = re.compile(
    r":(?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*\s)?\*{0,2}(?P<name>\w+)\s*:\s*(?P<text>.*)"
)
_REST_TYPE = re.compile(r":type\s+\w+\s*:.*")

Found = dict[str, list[str]]
"""The lines about each parameter."""


def describe(fn: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """The description of `fn` without its parameter section, and the description of each parameter."""
    lines = _docstring(fn).splitlines()
    found: Found = {}
    for read, gap in ((_read_numpy, [""]), (_read_google, [""]), (_read_rest, [])):
        lines = _without(read, gap, lines, found)
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return text, {name: " ".join(" ".join(parts).split()) for name, parts in found.items() if any(parts)}


def _docstring(fn: Callable[..., Any]) -> str:
    while isinstance(fn, functools.partial):
        fn = fn.func
    if not inspect.isroutine(fn) and not isinstance(fn, type):
        call = inspect.getdoc(type(fn).__call__) if type(fn).__call__.__doc__ else None
        return call or inspect.getdoc(type(fn)) or ""
    return inspect.getdoc(fn) or ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _block(lines: list[str], start: int, base: int) -> int:
    """The index after the lines from `start` that are blank or indented deeper than `base`."""
    end = start
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > base):
        end += 1
    return end


def _without(read: Callable[[list[str], int, Found], int], gap: list[str], lines: list[str], found: Found) -> list[str]:
    """The lines that `read` leaves: it puts the section that begins at a line into `found`, and returns the index after
    it, or that of the line itself when none begins there.
    """
    kept: list[str] = []
    at = 0
    while at < len(lines):
        end = read(lines, at, found)
        kept += gap if end > at else [lines[at]]
        at = max(end, at + 1)
    return kept


def _read_google(lines: list[str], at: int, found: Found) -> int:
    # The first line is never indented, so what follows it directly may not be deeper.
    end = _block(lines, at + 1, _indent(lines[at]) if at else -1)
    entries = _google_entries(lines[at + 1 : end]) if _GOOGLE_HEADING.fullmatch(lines[at].strip()) else {}
    found.update(entries)
    return end if entries else at


def _google_entries(block: list[str]) -> Found:
    entries: Found = {}
    filled = [line for line in block if line.strip()]
    base = _indent(filled[0]) if filled else 0
    current: list[str] = []
    for line in filled:
        entry = _GOOGLE_ENTRY.fullmatch(line.strip()) if _indent(line) <= base else None
        if entry is not None:
            current = entries.setdefault(entry["name"], [])
            current.append(entry["text"] or "")
        else:
            current.append(line.strip())
    return entries


def _read_numpy(lines: list[str], at: int, found: Found) -> int:
    ruled = at + 1 < len(lines) and _NUMPY_RULE.fullmatch(lines[at + 1].strip())
    return _numpy_entries(lines, at + 2, found) if ruled and _NUMPY_HEADING.fullmatch(lines[at].strip()) else at


def _numpy_entries(lines: list[str], at: int, found: Found) -> int:
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        heading = at + 1 < len(lines) and _NUMPY_RULE.fullmatch(lines[at + 1].strip())
        entry = _NUMPY_ENTRY.fullmatch(lines[at].strip())
        if heading or entry is None or _indent(lines[at]):
            break
        end = _block(lines, at + 1, 0)
        text = [line.strip() for line in lines[at + 1 : end]]
        if ":" not in lines[at] and not any(text):
            break
        for name in entry["names"].split(","):
            found[name.strip().lstrip("*")] = text
        at = end
    return at


def _read_rest(lines: list[str], at: int, found: Found) -> int:
    line = lines[at]
    param = _REST_PARAM.fullmatch(line.strip())
    if param is None and not _REST_TYPE.fullmatch(line.strip()):
        return at
    end = at + 1
    while end < len(lines) and lines[end].strip() and _indent(lines[end]) > _indent(line):
        end += 1
    if param is not None:
        found[param["name"]] = [param["text"], *(one.strip() for one in lines[at + 1 : end])]
    return end
