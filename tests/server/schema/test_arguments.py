"""From a signature to a JSON Schema and to the arguments of a call."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import functools
import pathlib
import uuid
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, NamedTuple, NewType, NotRequired, Optional, TypedDict, Union

import attrs
import msgspec
import pytest
from typing_extensions import Doc

from cloche.errors import RegistrationError
from cloche.server.schema import Arguments, ArgumentsError, arguments_of


class Context:
    """Stands for the server's context."""


class SpecialContext(Context):
    pass


def args(fn: Callable[..., Any]) -> Arguments:
    return arguments_of(fn, what='tool "t"', context_type=Context)


def one(hint: Any, default: Any = ...) -> Arguments:
    """The arguments of a function with the one parameter `x`."""

    def fn(x: Any = default) -> None: ...

    fn.__annotations__ = {"x": hint}
    if default is ...:
        fn.__defaults__ = None
    return args(fn)


def prop(hint: Any, default: Any = ...) -> dict[str, Any]:
    schema = one(hint, default).schema["properties"]["x"]
    assert isinstance(schema, dict)
    return schema


def value(hint: Any, json: bytes) -> Any:
    (got,), keywords = one(hint).bind(b'{"x":' + json + b"}", None)
    assert keywords == {}
    return got


def problem(hint: Any, json: bytes) -> str:
    with pytest.raises(ArgumentsError) as caught:
        one(hint).bind(b'{"x":' + json + b"}", None)
    assert str(caught.value) == f"{caught.value.path}: {caught.value.reason}"
    return str(caught.value)


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Shade(enum.StrEnum):
    DARK = "dark"


@dataclasses.dataclass
class Point:
    """A place."""

    x: int
    y: int = 0


@dataclasses.dataclass
class Tree:
    name: str
    children: list[Tree] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Described:
    size: Annotated[int, "how big"]
    depth: Annotated[int, msgspec.Meta(ge=1)] = 1


class Options(TypedDict):
    a: int
    b: NotRequired[str]


class Partial(TypedDict, total=False):
    a: int


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Box(msgspec.Struct, forbid_unknown_fields=True):
    width: int


class Cat(msgspec.Struct, tag="cat"):
    lives: int


class Dog(msgspec.Struct, tag="dog"):
    tricks: int


@attrs.define
class Attrs:
    x: int = attrs.field(validator=attrs.validators.ge(3))


UserId = NewType("UserId", int)
UTC = dt.UTC

VALUES: list[tuple[Any, dict[str, Any], bytes, Any]] = [
    (int, {"type": "integer"}, b"3", 3),
    (float, {"type": "number"}, b"3", 3.0),
    (str, {"type": "string"}, b'"a"', "a"),
    (bool, {"type": "boolean"}, b"true", True),
    (None, {"type": "null"}, b"null", None),
    (Any, {}, b"[1]", [1]),
    (bytes, {"type": "string", "contentEncoding": "base64"}, b'"aGk="', b"hi"),
    (list[int], {"type": "array", "items": {"type": "integer"}}, b"[1]", [1]),
    (set[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, b"[1]", {1}),
    (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}, b"[1]", (1,)),
    (dict, {"type": "object"}, b'{"k":1}', {"k": 1}),
    (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}, b'{"k":1}', {"k": 1}),
    (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}, b"null", None),  # noqa: UP045
    (Union[int, str], {"anyOf": [{"type": "integer"}, {"type": "string"}]}, b'"a"', "a"),  # noqa: UP007
    (Literal["a", "b"], {"enum": ["a", "b"]}, b'"b"', "b"),
    (Literal["low", "high", 1], {"enum": ["low", "high", 1]}, b'"high"', "high"),
    (list[Literal["b", "a"]], {"type": "array", "items": {"enum": ["b", "a"]}}, b'["a"]', ["a"]),
    (Iterable[int], {"type": "array", "items": {"type": "integer"}}, b"[1]", [1]),
    (Literal[True], {"enum": [True]}, b"true", True),
    (Colour, {"enum": ["red", "blue"]}, b'"red"', Colour.RED),
    (Level, {"enum": [1, 2]}, b"2", Level.HIGH),
    (Shade, {"enum": ["dark"]}, b'"dark"', Shade.DARK),
    (UserId, {"type": "integer"}, b"7", 7),
    (dt.date, {"type": "string", "format": "date"}, b'"2026-07-28"', dt.date(2026, 7, 28)),
    (dt.time, {"type": "string", "format": "time"}, b'"09:30:00"', dt.time(9, 30)),
    (
        dt.datetime,
        {"type": "string", "format": "date-time"},
        b'"2026-07-28T09:30:00Z"',
        dt.datetime(2026, 7, 28, 9, 30, tzinfo=UTC),
    ),
    (dt.timedelta, {"type": "string", "format": "duration"}, b'"PT5S"', dt.timedelta(seconds=5)),
    (uuid.UUID, {"type": "string", "format": "uuid"}, b'"' + str(uuid.UUID(int=1)).encode() + b'"', uuid.UUID(int=1)),
    (decimal.Decimal, {"type": "string", "format": "decimal"}, b"1.10", decimal.Decimal("1.10")),
    (
        Point,
        {
            "type": "object",
            "description": "A place.",
            "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "default": 0}},
            "required": ["x"],
        },
        b'{"x":1}',
        Point(1),
    ),
    (
        Options,
        {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a"]},
        b'{"a":1}',
        {"a": 1},
    ),
    (Partial, {"type": "object", "properties": {"a": {"type": "integer"}}, "required": []}, b"{}", {}),
    (
        Pair,
        {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "string", "default": "r"}],
            "minItems": 1,
            "maxItems": 2,
        },
        b"[1]",
        Pair(1),
    ),
    (
        Box,
        {
            "type": "object",
            "properties": {"width": {"type": "integer"}},
            "required": ["width"],
            "additionalProperties": False,
        },
        b'{"width":1}',
        Box(1),
    ),
    (Attrs, {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}, b'{"x":3}', Attrs(3)),
]


@pytest.mark.parametrize(("hint", "schema", "json", "expected"), VALUES, ids=lambda v: str(v)[:30])
def test_types(hint: Any, schema: dict[str, Any], json: bytes, expected: Any) -> None:
    assert prop(hint) == schema
    got = value(hint, json)
    assert got == expected
    assert type(got) is type(expected)


def test_the_whole_schema_of_a_function() -> None:
    async def forecast(city: str, days: int = 3, *, units: Literal["c", "f"] = "c") -> None:
        """Look ahead.

        Args:
            city: Where.
            days: How many.
        """

    got = args(forecast)
    assert got.schema == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where."},
            "days": {"type": "integer", "description": "How many.", "default": 3},
            "units": {"enum": ["c", "f"], "default": "c"},
        },
        "required": ["city"],
        "additionalProperties": False,
    }
    assert got.names == ("city", "days", "units")
    assert got.required == {"city"}
    assert got.descriptions == {"city": "Where.", "days": "How many."}
    assert not got.wants_context
    assert got.bind(b'{"city":"Bern","units":"f"}', None) == (("Bern", 3), {"units": "f"})


@pytest.mark.parametrize("data", [b"", b"null", b"{}", b" \n", b" null ", msgspec.Raw(b"{}"), msgspec.Raw(b"null")])
def test_no_arguments(data: bytes) -> None:
    def fn(x: int = 1) -> None: ...

    def empty() -> None: ...

    assert args(fn).bind(data, None) == ((1,), {})
    assert args(empty).bind(data, None) == ((), {})
    assert args(empty).schema == {"type": "object", "properties": {}, "additionalProperties": False}


# ---- integers


INTEGRAL: list[tuple[Any, bytes, Any]] = [
    (int, b"3.0", 3),
    (int, b"1e3", 1000),
    (int, b"-0.0", 0),
    (int, b"12345678901234567890.0", 12345678901234567890),
    (int | None, b"3.0", 3),
    (int | str, b"3.0", 3),
    (Level, b"2.0", Level.HIGH),
    (Literal[1, 2], b"1.0", 1),
    (Annotated[int, msgspec.Meta(ge=1)], b"3.0", 3),
    (list[int], b"[1,2.0,3.0]", [1, 2, 3]),
    (set[int], b"[2.0]", {2}),
    (tuple[int, float], b"[2.0,2.0]", (2, 2.0)),
    (dict[str, int], b'{"a":1.0}', {"a": 1}),
    (dict[str, list[int]], b'{"a":[1.0]}', {"a": [1]}),
    (Point, b'{"x":1.0,"y":2.0}', Point(1, 2)),
    (Tree, b'{"name":"a","children":[]}', Tree("a")),
    (Options, b'{"a":1.0}', {"a": 1}),
    (Pair, b"[1.0]", Pair(1)),
    (Cat | Dog, b'{"type":"dog","tricks":4.0}', Dog(4)),
]


@pytest.mark.parametrize(("hint", "json", "expected"), INTEGRAL, ids=lambda v: str(v)[:30])
def test_an_integral_float_is_an_integer(hint: Any, json: bytes, expected: Any) -> None:
    got = value(hint, json)
    assert got == expected
    assert repr(got) == repr(expected)


def test_floats_and_decimals_keep_their_text_in_the_second_pass() -> None:
    def fn(n: int, f: float, d: decimal.Decimal, a: Any) -> None: ...

    (n, f, d, a), _ = args(fn).bind(b'{"n":3.0,"f":2.0,"d":1.10,"a":[2.0]}', None)
    assert [repr(one) for one in (n, f, d, a)] == ["3", "2.0", "Decimal('1.10')", "[2.0]"]


@pytest.mark.parametrize(
    "json",
    [
        b"3.5",
        b"0.99999999999999999999999999",
        b"true",
        b'"3"',
        b"1e999999999",
        b"1e-999999999",
        b"1e99999999999999999999",
    ],
)
def test_not_an_integer(json: bytes) -> None:
    assert problem(int, json).startswith("$.x: ")


# ---- wrong arguments


PROBLEMS: list[tuple[Any, bytes, str]] = [
    (int, b'"a"', "$.x: expected an integer, got a string"),
    (int, b"3.5", "$.x: expected an integer, got a number"),
    (int, b"true", "$.x: expected an integer, got a boolean"),
    (float, b"true", "$.x: expected a number, got a boolean"),
    (bool, b"1", "$.x: expected a boolean, got an integer"),
    (int | str | None, b"[]", "$.x: expected an integer, a string or null, got an array"),
    (list[int], b'[1,"a"]', "$.x[1]: expected an integer, got a string"),
    (dict[str, int], b'{"ok":1,"bad":"x"}', "$.x.bad: expected an integer, got a string"),
    (dict[str, int], b'{"a b":"x"}', '$.x["a b"]: expected an integer, got a string'),
    (dict[str, dict[str, int]], b'{"a":{"b":1},"c":{"d":[]}}', "$.x.c.d: expected an integer, got an array"),
    (dict[int, int], b'{"a":1}', "$.x: a key does not fit: expected an integer, got a string"),
    (Point, b"{}", '$.x.x: the required field "x" is missing'),
    (Point, b'{"x":"1"}', "$.x.x: expected an integer, got a string"),
    (Box, b'{"width":1,"widht":2}', '$.x.widht: there is no field "widht", did you mean "width"?'),
    (Colour, b'"green"', '$.x: expected one of "red" or "blue", got "green"'),
    (list[Literal["a"]], b'["b"]', '$.x[0]: expected "a", got "b"'),
    (Colour | None, b'"green"', '$.x: expected one of "red" or "blue", got "green"'),
    (Annotated[int, msgspec.Meta(ge=1)], b"0", "$.x: expected an integer >= 1, got 0"),
    (Annotated[str, msgspec.Meta(max_length=2)], b'"abc"', '$.x: expected a string of length <= 2, got "abc"'),
    (Annotated[str, msgspec.Meta(pattern="^a")], b'"b"', "$.x: expected a string matching regex '^a', got \"b\""),
    (dt.date, b'"soon"', '$.x: expected a date like 2026-07-28, got "soon"'),
    (dt.datetime, b'"x"', '$.x: expected a date-time like 2026-07-28T09:30:00Z, got "x"'),
    (uuid.UUID, b'"x"', '$.x: expected a UUID, got "x"'),
    (bytes, b'"?"', '$.x: expected base64 text, got "?"'),
    (float, b"1e400", "$.x: number out of range"),
    (Attrs, b'{"x":1}', "$.x: 'x' must be >= 3: 1"),
]


@pytest.mark.parametrize(("hint", "json", "expected"), PROBLEMS, ids=lambda v: str(v)[:40])
def test_problems(hint: Any, json: bytes, expected: str) -> None:
    assert problem(hint, json) == expected


WHOLE: list[tuple[bytes, str]] = [
    (b"{}", '$.city: the required argument "city" is missing'),
    (b'{"city":"a","dayz":1}', '$.dayz: there is no argument "dayz", did you mean "days"?'),
    (b'{"city":"a","q":1}', '$.q: there is no argument "q", use "city" or "days"'),
    (b"[]", "$: expected an object, got an array"),
    (b'"x"', "$: expected an object, got a string"),
    (b'{"city":', "$: not valid JSON, input data was truncated"),
    (b'{"city":"a",}', "$: not valid JSON, JSON is malformed: "),
    (b'{"city":"\xff"}', "$: the JSON is not valid UTF-8"),
    (b'{"city":NaN}', "$: not valid JSON"),
    (b'{"city":3.0, "days":"\xff"}', "$"),
]


@pytest.mark.parametrize(("data", "expected"), WHOLE, ids=lambda v: str(v)[:40])
def test_problems_of_the_whole(data: bytes, expected: str) -> None:
    def fn(city: str, days: int = 1) -> None: ...

    with pytest.raises(ArgumentsError) as caught:
        args(fn).bind(data, None)
    assert str(caught.value).replace("jSON", "JSON").startswith(expected)


@pytest.mark.parametrize("json", [b"[" * 5000 + b"]" * 5000, b"[" * 100_000], ids=["closed", "never closed"])
def test_deep_nesting_is_an_error_of_the_arguments(json: bytes) -> None:
    assert problem(Any, json) == "$: the JSON is nested too deeply"


@pytest.mark.parametrize("fill", [b"1", b'"[[[{{{"', b'"\\"[[["'])
def test_the_depth_is_counted_before_any_decoder_reads(fill: bytes) -> None:
    """C16: how deep a decoder goes by itself depends on the version of Python; every one of them goes this deep."""

    def plain(value: Any) -> None: ...

    def placed(*, value: Any) -> None: ...

    def bridged(value: Any, path: pathlib.Path = pathlib.Path()) -> None: ...

    for fn in (plain, placed, bridged):
        bind = args(fn).bind
        allowed, refused = ([b'{"value":', *[b"["] * deep, fill, *[b"]"] * deep, b"}"] for deep in (255, 256))
        bind(b"".join(allowed), None)
        with pytest.raises(ArgumentsError, match="nested too deeply"):
            bind(b"".join(refused), None)


@pytest.mark.parametrize(
    "hint", [Colour, int, dict[str, int], Annotated[str, msgspec.Meta(max_length=2)], Box, Cat | Dog]
)
@pytest.mark.parametrize("json", [b'"%s"', b'{"%s":"a"}', b'{"type":"%s"}'])
def test_long_input_is_not_repeated(hint: Any, json: bytes) -> None:
    message = problem(hint, json.replace(b"%s", b"z" * 5000))
    assert "z" * 101 not in message
    assert len(message) < 500


def test_an_unknown_long_argument_is_not_repeated() -> None:
    with pytest.raises(ArgumentsError) as caught:
        one(int).bind(b'{"x":1,"' + b"z" * 5000 + b'":1}', None)
    assert len(str(caught.value)) < 400


def test_errors_of_the_authors_own_code_pass_through() -> None:
    @dataclasses.dataclass
    class Odd:
        x: int

        def __post_init__(self) -> None:
            raise KeyError("author")

    with pytest.raises(KeyError, match="author"):
        value(Odd, b'{"x":1}')


# ---- constraints and descriptions


def test_description_sources() -> None:
    def fn(
        a: Annotated[str, "the city"],
        b: Annotated[str, Doc("the town")],
        c: Annotated[str, msgspec.Meta(description="the village")],
        d: str,
        e: Annotated[int | None, "maybe"] = None,
    ) -> None:
        """Do.

        :param a: hidden
        :param d: the docstring's
        """

    assert args(fn).descriptions == {
        "a": "the city",
        "b": "the town",
        "c": "the village",
        "d": "the docstring's",
        "e": "maybe",
    }


def test_meta_reaches_the_schema() -> None:
    meta = msgspec.Meta(title="T", examples=["a"], extra_json_schema={"x-mcp-header": "Region", "deprecated": True})
    assert prop(Annotated[str, meta]) == {
        "type": "string",
        "title": "T",
        "examples": ["a"],
        "x-mcp-header": "Region",
        "deprecated": True,
    }


def test_a_constraint_on_a_union_goes_to_the_arms_it_fits() -> None:
    hint = Annotated[int | str | None, msgspec.Meta(ge=1), msgspec.Meta(max_length=2)]
    assert prop(hint) == {
        "anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "maxLength": 2}, {"type": "null"}]
    }
    assert value(hint, b"null") is None
    assert problem(hint, b"0") == "$.x: expected an integer >= 1, got 0"
    assert problem(hint, b'"abc"').startswith("$.x: expected a string of length <= 2")


def test_two_constraints_both_hold() -> None:
    hint = Annotated[Annotated[int, msgspec.Meta(ge=5)], msgspec.Meta(ge=1, le=9)]
    assert prop(hint) == {"type": "integer", "minimum": 5, "maximum": 9}


def test_fields_of_a_class() -> None:
    schema = prop(Described)
    assert schema["properties"]["size"] == {"type": "integer", "description": "how big"}
    assert problem(Described, b'{"size":1,"depth":0}') == "$.x.depth: expected an integer >= 1, got 0"


def test_recursive_types() -> None:
    schema = one(Tree).schema
    assert schema["properties"]["x"] == {"$ref": "#/$defs/Tree"}
    assert schema["$defs"]["Tree"]["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
    assert value(Tree, b'{"name":"a","children":[{"name":"b"}]}') == Tree("a", [Tree("b")])
    assert problem(Tree, b'{"name":"a","children":[{"name":1}]}') == (
        "$.x.children[0].name: expected a string, got an integer"
    )


def test_a_class_used_twice_is_defined_once() -> None:
    def fn(a: Point, b: list[Point]) -> None: ...

    schema = args(fn).schema
    assert list(schema["$defs"]) == ["Point"]
    assert schema["properties"]["b"]["items"] == {"$ref": "#/$defs/Point"}


def test_two_classes_of_one_name() -> None:
    def make(kind: Any) -> Any:
        inner = dataclasses.make_dataclass("Inner", [("v", kind)])
        return dataclasses.make_dataclass("Outer", [("i", inner), ("j", inner)])

    def fn(a: Any, b: Any, c: Any, d: Any) -> None: ...

    first, second = make(int), make(str)
    fn.__annotations__ = {
        "a": first,
        "b": list.__class_getitem__(first),
        "c": second,
        "d": list.__class_getitem__(second),
    }
    got = args(fn)
    defs = got.schema["$defs"]
    assert defs["Inner"]["properties"]["v"] == {"type": "integer"}
    refs = {name: one.get("$ref") or one["items"]["$ref"] for name, one in got.schema["properties"].items()}
    assert refs["a"] == refs["b"] == "#/$defs/Outer"
    second_outer = defs[refs["c"].removeprefix("#/$defs/")]
    second_inner = defs[second_outer["properties"]["i"]["$ref"].removeprefix("#/$defs/")]
    assert second_inner["properties"]["v"] == {"type": "string"}


# ---- defaults


def test_defaults() -> None:
    sentinel = object()

    def fn(
        a: list[int] = [1, 2],  # noqa: B006
        b: Any = sentinel,
        c: int = None,  # type: ignore[assignment] # noqa: RUF013
        d: Colour = Colour.RED,
        e: dt.date = dt.date(2026, 7, 28),
        f: float = float("nan"),
        g: Point = Point(1),  # noqa: B008
        h: Annotated[int, msgspec.Meta(ge=1)] = None,  # type: ignore[assignment] # noqa: RUF013
        i: dict[str, int] = {},  # noqa: B006
    ) -> None: ...

    got = args(fn)
    defaults = {name: one["default"] for name, one in got.schema["properties"].items() if "default" in one}
    assert defaults == {
        "a": [1, 2],
        "c": None,
        "d": "red",
        "e": "2026-07-28",
        "g": {"x": 1, "y": 0},
        "h": None,
        "i": {},
    }
    assert got.schema["properties"]["c"]["anyOf"] == [{"type": "integer"}, {"type": "null"}]
    assert got.schema["properties"]["h"]["anyOf"] == [{"type": "integer", "minimum": 1}, {"type": "null"}]
    first, _ = got.bind(b"{}", None)
    second, _ = got.bind(b"{}", None)
    assert first[1] is sentinel
    assert first[0] == [1, 2]
    assert first[0] is not second[0]
    assert got.bind(b'{"c":null}', None)[0][2] is None


# ---- kinds of functions


def positional_only(a: int, /, b: int) -> None: ...


class Service:
    def method(self, a: int, b: int) -> None: ...

    def __call__(self, a: int, b: int) -> None: ...

    @classmethod
    def on_class(cls, a: int, b: int) -> None: ...

    @staticmethod
    def static(a: int, b: int) -> None: ...


def add(a: int, b: int, token: str = "") -> None: ...


@functools.wraps(positional_only)
def wrapped(*arguments: Any, **keywords: Any) -> None: ...


class Made:
    def __init__(self, a: int, b: int) -> None: ...


CALLABLES: list[Callable[..., Any]] = [
    positional_only,
    Service().method,
    Service(),
    Service.on_class,
    Service.static,
    functools.partial(add, token="secret"),
    functools.partial(Service().method),
    wrapped,
    Made,
]
CALLABLE_KINDS = [
    "positional only",
    "method",
    "object",
    "class method",
    "static method",
    "partial",
    "partial of a method",
    "wrapped",
    "class",
]


@pytest.mark.parametrize("fn", CALLABLES, ids=CALLABLE_KINDS)
def test_callables(fn: Callable[..., Any]) -> None:
    got = args(fn)
    assert got.names == ("a", "b")
    assert got.schema["properties"] == {"a": {"type": "integer"}, "b": {"type": "integer"}}
    positional, keywords = got.bind(b'{"a":1,"b":2}', None)
    assert (*positional, *keywords.values()) == (1, 2)
    fn(*positional, **keywords)


def test_partial_positional() -> None:
    got = args(functools.partial(add, 1))
    assert got.names == ("b", "token")


def test_keyword_only_and_context_anywhere() -> None:
    context = Context()

    def first(ctx: Context, a: int) -> None: ...

    def middle(a: int, ctx: Context, b: int = 2) -> None: ...

    def last(a: int, *, b: int = 2, ctx: SpecialContext | None = None, c: int) -> None: ...

    def annotated(a: int, where: Annotated[Context, "x"]) -> None: ...

    assert args(first).bind(b'{"a":1}', context) == ((context, 1), {})
    assert args(middle).bind(b'{"a":1}', context) == ((1, context, 2), {})
    assert args(last).bind(b'{"a":1,"c":3}', context) == ((1,), {"b": 2, "ctx": context, "c": 3})
    assert args(annotated).bind(b'{"a":1}', context) == ((1, context), {})
    for fn in (first, middle, last, annotated):
        assert args(fn).wants_context
        assert not {"ctx", "where"} & set(args(fn).schema["properties"])


@pytest.mark.parametrize("name", ["self", "cls", "class_", "p0", "p1", "data", "__init__", "größe"])
def test_any_parameter_name_works(name: str) -> None:
    scope: dict[str, Any] = {}
    exec(f"def fn({name}: int, p0x: int = 2): ...", scope)
    got = args(scope["fn"])
    assert got.bind(f'{{"{name}":1}}'.encode(), None) == ((1, 2), {})
    with pytest.raises(ArgumentsError) as caught:
        got.bind(f'{{"{name}":"a"}}'.encode(), None)
    assert caught.value.reason == "expected an integer, got a string"


def test_local_names_in_a_closure_are_found() -> None:
    @dataclasses.dataclass
    class Local:
        v: int

    def fn(x: Local) -> Any:
        return Local

    assert args(fn).bind(b'{"x":{"v":1}}', None)[0] == (Local(1),)


# ---- registration errors


def star(*values: int) -> None: ...


def stars(**values: int) -> None: ...


def unresolved(x: Missing) -> None: ...  # type: ignore[name-defined] # noqa: F821


def two_contexts(a: Context, b: Context) -> None: ...


def not_a_type(x: Any) -> None: ...


not_a_type.__annotations__["x"] = "1 +"


REFUSED: list[tuple[Callable[..., Any], str]] = [
    (star, "*values has no JSON Schema, replace it with named parameters"),
    (stars, "**values has no JSON Schema, replace it with named parameters"),
    (unresolved, "the name 'Missing' in its annotations cannot be resolved"),
    (two_contexts, "a and b are both the context"),
    (not_a_type, "an annotation is not a type"),
    (type, "its signature cannot be read"),
]


@pytest.mark.parametrize(("fn", "message"), REFUSED, ids=lambda v: getattr(v, "__name__", ""))
def test_refused_at_registration(fn: Callable[..., Any], message: str) -> None:
    with pytest.raises(RegistrationError) as caught:
        args(fn)
    assert str(caught.value).startswith('tool "t": ')
    assert message in str(caught.value)


def test_an_unresolved_name_in_a_field() -> None:
    broken = dataclasses.make_dataclass("Broken", [("f", "Nowhere")])
    with pytest.raises(RegistrationError, match="the name 'Nowhere' in the annotations of Broken"):
        one(broken)


# ---- strings


STRINGS: list[tuple[Any, str, Any]] = [
    (str, "3", "3"),
    (int, "3", 3),
    (int, "3.0", 3),
    (float, "2.5", 2.5),
    (bool, "true", True),
    (bool, "False", False),
    (int | None, "4", 4),
    (int | None, "null", None),
    (Colour, "red", Colour.RED),
    (Level, "2", Level.HIGH),
    (Literal[1, 2], "2", 2),
    (dt.date, "2026-07-28", dt.date(2026, 7, 28)),
    (uuid.UUID, str(uuid.UUID(int=3)), uuid.UUID(int=3)),
    (decimal.Decimal, "1.10", decimal.Decimal("1.10")),
    (list[int], "[1,2.0]", [1, 2]),
    (Point, '{"x":1}', Point(1)),
    (Any, "free", "free"),
]


@pytest.mark.parametrize(("hint", "text", "expected"), STRINGS, ids=lambda v: str(v)[:30])
def test_strings(hint: Any, text: str, expected: Any) -> None:
    (got,), _ = one(hint).bind_strings({"x": text}, None)
    assert got == expected
    assert type(got) is type(expected)


STRING_PROBLEMS: list[tuple[Any, str, str]] = [
    (int, "abc", '$.x: expected an integer, got "abc"'),
    (int, "3.5", '$.x: expected an integer, got "3.5"'),
    (bool, "perhaps", '$.x: expected a boolean, got "perhaps"'),
    (Colour, "green", '$.x: expected one of "red" or "blue", got "green"'),
    (Annotated[str, msgspec.Meta(max_length=3)], '"abc"', '$.x: expected a string of length <= 3, got "\\"abc\\""'),
    (Annotated[int, msgspec.Meta(ge=1)], "0", '$.x: expected an integer >= 1, got "0"'),
]


@pytest.mark.parametrize(("hint", "text", "expected"), STRING_PROBLEMS, ids=lambda v: str(v)[:30])
def test_problems_of_strings(hint: Any, text: str, expected: str) -> None:
    with pytest.raises(ArgumentsError) as caught:
        one(hint).bind_strings({"x": text}, None)
    assert str(caught.value) == expected


def test_strings_are_placed_like_json() -> None:
    def fn(ctx: Context, city: str, days: int = 3, *, loud: bool = False) -> None: ...

    got = args(fn)
    context = Context()
    assert got.bind_strings({"loud": "true", "city": "Bern"}, context) == ((context, "Bern", 3), {"loud": True})
    with pytest.raises(ArgumentsError, match='the required argument "city" is missing'):
        got.bind_strings({}, context)
    with pytest.raises(ArgumentsError, match='no argument "town"'):
        got.bind_strings({"town": "x", "city": "y"}, context)
