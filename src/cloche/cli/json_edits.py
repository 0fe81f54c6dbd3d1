"""Changes of one entry in a JSON file that somebody else wrote: comments, order and layout of the rest stay.

Configuration files of editors are JSON with comments and commas at the end, which Python's parser refuses. Here a file
is read into places: where each object, key and value begins and ends.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 64

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?\d[\d.eE+-]*|true|false|null")


class JsonTextError(ValueError):
    """The text is not JSON, even with comments."""


@dataclass
class Place:
    """A value in the text; an object has members, each with the place where its key begins."""

    start: int
    end: int
    value: Any
    members: dict[str, tuple[int, Place]] = field(default_factory=dict)


def parse(text: str) -> Place:
    """The value that a text holds, with the places of everything in it."""
    at = _skip(text, 0)
    found = _value(text, at, MAX_DEPTH)
    if _skip(text, found.end) != len(text):
        raise JsonTextError(f"something follows the end, in line {_line(text, found.end)}")
    return found


def with_member(text: str, path: tuple[str, str], value: Any) -> str:
    """The text with a member of an object in the root set to `value`; the object is made if it is missing."""
    key, name = path
    root = parse(text)
    if key not in root.members:
        return _set(text, root, key, {name: value})
    return _set(text, root.members[key][1], name, value)


def without_member(text: str, path: tuple[str, str]) -> str:
    """The text without a member of an object in the root."""
    parent = parse(text).members[path[0]][1]
    names = list(parent.members)
    at = names.index(path[1])
    start, place = parent.members[path[1]]
    end = _after_comma(text, place.end)
    if at == len(names) - 1 and end == place.end and at > 0:
        # The last one, without a comma behind it: the one before it goes.
        before = parent.members[names[at - 1]][1].end
        comma = _skip(text, before)
        return text[:comma] + text[comma + 1 : _line_start(text, start)].rstrip() + text[end:]
    start = _line_start(text, start)
    rest = text[end:]
    blank = re.match(r"[ \t]*\r?\n", rest)
    return text[:start] + (rest[blank.end() :] if blank and text[:start].endswith("\n") else rest)


def _set(text: str, parent: Place, name: str, value: Any) -> str:
    if name in parent.members:
        start, place = parent.members[name]
        return text[: place.start] + _laid_out(value, _indent(text, start)) + text[place.end :]
    if not parent.members:
        outer = _indent(text, parent.start)
        inner = outer + "  "
        inside = text[parent.start + 1 : parent.end - 1]
        kept = f"{inside.rstrip()}" if inside.strip() else ""
        member = f"{json.dumps(name, ensure_ascii=False)}: {_laid_out(value, inner)}"
        return f"{text[: parent.start]}{{{kept}\n{inner}{member}\n{outer}}}{text[parent.end :]}"
    start, last = list(parent.members.values())[-1]
    inner = _indent(text, start)
    member = f"{json.dumps(name, ensure_ascii=False)}: {_laid_out(value, inner)}"
    after = _after_comma(text, last.end)
    if after != last.end:
        return f"{text[:after]}\n{inner}{member},{text[after:]}"
    return f"{text[: last.end]},\n{inner}{member}{text[last.end :]}"


def _value(text: str, at: int, depth: int) -> Place:
    if depth == 0:
        raise JsonTextError("it is nested too deep")
    if text.startswith("{", at):
        return _object(text, at, depth)
    if text.startswith("[", at):
        return _list(text, at, depth)
    found = _STRING.match(text, at) or _SCALAR.match(text, at)
    if found is None:
        raise JsonTextError(f"a value is missing, in line {_line(text, at)}")
    try:
        return Place(at, found.end(), json.loads(found[0]))
    except ValueError:
        raise JsonTextError(f"a value cannot be read, in line {_line(text, at)}") from None


def _object(text: str, start: int, depth: int) -> Place:
    made = Place(start, start, {})
    at = _skip(text, start + 1)
    while not text.startswith("}", at):
        key = _STRING.match(text, at)
        colon = _skip(text, key.end()) if key is not None else at
        if key is None or not text.startswith(":", colon):
            raise JsonTextError(f"a name and a colon are missing, in line {_line(text, at)}")
        name = json.loads(key[0])
        if name in made.members:
            raise JsonTextError(f"a name stands twice in an object, in line {_line(text, at)}")
        place = _value(text, _skip(text, colon + 1), depth - 1)
        made.members[name] = (at, place)
        made.value[name] = place.value
        at = _next(text, place.end, "}")
    made.end = at + 1
    return made


def _list(text: str, start: int, depth: int) -> Place:
    made = Place(start, start, [])
    at = _skip(text, start + 1)
    while not text.startswith("]", at):
        place = _value(text, at, depth - 1)
        made.value.append(place.value)
        at = _next(text, place.end, "]")
    made.end = at + 1
    return made


def _next(text: str, end: int, closing: str) -> int:
    """Where the next item begins, or the end of the list or object."""
    at = _skip(text, end)
    if text.startswith(",", at):
        return _skip(text, at + 1)
    if not text.startswith(closing, at):
        raise JsonTextError(f"a comma is missing, in line {_line(text, at)}")
    return at


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found is not None else at


def _after_comma(text: str, end: int) -> int:
    at = _skip(text, end)
    return at + 1 if text.startswith(",", at) else end


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _line_start(text: str, at: int) -> int:
    """Where the line of a key begins, when nothing but space is before it."""
    start = text.rfind("\n", 0, at) + 1
    return start if not text[start:at].strip() else at


def _indent(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    line = text[start:at]
    return line[: len(line) - len(line.lstrip())]


def _laid_out(value: Any, indent: str) -> str:
    step = "\t" if indent.startswith("\t") else 2
    return json.dumps(value, indent=step, ensure_ascii=False).replace("\n", f"\n{indent}")
