"""The text of a file of stories: where each story stands, and how one is written without touching the others."""

from __future__ import annotations

import json
import math
import re
import tomllib
from dataclasses import dataclass
from typing import Any

from cloche.wire.types import Json

INLINE = 80
"""Characters up to which a table is written on one line."""
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
OPENS_TEXT = re.compile(r"(?:'''|\"\"\")\s*")
"""A text of several lines begins behind these quotes, on the next line."""


@dataclass(frozen=True)
class Block:
    """The lines of one story, or of a table inside it: from its header to the next."""

    name: str
    start: int
    """The header's line, counted from 0."""
    lines: list[str]

    def line_of(self, key: str) -> int | None:
        """The line, counted from 1, on which `key` is set."""
        for number, line in enumerate(self.lines):
            written = _header(line)[1:] if number == 0 else [line.partition("=")[0].partition(".")[0].strip(" \t\"'")]
            if key in written:
                return self.start + number + 1
        return None

    def text_line_of(self, key: str) -> int | None:
        """The line on which the text that `key` is set to begins."""
        line = self.line_of(key)
        if line is None:
            return None
        _, _, value = self.lines[line - self.start - 1].partition("=")
        return line + 1 if OPENS_TEXT.fullmatch(value.strip()) else line


def blocks_of(text: str) -> list[Block]:
    """Every table of a file that is TOML. What looks like a header inside a text of several lines is none."""
    lines = text.splitlines(keepends=True)
    starts: list[tuple[str, int]] = []
    since = 0
    for number, line in enumerate(lines):
        path = _header(line)
        if path and _is_whole("".join(lines[since:number])):
            starts.append((path[0], number))
            since = number
    ends = [*(start for _, start in starts[1:]), len(lines)]
    return [Block(name, start, lines[start:end]) for (name, start), end in zip(starts, ends, strict=False)]


def _header(line: str) -> list[str]:
    """The story that a line begins, or the story and the table inside it; empty for any other line."""
    if not line.lstrip().startswith("["):
        return []
    try:
        inside: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return []
    path: list[str] = []
    while isinstance(inside, dict) and inside:
        path += inside
        inside = inside[path[-1]]
    return path


def _is_whole(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def with_block(text: str, name: str, block: str) -> str:
    """The file with a story: in the place of the one that has its name, else at the end."""
    old = [one for one in blocks_of(text) if one.name == name]
    if not old:
        return f"{text.rstrip()}\n\n{block}" if text.strip() else block
    rest = without_block(text, name).splitlines(keepends=True)
    before, behind = "".join(rest[: old[0].start]), "".join(rest[old[0].start :])
    return f"{before}{block}\n{behind}" if behind.strip() else before + block


def without_block(text: str, name: str) -> str:
    """The file without a story; comments that stand over the next one stay."""
    lines = text.splitlines(keepends=True)
    for block in reversed([one for one in blocks_of(text) if one.name == name]):
        kept = _trailing(block)
        lines[block.start : block.start + len(block.lines)] = kept.splitlines(keepends=True)
    while lines and not lines[-1].strip():
        lines.pop()
    return "".join(lines)


def _trailing(block: Block) -> str:
    """The comments at the end of a block, behind an empty line: they are about the next."""
    at = len(block.lines)
    while at > 1 and (not block.lines[at - 1].strip() or block.lines[at - 1].lstrip().startswith("#")):
        at -= 1
    comments = block.lines[at:]
    while comments and not comments[0].strip():
        comments.pop(0)
    is_apart = len(comments) < len(block.lines) - at
    return "".join(comments) if is_apart else ""


# Writing


def table_text(name: str, table: Json) -> str:
    """A story as a person would write it."""
    return "".join([f"[{_key(name)}]\n", *(f"{_key(key)} = {_entry(value)}\n" for key, value in table.items())])


def _entry(value: Any) -> str:
    """A value, as TOML when that has words for it and it is short, else as JSON over several lines."""
    try:
        written = _value(value)
    except _NotInToml:
        written = ""
    if not isinstance(value, dict) or (written and len(written) <= INLINE):
        return written
    return f"'''\n{_json(value)}\n'''"


class _NotInToml(Exception):
    """TOML has no word for a value."""


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) < 2**63:
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        pairs = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items())
        return f"{{{pairs}}}"
    if isinstance(value, float) and math.isfinite(value):
        written = repr(value)
        return written if "." in written or "e" in written else f"{written}.0"
    raise _NotInToml


def _key(key: str) -> str:
    return key if BARE_KEY.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    """A string in double quotes: JSON's escapes are TOML's, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _json(value: Any) -> str:
    """JSON that can stand between three single quotes."""
    written = json.dumps(value, indent=2, ensure_ascii=False)
    return written.replace("'''", "\\u0027\\u0027\\u0027").replace("\x7f", "\\u007f")
