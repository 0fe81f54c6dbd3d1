"""What is wrong with a peer's arguments or a tool's result, as one sentence with a path.

msgspec's messages are written for Python programmers ("Expected `int`, got `float` - at `$.days`") and pydantic's for
model authors; the reader here is a language model or a form, so both are rewritten in the words of JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from cloche.errors import ParseError, shorten
from cloche.wire.json import MAX_DEPTH, check_brackets

QUOTE_LIMIT = 100
"""No more of the peer's input than this is ever repeated."""

REASON_LIMIT = 400

NOUNS = {
    "int": "an integer",
    "float": "a number",
    "str": "a string",
    "bool": "a boolean",
    "null": "null",
    "array": "an array",
    "object": "an object",
    "datetime": "a date-time",
    "date": "a date",
    "time": "a time",
    "duration": "a duration",
    "timedelta": "a duration",
    "uuid": "a UUID",
    "decimal": "a decimal number",
    "bytes": "base64 text",
}

FORMATS = {
    "Invalid RFC3339 encoded datetime": "expected a date-time like 2026-07-28T09:30:00Z",
    "Invalid RFC3339 encoded date": "expected a date like 2026-07-28",
    "Invalid RFC3339 encoded time": "expected a time like 09:30:00",
    "Invalid ISO8601 duration": "expected a duration like PT1H30M",
    "Invalid UUID": "expected a UUID",
    "Invalid base64 encoded string": "expected base64 text",
    "Invalid decimal string": "expected a decimal number",
}

_EXPECTED = re.compile(r"Expected `(?P<type>[^`]*)`(?P<limit>.*?)(?:, got `(?P<got>[^`]*)`)?", re.DOTALL)
_NAMED_FIELD = re.compile(r"Object (?P<kind>missing required|contains unknown) field `(?P<name>.*)`", re.DOTALL)
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]*")


class ArgumentsError(Exception):
    """The arguments do not fit the function; the text is meant for whoever sent them."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason

    def under(self, prefix: str) -> ArgumentsError:
        """The same problem, seen from the object that holds the value at `prefix`."""
        return ArgumentsError(prefix + self.path.removeprefix("$"), self.reason)


SHORT = 2 * MAX_DEPTH
"""JSON up to this length cannot be nested too deeply: every level takes two bytes."""


def check_nesting(data: str | bytes) -> None:
    """Refuse JSON that is deeper than a message may be, before any decoder sees it.

    How deep a decoder goes before it raises depends on the version of Python, and in a browser it ends the worker
    instead. Brackets in a text nest nothing in the message around it, so nobody counted those yet.
    """
    try:
        check_brackets(data if isinstance(data, bytes) else data.encode(errors="replace"))
    except ParseError:
        raise ArgumentsError("$", "the JSON is nested too deeply") from None


def check_finite(value: object) -> None:
    """Raise ValueError for lists and dicts that contain themselves: in a browser, encoding them ends the worker."""
    around, done = set[int](), set[int]()
    to_do: list[tuple[object, bool]] = [(value, False)]
    while to_do:
        one, is_left = to_do.pop()
        if is_left:
            around.discard(id(one))
            done.add(id(one))
        elif id(one) in around:
            raise ValueError("it contains itself")
        elif isinstance(one, dict | list | tuple) and id(one) not in done:
            around.add(id(one))
            to_do.append((one, True))
            to_do += ((inner, False) for inner in (one.values() if isinstance(one, dict) else one))


class OutputError(Exception):
    """A function returned something that is not JSON, or plainly not what it declares."""


def step(path: str, key: str | int) -> str:
    """`path` extended by one key or index."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    if _PLAIN_KEY.fullmatch(key) and len(key) <= QUOTE_LIMIT:
        return f"{path}.{key}"
    return f"{path}[{quoted(key)}]"


def has_key(value: object, key: object) -> bool:
    """Whether `value` is an object or array with something at `key`."""
    if isinstance(value, dict):
        return key in value
    return isinstance(value, list) and isinstance(key, int) and key < len(value)


def quoted(value: object) -> str:
    """`value` as JSON, cut to what may be repeated."""
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return shorten(text, QUOTE_LIMIT)


def noun_of(value: object) -> str:
    """What kind of JSON value this is."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    for kind, noun in ((int, "an integer"), (str, "a string"), (list, "an array"), (dict, "an object")):
        if isinstance(value, kind):
            return noun
    return "a number"


def listed(items: Iterable[str]) -> str:
    """`a, b or c`."""
    *head, tail = items
    return f"{', '.join(head)} or {tail}" if head else tail


def choices(values: Iterable[Any], got: object) -> str:
    """The reason for a value outside an enumeration."""
    offered = [quoted(value) for value in values]
    shown = listed(offered) if len(offered) <= 12 else ", ".join(offered[:12]) + ", …"
    return shorten(f"expected {'one of ' if len(offered) > 1 else ''}{shown}", REASON_LIMIT) + f", got {quoted(got)}"


def closest(name: str, names: Iterable[str]) -> str | None:
    """The valid name that was probably meant."""
    from difflib import get_close_matches

    found = get_close_matches(name[:QUOTE_LIMIT], list(names), n=1, cutoff=0.6)
    return found[0] if found else None


def unknown_argument(path: str, name: str, names: Iterable[str], noun: str = "argument") -> ArgumentsError:
    """An argument that the function does not have."""
    known = list(names)
    meant = closest(name, known)
    if meant is not None:
        hint = f"did you mean {quoted(meant)}?"
    elif known:
        hint = "use " + listed([quoted(one) for one in known[:12]] + (["…"] if len(known) > 12 else []))
    else:
        hint = "none is accepted"
    return ArgumentsError(step(path, name), f"there is no {noun} {quoted(name)}, {hint}")


def missing_argument(path: str, name: str, noun: str = "argument") -> ArgumentsError:
    """A required argument that was not given."""
    return ArgumentsError(step(path, name), f"the required {noun} {quoted(name)} is missing")


def reworded(message: str, got: object, has_value: bool) -> str:
    """msgspec's reason (without its path) in the words of JSON."""
    tail = f", got {quoted(got)}" if has_value else ""
    if message in FORMATS:
        return FORMATS[message] + tail
    expected = _EXPECTED.fullmatch(message)
    if expected is None:
        return shorten(message[:1].lower() + message[1:], QUOTE_LIMIT)
    wanted = listed(NOUNS.get(name, name) for name in expected["type"].split(" | "))
    if expected["got"] is not None:
        return f"expected {wanted}, got {NOUNS.get(expected['got'], expected['got'])}"
    return shorten(f"expected {wanted}{expected['limit']}", REASON_LIMIT) + tail


def field_problem(message: str) -> tuple[bool, str] | None:
    """(missing, name) when the message is about a field that is missing or unknown."""
    found = _NAMED_FIELD.fullmatch(message)
    return None if found is None else (found["kind"] == "missing required", found["name"])
