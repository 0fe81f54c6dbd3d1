"""pydantic's vocabulary, and what only pydantic can read."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import pathlib
from typing import Annotated, Any, Literal

import annotated_types as at
import attrs
import msgspec
import pydantic
import pytest
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from cloche.errors import RegistrationError
from cloche.server.schema import ArgumentsError, arguments_of, schema_of

from .test_arguments import Context, Point, args, one, problem, prop, value


class Item(BaseModel):
    """A thing."""

    name: Annotated[str, Field(min_length=1, title="The name")]
    count: int = 1


class Node(BaseModel):
    value: int
    children: list[Node] = []


class Lax(BaseModel):
    model_config = ConfigDict(strict=False)
    n: int


@pydantic.dataclasses.dataclass
class PydanticPoint:
    x: Annotated[int, Field(ge=1)]


@dataclasses.dataclass
class Order:
    count: Annotated[int, at.Ge(1)]


@dataclasses.dataclass
class OrderByDefault:
    count: int = Field(3, ge=1)


class OrderDict(TypedDict):
    count: Annotated[int, Field(ge=1)]


@dataclasses.dataclass
class Basket:
    orders: list[Order | None]


@dataclasses.dataclass
class Other:
    z: int


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: int


class Mixed(enum.Enum):
    A = "a"
    ONE = 1


# ---- translated to msgspec


TRANSLATED: list[tuple[Any, dict[str, Any], bytes]] = [
    (Annotated[int, Field(ge=1, lt=9)], {"type": "integer", "minimum": 1, "exclusiveMaximum": 9}, b"0"),
    (Annotated[int, at.Ge(1)], {"type": "integer", "minimum": 1}, b"0"),
    (Annotated[int, at.Gt(1)], {"type": "integer", "exclusiveMinimum": 1}, b"1"),
    (Annotated[int, at.Le(1)], {"type": "integer", "maximum": 1}, b"2"),
    (Annotated[float, at.Lt(1)], {"type": "number", "exclusiveMaximum": 1}, b"1"),
    (Annotated[int, at.Interval(ge=1, le=3)], {"type": "integer", "minimum": 1, "maximum": 3}, b"4"),
    (Annotated[int, at.MultipleOf(3)], {"type": "integer", "multipleOf": 3}, b"4"),
    (Annotated[int, Field(ge=1.5)], {"type": "integer", "minimum": 2}, b"1"),
    (Annotated[int, Field(gt=1.5)], {"type": "integer", "exclusiveMinimum": 1}, b"1"),
    (Annotated[str, at.Len(1, 3)], {"type": "string", "minLength": 1, "maxLength": 3}, b'""'),
    (Annotated[str, at.MinLen(1)], {"type": "string", "minLength": 1}, b'""'),
    (Annotated[str, Field(pattern="^a")], {"type": "string", "pattern": "^a"}, b'"b"'),
    (
        Annotated[list[int], at.MaxLen(1)],
        {"type": "array", "items": {"type": "integer"}, "maxItems": 1},
        b"[1,2]",
    ),
    (list[Annotated[int, at.Ge(1)]], {"type": "array", "items": {"type": "integer", "minimum": 1}}, b"[0]"),
    (
        dict[str, Annotated[int, Field(ge=1)] | None],
        {"type": "object", "additionalProperties": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}},
        b'{"a":0}',
    ),
    (Annotated[int | None, Field(ge=1)], {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}, b"0"),
    (Annotated[int, at.Ge(1), at.Gt(1)], {"type": "integer", "exclusiveMinimum": 1}, b"1"),
]


@pytest.mark.parametrize(("hint", "schema", "wrong"), TRANSLATED, ids=lambda v: str(v)[:60])
def test_constraints_are_translated(hint: Any, schema: dict[str, Any], wrong: bytes) -> None:
    assert prop(hint) == schema
    problem(hint, wrong)
    assert one(hint)._arguments[0].typed.is_native


def test_field_facts() -> None:
    hint: Any = Annotated[
        int,
        Field(
            title="T",
            description="D",
            examples=[1],
            deprecated=True,
            json_schema_extra={"x-mcp-header": "Region", "format": "int32"},
        ),
    ]
    facts = {"title": "T", "description": "D", "examples": [1], "deprecated": True}
    assert prop(hint) == {"type": "integer", "x-mcp-header": "Region", "format": "int32", **facts}
    assert prop(Annotated[pathlib.Path, *hint.__metadata__]) == {
        "type": "string",
        "x-mcp-header": "Region",
        "format": "int32",
        **facts,
    }


def test_field_as_default() -> None:
    def fn(
        a: int = Field(3, ge=1, description="how many"),
        b: int = Field(ge=1),
        c: list[int] = Field(default_factory=list),  # noqa: B008 - the form under test
        d: Annotated[int, Field(default=7)] = 8,
        e: int = Field(5, alias="from"),
    ) -> None: ...

    got = args(fn)
    assert got.required == {"b"}
    assert got.schema["properties"]["a"] == {"type": "integer", "minimum": 1, "description": "how many", "default": 3}
    assert got.bind(b'{"b":1,"from":2}', None) == ((3, 1, [], 8, 2), {})
    with pytest.raises(ArgumentsError, match=r"^\$\.a: expected an integer >= 1, got 0"):
        got.bind(b'{"b":1,"a":0}', None)


# ---- read by pydantic


READ: list[tuple[Any, bytes, Any]] = [
    (Item, b'{"name":"a"}', Item(name="a")),
    (Item | None, b"null", None),
    (list[Item], b'[{"name":"a","count":2}]', [Item(name="a", count=2)]),
    (PydanticPoint, b'{"x":1}', PydanticPoint(1)),
    (Order, b'{"count":1}', Order(1)),
    (OrderByDefault, b"{}", OrderByDefault(3)),
    (OrderDict, b'{"count":1}', {"count": 1}),
    (Basket, b'{"orders":[{"count":1},null]}', Basket([Order(1), None])),
    (Point | Other, b'{"z":1}', Other(1)),
    (str | dt.datetime, b'"a"', "a"),
    (pathlib.Path, b'"a/b"', pathlib.Path("a/b")),
    (Mixed, b"1", Mixed.ONE),
    (bytes | pathlib.Path | int, b"3", 3),
    (Annotated[decimal.Decimal, Field(ge=1)], b'"1.10"', decimal.Decimal("1.10")),
    (Annotated[int, pydantic.AfterValidator(lambda n: n * 2)], b"2", 4),
    (Annotated[Cat | Dog, Field(discriminator="kind")], b'{"kind":"dog","tricks":1}', Dog(kind="dog", tricks=1)),
    (Annotated[int, Field(strict=False)], b'"3"', 3),
    (Lax, b'{"n":"3"}', Lax(n=3)),
]


@pytest.mark.parametrize(("hint", "json", "expected"), READ, ids=lambda v: str(v)[:50])
def test_read_by_pydantic(hint: Any, json: bytes, expected: Any) -> None:
    got = value(hint, json)
    assert got == expected
    assert type(got) is type(expected)
    assert not one(hint)._arguments[0].typed.is_native


INTEGRAL: list[tuple[Any, bytes, Any]] = [
    (Item, b'{"name":"a","count":2.0}', Item(name="a", count=2)),
    (Node, b'{"value":1.0,"children":[{"value":2.0},{"value":3.0}]}', None),
    (Point | Other, b'{"z":1.0}', Other(1)),
    (list[int] | Order, b"[1.0,2.5e1]", [1, 25]),
    (int | dt.date, b"1.0", 1),
]


@pytest.mark.parametrize(("hint", "json", "expected"), INTEGRAL, ids=lambda v: str(v)[:50])
def test_an_integral_float_is_an_integer(hint: Any, json: bytes, expected: Any) -> None:
    got = value(hint, json)
    assert got == (expected if expected is not None else Node(value=1, children=[Node(value=2), Node(value=3)]))
    if isinstance(got, list):
        assert all(type(item) is int for item in got)


PROBLEMS: list[tuple[Any, bytes, str]] = [
    (Item, b"{}", '$.x.name: the required field "name" is missing'),
    (Item, b'{"name":"a","count":true}', "$.x.count: expected a valid integer, got a boolean"),
    (Item, b'{"name":"a","count":"3"}', "$.x.count: expected a valid integer, got a string"),
    (Item, b'{"name":"a","count":2.5}', "$.x.count: expected a valid integer, got a number"),
    (Item, b"[]", "$.x: expected an object, got an array"),
    (Order, b'{"count":0}', "$.x.count: expected a value greater than or equal to 1, got 0"),
    (Basket, b'{"orders":[{"count":0}]}', "$.x.orders[0].count: expected a value greater than or equal to 1, got 0"),
    (Point | Other, b'{"z":"a"}', "$.x.z: expected a valid integer, got a string"),
    (Cat | Dog, b'{"kind":"cow","lives":1}', "$.x.kind: expected 'cat', got \"cow\""),
    (
        Annotated[Cat | Dog, Field(discriminator="kind")],
        b'{"kind":"cow"}',
        "$.x: expected 'kind' to be one of 'cat', 'dog', got \"cow\"",
    ),
]


@pytest.mark.parametrize(("hint", "json", "expected"), PROBLEMS, ids=lambda v: str(v)[:50])
def test_problems(hint: Any, json: bytes, expected: str) -> None:
    assert problem(hint, json) == expected


@pytest.mark.parametrize("hint", [Item, Cat | Dog, Annotated[Cat | Dog, Field(discriminator="kind")], Mixed, Lax])
@pytest.mark.parametrize("json", [b'{"kind":"%s"}', b'{"name":"a","count":"%s"}', b'{"n":"%s"}', b'"%s"', b'{"%s":1}'])
def test_long_input_is_not_repeated(hint: Any, json: bytes) -> None:
    message = problem(hint, json.replace(b"%s", b"z" * 5000))
    assert "z" * 101 not in message


def test_invalid_utf8_inside_a_model() -> None:
    assert problem(Item, b'{"name":"\xff"}') == "$.x: not valid JSON"
    assert problem(Item, b'{"name":NaN}').startswith("$: not valid JSON")


def test_model_schemas_have_no_title_noise() -> None:
    assert prop(Item) == {
        "type": "object",
        "description": "A thing.",
        "properties": {
            "name": {"type": "string", "minLength": 1, "title": "The name"},
            "count": {"type": "integer", "default": 1},
        },
        "required": ["name"],
    }


def test_definitions_of_several_models_are_merged() -> None:
    def make(kind: Any) -> Any:
        inner = pydantic.create_model("Inner", v=(kind, ...))
        return pydantic.create_model("Outer", i=(inner, ...), j=(inner, ...))

    first, second = make(int), make(str)

    def fn(a: Any, b: Any, c: Any, d: Any, e: Any) -> None: ...

    fn.__annotations__ = {
        "a": first,
        "b": second,
        "c": list.__class_getitem__(second),
        "d": Node,
        "e": list.__class_getitem__(first),
    }
    got = args(fn)
    defs = got.schema["$defs"]
    properties = got.schema["properties"]

    def follow(schema: dict[str, Any]) -> dict[str, Any]:
        target = defs[schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema
        assert isinstance(target, dict)
        return target

    assert follow(follow(properties["a"])["properties"]["i"])["properties"]["v"] == {"type": "integer"}
    assert follow(follow(properties["b"])["properties"]["j"])["properties"]["v"] == {"type": "string"}
    assert follow(properties["c"]["items"]) == follow(properties["b"])
    assert follow(properties["e"]["items"]) == follow(properties["a"])
    assert follow(properties["d"])["properties"]["children"]["items"] == {"$ref": "#/$defs/Node"}
    assert sorted(defs) == ["Inner", "Inner_2", "Node"]


def test_models_beside_plain_arguments() -> None:
    def fn(
        n: int, item: Item, ctx: Context, other: Item | None = None, *, path: pathlib.Path = pathlib.Path()
    ) -> None: ...

    got = args(fn)
    context = Context()
    assert got.bind(b'{"n":1.0,"item":{"name":"a","count":1.0},"path":"p"}', context) == (
        (1, Item(name="a"), context, None),
        {"path": pathlib.Path("p")},
    )
    assert got.schema["properties"]["path"]["default"] == "."


def test_constraints_of_msgspec_reach_pydantic() -> None:
    hint = Annotated[str | pathlib.Path | None, msgspec.Meta(max_length=3, description="d")]
    assert prop(hint)["description"] == "d"
    assert value(hint, b'"abc"') == "abc"
    number = Annotated[decimal.Decimal | None, msgspec.Meta(ge=1)]
    assert value(number, b'"2"') == 2
    assert "greater than or equal to 1" in problem(number, b'"0.5"')


def test_strings() -> None:
    def fn(
        p: pathlib.Path, when: int | dt.date, item: Item | None = None, b: Annotated[bool, Field(strict=False)] = False
    ) -> None: ...

    got = args(fn)
    values, _ = got.bind_strings({"p": "a", "when": "2026-07-28", "item": '{"name":"a"}', "b": "true"}, None)
    assert values == (pathlib.Path("a"), dt.date(2026, 7, 28), Item(name="a"), True)
    with pytest.raises(ArgumentsError, match=r"^\$\.item"):
        got.bind_strings({"p": "a", "when": "1", "item": "x"}, None)


# ---- refused


class Custom:
    pass


@dataclasses.dataclass
class BothWorlds:
    a: Annotated[int, msgspec.Meta(ge=1)]
    b: Annotated[int, Field(ge=1)]


class StructWithField(msgspec.Struct):
    n: Annotated[int, Field(ge=1)]


@attrs.define
class Converting:
    n: int = attrs.field(converter=int)


REFUSED: list[tuple[Any, str]] = [
    (Custom, "use a builtin type, a dataclass, a TypedDict or a msgspec.Struct"),
    (list[Custom], "use a builtin type, a dataclass, a TypedDict or a msgspec.Struct"),
    (BothWorlds, "pydantic would ignore the msgspec.Meta on BothWorlds.a"),
    (StructWithField, "write the constraint on StructWithField.n as msgspec.Meta(...)"),
    (Converting, "Converting.n"),
    (Annotated[dt.datetime | str, msgspec.Meta(tz=True)], "pydantic.AwareDatetime"),
    (Annotated[int, Field(alias="a", validation_alias=pydantic.AliasChoices("a", "b"))], "use one name"),
]


@pytest.mark.parametrize(("hint", "message"), REFUSED, ids=lambda v: str(v)[:50])
def test_refused_at_registration(hint: Any, message: str) -> None:
    with pytest.raises(RegistrationError) as caught:
        one(hint)
    assert str(caught.value).startswith("tool \"t\", parameter 'x': ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_schema_of() -> None:
    schema, decode = schema_of(Item, what="elicitation")
    assert schema["type"] == "object"
    assert decode(b'{"name":"a"}') == Item(name="a")
    with pytest.raises(ArgumentsError, match=r"^\$\.name: the required field"):
        decode(b"{}")
    schema, decode = schema_of(Point, what="elicitation")
    assert schema["type"] == "object"
    assert decode(b'{"x":1.0}') == Point(1)
    with pytest.raises(ArgumentsError, match=r"^\$\.x: expected an integer"):
        decode(b'{"x":"1"}')


def test_future_annotations_are_used_here() -> None:
    def fn(x: Item) -> None: ...

    assert isinstance(fn.__annotations__["x"], str)
    assert arguments_of(fn, what="t", context_type=Context).names == ("x",)
