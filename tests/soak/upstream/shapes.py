"""What a hostile server sends: results of every size and shape, lists, messages and whole HTTP answers, by a seed."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable
from functools import cache
from random import Random
from typing import Any

from tests.support.hostile_upstream import HEAD, Piece, body, events, message, raw

MEGABYTE = 1024 * 1024
LARGEST = 24 * MEGABYTE
"""More than a host takes, so that both sides of the limit are met."""

BOMB = 400 * MEGABYTE


def size_of(random: Random) -> int:
    """Mostly small, now and then larger than allowed."""
    return int(min(LARGEST, 2 ** random.uniform(0, 25)))


def result_of(random: Random) -> bytes:
    """A result as JSON, or nearly."""
    size = size_of(random)
    inside: bytes = random.choice(VALUES)(size)
    return b'{"content":[{"type":"text","text":"x"}],"structuredContent":{"x":%b}}' % inside


VALUES = (
    lambda size: b'"%b"' % (b"a" * size),
    lambda size: b'"%b"' % (b"\\n" * (size // 2)),
    lambda size: b'"%b"' % (b'\\"a\\",' * (size // 6)),
    lambda size: b'"%b"' % (b"1,2,{" * (size // 5)),
    lambda size: b'"%b"' % ("ü".encode() * (size // 2)),
    lambda size: b'"%b"' % (b"\\u0041" * (size // 6)),
    lambda size: b"[%b0]" % (b"[]," * (size // 3)),
    lambda size: b"[%b0]" % (b"{}," * (size // 3)),
    lambda size: b"[%b0]" % (b'{"a":1},' * (size // 8)),
    lambda size: b"[%b0]" % (b"1," * (size // 2)),
    lambda size: b"[%b0]" % (b"1.25e3," * (size // 7)),
    lambda size: b"[%b0]" % (b'"",' * (size // 3)),
    lambda size: b"[%b0]" % (b'{"id":12345,"name":"abc def","v":1.25,"ok":true},' * (size // 49)),
    lambda size: b"{%b}" % b",".join(b'"%x":1' % number for number in range(min(size, 4 * MEGABYTE) // 10)),
    lambda size: b"[" * (size // 2) + b"]" * (size // 2),
    lambda size: b"[" * size,
    lambda size: b'"' + b"\xff" * size + b'"',
    lambda size: b"1" * size,
    lambda size: b" " * size + b"1",
)


def answer_of(random: Random, request_id: Any) -> bytes:
    """One message that answers a request, or does not quite."""
    whole = raw(request_id, result_of(random))
    kind = random.randrange(12)
    if kind == 0:
        return whole[: random.randrange(len(whole))]
    if kind == 1:
        return raw("another", b"{}")
    if kind == 2:
        return whole.replace(b'"jsonrpc"', b' "jsonrpc"')
    if kind == 3:
        return b"[%b]" % whole
    if kind == 4:
        return b'{"jsonrpc":"2.0","id":%b,"error":{"code":-1,"message":"%b","data":%b}}' % (
            json.dumps(request_id).encode(),
            b"m" * min(size_of(random), MEGABYTE),
            random.choice(VALUES)(min(size_of(random), MEGABYTE)),
        )
    return whole


CHANGED = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
UPDATED = b'{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a://b"}}'
LOG = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'
ASKING = b'{"jsonrpc":"2.0","id":"s%d","method":"sampling/createMessage","params":{}}'


def chatter(random: Random) -> list[bytes]:
    """Messages that nobody asked for."""
    count = random.choice([1, 10, 100, 1000, 3000])
    kind = random.randrange(6)
    if kind == 0:
        return [ASKING % number for number in range(min(count, 500))]
    if kind == 1:
        return [LOG.replace(b'"x"', b'"%b"' % (b"x" * min(size_of(random), MEGABYTE)))]
    return [random.choice([CHANGED, UPDATED, LOG]) for _ in range(count)]


def tools_of(random: Random, request_id: Any, cursor: str | None) -> bytes:
    """A page of a list of tools. Mostly it has the one that is called."""
    tool: dict[str, Any] = {"name": "answer", "inputSchema": {"type": "object"}}
    kind = random.randrange(14)
    if kind > 8:
        return message(request_id, {"tools": [tool]})
    size = min(size_of(random), 8 * MEGABYTE)
    tools: Any = {
        0: lambda: [tool],
        1: lambda: [tool, tool | {"description": "d" * size}],
        2: lambda: [tool, tool | {"name": "n" * size}],
        3: lambda: [tool, tool | {"annotations": {"title": "t" * size}, "_meta": {"x": ["y"] * min(size, 10_000)}}],
        4: lambda: [tool, *(tool | {"name": f"t{number}"} for number in range(min(size, 3000)))],
        5: lambda: "no list",
        6: lambda: [tool, tool | {"inputSchema": {"type": "object", "properties": {"p" * size: {}}}}],
        7: lambda: [5, None, {}, {"name": 7}, tool],
        8: lambda: [tool, tool | {"title": "\u202e" * min(size, 100_000), "icons": [{"src": "x" * size}]}],
    }[kind]()
    more = {"nextCursor": "c" * random.choice([1, 1000, 100_000])} if random.random() < 0.5 else {}
    return message(request_id, {"tools": tools, **more})


@cache
def bomb(kind: str) -> bytes:
    """Hundreds of megabytes of zeros in a few hundred kilobytes; "both" packs that once more."""
    packer = zlib.compressobj(1, wbits=31 if kind != "deflate" else 15)
    zeros = bytes(4 * MEGABYTE)
    packed = b"".join([*(packer.compress(zeros) for _ in range(BOMB // len(zeros))), packer.flush()])
    return gzip.compress(packed) if kind == "both" else packed


def http_answer(random: Random, request_id: Any, answer: bytes) -> Iterable[Piece]:
    """The answer to one POST, as a hostile server may give it; half of the time as an honest one would."""
    return body(answer) if random.random() < 0.5 else random.choice(WAYS)(random, answer)


def _bombed(random: Random, _: bytes) -> Iterable[Piece]:
    packing = random.choice(["gzip", "deflate", "both"])
    return body(bomb(packing), b"content-encoding: " + {"both": b"gzip, gzip"}.get(packing, packing.encode()))


def _slowly(_: Random, answer: bytes) -> Iterable[Piece]:
    return [HEAD + b"content-length: 1000000\r\n\r\n", *([b"x", 0.05] * 40)]


def _with_status(random: Random, answer: bytes) -> Iterable[Piece]:
    status = random.choice([b"400", b"401", b"403", b"404", b"429", b"500", b"503"])
    return [HEAD.replace(b"200", status, 1) + b"content-length: %d\r\n\r\n" % len(answer), answer]


def _chunked(_: Random, answer: bytes) -> Iterable[Piece]:
    pieces = [answer[at : at + 50_000] for at in range(0, len(answer), 50_000)]
    chunks = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces]
    return [HEAD + b"transfer-encoding: chunked\r\n\r\n", *chunks, b"0\r\n\r\n"]


def _redirect(location: bytes) -> list[Piece]:
    return [b"HTTP/1.1 307 Elsewhere\r\nlocation: %b\r\ncontent-length: 0\r\nconnection: close\r\n\r\n" % location]


WAYS: tuple[Callable[[Random, bytes], Iterable[Piece]], ...] = (
    _bombed,
    _slowly,
    _with_status,
    _chunked,
    lambda _, answer: body(gzip.compress(answer, 1), b"content-encoding: gzip"),
    lambda _, __: _redirect(b"/mcp"),
    lambda _, __: _redirect(b"http://127.0.0.1:9/"),
    lambda _, answer: [HEAD + b"content-length: %d\r\n\r\n" % len(answer), answer[: len(answer) // 2]],
    lambda random, _: [b"HTTP/1.1 200 OK\r\nx: " + b"y" * size_of(random) + b"\r\n\r\n"],
    lambda _, answer: [HEAD.replace(b"application/json", b"text/html") + b"\r\n", answer],
    lambda random, answer: events(*chatter(random), answer),
    lambda random, answer: events(*chatter(random), answer),
    lambda _, __: [*events()[:1], b"data: ", *([b"z" * MEGABYTE] * 20)],
    lambda _, __: [*events()[:1], b"id: 1\nretry: 1\ndata: \n\n"],
    lambda _, __: [*events()[:1], *([b": still there\n\n", 0.05] * 200)],  # longer than anybody waits
)
