"""The validator: the official JSON-Schema-Test-Suite, what it says, and the schemas it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cloche.server.schema.patterns import expression
from cloche.server.schema.validator import JsonSchema

SUITE = json.loads((Path(__file__).parents[2] / "web" / "json_schema_suite.json").read_text("utf-8"))["groups"]

REFUSED = {
    "anchor": 4,
    "defs": 1,
    "dynamicRef": 20,
    "not": 1,
    "ref": 16,
    "refRemote": 15,
    "unevaluatedItems": 27,
    "unevaluatedProperties": 41,
    "vocabulary": 2,
}
"""Groups of the official suite whose schemas are refused: they need another document, or words that are not checked.
The validator in JavaScript refuses the same ones."""


def test_every_schema_of_the_official_suite_is_refused_or_says_of_every_value_what_it_should() -> None:
    refused: dict[str, int] = {}
    wrong: list[str] = []
    right = 0
    for file, description, schema, tests in SUITE:
        try:
            checked = JsonSchema(schema)
        except ValueError:
            refused[file] = refused.get(file, 0) + 1
            continue
        for value, is_valid in tests:
            if (checked.misfit(value) is None) == is_valid:
                right += 1
            else:
                wrong.append(f"{file}: {description}: {value!r}")
    assert wrong == []
    assert refused == REFUSED
    assert right > 900


DEEP = {"type": "object", "properties": {"next": {"$ref": "#"}, "tags": {"uniqueItems": True}}}


@pytest.mark.parametrize(
    ("schema", "value", "told"),
    [
        ({"minimum": 1}, 0, "$: expected a number >= 1, got 0"),
        ({"properties": {"n": {"exclusiveMaximum": 5}}}, {"n": 5}, "$.n: expected a number < 5, got 5"),
        ({"properties": {"n": {"multipleOf": 0.01}}}, {"n": 0.075}, "$.n: expected a multiple of 0.01, got 0.075"),
        ({"properties": {"n": {"type": "integer"}}}, {"n": "3"}, "$.n: expected an integer, got a string"),
        (
            {"properties": {"n": {"type": ["integer", "null"]}}},
            {"n": 1.5},
            "$.n: expected an integer or null, got a number",
        ),
        (
            {"properties": {"t": {"maxLength": 2}}},
            {"t": "🔔🔔🔔"},
            '$.t: expected a string of length <= 2, got "🔔🔔🔔"',
        ),
        ({"properties": {"t": {"pattern": "^a+$"}}}, {"t": "ab"}, '$.t: expected a string matching "^a+$", got "ab"'),
        ({"properties": {"a": {"const": 1}}}, {"a": True}, "$.a: expected 1, got true"),
        ({"properties": {"a": {"enum": ["x", "y"]}}}, {"a": "z"}, '$.a: expected one of "x" or "y", got "z"'),
        (
            {"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 3}]}}},
            {"a": 2},
            "$.a: expected a number >= 3, got 2",
        ),
        (
            {"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}},
            {"a": 2},
            (
                "$.a: it fits none of 2 alternatives "
                "($.a: expected a string, got an integer; $.a: expected null, got an integer)"
            ),
        ),
        ({"oneOf": [{"type": "number"}, {"minimum": 0}]}, 1, "$: expected exactly one of 2 alternatives to fit, 2 do"),
        ({"not": {"required": ["a"]}}, {"a": 1}, "$: the schema excludes this value"),
        (
            DEEP,
            {"next": {"next": {"tags": [1, 1.0]}}},
            "$.next.next.tags: expected an array without equal items, got [1,1.0]",
        ),
        ({"additionalProperties": {"type": "string"}}, {"a": 1}, "$.a: expected a string, got an integer"),
        (
            {"properties": {"city": {}}, "additionalProperties": False},
            {"citi": 1},
            '$.citi: there is no argument "citi", did you mean "city"?',
        ),
        (
            {"propertyNames": {"maxLength": 3}},
            {"long_name": 1},
            '$.long_name: its name is not accepted: expected a string of length <= 3, got "long_name"',
        ),
        ({"required": ["a"]}, {}, '$.a: the required argument "a" is missing'),
        ({"properties": {"o": {"required": ["a"]}}}, {"o": {}}, '$.o.a: the required field "a" is missing'),
        (
            {"dependentRequired": {"card": ["address"]}},
            {"card": 1},
            '$.address: the required argument "address" is missing',
        ),
        ({"prefixItems": [{"type": "string"}], "items": False}, ["a", 1], "$[1]: nothing is accepted here"),
        (
            {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
            {"a": 1},
            '$.b: the required argument "b" is missing',
        ),
        (
            {"contains": {"const": 1}, "maxContains": 1},
            [1, 1],
            "$: expected an array with 1 to 1 items of the kind that the schema asks for, got [1,1]",
        ),
        (
            {"pattern": "^(a+)+$"},
            "a" * 10_001,
            f'$: expected at most 10000 characters, for its pattern, got "{"a" * 98}…',
        ),
    ],
)
def test_it_says_what_is_wrong(schema: Any, value: Any, told: str) -> None:
    assert str(JsonSchema(schema).misfit(value)) == told


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        (
            {"properties": {"a": {"$ref": "https://example.com/a"}}},
            "#/properties/a/$ref must lead to a schema in this one",
        ),
        ({"$ref": "#"}, "refers to itself"),
        (
            {"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}},
            "refers to itself",
        ),
        ({"unevaluatedProperties": False}, "#/unevaluatedProperties is not supported"),
        ({"properties": {"a": {"pattern": "("}}}, "#/properties/a/pattern must be a regular expression"),
        ({"properties": {"a": {"minimum": "1"}}}, "minimum must be a number"),
        ({"properties": {"a": {"exclusiveMinimum": True}}}, "exclusiveMinimum must be a number"),
        ({"properties": {"a": {"minimum": float("nan")}}}, "minimum must be a number"),
        ({"properties": {"a": {"type": "text"}}}, "type must be one of JSON's types"),
        ({"properties": {"a": {"minLength": -1}}}, "minLength must be a whole number"),
        ({"properties": {"a": "string"}}, "#/properties/a is not a schema"),
        ({"required": "a"}, "required must be a list of names"),
        ({"$schema": "https://example.com/own"}, "$schema must be a dialect"),
        ({"default": object()}, "it is not JSON"),
        (42, "# is not a schema"),
    ],
)
def test_a_schema_that_cannot_be_checked_is_refused(schema: Any, told: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (what it says is compared)
        JsonSchema(schema)
    assert told in str(caught.value)


def test_a_schema_that_contains_itself_as_an_object_is_refused() -> None:
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {"a": schema}
    with pytest.raises(ValueError, match="it is not JSON: it contains itself"):
        JsonSchema(schema)


def test_one_object_in_two_places_of_a_schema_is_no_loop() -> None:
    text = {"type": "string"}
    assert str(JsonSchema({"properties": {"a": text, "b": {"items": [text, text]}}}).misfit({"b": ["x", 1]})) == (
        "$.b[1]: expected a string, got an integer"
    )


def chain(length: int, link: Callable[[dict[str, str]], dict[str, Any]]) -> dict[str, Any]:
    """Schemas each of which leads to the next."""
    links = {f"s{number}": link({"$ref": f"#/$defs/s{number + 1}"}) for number in range(length)}
    return {"$ref": "#/$defs/s0", "$defs": {**links, f"s{length}": {"type": "string"}}}


def test_schemas_that_lead_to_each_other_without_a_step_into_the_value_are_limited() -> None:
    assert str(JsonSchema(chain(40, lambda ref: ref)).misfit(1)) == "$: expected a string, got an integer"
    with pytest.raises(ValueError, match="more than 50 schemas refer to each other, without a member"):
        JsonSchema(chain(5_000, lambda ref: ref))


def test_any_number_of_schemas_may_lead_to_each_other_through_members() -> None:
    checked = JsonSchema(chain(5_000, lambda ref: {"properties": {"x": ref}}))
    assert checked.misfit({"x": {"x": {}}}) is None


@pytest.mark.parametrize("schema", [{"items": {"$ref": "#"}}, {"items": {"anyOf": [{"type": "null"}, {"$ref": "#"}]}}])
def test_a_value_that_is_too_deep_to_be_checked_is_refused(schema: Any) -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    assert str(JsonSchema(schema).misfit(value)) == "$: the JSON is nested too deeply to be checked"
    while isinstance(value, list):  # piece by piece: all at once takes a stack as deep
        (value,) = value


def test_words_that_nobody_knows_are_ignored_and_those_for_people_left_alone() -> None:
    text = {
        "type": "string",
        "format": "email",
        "contentEncoding": "base64",
        "x-order": 1,
        "examples": ["a"],
        "default": 5,
    }
    assert JsonSchema({"properties": {"text": text}}).misfit({"text": "no address"}) is None


@pytest.mark.parametrize(
    ("pattern", "fits", "fails"),
    [
        ("^a$", "a", "a\n"),
        (r"^\d+$", "12", "١٢"),
        (r"^\w$", "_", "é"),
        (r"^[\w-]+$", "a-b", "a é"),
        (r"^\D$", "١", "1"),
        (r"^\s$", "\ufeff", "\x1c"),
        (r"^(?<word>a)\k<word>$", "aa", "ab"),
        (r"^\u{1f514}$", "🔔", "u"),
        (r"^\u0041\x42\/$", "AB/", "ab/"),
        (r"^\cJ$", "\n", "J"),
        ("^[^]$", "\n", ""),
        ("^(|[])$", "", "a"),
        (r"^[[&&|~]$", "[", "]"),
        ("^.$", "\v", "\n"),
        (r"^[(?<a>)]$", "<", "("[:0]),
        ("^[.$]$", "$", "x"),
    ],
)
def test_a_pattern_is_read_as_javascript_reads_it(pattern: str, fits: str, fails: str) -> None:
    search = expression(pattern).search
    assert search(fits)
    assert not search(fails)


@pytest.mark.parametrize("pattern", ["(", r"\p{Script=Greek}", "a{2,1}", "[b-a]"])
def test_a_pattern_without_a_counterpart_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        expression(pattern)
