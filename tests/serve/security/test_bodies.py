"""H15 to H23: what a body can be besides a message."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from typing import Any

import pytest

from cloche import Limits
from cloche.wire import json as wire_json
from tests.serve.security.surface import Surface, check_next_works, check_refusal
from tests.support.http_client import MODERN, HttpClient, message, modern, modern_headers

CANARY = "canary-7f3a"
STATELESS = (b"mcp-protocol-version", MODERN.encode())


async def in_both_eras(client: HttpClient) -> list[Any]:
    """How a body is sent: stateless, and in a session."""
    session = await client.initialize()

    async def stateless(body: bytes) -> Any:
        return await client.post(body, STATELESS)

    return [stateless, session.post]


# H15

NO_JSON = {
    "empty": b"",
    "blank": b" \r\n\t ",
    "half": b'{"jsonrpc":"2.0","id":1,"method":"ping"',
    "trailing comma": b'{"jsonrpc":"2.0","id":1,"method":"ping",}',
    "two messages": b'{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}',
    "garbage behind": b'{"jsonrpc":"2.0","id":1,"method":"ping"}x',
    "single quotes": b"{'jsonrpc':'2.0','id':1,'method':'ping'}",
    "comment": b'{"jsonrpc":"2.0",/**/"id":1,"method":"ping"}',
    "invalid UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}',
    "invalid UTF-8 where nobody looks": b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\xff"}}',
    "overlong UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"p\xc0\xaeng"}',
    "surrogate in UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}',
    "lone surrogate": b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\\ud800"}}',
    "NUL": b'{"jsonrpc":"2.0","id":1,"method":"ping"}\x00',
    "NUL inside": b'{"jsonrpc":"2.0","id":1,"method":"pi\x00ng"}',
    "control character": b'{"jsonrpc":"2.0","id":1,"method":"pi\x01ng"}',
    "BOM": b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}',
    "UTF-16": '{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-16"),
    "bad escape": b'{"jsonrpc":"2.0","id":1,"method":"\\x70ing"}',
    "leading zero": b'{"jsonrpc":"2.0","id":01,"method":"ping"}',
    "open batch": b'[{"jsonrpc":"2.0","id":1,"method":"ping"}',
    "not a message": b"GET / HTTP/1.1",
}


@pytest.mark.parametrize("case", NO_JSON)
async def test_H15_what_is_not_json_is_a_parse_error_and_the_session_survives(case: str) -> None:
    client = Surface().client()
    for send in await in_both_eras(client):
        answer = await send(NO_JSON[case])
        check_refusal(answer, 400, -32700)
        assert answer.json["id"] is None
    session = await client.initialize()
    await session.post(NO_JSON[case])
    assert (await session.call("echo", text="survived")).text == "survived"


def test_H15_a_lenient_reader_takes_some_of_these() -> None:
    taken = []
    for case, body in NO_JSON.items():
        try:
            json.loads(body)
        except (ValueError, RecursionError):
            continue
        taken.append(case)
    assert {"BOM", "UTF-16", "lone surrogate"} <= set(taken)


# H16

NO_MESSAGE = {
    "empty object": {},
    "number": 1,
    "text": CANARY,
    "null": None,
    "true": True,
    "no version": {"id": 1, "method": "ping"},
    "wrong version": {"jsonrpc": "1.0", "id": 1, "method": "ping"},
    "no method": {"jsonrpc": "2.0", "id": 1},
    "method is a number": {"jsonrpc": "2.0", "id": 1, "method": 5},
    "method is empty": {"jsonrpc": "2.0", "id": 1, "method": ""},
    "id is null": {"jsonrpc": "2.0", "id": None, "method": "ping"},
    "id is true": {"jsonrpc": "2.0", "id": True, "method": "ping"},
    "id is a fraction": {"jsonrpc": "2.0", "id": 1.5, "method": "ping"},
    "id is a list": {"jsonrpc": "2.0", "id": [CANARY], "method": "ping"},
    "result and error": {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": CANARY}},
    "method and result": {"jsonrpc": "2.0", "id": 1, "method": "ping", "result": {"x": CANARY}},
    "canary everywhere": {CANARY: CANARY * 50, "id": {CANARY: 1}},
    "empty batch": [],
    "batch": [{"jsonrpc": "2.0", "id": 1, "method": "ping"}],
    "batch in a batch": [[]],
    "batch of nothing": [1, CANARY],
}


@pytest.mark.parametrize("case", NO_MESSAGE)
async def test_H16_json_that_is_no_message_gets_a_short_fixed_text(case: str) -> None:
    client = Surface().client()
    for send in await in_both_eras(client):
        answer = await send(json.dumps(NO_MESSAGE[case]).encode())
        text = check_refusal(answer, 400, -32600)
        assert len(text) < 150
        assert CANARY not in answer.body.decode()
        assert len(answer.body) < 250
    await check_next_works(client)


async def test_H16_batches_are_where_2025_03_26_allows_them_and_nowhere_else() -> None:
    client = Surface().client()
    session = await client.initialize("2025-03-26")
    calls = [message("tools/call", {"name": "echo", "arguments": {"text": f"{n}"}}, n) for n in range(3)]
    mixed = [*calls, message("notifications/x", None, None), {"jsonrpc": "2.0", "id": 9}, 5]
    answers = (await session.post(mixed)).json
    assert [answer.get("id") for answer in answers] == [0, 1, 2, 9, None]
    assert [answer["error"]["code"] for answer in answers[3:]] == [-32600, -32600]
    assert (await session.post([message("notifications/x", None, None)])).status == 202
    check_refusal(await session.post([message("ping")] * 101), 400, -32600)
    assert (await session.post([message("initialize", {})])).json[0]["error"]["code"] == -32600


@pytest.mark.parametrize("version", [b"2099-01-01", b"", b"\xff\xff", b"2025-03-26\x00", b"x" * 1000])
@pytest.mark.parametrize("sessionless", [False, True])
async def test_H16_an_unknown_version_in_the_header_is_refused_also_for_batches(
    version: bytes, sessionless: bool
) -> None:
    client = Surface().client(sessionless=sessionless)
    for body in (message("ping"), [message("ping")]):
        check_refusal(await client.post(body, (b"mcp-protocol-version", version)), 400, -32022)
    await check_next_works(client)


# H17

NUMBERS = [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999"]


@pytest.mark.parametrize("number", NUMBERS)
async def test_H17_numbers_that_json_does_not_have_are_a_parse_error(number: bytes) -> None:
    surface = Surface()
    seen: list[Any] = []

    @surface.server.tool
    async def take(value: Any) -> str:
        seen.append(value)
        return "taken"

    client = surface.client()
    session = await client.initialize()
    template = json.dumps(message("tools/call", {"name": "take", "arguments": {"value": "@"}})).encode()
    answer = await session.post(template.replace(b'"@"', number))
    assert answer.error["code"] == -32700
    body = modern("tools/call", {"name": "take", "arguments": {"value": "@"}})
    answer = await client.post(json.dumps(body).encode().replace(b'"@"', number), *modern_headers(body))
    check_refusal(answer, 400, -32700)
    assert seen == []
    await check_next_works(client)

    # The standard library takes every one of them.
    assert abs(json.loads(template.replace(b'"@"', number))["params"]["arguments"]["value"]) != 1.0
    good = await session.post(template.replace(b'"@"', b"1.5"))
    assert good.text == "taken"


# H18

SMUGGLED = {
    "method twice": b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"echo"%s}}',
    "method in disguise": (
        b'{"jsonrpc":"2.0","id":1,"method":"ping","\\u006dethod":"tools/call","params":{"name":"echo"%s}}'
    ),
    "params twice": (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"safe"},"params":{"name":"echo"%s}}'
    ),
    "name twice": b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"safe","name":"echo"%s}}',
    "name in disguise": (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"safe","n\\u0061me":"echo"%s}}'
    ),
    "arguments twice": (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
        b'"params":{"name":"echo","arguments":{"text":"safe"},"arguments":{"text":"smuggled"}%s}}'
    ),
    "id twice": b'{"jsonrpc":"2.0","id":7,"id":1,"method":"tools/call","params":{"name":"echo"%s}}',
    "name twice beside a text that ends like the client's key": (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
        b'"params":{"name":"safe","name":"echo","arguments":{"text":"/clientInfo"}%s}}'
    ),
    "name twice beside a key that ends like the client's": (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"safe","name":"echo","x/clientInfo":1%s}}'
    ),
    "meta twice": b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{},"name":"echo","_meta":{}%s}}',
}
STATELESS_META = (
    b',"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
)


def first_wins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """How a checking proxy may read: the first of two keys."""
    return dict(reversed(pairs))


@pytest.mark.parametrize("case", SMUGGLED)
async def test_H18_a_key_that_stands_twice_smuggles_nothing(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    surface = Surface()
    client = surface.client()
    session = await client.initialize()
    body = SMUGGLED[case] % b""
    assert json.loads(body) != json.loads(body, object_pairs_hook=first_wins) or case == "meta twice"
    check_refusal(await session.post(body), (200, 400), -32700)
    named = [STATELESS, (b"mcp-method", b"tools/call"), (b"mcp-name", b"echo")]
    check_refusal(await client.post(SMUGGLED[case] % STATELESS_META, *named), 400, -32700)
    assert surface.ran == []
    await check_next_works(client)

    monkeypatch.setattr(wire_json, "check_unique_keys", lambda data: None)
    surface.ran.clear()
    assert "result" in (await session.post(body)).json
    assert len(surface.ran) == 1


@pytest.mark.parametrize("space", [b"", b" ", b"\r\n"], ids=["compact", "spaces", "lines"])
@pytest.mark.parametrize("method", [b"tools/list", b"tools/call"])
async def test_H18_meta_stands_once_in_every_request_however_it_is_written(method: bytes, space: bytes) -> None:
    client = Surface().client()
    meta = STATELESS_META[1:]
    body = b'{"jsonrpc":"2.0","id":1,"method":"%b","params":{"name":"echo",%b,%b}}' % (method, meta, meta)
    named = [STATELESS, (b"mcp-method", method), (b"mcp-name", b"echo")]
    spaced = body.replace(b'":', b'":' + space).replace(b',"', b"," + space + b'"')
    check_refusal(await client.post(spaced, *named[: 3 if method == b"tools/call" else 2]), 400, -32700)


async def test_H18_ordinary_messages_with_these_words_in_them_pass() -> None:
    surface = Surface()

    @surface.server.tool
    async def create(name: str, id: str, method: str, params: dict[str, str], arguments: list[str]) -> str:
        return f"{name} {id} {method} {params} {arguments}"

    client = surface.client()
    given = {"name": "n", "id": "i", "method": "m", "params": {"id": "i", "name": "x"}, "arguments": ["é", '"name"']}
    info = {"io.modelcontextprotocol/clientInfo": {"name": "client", "version": "1"}}
    body = modern("tools/call", {"name": "create", "arguments": given}, 1, **info)
    answer = await client.post(body, *modern_headers(body))
    assert answer.text.startswith("n i m ")


# H19


@pytest.mark.requirement(159)
@pytest.mark.parametrize("depth", [1000, 10_000, 100_000, 1_000_000])
@pytest.mark.parametrize("kind", ["lists", "objects", "both", "params", "arguments"])
async def test_H19_deep_nesting_is_refused_quickly(depth: int, kind: str) -> None:
    client = Surface(limits=Limits(message_bytes=1 << 24)).client()
    lists = b"[" * depth + b"]" * depth
    body = {
        "lists": lists,
        "objects": b'{"a":' * depth + b"1" + b"}" * depth,
        "both": b'[{"a":' * (depth // 2) + b"1" + b"}]" * (depth // 2),
        "params": b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":' + lists + b"}}",
        "arguments": b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":'
        + lists
        + b"}}}",
    }[kind]
    for send in await in_both_eras(client):
        began = time.perf_counter()
        check_refusal(await send(body), 400, -32700)
        assert time.perf_counter() - began < 1.0
    await check_next_works(client)


def test_H19_the_standard_library_falls_over() -> None:
    with pytest.raises(RecursionError):
        json.loads(b"[" * 100_000 + b"]" * 100_000)


@pytest.mark.requirement(159)
async def test_H19_a_string_that_never_ends_takes_one_look_at_each_byte() -> None:
    client = Surface().client()
    for body in (b"[" * 300 + b'"' + b'\\"' * 1_000_000, b"[" * 300 + b'"' * 1_000_001, b"[" * 300 + b'"\\' * 500_000):
        began = time.perf_counter()
        check_refusal(await client.post(body, STATELESS), 400, -32700)
        assert time.perf_counter() - began < 3.0


async def test_H19_what_is_deep_but_within_the_limit_is_read() -> None:
    surface = Surface()

    @surface.server.tool
    async def take(value: Any) -> str:
        return "taken"

    depth = 200
    text = json.dumps(modern("tools/call", {"name": "take", "arguments": {"value": "@"}})).encode()
    body = text.replace(b'"@"', b"[" * depth + b"]" * depth)
    headers = modern_headers(modern("tools/call", {"name": "take"}))
    assert (await surface.client().post(body, *headers)).text == "taken"
    # Brackets in a text are no nesting.
    assert (await surface.client().call("echo", text="[{" * 5000)).text == "[{" * 5000


# H20


@pytest.mark.parametrize(
    "number",
    [b"9" * 20, b"9" * 400, b"-" + b"9" * 400, b"9" * 5000, b"9" * 100_000, b'"%s"' % (b"i" * 257), b"1e400"],
)
async def test_H20_an_id_of_any_length_is_neither_taken_nor_echoed(number: bytes) -> None:
    surface = Surface()
    client = surface.client()
    for send in await in_both_eras(client):
        answer = await send(b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"},"id":%s}' % number)
        check_refusal(answer, 400)
        assert answer.error["code"] in (-32600, -32700)
        assert answer.json["id"] is None
        assert len(answer.body) < 250
    assert surface.ran == []
    await check_next_works(client)


async def test_H20_a_long_number_in_the_arguments_is_the_caller_s_error() -> None:
    surface = Surface()

    @surface.server.tool
    async def add(number: int) -> int:
        return number + 1

    session = await surface.client().initialize()
    for digits in (400, 5000, 100_000):
        body = json.dumps(message("tools/call", {"name": "add", "arguments": {"number": "@"}})).encode()
        answer = await session.post(body.replace(b'"@"', b"9" * digits))
        assert answer.status in (200, 400)
        assert len(answer.body) < 1500
        assert answer.json.get("error", {}).get("code", -32700) in (-32700, -32602)
    assert (await session.call("add", number=1)).text == "2"
    longest = "i" * 256
    assert (await session.post(message("ping", None, longest))).json["id"] == longest


# H21


@pytest.mark.requirement(159)
async def test_H21_a_body_that_says_it_is_too_large_is_not_read_at_all() -> None:
    client = Surface().client()
    for length in (b"5000000", b"52428800", b"999999999999999999"):
        headers = client.headers(STATELESS, (b"content-length", length))
        assert "4194304" in check_refusal(await client.start("POST", headers).answer(), 413)
    for length in (b"-1000000", b"0x100000", b"9" * 30, b"100000,1", b"\xb2" * 7):
        check_refusal(await client.start("POST", client.headers((b"content-length", length))).answer(), 400)
    await check_next_works(client)


@pytest.mark.requirement(159)
async def test_H21_a_body_without_a_length_is_read_up_to_the_limit_and_no_further() -> None:
    client = Surface(limits=Limits(message_bytes=1_000_000)).client()
    part = b" " * 100_000
    call = client.start("POST", client.headers(STATELESS), [part] * 50)
    check_refusal(await call.answer(), 413)
    assert call._inbox.qsize() == 50 - 11
    await check_next_works(client)

    lifted = Surface(limits=Limits(message_bytes=100_000_000)).client()
    call = lifted.start("POST", lifted.headers(STATELESS), [part] * 50)
    call.feed(json.dumps(message("notifications/x", None, None)).encode())
    assert (await call.answer()).status == 202
    assert call._inbox.qsize() == 0


# H22


@pytest.mark.parametrize("coding", [b"gzip", b"deflate", b"br", b"zstd", b"x-gzip", b"identity, gzip", b"GZIP", b""])
async def test_H22_a_compressed_body_is_never_unpacked(coding: bytes) -> None:
    client = Surface().client()
    text = json.dumps(modern("tools/call", {"name": "echo", "arguments": {"text": "x" * 20_000_000}})).encode()
    bomb = zlib.compress(text) if coding == b"deflate" else gzip.compress(text, 1)
    assert len(text) > 100 * len(bomb)  # the control: whoever unpacks it gets this much
    headers = client.headers(STATELESS, (b"content-encoding", coding))
    # The body is never fed: the refusal comes before it.
    assert "Content-Encoding" in check_refusal(await client.start("POST", headers).answer(), 415)
    check_refusal(await client.post(bomb, STATELESS), 400, -32700)  # unlabelled it is not JSON
    await check_next_works(client)


# H23


async def test_H23_an_answer_has_a_limit_and_one_over_it_becomes_a_sentence() -> None:
    surface = Surface(limits=Limits(result_bytes=100_000))
    client = surface.client()
    text = "x" * 60_000
    answer = await client.call("twice", text=text)
    assert answer.error["code"] == -32603
    assert "100000" in answer.error["message"]
    assert len(answer.body) < 500
    assert (await client.call("echo", text=text)).text == text
    session = await client.initialize()
    assert (await session.call("twice", text=text)).error["code"] == -32603

    lifted = Surface(limits=Limits(result_bytes=10_000_000)).client()
    amplified = await lifted.call("twice", text=text)
    assert len(amplified.body) > 2 * len(text)


async def test_H23_the_answers_to_a_batch_share_the_limit() -> None:
    def batch() -> list[Any]:
        call = {"name": "echo", "arguments": {"text": "x" * 30_000}}
        return [message("tools/call", call, number) for number in range(10)]

    session = await Surface(limits=Limits(result_bytes=100_000)).client().initialize("2025-03-26")
    answer = await session.post(batch())
    assert len(answer.body) < 105_000
    assert [one["id"] for one in answer.json] == list(range(10))
    assert ["result" in one for one in answer.json] == [True] * 3 + [False] * 7
    assert (await session.call("echo", text="ok")).text == "ok"

    lifted = await Surface(limits=Limits(result_bytes=10_000_000)).client().initialize("2025-03-26")
    assert len((await lifted.post(batch())).body) > 300_000


async def test_errors_never_carry_a_peer_s_text_back_at_length() -> None:
    client = Surface().client()
    session = await client.initialize()
    long = CANARY * 20_000
    requests: list[tuple[str, Any]] = [
        ("tools/call", {"name": long}),
        ("tools/call", {"name": "echo", "arguments": {long: 1}}),
        ("tools/call", {"name": "echo", "arguments": {"text": {long: long}}}),
        ("tools/call", {"name": "echo", "arguments": long}),
        ("prompts/get", {"name": long}),
        ("resources/read", {"uri": "x://" + long}),
        (
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": long}, "argument": {"name": "x", "value": long}},
        ),
        ("tools/list", {"cursor": long}),
        ("logging/setLevel", {"level": long}),
        ("resources/subscribe", {"uri": long}),
        ("initialize", {"protocolVersion": long}),
        ("tools/call", [long]),
        ("tools/call", long),
    ]
    for method, params in requests:
        for answer in (await session.request(method, params), await client.post(message(method, params), STATELESS)):
            assert answer.status < 500
            assert len(answer.body) < 1500, (method, answer)
            assert answer.body.count(CANARY.encode()) * len(CANARY) <= 520
    assert (await session.call("echo", text="still here")).text == "still here"
    unknown = await session.post(message("x" * 256))
    assert unknown.error["code"] == -32601
    assert len(unknown.body) < 300
