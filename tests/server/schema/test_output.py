"""Return annotations and results."""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import ipaddress
import json
import pathlib
import re
import uuid
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple, NoReturn, Optional, TypedDict

import msgspec
import pydantic
import pytest
from pydantic import BaseModel, Field

from cloche.errors import RegistrationError
from cloche.server.schema import Output, OutputError, output_of


class Text(msgspec.Struct):
    text: str


class Image(msgspec.Struct):
    data: bytes


class Weather(BaseModel):
    degrees: float = Field(alias="deg", ge=-300)


@dataclasses.dataclass
class Point:
    x: int
    y: int | None = None


@dataclasses.dataclass
class Tree:
    children: list[Tree]


class Row(TypedDict):
    a: int


class Pair(NamedTuple):
    a: int


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Meeting:
    starts: dt.datetime
    takes: dt.timedelta
    ends: Annotated[dt.datetime, msgspec.Meta(tz=True)]


class Booking(pydantic.BaseModel):
    starts: dt.datetime
    takes: dt.timedelta
    ends: pydantic.AwareDatetime


def output(hint: Any = ...) -> Output:
    def fn() -> Any: ...

    fn.__annotations__ = {} if hint is ... else {"return": hint}
    return output_of(fn, what='tool "t"', content_types=(Text, Image))


@pytest.mark.parametrize(
    "hint",
    [
        ...,
        None,
        Any,
        object,
        str,
        Optional[str],  # noqa: UP045
        Annotated[str, "x"],
        NoReturn,
        Text,
        list[Text],
        list[Text | str],
        tuple[Text, Image],
        Sequence[Image],
        Image | None,
        list[Text] | str,
    ],
    ids=str,
)
def test_text_and_content_have_no_schema(hint: Any) -> None:
    got = output(hint)
    assert got.schema is None
    assert got.object_schema is None
    assert not got.wrapped
    assert got.encode({"a": [1]}) == b'{"a":[1]}'


PLAIN: list[tuple[Any, dict[str, Any], bool]] = [
    (int, {"type": "integer"}, True),
    (bool, {"type": "boolean"}, True),
    (list[str], {"type": "array", "items": {"type": "string"}}, True),
    (list, None, False),
    (list[Any], None, False),
    (dict, {"type": "object"}, False),
    (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}, False),
    (Row, {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, False),
    (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}, True),
    (Literal["a"], {"enum": ["a"]}, True),
    (
        Weather,
        {
            "type": "object",
            "properties": {"deg": {"type": "number", "minimum": -300}},
            "required": ["deg"],
        },
        False,
    ),
]


@pytest.mark.parametrize(("hint", "schema", "wrapped"), PLAIN, ids=lambda v: str(v)[:40])
def test_schemas(hint: Any, schema: dict[str, Any], wrapped: bool) -> None:
    got = output(hint)
    assert got.schema == schema
    assert got.wrapped is wrapped
    expected = {"type": "object", "properties": {"result": schema}, "required": ["result"]} if wrapped else schema
    assert got.object_schema == expected


DATED: list[tuple[Any, dict[str, Any]]] = [
    (dt.datetime, {"type": "string"}),
    (dt.time, {"type": "string"}),
    (dt.timedelta, {"type": "string"}),
    (dt.date, {"type": "string", "format": "date"}),
    (Annotated[dt.datetime, msgspec.Meta(tz=True)], {"type": "string", "format": "date-time"}),
    (Annotated[dt.time, msgspec.Meta(tz=True)], {"type": "string", "format": "time"}),
    (list[dt.datetime], {"type": "array", "items": {"type": "string"}}),
    (pydantic.AwareDatetime, {"type": "string", "format": "date-time"}),
    (pydantic.NaiveDatetime, {"type": "string"}),
]


@pytest.mark.parametrize(("hint", "schema"), DATED, ids=lambda v: str(v)[:40])
def test_a_result_has_no_format_that_its_value_may_not_keep(hint: Any, schema: dict[str, Any]) -> None:
    """I2: a `datetime` without an offset is not a date-time for a validator."""
    assert output(hint).schema == schema


def test_fields_of_classes_have_none_either() -> None:
    for cls in (Meeting, Booking):
        schema = output(cls).schema
        assert schema is not None
        formats = {name: one.get("format") for name, one in schema["properties"].items()}
        assert formats == {"starts": None, "takes": None, "ends": "date-time"}


@pytest.mark.parametrize("hint", [tuple[int, str], list[tuple[int, str]], dict[str, tuple[float, float]], Pair])
def test_tuples_close_nothing_that_older_drafts_would_forbid(hint: Any) -> None:
    """I1: `"items": false` forbids every item in draft-07, which the TypeScript SDK 1.x reads by."""
    schema = json.dumps(output(hint).schema)
    assert "prefixItems" in schema
    assert '"items": false' not in schema


def test_recursive_roots_are_objects() -> None:
    got = output(Tree)
    assert got.schema is not None
    assert got.schema["type"] == "object"
    assert not got.wrapped
    assert got.schema["$defs"]["Tree"]["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
    wrapped = output(list[Tree])
    assert wrapped.object_schema is not None
    assert wrapped.object_schema["properties"]["result"]["items"] == {"$ref": "#/$defs/Tree"}
    assert "Tree" in wrapped.object_schema["$defs"]


class Odd(str):
    __slots__ = ()


ENCODED: list[tuple[Any, Any, Any]] = [
    (int, 3, 3),
    (float, 3, 3),
    (list[int], (1, 2), [1, 2]),
    (Point, Point(1), {"x": 1, "y": None}),
    (Point, {"x": 1}, {"x": 1}),
    (Row, {"a": 1}, {"a": 1}),
    (Pair, Pair(1), [1]),
    (Weather, Weather(deg=1.5), {"deg": 1.5}),
    (Weather, {"deg": 1.5}, {"deg": 1.5}),
    (list[Weather], [Weather(deg=1.5)], [{"deg": 1.5}]),
    (Colour, Colour.RED, "red"),
    (dt.date, dt.date(2026, 7, 28), "2026-07-28"),
    (..., {"w": Weather(deg=1)}, {"w": {"deg": 1}}),
    (..., [decimal.Decimal("1.10"), uuid.UUID(int=1)], ["1.10", str(uuid.UUID(int=1))]),
    (..., {1, 2}, [1, 2]),
    (..., [pathlib.PurePosixPath("a"), ipaddress.ip_address("::1"), Odd("s")], ["a", "::1", "s"]),
    (..., collections.ChainMap({"a": 1}), {"a": 1}),
    (..., collections.deque([1]), [1]),
    (..., {"big": 2**70, "none": None}, {"big": 2**70, "none": None}),
]


@pytest.mark.parametrize(("hint", "value", "expected"), ENCODED, ids=lambda v: str(v)[:40])
def test_encode(hint: Any, value: Any, expected: Any) -> None:
    assert json.loads(output(hint).encode(value)) == expected


WRONG: list[tuple[Any, Any, str]] = [
    (int, "a", "returned a str, its return type is int"),
    (int, True, "returned a bool, its return type is int"),
    (int, None, "returned None, its return type is int"),
    (list[int], {"a": 1}, "returned a dict, its return type is list"),
    (int | None, "a", "returned a str, its return type is NoneType or int"),
    (Point, [1], "returned a list, its return type is Point"),
    (Point, {"y": 1}, "returned an object without 'x'"),
    (Row, [], "returned a list, its return type is dict"),
    (Weather, Point(1), "returned a Point, its return type is Weather"),
    (..., object(), "object has no JSON form"),
    (..., {"a": object()}, "object has no JSON form"),
    (..., {(1, 2): 3}, "not JSON: a list cannot be a key"),
    (..., {"a": {frozenset([1]): 2}}, "not JSON: a list cannot be a key"),
    (..., "\ud800", "lone surrogate"),
    (float, float("nan"), "NaN or infinity"),
    (..., {"a": [float("inf")]}, "NaN or infinity"),
    (dict[str, float], {"a": float("nan")}, "NaN or infinity"),
]


@pytest.mark.parametrize(("hint", "value", "message"), WRONG, ids=lambda v: re.sub(" at 0x[0-9a-f]+", "", repr(v))[:40])
def test_what_is_not_json_or_not_declared(hint: Any, value: Any, message: str) -> None:
    with pytest.raises(OutputError) as caught:
        output(hint).encode(value)
    assert str(caught.value).startswith('tool "t" returned ')
    assert message in str(caught.value)


def test_a_value_that_contains_itself() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(OutputError, match="a value that contains itself, which is not JSON"):
        output(...).encode(loop)


def test_refused_at_registration() -> None:
    class Custom:
        pass

    with pytest.raises(RegistrationError, match=r'^tool "t", return type: '):
        output(Custom)
    with pytest.raises(RegistrationError, match="the name 'Gone'"):
        output("Gone")
