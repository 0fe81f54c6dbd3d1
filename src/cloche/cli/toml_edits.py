"""Changes of one table in a TOML file that somebody else wrote: everything else stays as it is.

The standard library reads TOML and does not write it. A server is a table of its own with headers of its own, so lines
are enough; what comes out is read again and compared by whoever calls.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

Json = dict[str, Any]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"^\s*\[")


def with_table(text: str, path: tuple[str, str], value: Json) -> str:
    """The text with a table of text, lists of text and tables of text; an older one of the name is replaced."""
    kept = without_table(text, path).rstrip("\n")
    header = ".".join(_key(part) for part in path)
    lines = [f"[{header}]"]
    tables = []
    for name, one in value.items():
        if isinstance(one, dict):
            tables += ["", f"[{header}.{_key(name)}]", *(f"{_key(key)} = {_text(text)}" for key, text in one.items())]
        elif isinstance(one, list):
            lines.append(f"{_key(name)} = [{', '.join(map(_text, one))}]")
        else:
            lines.append(f"{_key(name)} = {_text(one)}")
    return "\n".join([*([kept, ""] if kept else []), *lines, *tables]) + "\n"


def without_table(text: str, path: tuple[str, str]) -> str:
    """The text without the lines of a table and of those inside it."""
    kept: list[str] = []
    inside = False
    for line in text.splitlines(keepends=True):
        if _HEADER.match(line):
            inside = _path_of(line)[: len(path)] == path
            if inside:
                while kept and not kept[-1].strip():
                    kept.pop()
        if not inside:
            kept.append(line)
        elif line.lstrip().startswith("#") or not line.strip():
            kept.append(line)  # a comment is somebody's, and says what comes next as often as what is here
    return "".join(kept)


def _path_of(line: str) -> tuple[str, ...]:
    """The names in a header; empty for what is none, such as a line of a list."""
    try:
        found: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    path = []
    while isinstance(found, dict) and len(found) == 1:
        name, found = next(iter(found.items()))
        path.append(name)
    return tuple(path)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _text(value: str) -> str:
    # A string of JSON is one of TOML, except for characters that only TOML wants escaped.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
