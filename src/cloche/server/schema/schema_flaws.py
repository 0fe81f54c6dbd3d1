"""What is wrong with a JSON Schema itself, found when a tool is registered: nothing is ever passed unseen."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

from cloche.server.schema.patterns import expression

DIALECT = re.compile(r"https?://json-schema\.org/(draft/20(20-12|19-09)|draft-0[467])/schema#?")
"""The dialects whose words mean what they mean here."""

UNSUPPORTED = (
    *("$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "$vocabulary"),
    *("unevaluatedItems", "unevaluatedProperties", "disallow", "divisibleBy", "extends"),
)
"""Words that say what a value must be, and are not checked here."""

MAX_STEPS = 50
"""Schemas in a row that say more of the same value: each takes some of Python's stack."""

IN_PLACE = ("allOf", "anyOf", "oneOf")
ONE = ("not", "if", "then", "else")
BELOW = (
    *("additionalItems", "additionalProperties", "contains", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties"),
)
BY_NAME = ("properties", "patternProperties", "$defs", "definitions")
TYPES = ("string", "number", "integer", "boolean", "null", "array", "object")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_schema(value: Any) -> bool:
    return isinstance(value, dict | bool)


def _is_schemas(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_schema, value))


def _is_expression(value: Any) -> bool:
    try:
        return isinstance(value, str) and expression(value) is not None
    except ValueError:
        return False


def _is_types(value: Any) -> bool:
    return all(one in TYPES for one in (value if isinstance(value, list) else [value]))


SHAPES: list[tuple[Callable[[Any], bool], str, tuple[str, ...]]] = [
    (_is_number, "a number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")),
    (lambda value: _is_number(value) and value > 0, "a number over 0", ("multipleOf",)),
    (
        lambda value: _is_number(value) and value >= 0 and value == math.floor(value),
        "a whole number",
        (
            *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
            *("minContains", "maxContains"),
        ),
    ),
    (lambda value: isinstance(value, bool), "true or false", ("uniqueItems",)),
    (_is_expression, "a regular expression", ("pattern",)),
    (_is_names, "a list of names", ("required",)),
    (lambda value: isinstance(value, list), "a list", ("enum",)),
    (
        lambda value: isinstance(value, str) and DIALECT.fullmatch(value) is not None,
        "a dialect of json-schema.org, from draft 4 to 2020-12",
        ("$schema",),
    ),
    (_is_schemas, "a list of schemas", (*IN_PLACE, "prefixItems")),
    (_is_schema, "a schema", (*ONE, *BELOW)),
    (
        lambda value: isinstance(value, dict),
        "an object",
        (*BY_NAME, "dependentRequired", "dependentSchemas", "dependencies"),
    ),
    (_is_types, "one of JSON's types", ("type",)),
    (lambda value: _is_schema(value) or _is_schemas(value), "a schema", ("items",)),
]
"""What the value of each word must be."""


def flaw_of(root: Any) -> str:
    """Why a schema cannot be checked against, with the place in it; an empty text when it can."""
    inside: dict[int, list[Any]] = {}
    """Of every schema, by its identity, those that say more of the same value."""
    to_do = [(root, "#")]
    for schema, path in to_do:
        if isinstance(schema, bool) or id(schema) in inside:
            continue
        if not isinstance(schema, dict):
            return f"{path} is not a schema"
        flaw = _flaw_of_words(schema, path, root)
        if flaw:
            return flaw
        same = [*in_place(schema)]
        if "$ref" in schema:
            same.append(("$ref", look_up(schema["$ref"], root)))
        inside[id(schema)] = [one for _, one in same]
        to_do += [(one, f"{path}/{name}") for name, one in (*same, *below(schema))]
    return _flaw_of_steps(inside)


def _flaw_of_words(schema: dict[str, Any], path: str, root: Any) -> str:
    for word in UNSUPPORTED:
        if word in schema:
            return f"{path}/{word} is not supported: say it with other words of JSON Schema"
    for fits, what, words in SHAPES:
        for word in words:
            if word in schema and not fits(schema[word]):
                return f"{path}/{word} must be {what}"
    if schema is not root and isinstance(schema.get("$id"), str):
        return f"{path}/$id is not supported below the root"
    if "$ref" in schema and not (isinstance(schema["$ref"], str) and _is_schema(look_up(schema["$ref"], root))):
        return f'{path}/$ref must lead to a schema in this one, such as "#/$defs/name"'
    if not all(map(_is_expression, schema.get("patternProperties", ()))):
        return f"{path}/patternProperties has no regular expressions"
    if not all(map(_is_names, schema.get("dependentRequired", {}).values())):
        return f"{path}/dependentRequired must have lists of names"
    return ""


def in_place(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Schemas that say more of the same value."""
    for word in IN_PLACE:
        yield from _listed(word, schema.get(word))
    yield from ((word, schema[word]) for word in ONE if word in schema)
    yield from _named("dependentSchemas", schema)
    yield from ((name, one) for name, one in _named("dependencies", schema) if not _is_names(one))


def below(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Schemas of a value's members and items, and those that only have a name."""
    yield from ((word, schema[word]) for word in BELOW if word in schema)
    for word in BY_NAME:
        yield from _named(word, schema)
    items = schema.get("items", [])
    yield from _listed("items", items if isinstance(items, list) else [items])
    yield from _listed("prefixItems", schema.get("prefixItems"))


def _listed(word: str, schemas: Any) -> Iterator[tuple[str, Any]]:
    return ((f"{word}/{index}", one) for index, one in enumerate(schemas if isinstance(schemas, list) else ()))


def _named(word: str, schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    schemas = schema.get(word)
    return ((f"{word}/{name}", one) for name, one in (schemas.items() if isinstance(schemas, dict) else ()))


def _flaw_of_steps(inside: dict[int, list[Any]]) -> str:
    """Whether looking at one value could go on for ever, or nearly so."""
    waiting = dict.fromkeys(inside, 0)
    """How many schemas lead to each, of those that were not looked at."""
    for schemas in inside.values():
        for one in schemas:
            waiting[id(one)] = waiting.get(id(one), 0) + 1
    steps = {schema: 0 for schema, count in waiting.items() if count == 0}
    to_do = list(steps)
    for schema in to_do:
        for one in inside.get(schema, ()):
            steps[id(one)] = max(steps.get(id(one), 0), steps[schema] + 1)
            waiting[id(one)] -= 1
            if waiting[id(one)] == 0:
                to_do.append(id(one))
    if len(to_do) < len(waiting):
        return "a schema refers to itself, without a member or an item in between"
    if max(steps.values(), default=0) > MAX_STEPS:
        return f"more than {MAX_STEPS} schemas refer to each other, without a member or an item in between"
    return ""


def look_up(pointer: str, root: Any) -> Any:
    """What a `$ref` means: a place in the same schema; None when there is nothing."""
    if pointer == "#":
        return root
    if not pointer.startswith("#/"):
        return None
    found = root
    for part in unquote(pointer[2:]).split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and key in found:
            found = found[key]
        elif isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            return None
    return found
