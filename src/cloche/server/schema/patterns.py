"""Regular expressions of JSON Schema, which are JavaScript's, as Python's."""

from __future__ import annotations

import re
from functools import cache

_TOKENS = re.compile(
    r"""\\u\{(?P<code>[0-9A-Fa-f]{1,6})\}   # a character by its number
      | \\[pP]\{(?P<category>[^}]{0,60})\}   # a category of Unicode
      | \\c(?P<control>[A-Za-z])             # a control character
      | \\k<(?P<back>\w+)>                   # what a named group matched
      | \(\?<(?P<group>[A-Za-z_]\w*)>        # a named group
      | (?P<empty>\[\^?\])                  # no character, and any character
      | \\(?P<escaped>.)
      | (?P<plain>.)""",
    re.VERBOSE | re.DOTALL,
)
_SPACE = r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_CLASSES = {"d": "0-9", "w": "A-Za-z0-9_", "s": _SPACE}
_ESCAPED = frozenset("bBfnrtvxu0123456789" + "^$\\.*+?()[]{}|/-")


@cache
def expression(pattern: str) -> re.Pattern[str]:
    """A pattern as JavaScript reads it; raises ValueError for what is not one, or has no counterpart in Python."""
    try:
        return re.compile(_translated(pattern))
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(str(error)) from None


def _translated(pattern: str) -> str:
    """The differences: `$` never stands before a last line's end, `\\d` and `\\w` are ASCII, named groups and numbered
    characters are written otherwise.
    """
    parts: list[str] = []
    in_class = False
    for found in _TOKENS.finditer(pattern):
        kind = found.lastgroup
        if kind == "plain":
            in_class = _step(found["plain"], in_class, parts)
        elif kind == "escaped":
            parts.append(_escape(found["escaped"], in_class))
        elif kind == "code":
            parts.append(re.escape(chr(int(found["code"], 16))))
        elif kind == "control":
            parts.append(re.escape(chr(ord(found["control"]) % 32)))
        elif kind == "back":
            parts.append(f"(?P={found['back']})")
        elif kind == "group":
            parts.append(found[0] if in_class else f"(?P<{found['group']}>")
        elif kind == "empty":
            parts.append(rf"\{found[0]}" if in_class else {"[]": "(?!)", "[^]": r"[\s\S]"}[found[0]])
        else:
            raise ValueError(f"\\p{{{found['category'][:40]}}} has no counterpart in Python")
    return "".join(parts)


def _step(character: str, in_class: bool, parts: list[str]) -> bool:
    """Write a plain character; whether what follows it stands in a class."""
    if in_class:
        parts.append(f"\\{character}" if character in "[&~|" else character)  # Python keeps these for set operations
        return character != "]"
    parts.append({"$": r"\Z", ".": r"[^\n\r\u2028\u2029]"}.get(character, character))
    return character == "["


def _escape(character: str, in_class: bool) -> str:
    members = _CLASSES.get(character.lower())
    if members is None:
        return f"\\{character}" if character in _ESCAPED else re.escape(character)
    if character.islower():
        return members if in_class else f"[{members}]"
    if in_class:
        # Python's own, which also know letters and digits that are not ASCII.
        return f"\\{character}"
    return f"[^{members}]"
