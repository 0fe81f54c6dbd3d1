"""JSON-RPC messages: ids, kinds, batches, and members that stand twice."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec import UNSET

from cloche.errors import InvalidRequestError, McpError, ParseError
from cloche.wire import messages
from cloche.wire.messages import (
    check_named,
    is_batch,
    is_notification,
    is_request,
    is_response,
    is_valid_message,
    parse,
    parse_tool_call,
    request_id_of,
    split_batch,
)


def with_id(text: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":%s,"method":"ping"}' % text


GOOD_IDS: dict[bytes, Any] = {
    b"0": 0,
    b"-1": -1,
    b"9223372036854775807": 2**63 - 1,
    b"-9223372036854775808": -(2**63),
    b'""': "",
    b'"1"': "1",
    b'"\xc3\xa9"': "é",
    b'"%s"' % (b"x" * 256): "x" * 256,
}
BAD_IDS = [
    b"null",
    b"true",
    b"false",
    b"1.0",
    b"1.5",
    b"1e0",
    b"[]",
    b"[1]",
    b"{}",
    b"9223372036854775808",
    b"-9223372036854775809",
    b"9" * 400,
    b'"%s"' % (b"x" * 257),
]


@pytest.mark.parametrize("text", GOOD_IDS)
def test_ids_are_texts_and_integers(text: bytes) -> None:
    found = parse(with_id(text)).id
    assert found == GOOD_IDS[text]
    assert type(found) is type(GOOD_IDS[text])


@pytest.mark.parametrize("text", BAD_IDS)
def test_other_ids_are_refused_and_not_repeated(text: bytes) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        parse(with_id(text))
    assert request_id_of(caught.value) is None
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize(
    "body",
    [
        {"jsonrpc": "2.0", "id": 7},
        {"jsonrpc": "1.0", "id": 7, "method": "x"},
        {"id": 7, "method": "x"},
        {"jsonrpc": "2.0", "id": 7, "method": 5},
        {"jsonrpc": "2.0", "id": 7, "method": ""},
        {"jsonrpc": "2.0", "id": 7, "method": "x" * 257},
        {"jsonrpc": "2.0", "id": 7, "method": "x", "result": 1},
        {"jsonrpc": "2.0", "id": 7, "result": 1, "error": {}},
    ],
)
def test_a_refusal_remembers_an_id_that_could_be_read(body: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        parse(json.dumps(body).encode())
    assert request_id_of(caught.value) == 7
    assert not is_valid_message(json.dumps(body).encode())


@pytest.mark.requirement(32)
def test_the_kinds_of_messages() -> None:
    request = parse(b'{"jsonrpc":"2.0","id":1,"method":"x"}')
    notification = parse(b'{"jsonrpc":"2.0","method":"x","params":{}}')
    result = parse(b'{"jsonrpc":"2.0","id":1,"result":null}')
    error = parse(b'{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"m"}}')
    kinds = [(is_request(m), is_notification(m), is_response(m)) for m in (request, notification, result, error)]
    assert kinds == [(True, False, False), (False, True, False), (False, False, True), (False, False, True)]
    assert request.params is UNSET
    assert bytes(notification.params) == b"{}"  # type: ignore[arg-type]


# Batches


def test_a_batch_is_split_into_messages_and_each_stands_for_itself() -> None:
    assert [is_batch(data) for data in (b" \r\n\t[", b"[]", b"{}", b"", b" 1", b'"["')] == [True, True] + [False] * 4
    assert split_batch(b' [ {"a":1} , 5,"x" ]') == [b'{"a":1}', b"5", b'"x"']
    assert len(split_batch(b"[" + b"1," * 99 + b"1]")) == 100


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"[]", InvalidRequestError),
        (b"[" + b"1," * 100 + b"1]", InvalidRequestError),
        (b"[1", ParseError),
        (b"[1,]", ParseError),
        (b"[1]x", ParseError),
        (b'["\xff"]', ParseError),
        (b"[" * 300 + b"]" * 300, ParseError),
    ],
)
def test_what_is_no_batch_is_refused(data: bytes, kind: type[McpError]) -> None:
    with pytest.raises(McpError) as caught:
        split_batch(data)
    assert type(caught.value) is kind


# Keys that stand twice (H18)


@pytest.mark.parametrize(
    "data",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}',
        b'{"jsonrpc":"2.0","id":1,"method":"a","\\u006dethod":"b"}',
        b'{"jsonrpc":"2.0","id":1,"method":"a","meth\\u006Fd":"b"}',
        b'{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}',
        b'{"jsonrpc":"2.0","id":1,"\\u0069d":2,"method":"a"}',
        b'{"jsonrpc":"2.0","id":1,"method":"a","params":{},"params":{}}',
        b'{"jsonrpc":"2.0","id":1,"method":"a","params":{},"p\\u0061rams":{}}',
        b'{"id":1,"id":1,"jsonrpc":"2.0","method":"a","params":{}}',
        b'{"jsonrpc":"2.0","id":1,"result":{},"result":{}}',
        b'{"jsonrpc":"2.0","id":1,"error":{},"error":{}}',
    ],
)
def test_a_member_of_the_envelope_that_stands_twice_is_refused(data: bytes) -> None:
    with pytest.raises(ParseError, match="twice"):
        parse(data)


CLIENT = b'"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}'


def read_call(params: bytes) -> None:
    """As the engine reads a call."""
    data = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s}}' % params
    if parse_tool_call(data) is not None:
        return
    message = parse(data)
    decoded = json.loads(bytes(message.params))  # type: ignore[arg-type]
    check_named(message.params, decoded["name"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "params",
    [
        b'"name":"a","name":"b"',
        b'"name":"a","\\u006eame":"b"',
        b'"name":"a","n\\u0061me":"b"',
        b'"name":"a","arguments":{},"arguments":{}',
        b'"name":"a","arguments":{},"argument\\u0073":{}',
        b'"name":"a","name":"b",' + CLIENT,
        b'"name":"a","name":"b","arguments":{"t":"/clientInfo"}',
        b'"name":"a","name":"b","arguments":{"/clientInfo":1}',
        b'"name":"a","name":"b","arguments":{"t":"io.modelcontextprotocol/clientInfo"}',
        b'"name":"a","name":"b","arguments":{"t":"/clientInfo\\":{\\"name\\""}',
        b'"name":"a","name":"b","_meta":{"io.modelcontextprotocol/clientInfo":{}}',
        b'"name":"a","name":"b","_meta":{"io.modelcontextprotocol/clientInfo":{"version":"1"}}',
        b'"name":"a","_meta":{},"_meta":{}',
        b'"_meta":{"x":1},"name":"a","_meta":{}',
    ],
)
def test_a_second_name_finds_no_room(params: bytes) -> None:
    with pytest.raises(ParseError, match="twice"):
        read_call(params)


@pytest.mark.parametrize(
    "params",
    [
        b'"name":"a","arguments":{"name":"b","arguments":1,"id":2,"method":"m","params":3,"_meta":4}',
        b'"name":"a","arguments":{"x":[{"name":"b"},{"name":"b"}]}',
        b'"name":"a",' + CLIENT,
        b'"name": "a", "_meta": {"io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"}}',
        b'"name":"a","_meta":{"io.modelcontextprotocol/clientInfo":{"version":"1","name":"c"}}',
        b'"name":"a","arguments":{"t":"\\"name\\" \\u00e9 \\"name\\""}',
        b'"name":"\\u0061"',
        b'"arguments":{},"name":"a"',
    ],
)
def test_honest_calls_pass(params: bytes) -> None:
    read_call(params)


@pytest.mark.parametrize("space", [b"", b" ", b"\r\n"], ids=["compact", "spaces", "lines"])
def test_the_long_way_takes_what_the_short_way_takes_however_it_is_written(space: bytes) -> None:
    """Found by fuzzing: a key twice in `clientInfo` mattered only beside unusual spaces, and only to `parse`."""
    info = b'{"name":"c","version":"1","version":"1"}'
    arguments = b'{"id":1,"method":"m","x":1,"x":2}'
    params = b'{"name":"a","arguments":%b,"_meta":{"io.modelcontextprotocol/clientInfo":%b}}' % (arguments, info)
    data = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%b}' % params
    data = data.replace(b'":', b'":' + space).replace(b"{", b"{" + space)
    call, message = parse_tool_call(data), parse(data)
    assert call is not None
    check_named(message.params, call.params.name, call.params.meta, call.params.arguments)  # type: ignore[arg-type]


def test_the_short_way_takes_exactly_what_the_long_way_takes() -> None:
    """`parse_tool_call` may only ever accept a call in which nothing stands twice and nothing is left over."""
    rng = random.Random(11)
    parts = [
        b'"name":"echo"',
        b'"name":""',
        b'"arguments":{}',
        b'"arguments":{"name":"x"}',
        b'"_meta":{}',
        b'"_meta":{"name":"y"}',
        b'"x":1',
        b'"n\\u0061me":"z"',
        b'"name":"with \\" in it"',
        b'"arguments":{"text":"\\"name\\": 1"}',
    ]
    envelope = [b'"jsonrpc":"2.0"', b'"id":1', b'"id":"a"', b'"method":"tools/call"', b'"method":"ping"', b'"y":{}']
    taken = {b",": 0, b", ": 0, b" ,\n ": 0}
    for _ in range(40_000):
        comma = rng.choice(list(taken))
        params = b"{" + comma.join(rng.choices(parts, k=rng.randrange(1, 4))) + b"}"
        members = [*rng.sample(envelope[:4], 4 if rng.random() < 0.3 else 3), b'"params":' + params]
        if rng.random() < 0.3:
            members.append(rng.choice(envelope))
        data = b"{" + comma.join(members) + b"}"
        if comma != b",":
            data = data.replace(b'":', b'": ')
        found = parse_tool_call(data)
        if found is None:
            continue
        taken[comma] += 1
        read = messages.json.check_unique_keys(data)
        assert {"jsonrpc", "id", "method", "params"} <= set(read)
        assert set(read["params"]) <= {"name", "arguments", "_meta", "x"}, (
            "a short unknown member may stand beside them"
        )
        assert found.params.name == read["params"]["name"]
    assert min(taken.values()) > 200, taken


@pytest.mark.parametrize("request_id", [1, 2**60, "a", "0b0c0d0e-0000-4000-8000-000000000000"])
@pytest.mark.parametrize("arguments", [{}, {"arguments": {}}, {"arguments": {"name": 'a "b"', "x": [1, 2]}}])
@pytest.mark.parametrize("meta", [{}, {"_meta": {"io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"}}}])
@pytest.mark.parametrize(
    "style", [{}, {"separators": (",", ":")}, {"indent": 2}], ids=["spaces", "compact", "indented"]
)
def test_a_call_takes_the_short_way_however_its_json_is_written(
    request_id: str | int, arguments: dict[str, Any], meta: dict[str, Any], style: dict[str, Any]
) -> None:
    """C15: Python's `json.dumps` puts a space behind each comma and colon, which must not cost the long way."""
    call = {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": {"name": "echo", **arguments, **meta}}
    found = parse_tool_call(json.dumps(call, **style).encode())
    assert found is not None
    assert (found.id, found.params.name) == (request_id, "echo")
