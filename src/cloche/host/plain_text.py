"""Somebody else's text for a person to read before they decide: nothing in it is hidden, turned around or endless.

Characters that do not print are shown by their number, so a name whose
letters run backwards at the end is not taken for a PDF. What is too long loses its middle, never its end: the end of a
file's name is what counts.
"""

from __future__ import annotations

import unicodedata
from typing import Any

MAX_TEXT = 8000
"""Characters of one value in a question; several values share them."""

MIN_TEXT = 200
"""Characters that each value has at least."""

MAX_TOTAL = 24_000
"""Characters of all values together; the rest is counted."""

MAX_NAME = 60
"""Characters of a name in a sentence."""

MAX_ENTRIES = 40
"""Entries of one list or object: the first half and the last."""

MAX_MARKS = 3
"""Accents on one letter: more of them cover the lines around it."""

_SIGNS = {"\n": "↵", "\t": "⇥"}
_UNPRINTED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_BLANK_LETTERS = frozenset("\ufffc\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
_ZERO_WIDTH_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"


def visible(text: str) -> str:
    """The text on one line, with everything that does not print shown by its number: `⟨U+202E⟩`."""
    text = text.replace("\r\n", "\n")
    shown: list[str] = []
    marks = 0
    for at, letter in enumerate(text):
        category = unicodedata.category(letter)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if letter in _SIGNS:
            shown.append(_SIGNS[letter])
        elif _is_hidden(letter, category, marks) and not _joins_emoji(text, at):
            shown.append(f"⟨U+{ord(letter):04X}⟩")
        else:
            shown.append(letter)
    return "".join(shown)


def _is_hidden(letter: str, category: str, marks: int) -> bool:
    if category in _UNPRINTED or letter in _BLANK_LETTERS or marks > MAX_MARKS:
        return True
    if category == "Zs":
        return letter != " "
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"  # they choose a form, and hide data


def _joins_emoji(text: str, at: int) -> bool:
    """Whether it is a part of a picture, such as a family or a red heart."""
    before = text[at - 1] if at else ""
    if text[at] == _EMOJI_STYLE:
        return _is_picture(before)
    after = text[at + 1] if at + 1 < len(text) else ""
    return text[at] == _ZERO_WIDTH_JOINER and (_is_picture(before) or before == _EMOJI_STYLE) and _is_picture(after)


def _is_picture(letter: str) -> bool:
    if letter == "" or letter in _BLANK_LETTERS:
        return False
    return unicodedata.category(letter) == "So" or "\U0001f3fb" <= letter <= "\U0001f3ff"


def middle_cut(text: str, limit: int) -> str:
    """At most `limit` characters: the head and the tail, with a sign between them."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 2
    return f"{text[: limit - 1 - tail]}…{text[len(text) - tail :]}"


def name(text: object, limit: int = MAX_NAME) -> str:
    """A name for a person to read: visible, without runs of spaces, short, and with its end."""
    return middle_cut(" ".join(visible(str(text)).split()), limit)


def quoted(text: object) -> str:
    """A name that somebody else chose, in quotes that it cannot end, so that it does not look like our own sentence."""
    return f"“{name(str(text).translate(_NO_QUOTES))}”"


_NO_QUOTES = str.maketrans(dict.fromkeys('“”„‟"', " "))


class Details:
    """What a question is about, made readable: every text visible, long ones last and with head and tail."""

    def __init__(self, details: Any) -> None:
        self.complete = True
        """Whether all of it is shown."""
        self._left = MAX_TOTAL
        self._limit = max(MIN_TEXT, MAX_TEXT // max(_texts(details), 1))
        self.shown = self._show(details)

    def _show(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value, self._limit)
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, list | tuple):
            head, left_out, tail = self._ends(list(value))
            return [*map(self._show, head), *left_out, *map(self._show, tail)]
        return value  # a number, true, false or null

    def _text(self, text: str, limit: int) -> str:
        shown = visible(text)
        cut = middle_cut(shown, min(limit, max(self._left, 1)))
        self._left -= len(cut)
        self.complete = self.complete and cut == shown
        return cut

    def _object(self, value: dict[Any, Any]) -> dict[str, Any]:
        # What is long comes last: a person reads what they see first, and need not scroll for the rest.
        head, left_out, tail = self._ends(sorted(value.items(), key=lambda item: len(str(item[1])) > MIN_TEXT))
        shown: dict[str, Any] = {}
        for key, inner in head:
            self._put(shown, key, inner)
        for text in left_out:
            shown["…"] = text
        for key, inner in tail:
            self._put(shown, key, inner)
        return shown

    def _put(self, shown: dict[str, Any], key: Any, inner: Any) -> None:
        named = self._text(str(key), MAX_NAME)
        while named in shown:  # two that were cut to the same
            named += "′"
        shown[named] = self._show(inner)

    def _ends(self, entries: list[Any]) -> tuple[list[Any], list[str], list[Any]]:
        """The entries that are shown first, a word about those that are not, and the last ones."""
        most = MAX_ENTRIES if self._left > 0 else 0
        if len(entries) <= most:
            return entries, [], []
        self.complete = False
        half = most // 2
        return entries[:half], [f"… {len(entries) - 2 * half:,} more …"], entries[len(entries) - half :]


def _texts(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_texts, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_texts, value))
    return 1
