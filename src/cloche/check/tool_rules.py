"""Rules about tools: what hosts refuse before anybody sees a view."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from cloche.check.findings import Finding, place_of
from cloche.check.server_survey import Json, Survey
from cloche.errors import shorten

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What model providers take as the name of a function; hosts put a server's name in front, so shorter is safer."""

MAX_DESCRIPTION = 1024
"""Characters after which hosts have been seen to cut."""

COMBINED = ("anyOf", "oneOf", "allOf", "enum", "not")
"""Keys that model providers refuse at the root of an input schema."""


def check_tools(found: Survey) -> Iterator[Finding]:
    """Every rule about tools."""
    counts = Counter(str(tool.get("name")) for tool in found.tools)
    for name, count in counts.items():
        if count > 1:
            yield Finding("T04", place_of(name), f"{count} tools have this name.")
    for tool in found.tools:
        where = place_of(tool.get("name"))
        yield from _name(tool, where)
        yield from _schema(tool, where)
        yield from _description(tool, where)
        yield from _visibility(tool, where)


def _name(tool: Json, where: str) -> Iterator[Finding]:
    name = tool.get("name")
    if isinstance(name, str) and NAME.fullmatch(name):
        return
    said = f"it has {len(name)} characters" if isinstance(name, str) and len(name) > 64 else "it has other characters"
    yield Finding("T01", where, f"Claude and ChatGPT take names of 1 to 64 letters, digits, _ and -, and {said}.")


def _schema(tool: Json, where: str) -> Iterator[Finding]:
    schema: Any = tool.get("inputSchema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        yield Finding("T02", where, "The input schema's type is not 'object'.")
        return
    combined = [key for key in COMBINED if key in schema]
    if combined:
        yield Finding("T02", where, f"The input schema has {combined[0]} at its root, which model APIs refuse.")
    remote = sorted({ref for ref in _references(schema) if not ref.startswith("#")})
    if remote:
        what = f"The input schema refers to {shorten(remote[0])}, which nobody fetches."
        yield Finding("T02", where, what, "Put what it refers to under $defs.")


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for one in value.values():
            yield from _references(one)
    elif isinstance(value, list):
        for one in value:
            yield from _references(one)


def _description(tool: Json, where: str) -> Iterator[Finding]:
    text = tool.get("description")
    if not isinstance(text, str) or not text.strip():
        yield Finding("T03", where, "A model has only the name to go by.")
    elif len(text) > MAX_DESCRIPTION:
        what = f"The description has {len(text)} characters, and some hosts keep the first {MAX_DESCRIPTION}."
        yield Finding("T07", where, what)


def _visibility(tool: Json, where: str) -> Iterator[Finding]:
    meta = tool.get("_meta")
    ui = meta.get("ui") if isinstance(meta, dict) else None
    if not isinstance(ui, dict) or "visibility" not in ui:
        return
    given = ui["visibility"]
    if not isinstance(given, list) or any(one not in ("model", "app") for one in given):
        yield Finding("T05", where, f"_meta.ui.visibility is {shorten(repr(given), 60)}.")
    elif not given:
        yield Finding("T06", where, "Its visibility is empty.")
