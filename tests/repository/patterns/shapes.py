"""Texts on which a regular expression backtracks, if it can: made from the expression itself.

For every repetition in it: what leads there, then what it repeats, many times, then something that fits nowhere. A
matcher that has two ways to divide such a text tries them all.
"""

from __future__ import annotations

import itertools
import re
import re._constants as ops
import re._parser as parser
from collections.abc import Iterator
from typing import Any, NamedTuple

MANY = 8
"""A repetition that goes no further than this costs nothing worth a look."""

GENERAL = "a1 -_/.<>\"'{}[]():;,=@#%&?!\n\\\t"
SUFFIXES = ("", "\x00")
PUMPS = 6
VARIANTS = 6


class Shape(NamedTuple):
    """`head`, then `pump` as often as it takes, then `tail`."""

    head: str
    pump: str
    tail: str

    @property
    def longest(self) -> int:
        """How long a text must be to show growth: a matcher may begin anew only once in each pump."""
        return min(32_768, 4096 * (1 + len(self.pump)))

    def text(self, length: int) -> str:
        """About so long."""
        return self.head + self.pump * (length // len(self.pump) + 1) + self.tail


def shapes(pattern: str, flags: int = 0) -> list[Shape]:
    """Everything worth a try against `pattern`."""
    tree = parser.parse(pattern, flags)
    letters = "".join(dict.fromkeys([*_literals(tree), *GENERAL]))
    found: dict[Shape, None] = {}
    for before, body in _repetitions(list(tree), [""], letters):
        pumps = list(dict.fromkeys(pump for pump in _pumps(body, letters) if pump))
        for head, pump, tail in itertools.product(before, pumps, SUFFIXES):
            found[Shape(head, pump, tail)] = None
            if head:
                found[Shape("", head + pump, tail)] = None
                found[Shape("", pump, tail)] = None
    for text in _examples(list(tree), letters, VARIANTS):
        if text:
            found[Shape("", text, "\x00")] = None
            found[Shape("", text[:-1] or text, "\x00")] = None
    return list(found)


def _repetitions(nodes: list[Any], before: list[str], letters: str) -> Iterator[tuple[list[str], list[Any]]]:
    """Every repetition: what may stand in front of it, and what it repeats."""
    for op, value in nodes:
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            _, most, body = value
            if most > MANY:
                yield before, list(body)
            yield from _repetitions(list(body), before, letters)
        elif op is ops.BRANCH:
            for one in value[1]:
                yield from _repetitions(list(one), before, letters)
        elif _inner(op, value) is not None:
            yield from _repetitions(_inner(op, value) or [], before, letters)
        after = _examples([(op, value)], letters, 2)
        before = list(dict.fromkeys(head + text for head in before for text in after))[:VARIANTS]


def _inner(op: Any, value: Any) -> list[Any] | None:
    if op is ops.SUBPATTERN:
        return list(value[-1])
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return list(value[1])
    return list(value) if op is ops.ATOMIC_GROUP else None


def _pumps(body: list[Any], letters: str) -> Iterator[str]:
    if len(body) == 1 and _is_one_letter(body[0][0]):
        yield from itertools.islice((one for one in letters if _accepts(*body[0], one)), PUMPS)
    else:
        yield from _examples(body, letters, VARIANTS)


def _examples(nodes: list[Any], letters: str, most: int) -> list[str]:
    """Some texts that fit."""
    texts = [""]
    for op, value in nodes:
        more = list(_example(op, value, letters, most))
        texts = list(dict.fromkeys(text + one for text in texts for one in more))[:most]
    return texts


def _example(op: Any, value: Any, letters: str, most: int) -> Iterator[str]:
    if _is_one_letter(op):
        yield from itertools.islice((one for one in letters if _accepts(op, value, one)), 2)
    elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
        least, _, body = value
        for count in {least, max(least, 1)}:
            yield from (one * count for one in _examples(list(body), letters, most))
    elif op is ops.BRANCH:
        for one in value[1]:
            yield from _examples(list(one), letters, 2)
    elif op in (ops.ASSERT, ops.ASSERT_NOT):
        yield ""
    elif _inner(op, value) is not None:
        yield from _examples(_inner(op, value) or [], letters, most)
    else:
        yield ""


def _literals(nodes: Any) -> Iterator[str]:
    """Every letter that is written out in an expression."""
    for op, value in nodes:
        if op in (ops.LITERAL, ops.NOT_LITERAL):
            yield chr(value)
        elif op is ops.IN:
            yield from (chr(one) for kind, one in value if kind is ops.LITERAL)
        elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            yield from _literals(value[2])
        elif op is ops.BRANCH:
            for one in value[1]:
                yield from _literals(one)
        elif _inner(op, value) is not None:
            yield from _literals(_inner(op, value))


def _is_one_letter(op: Any) -> bool:
    return op in (ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN)


_CATEGORIES = {
    ops.CATEGORY_DIGIT: r"\d",
    ops.CATEGORY_NOT_DIGIT: r"\D",
    ops.CATEGORY_SPACE: r"\s",
    ops.CATEGORY_NOT_SPACE: r"\S",
    ops.CATEGORY_WORD: r"\w",
    ops.CATEGORY_NOT_WORD: r"\W",
}


def _accepts(op: Any, value: Any, letter: str) -> bool:
    """Whether one letter fits."""
    if op is ops.LITERAL:
        return letter == chr(value)
    if op is ops.NOT_LITERAL:
        return letter != chr(value)
    if op is ops.ANY:
        return letter != "\n"
    negated = value[0][0] is ops.NEGATE
    return negated != any(_in_set(kind, one, letter) for kind, one in value)


def _in_set(kind: Any, value: Any, letter: str) -> bool:
    if kind is ops.LITERAL:
        return letter == chr(value)
    if kind is ops.RANGE:
        return bool(value[0] <= ord(letter) <= value[1])
    return kind is ops.CATEGORY and re.fullmatch(_CATEGORIES[value], letter) is not None
