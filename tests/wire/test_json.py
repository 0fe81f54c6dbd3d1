"""Strict JSON: what must be read, and what must not, wherever in a message it stands."""

from __future__ import annotations

import contextlib
import json as stdlib_json
import random
import time
from collections.abc import Callable

import pytest

from cloche.errors import McpError, ParseError
from cloche.wire import json
from cloche.wire.messages import parse, parse_tool_call

ACCEPTED: dict[str, bytes] = {
    "null": b"null",
    "true": b"true",
    "zero": b"0",
    "minus zero": b"-0",
    "fraction": b"-12.5",
    "exponent": b"1E+2",
    "small": b"1e-400",
    "largest double": b"1.7976931348623157e308",
    "empty string": b'""',
    "all escapes": b'"\\"\\\\\\/\\b\\f\\n\\r\\t"',
    "escaped NUL": b'"\\u0000"',
    "pair": b'"\\ud83d\\ude00"',
    "raw emoji": '"😀"'.encode(),
    "line separator": '"\u2028"'.encode(),
    "DEL": b'"\x7f"',
    "noncharacter": '"\uffff"'.encode(),
    "empty list": b"[]",
    "empty object": b"{}",
    "empty key": b'{"":1}',
    "blanks": b" \t\r\n[ 1 , 2 ] ",
    "deep": b"[" * 200 + b"]" * 200,
    "brackets in a string": b'"' + b"[{" * 1000 + b'"',
    "quotes in a string": b'"' + b'\\"[' * 1000 + b'"',
}

REFUSED: dict[str, bytes] = {
    "nothing": b"",
    "NaN": b"NaN",
    "Infinity": b"Infinity",
    "minus Infinity": b"-Infinity",
    "nan in lower case": b"nan",
    "leading zero": b"012",
    "leading plus": b"+1",
    "leading dot": b".5",
    "trailing dot": b"1.",
    "bare exponent": b"1e",
    "bare minus": b"-",
    "hexadecimal": b"0x10",
    "underscore": b"1_000",
    "True": b"True",
    "nul": b"nul",
    "undefined": b"undefined",
    "single quotes": b"'x'",
    "open string": b'"x',
    "tab in a string": b'"\t"',
    "line break in a string": b'"\n"',
    "NUL in a string": b'"\x00"',
    "unknown escape": b'"\\x41"',
    "short escape": b'"\\u12"',
    "lone high surrogate": b'"\\ud800"',
    "lone low surrogate": b'"\\udc00"',
    "surrogates in the wrong order": b'"\\ude00\\ud83d"',
    "high surrogate and a letter": b'"\\ud800A"',
    "open list": b"[1",
    "trailing comma": b"[1,]",
    "leading comma": b"[,1]",
    "two commas": b"[1,,2]",
    "missing comma": b"[1 2]",
    "wrong bracket": b"[1}",
    "open object": b'{"a":1',
    "object with a trailing comma": b'{"a":1,}',
    "number as a key": b"{1:1}",
    "bare key": b"{a:1}",
    "missing colon": b'{"a" 1}',
    "missing value": b'{"a":}',
    "comment": b"[1/**/]",
    "line comment": b"[1]//x",
    "form feed": b"[\x0c1]",
    "no-break space": b"[\xc2\xa01]",
    "BOM": b"\xef\xbb\xbf[]",
    "two values": b"1 2",
    "invalid UTF-8": b'"\xff"',
    "continuation byte alone": b'"\x80"',
    "overlong": b'"\xc0\xaf"',
    "surrogate in UTF-8": b'"\xed\xa0\x80"',
    "beyond Unicode": b'"\xf4\x90\x80\x80"',
    "cut character": b'"\xe2\x82"',
    "too deep": b"[" * 300 + b"]" * 300,
}

PLACES: dict[str, Callable[[bytes], bytes]] = {
    "in params": lambda value: b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"v":%s}}' % value,
    "in arguments": lambda value: (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"v":%s}}}' % value
    ),
    "in a member nobody knows": lambda value: b'{"jsonrpc":"2.0","id":1,"method":"x","other":%s}' % value,
    "in a result": lambda value: b'{"jsonrpc":"2.0","id":1,"result":{"v":%s}}' % value,
}


def read(data: bytes) -> None:
    """As a transport reads."""
    if parse_tool_call(data) is None:
        parse(data)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("case", ACCEPTED)
def test_json_is_read(case: str, place: str) -> None:
    read(PLACES[place](ACCEPTED[case]))
    assert json.is_json(ACCEPTED[case])


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_json_is_refused_wherever_it_stands(case: str, place: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(PLACES[place](REFUSED[case]))
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_json_is_no_message(case: str) -> None:
    with pytest.raises(McpError):
        read(REFUSED[case])


@pytest.mark.requirement(159)
def test_depth_is_counted_exactly() -> None:
    json.check_depth(b"[" * 256 + b"]" * 256)
    json.check_depth(b'{"a":' * 256 + b"1" + b"}" * 256)
    json.check_depth(b"[" + b"[],{}," * 10_000 + b"[]]")
    json.check_depth(b'["' + b"[" * 1000 + b'"]')
    json.check_depth(b'["' + b'\\"[' * 1000 + b'"]')
    json.check_depth(b'["\\\\"' + b',"["' * 1000 + b"]")
    for deep in (b"[" * 257, b'{"a":[' * 129, b" " * 20_000 + b"[" * 257, b'["\\\\",' * 257):
        with pytest.raises(ParseError, match="256 levels"):
            json.check_depth(deep)


@pytest.mark.requirement(159)
def test_depth_is_what_a_plain_count_says() -> None:
    def plain_depth(data: bytes) -> int:
        depth = most = 0
        inside = escaped = False
        for byte in data.decode("latin-1"):
            if inside:
                inside = escaped or byte != '"'
                escaped = byte == "\\" and not escaped
            elif byte == '"':
                inside = True
            elif byte in "[{":
                depth += 1
                most = max(most, depth)
            elif byte in "]}":
                depth -= 1
        return most

    rng = random.Random(5)
    for _ in range(2000):
        data = bytes(rng.choice(b'[{]}"\\a ') for _ in range(rng.randrange(60)))
        limit = rng.randrange(1, 6)
        try:
            json.check_depth(data, limit)
            refused = False
        except ParseError:
            refused = True
        assert refused == (plain_depth(data) > limit), data


@pytest.mark.requirement(159)
@pytest.mark.parametrize("data", [b'"' + b'\\"' * 2_000_000, b'"' * 4_000_001, b'"\\' * 2_000_000, b"[" * 4_000_000])
def test_the_time_to_measure_depth_grows_with_the_length_and_no_faster(data: bytes) -> None:
    began = time.perf_counter()
    with contextlib.suppress(ParseError):
        json.check_depth(data)
    # Far more than it takes anywhere, and far less than the hours of a search that begins anew at every character.
    assert time.perf_counter() - began < 60


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":1,"a":2}',
        b'{"a":{"b":1,"b":1}}',
        b'[{"a":1,"\\u0061":2}]',
        b'{"\xc3\xa9":1,"\\u00e9":2}',
        b'{"":1,"":1}',
    ],
)
def test_a_key_that_stands_twice_is_found_at_any_depth(data: bytes) -> None:
    stdlib_json.loads(data)  # others take it
    with pytest.raises(ParseError, match="twice"):
        json.check_unique_keys(data)


def test_keys_of_different_objects_may_be_the_same() -> None:
    assert json.check_unique_keys(b'{"a":{"a":[{"a":1},{"a":2}]},"b":1}') == {"a": {"a": [{"a": 1}, {"a": 2}]}, "b": 1}
