"""The theme of what is rendered: the style variables of MCP Apps, as a caller changed them."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

import msgspec

from cloche.components.instances import REQUEST, Owner
from cloche.errors import ToolError, shorten
from cloche.web import read_web

Scheme = Literal["host", "light", "dark"]
"""Light or dark, or as the host has it."""

MAX_OWNERS = 10_000
"""Callers whose theme is kept; the least recently used is forgotten first."""

MAX_VALUE = 200
"""Characters of one value."""

_SAFE = re.compile(r"[A-Za-z0-9#%.,()\"' /+*_-]+")
_FORBIDDEN = re.compile(r"url\s*\(|image(?:-set)?\s*\(|expression|/\*|\*/|//", re.IGNORECASE)


class Theme(msgspec.Struct, frozen=True):
    """What is different from the host's own look."""

    scheme: Scheme = "host"
    tokens: dict[str, str] = {}

    @property
    def style(self) -> str | None:
        """The theme as a `style` attribute; None when nothing is different."""
        parts = [f"{name}:{value}" for name, value in self.tokens.items()]
        if self.scheme != "host":
            parts.insert(0, f"color-scheme:{self.scheme}")
        return ";".join(parts) or None


@cache
def tokens() -> Mapping[str, str]:
    """The style variables of MCP Apps, all 76, with the values that Cloche gives them."""
    lines = [line.strip() for line in read_web("theme.css").splitlines() if line.startswith("  --")]
    return {name: value.strip().rstrip(";") for name, _, value in (line.partition(":") for line in lines)}


class Themes:
    """The theme of each caller."""

    def __init__(self) -> None:
        self._themes: OrderedDict[Owner, Theme] = OrderedDict()

    def of(self, owner: Owner) -> Theme:
        """The theme of a caller; the host's own look unless the caller changed it."""
        found = self._themes.get(owner)
        if found is None:
            return Theme()
        self._themes.move_to_end(owner)
        return found

    def set(self, owner: Owner, scheme: Scheme | None, changed: Mapping[str, str | None] | None) -> Theme:
        """Change a caller's theme: a token that is None gets the host's value again."""
        if owner.startswith(REQUEST):
            raise ToolError("Nobody knows whose theme it is: the server needs auth=…, or a client with sessions")
        now = self.of(owner)
        values = dict(now.tokens)
        for name, value in (changed or {}).items():
            if value is None:
                values.pop(name, None)
            else:
                values[name] = checked_value(name, value)
        made = Theme(now.scheme if scheme is None else scheme, values)
        self._themes[owner] = made
        self._themes.move_to_end(owner)
        while len(self._themes) > MAX_OWNERS:
            self._themes.popitem(last=False)
        return made


def checked_value(name: str, value: str) -> str:
    """A value for a style variable that can only be a value: nothing in it ends the declaration or loads something."""
    if name not in tokens():
        raise ToolError(f"There is no style variable {shorten(name, 60)!r}: theme://tokens lists them")
    if (
        len(value) > MAX_VALUE
        or not _SAFE.fullmatch(value)
        or _FORBIDDEN.search(value)
        or value.count("(") != value.count(")")
    ):
        raise ToolError(f"{name} cannot be {shorten(value, 40)!r}: give a colour, a size or a font, such as '#2f6fde'")
    if value.count('"') % 2 or value.count("'") % 2:
        raise ToolError(f"{name} cannot be {shorten(value, 40)!r}: a quotation mark is not closed")
    return value


def facts(theme: Theme) -> dict[str, Any]:
    """What `theme://current` says."""
    return {"scheme": theme.scheme, "tokens": {**tokens(), **theme.tokens}, "changed": dict(theme.tokens)}
