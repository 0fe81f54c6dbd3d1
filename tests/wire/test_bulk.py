"""Large messages: their values are counted, their nesting is looked at, and of the slow parser they see little."""

from __future__ import annotations

import gc

import msgspec
import pytest

from cloche.errors import McpError, ParseError
from cloche.wire import json, messages
from cloche.wire.json import BULK_BYTES, MAX_DEPTH, check_bulk, count_values, decode

COMMAS = b"," * 2 * BULK_BYTES


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (b"[1,2,3]", 3),
        (b'{"a":1,"b":[]}', 7),
        (b'["a,b","[{:"]', 2),
        (rb'["\\",1,"\"",2,"\\\"",3]', 6),
        (b'"' + COMMAS + b'"', 0),
        (b'["' + COMMAS + b'",' + b"1," * BULK_BYTES + b"1]", BULK_BYTES + 2),
        (b'["' + b'\\"' * BULK_BYTES + b'",1]', 2),
        (b'["' + b"\\\\" * BULK_BYTES + b'",1]', 2),
    ],
)
def test_values_are_counted_outside_texts_alone(text: bytes, values: int) -> None:
    assert count_values(text) == values


@pytest.mark.parametrize("text", [b"[%b0]" % (b"[]," * 600_000), b"[%b0]" % (b"1," * 1_100_000)])
def test_too_many_values_are_refused_and_half_as_many_are_not(text: bytes) -> None:
    with pytest.raises(ParseError, match="more than 1000000 values"):
        check_bulk(text)
    check_bulk(b"[" + text[len(text) // 2 + 1 :].lstrip(b",]"))


def test_deep_nesting_is_found_across_the_parts_and_not_in_texts() -> None:
    filler = b'"%b",' % (b"x" * BULK_BYTES)
    deep = b"[" * 200 + filler + b"[" * 100 + b"1"
    with pytest.raises(ParseError, match=f"deeper than {MAX_DEPTH}"):
        count_values(deep, 10**6)
    count_values(b"[" * 200 + filler + b"]" * 100 + b"[" * 100 + b"1", 10**6)
    json.check_text(b'["%b"]' % (b"[" * 2 * BULK_BYTES))


def test_an_answer_is_parsed_once_and_its_envelope_alone_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    result = b'{"x":"%b\\u0041"}' % (b"y" * BULK_BYTES)
    seen: list[int] = []
    slowly = json.check_unique_keys
    monkeypatch.setattr(json, "check_unique_keys", lambda data: seen.append(len(data)) or slowly(data))
    spaced = b'{"jsonrpc":"2.0", "id":1,"result":%b}' % result
    assert messages.parse(spaced).id == 1
    assert seen == [len(spaced) - len(result) + 1]
    assert messages.parse(messages.checked(spaced)).id == 1
    assert len(seen) == 1
    for twice in (
        b'{"jsonrpc":"2.0","id":1,"id":2,"result":%b}' % result,
        b'{"jsonrpc":"2.0","id":1,"result":%b,"result":%b}' % (result, result),
        b'{"jsonrpc":"2.0","id":1,"result":{},"result":%b}' % result,
    ):
        with pytest.raises(McpError):
            messages.parse(twice)


def test_decoding_leaves_the_collector_as_it_was() -> None:
    large = b"[%b0]" % (b"1," * BULK_BYTES)
    assert len(decode(large)) == BULK_BYTES + 1
    assert gc.isenabled()
    with pytest.raises(ParseError):
        decode(large[:-1])
    assert gc.isenabled()
    gc.disable()
    try:
        decode(large)
        assert not gc.isenabled()
    finally:
        gc.enable()
    with pytest.raises(ParseError, match="out of range"):
        decode(msgspec.Raw(b"1" * 5000))
