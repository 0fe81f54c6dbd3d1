"""The words of JSON Schema: which kind of value each concerns, and what it checks."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from cloche.server.schema.patterns import expression
from cloche.server.schema.schema_flaws import look_up
from cloche.server.schema.value_problems import (
    NOUNS,
    ArgumentsError,
    choices,
    listed,
    missing_argument,
    noun_of,
    quoted,
    step,
    unknown_argument,
)

Problem: TypeAlias = ArgumentsError | None
Check: TypeAlias = Callable[[Any, str], Problem]
"""What is wrong with a value at a path, or None."""

PATTERN_LIMIT = 10_000
"""Characters of the longest text that a pattern is tried on: some patterns take for ever on longer ones."""


class Place(NamedTuple):
    """Where a word stands: its schema, and how the schemas below it become checks."""

    schema: dict[str, Any]
    check: Callable[[Any], Check]
    root: Any


Rule: TypeAlias = Callable[[Place, Any], Check]


def kind_of(value: Any) -> str:
    """The kind of value whose rules apply."""
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    if isinstance(value, str):
        return "string"
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else "other"


def refuse(value: Any, path: str) -> Problem:
    """The schema `false`: nothing fits."""
    return ArgumentsError(path, "nothing is accepted here")


def accept(value: Any, path: str) -> Problem:
    """The schema `true`: everything fits."""
    return None


def _must(fits: Callable[[Any], bool], expected: str) -> Check:
    """A check whose problem says what was expected, and what there is."""

    def check(value: Any, path: str) -> Problem:
        return None if fits(value) else ArgumentsError(path, f"expected {expected}, got {quoted(value)}")

    return check


def _first(problems: Iterable[Problem]) -> Problem:
    return next((one for one in problems if one is not None), None)


def canonical(value: Any) -> Any:
    """Something hashable that is equal for values that JSON Schema takes for equal."""
    if isinstance(value, dict):
        return "object", frozenset((name, canonical(one)) for name, one in value.items())
    if isinstance(value, list):
        return "array", tuple(map(canonical, value))
    return (type(value) if isinstance(value, bool) else None), value


# Any value

_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: kind_of(value) == "number",
    "integer": lambda value: kind_of(value) == "number" and value == math.floor(value),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
_TYPE_NOUNS = {**NOUNS, "string": "a string", "number": "a number", "integer": "an integer", "boolean": "a boolean"}


def _ref(place: Place, pointer: str) -> Check:
    return place.check(look_up(pointer, place.root))


def _type(place: Place, given: str | list[str]) -> Check:
    names = [given] if isinstance(given, str) else given
    tests = [_TYPES[name] for name in names]
    expected = listed(_TYPE_NOUNS[name] for name in names) if names else "nothing"

    def check(value: Any, path: str) -> Problem:
        for test in tests:
            if test(value):
                return None
        return _Mistyped(path, f"expected {expected}, got {noun_of(value)}")

    return check


class _Mistyped(ArgumentsError):
    """A value of another type than is wanted: among alternatives, it was not the one that was meant."""


def _enum(place: Place, values: list[Any]) -> Check:
    known = {canonical(value) for value in values}
    return lambda value, path: None if canonical(value) in known else ArgumentsError(path, choices(values, value))


def _const(place: Place, only: Any) -> Check:
    return _enum(place, [only])


def _all_of(place: Place, schemas: list[Any]) -> Check:
    checks = [place.check(schema) for schema in schemas]
    return lambda value, path: _first(check(value, path) for check in checks)


def _any_of(place: Place, schemas: list[Any], *, only_one: bool = False) -> Check:
    checks = [place.check(schema) for schema in schemas]

    def check(value: Any, path: str) -> Problem:
        found = [one(value, path) for one in checks]
        fitting = found.count(None)
        if fitting == 1 or (fitting and not only_one):
            return None
        if fitting:
            return ArgumentsError(path, f"expected exactly one of {len(checks)} alternatives to fit, {fitting} do")
        # The alternative of the value's own type says best what is wrong.
        meant = [one for one in found if one is not None and not isinstance(one, _Mistyped)]
        if len(meant) == 1:
            return meant[0]
        told = "; ".join(dict.fromkeys(str(one) for one in found))[:300]
        return ArgumentsError(path, f"it fits none of {len(checks)} alternatives ({told})")

    return check


def _not(place: Place, schema: Any) -> Check:
    excluded = place.check(schema)
    reason = "the schema excludes this value"
    return lambda value, path: None if excluded(value, path) is not None else ArgumentsError(path, reason)


def _if(place: Place, schema: Any) -> Check:
    condition = place.check(schema)
    branches = [place.check(place.schema.get(word, True)) for word in ("then", "else")]
    return lambda value, path: branches[condition(value, path) is not None](value, path)


# Numbers and texts


def _multiple_of(place: Place, unit: float) -> Check:
    def fits(value: Any) -> bool:
        if isinstance(value, int) and isinstance(unit, int):
            return bool(value % unit == 0)
        try:
            times = value / unit
        except OverflowError:
            return False
        if not math.isfinite(times):
            return False
        return bool(abs(times - round(times)) <= 4 * sys.float_info.epsilon * max(1.0, abs(times)))

    return _must(fits, f"a multiple of {quoted(unit)}")


def _pattern(place: Place, pattern: str) -> Check:
    search = expression(pattern).search
    matching = _must(lambda value: search(value) is not None, f"a string matching {quoted(pattern)}")
    short = _must(lambda value: len(value) <= PATTERN_LIMIT, f"at most {PATTERN_LIMIT} characters, for its pattern")
    return lambda value, path: short(value, path) or matching(value, path)


# Arrays


def _unique_items(place: Place, unique: bool) -> Check:
    if not unique:
        return accept
    return _must(lambda value: len(set(map(canonical, value))) == len(value), "an array without equal items")


def _prefix_items(place: Place, schemas: list[Any]) -> Check:
    checks = [place.check(schema) for schema in schemas]
    return lambda value, path: _first(
        check(one, step(path, at)) for at, (check, one) in enumerate(zip(checks, value, strict=False))
    )


def _rest(check: Check, first: int) -> Check:
    return lambda value, path: _first(check(value[at], step(path, at)) for at in range(first, len(value)))


def _items(place: Place, schema: Any) -> Check:
    if not isinstance(schema, list):
        return _rest(place.check(schema), len(place.schema.get("prefixItems", ())))
    # A list of schemas is what `prefixItems` was called before.
    first, rest = (
        _prefix_items(place, schema),
        _rest(place.check(place.schema.get("additionalItems", True)), len(schema)),
    )
    return lambda value, path: first(value, path) or rest(value, path)


def _contains(place: Place, schema: Any) -> Check:
    check = place.check(schema)
    least, most = place.schema.get("minContains", 1), place.schema.get("maxContains", math.inf)

    def fits(value: Any) -> bool:
        return bool(least <= sum(check(one, "$") is None for one in value) <= most)

    wanted = f"at least {quoted(least)}" if most == math.inf else f"{quoted(least)} to {quoted(most)}"
    return _must(fits, f"an array with {wanted} items of the kind that the schema asks for")


# Objects


def _noun(path: str) -> str:
    return "argument" if path == "$" else "field"


def _required(place: Place, names: list[str]) -> Check:
    return lambda value, path: _first(missing_argument(path, name, _noun(path)) for name in names if name not in value)


def _properties(place: Place, schemas: dict[str, Any]) -> Check:
    checks = {name: place.check(schema) for name, schema in schemas.items()}
    return lambda value, path: _first(
        checks[name](one, step(path, name)) for name, one in value.items() if name in checks
    )


def _pattern_properties(place: Place, schemas: dict[str, Any]) -> Check:
    checks = [(expression(pattern).search, place.check(schema)) for pattern, schema in schemas.items()]
    return lambda value, path: _first(
        check(one, step(path, name)) for name, one in value.items() for search, check in checks if search(name)
    )


def _additional_properties(place: Place, schema: Any) -> Check:
    known = place.schema.get("properties", {})
    searches = [expression(pattern).search for pattern in place.schema.get("patternProperties", {})]
    check = place.check(schema)

    def told(name: str, one: Any, path: str) -> Problem:
        if name in known or any(search(name) for search in searches):
            return None
        return unknown_argument(path, name, known, _noun(path)) if schema is False else check(one, step(path, name))

    return lambda value, path: _first(told(name, one, path) for name, one in value.items())


def _property_names(place: Place, schema: Any) -> Check:
    check = place.check(schema)

    def told(name: str, path: str) -> Problem:
        found = check(name, path)
        return found and ArgumentsError(step(path, name), f"its name is not accepted: {found.reason}")

    return lambda value, path: _first(told(name, path) for name in value)


def _dependent(place: Place, needs: dict[str, Any]) -> Check:
    """`dependentRequired` has lists of names, `dependentSchemas` has schemas; `dependencies`, once, had both."""
    checks = {
        name: _required(place, need) if isinstance(need, list) else place.check(need) for name, need in needs.items()
    }
    return lambda value, path: _first(check(value, path) for name, check in checks.items() if name in value)


def _bound(
    holds: Callable[[Any, Any], bool], sign: str, expected: str, size: Callable[[Any], Any] = lambda value: value
) -> Rule:
    """A word that compares a value, or its size, with a number."""
    return lambda place, bound: _must(lambda value: holds(size(value), bound), f"{expected} {sign} {quoted(bound)}")


_LEAST, _MOST = (operator.ge, ">="), (operator.le, "<=")

RULES: dict[str, tuple[str, Rule]] = {
    "$ref": ("any", _ref),
    "type": ("any", _type),
    "enum": ("any", _enum),
    "const": ("any", _const),
    "allOf": ("any", _all_of),
    "anyOf": ("any", _any_of),
    "oneOf": ("any", partial(_any_of, only_one=True)),
    "not": ("any", _not),
    "if": ("any", _if),
    "minimum": ("number", _bound(*_LEAST, "a number")),
    "maximum": ("number", _bound(*_MOST, "a number")),
    "exclusiveMinimum": ("number", _bound(operator.gt, ">", "a number")),
    "exclusiveMaximum": ("number", _bound(operator.lt, "<", "a number")),
    "multipleOf": ("number", _multiple_of),
    "minLength": ("string", _bound(*_LEAST, "a string of length", len)),
    "maxLength": ("string", _bound(*_MOST, "a string of length", len)),
    "pattern": ("string", _pattern),
    "minItems": ("array", _bound(*_LEAST, "an array of length", len)),
    "maxItems": ("array", _bound(*_MOST, "an array of length", len)),
    "uniqueItems": ("array", _unique_items),
    "prefixItems": ("array", _prefix_items),
    "items": ("array", _items),
    "contains": ("array", _contains),
    "required": ("object", _required),
    "properties": ("object", _properties),
    "patternProperties": ("object", _pattern_properties),
    "additionalProperties": ("object", _additional_properties),
    "propertyNames": ("object", _property_names),
    "minProperties": ("object", _bound(*_LEAST, "an object of length", len)),
    "maxProperties": ("object", _bound(*_MOST, "an object of length", len)),
    "dependentRequired": ("object", _dependent),
    "dependentSchemas": ("object", _dependent),
    "dependencies": ("object", _dependent),
}
"""The words of JSON Schema: the kind of value that each concerns, and what it checks."""
