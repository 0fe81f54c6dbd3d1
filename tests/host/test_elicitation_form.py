"""What a server may put into a form, and what a person's answer is checked against."""

from __future__ import annotations

from typing import Any

import pytest

from cloche.errors import InvalidParamsError
from cloche.host.elicitation_form import MAX_FIELDS, Form
from tests.support import talking


def form(message: str = "Hello", **fields: Any) -> Form:
    return Form(message, {"type": "object", "properties": fields})


def test_a_form_is_put_together_again_from_what_mcp_has() -> None:
    made = form(
        one={
            "type": "string",
            "title": "A\u202e title",
            "description": "About\nit",
            "pattern": "(a+)+$",
            "format": "iri",
            "$ref": "#/x",
            "examples": ["x"],
        },
        two={"type": "integer", "minimum": 1, "maximum": True, "default": 3},
    )
    assert made.schema == {
        "type": "object",
        "properties": {
            "one": {"type": "string", "title": "A⟨U+202E⟩ title", "description": "About↵it"},
            "two": {"type": "integer", "title": "two", "minimum": 1, "default": 3},
        },
        "required": [],
    }
    everything = Form(talking.MESSAGE, talking.FORM)
    assert everything.required == {"name", "count"}
    assert everything.fields["extras"]["items"]["anyOf"][0] == {"const": "b", "title": "Bow"}


@pytest.mark.parametrize(
    "schema",
    [
        None,
        {"type": "array"},
        {"type": "object"},
        {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}},
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}},
        {"type": "object", "properties": {"a": {"type": "string", "enum": []}}},
        {"type": "object", "properties": {"a": {"type": "string", "enum": [{}]}}},
        {"type": "object", "properties": {"a": {"$ref": "#/b"}}},
        {"type": "object", "properties": {"a": "string"}},
        {"type": "object", "properties": {"": {"type": "string"}}},
        {"type": "object", "properties": {"a": {"type": "integer", "default": "x"}}},
        {"type": "object", "properties": {f"f{number}": {"type": "string"} for number in range(MAX_FIELDS + 1)}},
    ],
)
def test_other_schemas_are_refused(schema: Any) -> None:
    with pytest.raises(InvalidParamsError):
        Form("Hello", schema)


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("name", "Ann", True),
        ("name", "A", False),
        ("name", "x" * 41, False),
        ("name", 7, False),
        ("mail", "a@b.example", True),
        ("mail", "nobody", False),
        ("site", "https://example.com/", True),
        ("site", "example.com", False),
        ("day", "2026-07-28", True),
        ("day", "2026-13-01", False),
        ("day", "20260728", False),
        ("count", 9, True),
        ("count", 3.0, True),
        ("count", 3.5, False),
        ("count", 10, False),
        ("count", True, False),
        ("count", float("inf"), False),
        ("weight", 1.5, True),
        ("weight", "1.5", False),
        ("gift", False, True),
        ("gift", 0, False),
        ("size", "l", True),
        ("size", "Large", False),
        ("colour", "#00f", True),
        ("extras", ["b", "c"], True),
        ("extras", ["b", "b"], False),
        ("extras", ["x"], False),
        ("extras", "b", False),
        ("tags", ["new"], True),
        ("tags", ["new", "old"], False),
        ("unknown", "x", False),
    ],
)
def test_an_answer_is_checked_against_the_form(name: str, value: Any, fits: bool) -> None:
    made = Form(talking.MESSAGE, talking.FORM)
    content = {"name": "Ann", "count": 1, name: value}
    if fits:
        assert made.checked(content) == content
    else:
        with pytest.raises(ValueError, match=r"form|field"):
            made.checked(content)


def test_what_is_required_must_be_there_and_what_is_left_out_is_left_out() -> None:
    made = Form(talking.MESSAGE, talking.FORM)
    with pytest.raises(ValueError, match="'name' is required"):
        made.checked({"count": 1})
    assert made.checked({"name": "Ann", "count": 1, "mail": None}) == {"name": "Ann", "count": 1}


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("password", {}),
        ("userPassword", {}),
        ("db_passwd", {}),
        ("apiKey", {}),
        ("API_KEY", {}),
        ("x", {"title": "Your PIN"}),
        ("x", {"title": "Pass\u200bword"}),
        ("x", {"title": "Ｐassword"}),
        ("x", {"title": "pаsswоrd"}),  # with letters of another alphabet
        ("x", {"title": "Mot de passe"}),
        ("x", {"title": "Access token"}),
        ("x", {"description": "The password of your account"}),
        ("x", {"format": "password"}),
        ("x", {"writeOnly": True}),
        ("cvv", {}),
        ("credentials", {}),
    ],
)
def test_a_field_that_asks_for_a_secret_is_refused(name: str, field: dict[str, Any]) -> None:
    with pytest.raises(InvalidParamsError, match="must not ask for passwords"):
        form(**{name: {"type": "string", **field}})


@pytest.mark.parametrize("name", ["pinned", "keyboard", "secretary", "passenger", "tokyo", "shopping", "name"])
def test_words_that_only_begin_like_a_secret_are_none(name: str) -> None:
    assert form(**{name: {"type": "string"}}).fields


def test_a_message_that_asks_for_a_password_is_refused_whatever_the_field_is_called() -> None:
    with pytest.raises(InvalidParamsError, match="its message"):
        form("Please type your password again", answer={"type": "string"})


@pytest.mark.parametrize(
    ("first", "second", "are_told_apart"),
    [
        ("Keep", "Delete", True),
        ("m", "M", True),
        ("да", "нет", True),
        ("Keep", "Keep", False),
        ("Keep it", "Keep  it", False),
        ("Keep it", "Keep\u00a0it", True),
        ("Keep", "K\u0435ep", False),  # with a letter of another alphabet
        ("Keep", "Ke\u200bep", True),  # what does not print is shown by its number
        ("\u0421\u0421\u0421\u0420", "CCCP", False),
    ],
)
def test_choices_can_be_told_apart(first: str, second: str, are_told_apart: bool) -> None:
    field = {"type": "string", "oneOf": [{"const": "1", "title": first}, {"const": "2", "title": second}]}
    if are_told_apart:
        assert form(what=field).fields
    else:
        with pytest.raises(InvalidParamsError, match="look the same"):
            form(what=field)
        with pytest.raises(InvalidParamsError, match="look the same"):
            form(what={"type": "array", "items": {"anyOf": field["oneOf"]}})
