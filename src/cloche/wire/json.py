"""Strict JSON (RFC 8259) with limits, checked before anything is believed.

msgspec decodes quickly and refuses NaN, trailing text and control characters. What it lets pass is caught here:
nesting that is too deep, keys that stand twice in one object (two readers of such a message may see two different
messages), and invalid UTF-8 in parts that nobody decodes.
"""

from __future__ import annotations

import gc
import json as stdlib_json
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import msgspec

from cloche.errors import ParseError, shorten

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
"""The largest message that a server reads, on every transport."""

MAX_ANSWER_BYTES = 16 * 1024 * 1024
"""The largest message that a server sends, and so the largest that a client reads."""

MAX_DEPTH = 256
"""The deepest nesting of arrays and objects that is read."""

MAX_VALUES = 1_000_000
"""The most values in one message, where a list or object counts as one more, and a member's name as two. What a decoder
makes of one byte may take fifty in memory, and as much time: so a large message is weighed and counted.
"""

BULK_BYTES = 256 * 1024
"""From this size on a message is looked at by parts, none of which takes long, and its values are counted."""

encode = msgspec.json.encode

# Possessive, and content with a string that never ends: so each byte is looked at once, whatever the peer sends.
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def check_text(data: bytes) -> None:
    """Refuse what a decoder may overlook: bad UTF-8 and deep nesting. Cheap for ordinary messages."""
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            raise ParseError("Parse error: the message is not valid UTF-8") from None
    check_brackets(data)


def check_brackets(data: bytes) -> None:
    """Refuse nesting deeper than `MAX_DEPTH`; a text with few brackets is not looked at closely."""
    if len(data) > BULK_BYTES:
        check_bulk(data)
    # Every level takes two bytes, so a short message needs no look at its brackets.
    elif len(data) > 2 * MAX_DEPTH and data.count(b"{") + data.count(b"[") > MAX_DEPTH:
        check_depth(data)


def check_depth(data: bytes, limit: int = MAX_DEPTH) -> None:
    """Refuse nesting deeper than `limit` without recursion, at the first bracket too many."""
    level = 0
    parts = _outside_strings(data) if len(data) > BULK_BYTES else [_STRINGS.sub(b"", data)]
    for part in parts:
        level = _check_levels(part.translate(None, _NOT_BRACKETS), limit, level)


def _outside_strings(data: bytes) -> Iterator[bytes]:
    """What stands between the strings of a JSON text, part by part: so that none of the steps takes long. A text that
    is not JSON may be cut otherwise; whoever decodes it stops where that begins.
    """
    # Without escapes, every quote begins or ends a string.
    plain = data.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in data else data
    inside = 0
    for start in range(0, len(plain), BULK_BYTES):
        parts = plain[start : start + BULK_BYTES].split(b'"')
        yield b"".join(parts[inside::2])
        inside ^= (len(parts) - 1) & 1


def _check_levels(brackets: bytes, limit: int, level: int = 0) -> int:
    """Refuse brackets that nest deeper than `limit`, counted from `level` on; the level that they end at."""
    levels = list(accumulate(map(_STEP.__getitem__, brackets), initial=level))
    if max(levels) > limit:
        raise ParseError(f"Parse error: the message is nested deeper than {limit} levels")
    return levels[-1]


def check_bulk(data: bytes, most: int = MAX_VALUES) -> None:
    """The same for a large message, whose values are counted too: `most` is how many there may be."""
    brackets = data.count(b"[") + data.count(b"{")
    if brackets <= MAX_DEPTH and data.count(b",") + 2 * data.count(b":") < most - brackets:
        return  # even if none of them stands in a text
    count_values(data, most)


def count_values(data: bytes, most: int | None = None) -> int:
    """How many values a JSON text has, where a list or object counts as one more and a name as two. Refuses more than
    `most`, and deep nesting, at the first one too many.
    """
    found = level = 0
    for part in _outside_strings(data):
        found += part.count(b",") + part.count(b"[") + part.count(b"{") + 2 * part.count(b":")
        if most is None:
            continue
        if found > most:
            raise ParseError(f"Parse error: the message has more than {most} values")
        level = _check_levels(part.translate(None, _NOT_BRACKETS), MAX_DEPTH, level)
    return found


def decode(data: bytes | msgspec.Raw) -> Any:
    """Plain Python values; raises `ParseError`.

    While the values of a large message are made, Python need not look for garbage among them: that takes several times
    as long as making them. Nothing else runs meanwhile, so nobody else goes without.
    """
    pausing = len(data) > BULK_BYTES and gc.isenabled()
    if pausing:
        gc.disable()
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ParseError(f"Parse error: {shorten(str(error))}") from None
    finally:
        if pausing:
            gc.enable()


def check_unique_keys(data: bytes) -> Any:
    """Parse everything slowly and refuse an object in which a key stands twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            raise ParseError("Parse error: a key stands twice in one object")
        return members

    try:
        return stdlib_json.loads(data, object_pairs_hook=unique)
    except RecursionError:
        raise ParseError("Parse error: the message is nested too deeply") from None
    except ValueError:
        raise ParseError("Parse error: the message is not JSON") from None


def is_json(data: bytes | msgspec.Raw) -> bool:
    """Whether `data` is JSON all the way down; for telling bad JSON from JSON of the wrong shape."""
    try:
        if len(data) > BULK_BYTES:
            check_bulk(bytes(data))
        msgspec.json.decode(data)
    except (ParseError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True
