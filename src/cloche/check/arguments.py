"""Arguments for a tool, made from its input schema: examples, then defaults, then the plainest value that fits."""

from __future__ import annotations

import json
import re
from typing import Any

from cloche.check.server_survey import Json
from cloche.errors import shorten

MAX_DEPTH = 8
MAX_ITEMS = 20
"""Longer lists and texts are not made up."""
MAX_TEXT = 1000
MAX_MATCHED = 16

EXAMPLE = re.compile(r"\bExamples?:", re.IGNORECASE)
EXAMPLE_ENDS = re.compile(r"[\n;]")
QUOTED = re.compile(r"[`\"']?([^`\"']+)[`\"']?")

FORMATS = {
    "date": "2026-01-15",
    "date-time": "2026-01-15T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "PT1H",
    "email": "someone@example.com",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "byte": "",
    "binary": "",
}


class NoArguments(Exception):
    """No value can be made up; the text says for what and why."""


def make_arguments(schema: Any) -> Json:
    """What a tool can be called with. Raises `NoArguments`."""
    if not isinstance(schema, dict):
        raise NoArguments("its input schema is not an object")
    made = _Maker(schema).value(schema, "the arguments", MAX_DEPTH)
    if not isinstance(made, dict):
        raise NoArguments("its input schema describes no object")
    return made


class _Maker:
    def __init__(self, root: Json) -> None:
        self._root = root

    def value(self, schema: Any, name: str, depth: int) -> Any:
        if schema is True or schema == {}:
            return "text"
        if depth == 0 or not isinstance(schema, dict):
            raise NoArguments(f"the schema of {name} goes too deep or is none")
        schema = self._resolved(schema, name)
        for known in self._given(schema):
            return known
        for key in ("anyOf", "oneOf"):
            if isinstance(schema.get(key), list) and schema[key]:
                return self._first(schema[key], name, depth)
        if isinstance(schema.get("allOf"), list):
            return self.value(_merged(schema), name, depth - 1)
        return self._typed(schema, name, depth)

    def _resolved(self, schema: Json, name: str) -> Json:
        for _ in range(MAX_DEPTH):
            reference = schema.get("$ref")
            if not isinstance(reference, str):
                return schema
            if not reference.startswith("#/"):
                raise NoArguments(f"{name} refers to {shorten(reference)}")
            found: Any = self._root
            for part in reference[2:].split("/"):
                found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
            if not isinstance(found, dict):
                raise NoArguments(f"{name} refers to {shorten(reference)}, which is not there")
            schema = {**found, **{key: value for key, value in schema.items() if key != "$ref"}}
        raise NoArguments(f"{name} refers to itself")

    def _given(self, schema: Json) -> list[Any]:
        """Values that the schema itself offers, best first."""
        found = list(schema["examples"]) if isinstance(schema.get("examples"), list) else []
        written = _example_in(schema)
        if written:
            found.append(_read(written, schema))
        found += [schema[key] for key in ("example", "const", "default") if key in schema]
        return found + (schema["enum"] if isinstance(schema.get("enum"), list) else [])

    def _first(self, choices: list[Any], name: str, depth: int) -> Any:
        problem = NoArguments(f"no choice fits {name}")
        for choice in sorted(choices, key=lambda one: isinstance(one, dict) and one.get("type") == "null"):
            try:
                return self.value(choice, name, depth - 1)
            except NoArguments as error:
                problem = error
        raise problem

    def _typed(self, schema: Json, name: str, depth: int) -> Any:
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = next((one for one in kind if one != "null"), "null")
        if kind == "object" or (kind is None and "properties" in schema):
            return self._object(schema, name, depth)
        if kind == "array":
            count = schema.get("minItems", 1)
            if not isinstance(count, int) or count > MAX_ITEMS:
                raise NoArguments(f"{name} needs {count} items")
            return [self.value(schema.get("items", {}), f"an item of {name}", depth - 1)] * max(count, 1)
        if kind in ("integer", "number"):
            return _number(schema, name, whole=kind == "integer")
        return {"boolean": False, "null": None}[kind] if kind in ("boolean", "null") else _text(schema, name)

    def _object(self, schema: Json, name: str, depth: int) -> Json:
        properties = schema.get("properties")
        known: Json = properties if isinstance(properties, dict) else {}
        required = schema.get("required")
        needed = [key for key in required if isinstance(key, str)] if isinstance(required, list) else []
        made = {key: self.value(known.get(key, {}), repr(shorten(key, 40)), depth - 1) for key in needed}
        for key, inner in known.items():
            if key not in made and isinstance(inner, dict) and (inner.get("examples") or _example_in(inner)):
                made[key] = self.value(inner, repr(shorten(key, 40)), depth - 1)
        return made


def _example_in(schema: Json) -> str:
    """What stands behind `Example:` in a description, as in a docstring, up to the end of the line.

    The playground reads the same. In steps: one expression for all of it tries every way to divide a run of spaces.
    """
    description = schema.get("description")
    _, *behind = EXAMPLE.split(description, maxsplit=1) if isinstance(description, str) else [""]
    if not behind:
        return ""
    line, *more = EXAMPLE_ENDS.split(behind[0].lstrip(), maxsplit=1)
    found = QUOTED.fullmatch(line.rstrip() if more else line.rstrip().removesuffix(".").rstrip())
    return found[1].strip() if found else ""


def _read(text: str, schema: Json) -> Any:
    """An example as it was written: a text stays one, everything else is JSON."""
    if schema.get("type") == "string":
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _merged(schema: Json) -> Json:
    merged: Json = {key: value for key, value in schema.items() if key != "allOf"}
    for part in schema["allOf"]:
        for key, value in part.items() if isinstance(part, dict) else ():
            if key == "properties" and isinstance(merged.get(key), dict):
                merged[key] = {**merged[key], **value}
            elif key == "required" and isinstance(merged.get(key), list):
                merged[key] = [*merged[key], *value]
            else:
                merged.setdefault(key, value)
    return merged


def _number(schema: Json, name: str, *, whole: bool) -> float:
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    step = schema.get("multipleOf", 1)
    if not all(one is None or isinstance(one, int | float) for one in (low, high, above, below)):
        raise NoArguments(f"the bounds of {name} are no numbers")
    start = max([1, *(one for one in (low, None if above is None else above + step) if one is not None)])
    ends = [one for one in (high, None if below is None else below - (step if whole else 0)) if one is not None]
    value = min([start, *ends])
    if isinstance(step, int | float) and step not in (0, 1):
        value = -(-value // step) * step
    return int(value) if whole else value


def _text(schema: Json, name: str) -> str:
    made = FORMATS.get(str(schema.get("format")), "text")
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if not isinstance(least, int) or least > MAX_TEXT:
        raise NoArguments(f"{name} needs a very long text")
    made = made.ljust(least, "x")
    if isinstance(most, int):
        made = made[:most]
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and not _matches(pattern, made):
        raise NoArguments(f"{name} must match {shorten(pattern, 60)}: give it an example")
    return made


def _matches(pattern: str, text: str) -> bool:
    # A pattern of the server's may take ages on a long text; one that Python cannot read matches nothing.
    if len(text) > MAX_MATCHED or len(pattern) > MAX_TEXT:
        return False
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return False
