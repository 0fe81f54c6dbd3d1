"""Strict JSON (RFC 8259) with limits, checked before anything is believed.

msgspec decodes quickly and refuses NaN, trailing text and control characters. What it lets pass is caught here:
nesting that is too deep, keys that stand twice in one object (two readers of such a message may see two different
messages), and invalid UTF-8 in parts that nobody decodes.
"""

from __future__ import annotations

import json as stdlib_json
import re
from itertools import accumulate
from typing import Any

import msgspec

from cloche.errors import ParseError

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
"""The largest message that a server reads, on every transport."""

MAX_ANSWER_BYTES = 16 * 1024 * 1024
"""The largest message that a server sends, and so the largest that a client reads."""

MAX_DEPTH = 256
"""The deepest nesting of arrays and objects that is read."""

encode = msgspec.json.encode

# Possessive, and content with a string that never ends: so each byte is looked at once, whatever the peer sends.
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BEGINNING = 16 * 1024
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
    # Every level takes two bytes, so a short message needs no look at its brackets.
    if len(data) > 2 * MAX_DEPTH and data.count(b"{") + data.count(b"[") > MAX_DEPTH:
        check_depth(data)


def check_depth(data: bytes, limit: int = MAX_DEPTH) -> None:
    """Refuse nesting deeper than `limit` without recursion; what is deep from the start at the first look."""
    if len(data) > _BEGINNING:
        check_depth(data[:_BEGINNING], limit)
    brackets = _STRINGS.sub(b"", data).translate(None, _NOT_BRACKETS)
    if max(accumulate(map(_STEP.__getitem__, brackets)), default=0) > limit:
        raise ParseError(f"Parse error: the message is nested deeper than {limit} levels")


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
        msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True
