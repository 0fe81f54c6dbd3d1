"""Headers that repeat parts of a message."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cloche.errors import HeaderMismatchError, RegistrationError
from cloche.wire.headers import check_parameters, decode_value, encode_value, header_parameters, parameter_headers
from tests.support.examples import examples


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", "plain"),
        ("with blanks inside", "with blanks inside"),
        ("", ""),
        (" x", "=?base64?IHg=?="),
        ("x\t", "=?base64?eAk=?="),
        ("é", "=?base64?w6k=?="),
        ("a\r\nb", "=?base64?YQ0KYg==?="),
        ("\x7f", "=?base64?fw==?="),
        ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
    ],
)
def test_a_text_as_a_header_value(text: str, value: str) -> None:
    assert encode_value(text) == value
    assert decode_value(value.encode()) == text


@settings(max_examples=examples(200), database=None, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_text_survives_and_none_breaks_out(text: str) -> None:
    value = encode_value(text)
    assert value.isprintable()
    assert value.isascii()
    assert decode_value(value.encode()) == text


@pytest.mark.parametrize(
    "value",
    [
        b"=?base64?eA?=",
        b"=?base64?e A==?=",
        b"=?base64?eB==?=",
        b"=?base64?/w==?=",
        b"=?base64?eA==\n?=",
        b"=?base64?-_==?=",
    ],
)
def test_a_malformed_value_equals_nothing(value: bytes) -> None:
    assert decode_value(value) is None


SCHEMA = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "dry": {"type": "boolean", "x-mcp-header": "Dry"},
        "deep": {"type": "object", "properties": {"id": {"type": "string", "x-mcp-header": "Deep-Id"}}},
        "free": {"type": "string"},
    },
}
PARAMETERS = header_parameters(SCHEMA, "the tool x")


@pytest.mark.parametrize(
    ("arguments", "headers", "agree"),
    [
        ({}, {}, True),
        ({"region": "eu"}, {b"mcp-param-region": b"eu"}, True),
        ({"region": "eu"}, {}, False),
        ({}, {b"mcp-param-region": b"eu"}, False),
        ({"region": "eu"}, {b"mcp-param-region": b"us"}, False),
        ({"region": "EU"}, {b"mcp-param-region": b"eu"}, False),
        ({"region": "é"}, {b"mcp-param-region": b"=?base64?w6k=?="}, True),
        ({"region": "é"}, {b"mcp-param-region": b"=?base64?w6k?="}, False),
        ({"region": None}, {}, True),
        ({"count": 3}, {b"mcp-param-count": b"3"}, True),
        ({"count": 3.0}, {b"mcp-param-count": b"3"}, True),
        ({"count": 3}, {b"mcp-param-count": b"3.0"}, True),
        ({"count": 3}, {b"mcp-param-count": b"03"}, False),
        ({"count": 3}, {b"mcp-param-count": b"30"}, False),
        ({"count": -3}, {b"mcp-param-count": b"-3"}, True),
        ({"dry": True}, {b"mcp-param-dry": b"true"}, True),
        ({"dry": True}, {b"mcp-param-dry": b"True"}, False),
        ({"dry": False}, {b"mcp-param-dry": b"true"}, False),
        ({"deep": {"id": "7"}}, {b"mcp-param-deep-id": b"7"}, True),
        ({"deep": {"id": "7"}}, {}, False),
        ({"deep": 5}, {}, True),
        ([], {}, True),
        ({"free": "x"}, {}, True),
    ],
)
def test_headers_and_arguments_agree_or_are_refused(arguments: Any, headers: dict[bytes, bytes], agree: bool) -> None:
    if agree:
        check_parameters(PARAMETERS, arguments, headers)
    else:
        with pytest.raises(HeaderMismatchError, match="Header mismatch"):
            check_parameters(PARAMETERS, arguments, headers)


@pytest.mark.parametrize(
    "properties",
    [
        {"a": {"type": "string", "x-mcp-header": "bad name"}},
        {"a": {"type": "string", "x-mcp-header": "x\r\ny"}},
        {"a": {"type": "string", "x-mcp-header": ""}},
        {"a": {"type": "string", "x-mcp-header": 5}},
        {"a": {"type": "array", "x-mcp-header": "A"}},
        {"a": {"type": "number", "x-mcp-header": "A"}},
        {"a": {"type": "string", "x-mcp-header": "Same"}, "b": {"type": "string", "x-mcp-header": "same"}},
    ],
)
def test_a_header_that_clients_would_refuse_fails_at_registration(properties: dict[str, Any]) -> None:
    with pytest.raises(RegistrationError, match="the tool x"):
        header_parameters({"type": "object", "properties": properties}, "the tool x")


@pytest.mark.parametrize("properties", [["a"], "a", None, 7, True], ids=["list", "text", "null", "number", "true"])
def test_a_schema_of_a_peer_may_be_nonsense(properties: Any) -> None:
    assert header_parameters({"type": "object", "properties": properties}, "the tool x") == ()


ARGUMENTS: list[dict[str, Any]] = [
    {"region": "eu", "count": 3, "fast": True},
    {"region": " é\r\n", "count": 2**60, "fast": False},
    {"region": "", "count": 4.0},
    {"region": None},
    {},
]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=["plain", "awkward", "whole", "null", "none"])
def test_the_headers_that_a_client_makes_are_those_that_a_server_expects(arguments: dict[str, Any]) -> None:
    kinds = {"region": "string", "count": "integer", "fast": "boolean"}
    properties = {name: {"type": kind, "x-mcp-header": name} for name, kind in kinds.items()}
    parameters = header_parameters({"type": "object", "properties": properties}, "the tool x")
    headers = parameter_headers(parameters, arguments)
    assert len(headers) == len([value for value in arguments.values() if value is not None])
    check_parameters(parameters, arguments, {name.encode(): value.encode() for name, value in headers.items()})
    with pytest.raises(HeaderMismatchError):
        check_parameters(parameters, {**arguments, "region": "elsewhere"}, {b"mcp-param-region": b"eu"})
