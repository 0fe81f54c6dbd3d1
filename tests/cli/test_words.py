"""Arguments as they are typed, against the schemas that servers have."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from cloche.cli.words import WordError, read_words

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer"},
        "exact": {"type": "boolean"},
        "factor": {"type": "number"},
        "units": {"enum": ["c", "f", 3]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "sizes": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
        "either": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
        "place": {"$ref": "#/$defs/Place"},
        "named": {"allOf": [{"$ref": "#/$defs/Unit"}], "default": "km"},
        "anything": {},
        "data": {"type": "string", "contentEncoding": "base64"},
    },
    "$defs": {"Place": {"type": "object"}, "Unit": {"type": "string", "enum": ["km", "mi"]}},
}


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["city=Paris"], {"city": "Paris"}),
        (["city=a=b"], {"city": "a=b"}),
        (["city=7"], {"city": "7"}),
        (["city="], {"city": ""}),
        (["city=@handle"], {"city": "@handle"}),
        (["days=3"], {"days": 3}),
        (["days=3.0"], {"days": 3}),
        (["exact=yes"], {"exact": True}),
        (["exact=False"], {"exact": False}),
        (["factor=1e3"], {"factor": 1000.0}),
        (["units=f"], {"units": "f"}),
        (["units=3"], {"units": 3}),
        (["tags=a"], {"tags": ["a"]}),
        (["tags=a", "tags=b,c"], {"tags": ["a", "b,c"]}),
        (['tags=["a"]'], {"tags": ["a"]}),
        (["tags:=[]"], {"tags": []}),
        (["sizes=1", "sizes=2"], {"sizes": [1, 2]}),
        (["either=3"], {"either": 3}),
        (["either=three"], {"either": "three"}),
        (["either=null"], {"either": None}),
        (['place={"x": 1}'], {"place": {"x": 1}}),
        (['place:={"x": 1}'], {"place": {"x": 1}}),
        (["named=mi"], {"named": "mi"}),
        (["anything=3"], {"anything": 3}),
        (["anything=three"], {"anything": "three"}),
    ],
    ids=str,
)
def test_a_word_becomes_what_the_schema_wants(words: list[str], value: Any) -> None:
    read = read_words(words, SCHEMA, "forecast")
    assert read == value
    assert [type(one) for one in read.values()] == [type(one) for one in value.values()]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Paris"], "'Paris' is not an argument: write NAME=VALUE"),
        (["=x"], "is not an argument"),
        (["ciy=Paris"], "forecast has no argument 'ciy': did you mean 'city'?"),
        (["days=three"], "days: expected a whole number, got 'three'"),
        (["days=3.5"], "days: expected a whole number, got '3.5'"),
        (["days=NaN"], "days: expected a whole number"),
        (["days=Infinity"], "days: expected a whole number"),
        (["days=true"], "days: expected a whole number"),
        (["exact=maybe"], "exact: expected true or false"),
        (["units=k"], "units: expected c, f or 3, got 'k'"),
        (["named=ly"], "named: expected km or mi"),
        (["sizes=1", "sizes=two"], "sizes: expected a whole number, got 'two'"),
        (["city=a", "city=b"], "city is given 2 times"),
        (["place=here"], "place: expected a JSON object"),
        (["place:=here"], "place: what follows := is not JSON"),
        (["data:=@nowhere"], "data: nowhere cannot be read: no such file or directory"),
    ],
    ids=str,
)
def test_an_error_names_the_argument(words: list[str], said: str) -> None:
    with pytest.raises(WordError) as raised:
        read_words(words, SCHEMA, "forecast")
    assert said in str(raised.value)


def test_files(tmp_path: Path) -> None:
    (tmp_path / "image.png").write_bytes(b"\x89PNG\xff")
    (tmp_path / "text.txt").write_text("Grüße", "utf-8")
    read = read_words([f"data:=@{tmp_path}/image.png", f"city:=@{tmp_path}/text.txt"], SCHEMA, "forecast")
    assert read == {"data": base64.b64encode(b"\x89PNG\xff").decode(), "city": "Grüße"}
    with pytest.raises(WordError, match="is not text in UTF-8"):
        read_words([f"city:=@{tmp_path}/image.png"], SCHEMA, "forecast")


def test_what_is_required_is_asked_for() -> None:
    with pytest.raises(WordError, match=r"forecast needs the argument 'days': add days=1"):
        read_words(["city=Paris"], {**SCHEMA, "required": ["city", "days"]}, "forecast")


def test_a_tool_that_takes_anything() -> None:
    assert read_words(["x=1"], {"type": "object", "additionalProperties": True}, "any") == {"x": 1}
    assert read_words(["x=1"], {"type": "object", "additionalProperties": {"type": "string"}}, "any") == {"x": "1"}


def test_a_schema_that_refers_to_itself_ends() -> None:
    loop = {"type": "object", "properties": {"x": {"$ref": "#/properties/x"}}}
    assert read_words(["x=1"], loop, "loop") == {"x": 1}
