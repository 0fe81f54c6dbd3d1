"""Which tools are called, and with what."""

from __future__ import annotations

from typing import Any

import pytest

from cloche.check.arguments import NoArguments, make_arguments
from cloche.check.call_permission import Calls, plan_call, why_not

DATE = {"type": "string", "format": "date"}


def schema(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties) if required is None else required}


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ({"type": "object"}, {}),
        (schema([], a={"type": "string"}), {}),
        (schema(a={"type": "string"}, b={"type": "integer"}, c={"type": "boolean"}), {"a": "text", "b": 1, "c": False}),
        (schema(a={"type": "integer", "minimum": 5}), {"a": 5}),
        (schema(a={"type": "integer", "exclusiveMinimum": 5}), {"a": 6}),
        (schema(a={"type": "number", "maximum": 0.5}), {"a": 0.5}),
        (schema(a={"type": "integer", "minimum": 4, "multipleOf": 5}), {"a": 5}),
        (schema(a=DATE), {"a": "2026-01-15"}),
        (schema(a={"type": "string", "minLength": 6}), {"a": "textxx"}),
        (schema(a={"type": "string", "maxLength": 2}), {"a": "te"}),
        (schema(a={"type": "string", "pattern": "^t"}), {"a": "text"}),
        (schema(a={"enum": ["red", "green"]}), {"a": "red"}),
        (schema(a={"const": 7}), {"a": 7}),
        (schema(a={"type": "string", "default": "here"}), {"a": "here"}),
        (schema(a={"type": "string", "default": "here", "examples": ["there"]}), {"a": "there"}),
        (schema(a={"type": "string", "description": "CSV. Example: `Monday,12`"}), {"a": "Monday,12"}),
        (schema([], a={"type": "integer", "description": "How many. Example: 3"}), {"a": 3}),
        (schema(a={"type": "array", "items": {"type": "number"}}), {"a": [1]}),
        (schema(a={"type": "array", "items": {"type": "number"}, "minItems": 2}), {"a": [1, 1]}),
        (schema(a={"anyOf": [{"type": "null"}, {"type": "integer"}]}), {"a": 1}),
        (schema(a={"type": ["null", "string"]}), {"a": "text"}),
        (schema(a=schema(b=schema(c={"type": "integer"}))), {"a": {"b": {"c": 1}}}),
        ({**schema(a={"$ref": "#/$defs/Day"}), "$defs": {"Day": DATE}}, {"a": "2026-01-15"}),
        ({"type": "object", "allOf": [schema(a={"type": "integer"}), schema(b={"type": "integer"})]}, {"a": 1, "b": 1}),
    ],
    ids=repr,
)
def test_arguments_fit_the_schema(given: dict[str, Any], made: dict[str, Any]) -> None:
    assert make_arguments(given) == made


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("no schema", "is not an object"),
        ({"type": "string"}, "describes no object"),
        (schema(a={"type": "string", "pattern": "^[0-9]{3}$"}), "'a' must match"),
        (schema(a={"type": "string", "minLength": 10**9}), "very long"),
        (schema(a={"type": "string", "minLength": 60, "pattern": "(x+)+y"}), "'a' must match"),
        (schema(a={"type": "array", "minItems": 10**6}), "needs 1000000 items"),
        (schema(a={"$ref": "https://example.com/schema"}), "refers to https://example.com/schema"),
        ({**schema(a={"$ref": "#/$defs/Me"}), "$defs": {"Me": {"$ref": "#/$defs/Me"}}}, "refers to itself"),
        ({**schema(a={"$ref": "#/$defs/Me"}), "$defs": {"Me": schema(a={"$ref": "#/$defs/Me"})}}, "too deep"),
    ],
    ids=lambda value: repr(value)[:80],
)
def test_what_cannot_be_made_up_is_said(given: Any, said: str) -> None:
    with pytest.raises(NoArguments, match=said):
        make_arguments(given)
    plan = plan_call({"name": "a", "inputSchema": given}, "all")
    assert not plan.was_called
    assert "no arguments could be made up" in plan.sentence


SILENT: dict[str, Any] = {}
READS = {"readOnlyHint": True}
WRITES = {"readOnlyHint": False}
ADDS = {"readOnlyHint": False, "destructiveHint": False}
DESTROYS = {"destructiveHint": True}


@pytest.mark.parametrize(
    ("calls", "called"),
    [("no", []), ("read-only", [READS]), ("own", [SILENT, READS, ADDS]), ("all", [SILENT, READS, WRITES, ADDS])],
)
def test_who_is_called(calls: Calls, called: list[dict[str, Any]]) -> None:
    kinds = [SILENT, READS, WRITES, ADDS, DESTROYS]
    assert [hints for hints in kinds if why_not({"annotations": hints}, calls) is None] == called
