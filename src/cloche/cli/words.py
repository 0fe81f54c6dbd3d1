"""Arguments as a person types them, `city=Paris days=3`, turned into what a JSON Schema asks for.

`NAME=VALUE` is text that is converted by the schema. `NAME:=JSON` is JSON as it stands, and `NAME:=@FILE` the content
of a file: text, or base64 where the schema says so. A list is a name that is given several times.
"""

from __future__ import annotations

import base64
import json
import math
import sys
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from cloche.errors import ConfigurationError, shorten

Json = dict[str, Any]

MAX_DEPTH = 16
MAX_FILE = 64 << 20
"""Bytes of a file that is sent as an argument."""

KINDS = {
    "null": "null",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "array": "a JSON list",
    "object": "a JSON object",
    "string": "text",
}
"""The types of JSON Schema, in the order in which a word is tried as one of them."""

TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


class WordError(ConfigurationError):
    """A word that does not fit; the text names the argument."""


def read_words(words: Sequence[str], schema: Any, tool: str) -> Json:
    """The arguments of a tool, of `NAME=VALUE` and the like. Raises `WordError`."""
    root = schema if isinstance(schema, dict) else {}
    properties = root.get("properties")
    known: Json = properties if isinstance(properties, dict) else {}
    given: dict[str, list[tuple[str, str]]] = {}
    for word in words:
        name, how, text = split_word(word)
        if name not in known and root.get("additionalProperties", False) is False:
            raise WordError(f"{tool} has no argument {shorten(name)!r}: {meant(name, known)}")
        given.setdefault(name, []).append((how, text))
    missing = [name for name in root.get("required", ()) if name not in given]
    if missing:
        first = shorten(missing[0])
        raise WordError(f"{tool} needs the argument {first!r}: add {first}={_hint(known, missing[0])}")
    others = root.get("additionalProperties", {})
    return {name: _read_all(name, texts, known.get(name, others), root) for name, texts in given.items()}


def _read_all(name: str, texts: list[tuple[str, str]], schema: Any, root: Json) -> Any:
    """The value of a name that was given once, or several times for a list."""
    lists = [one for one in simple_schemas(schema, root) if "array" in kinds_of(one) and "type" in one]
    items = lists[0].get("items", {}) if lists else {}
    if len(texts) > 1:
        if not lists:
            raise WordError(f"{name} is given {len(texts)} times: give it once")
        return [read_word(name, how, text, items, root) for how, text in texts]
    how, text = texts[0]
    try:
        return read_word(name, how, text, schema, root)
    except WordError:
        if not lists or how != "=" or text.lstrip().startswith("["):
            raise
        return [read_word(name, how, text, items, root)]


def read_json(text: str) -> Json:
    """What `--json` was given."""
    try:
        if text == "-":
            text = sys.stdin.read(MAX_FILE)
        elif text.startswith("@"):
            text = Path(text[1:]).read_text("utf-8")
        found = json.loads(text)
    except OSError as error:
        reason = (error.strerror or "").lower()
        raise ConfigurationError(f"--json: {shorten(text[1:])} cannot be read: {reason}") from None
    except ValueError as error:
        raise ConfigurationError(f"--json is not JSON ({shorten(str(error), 100)})") from None
    if not isinstance(found, dict):
        raise ConfigurationError('--json takes a JSON object of all arguments, as in --json \'{"city": "Paris"}\'')
    return found


def split_word(word: str) -> tuple[str, str, str]:
    """Name, `=` or `:=`, and what follows."""
    name, equals, text = word.partition("=")
    if not equals or not name.removesuffix(":"):
        raise WordError(f"{shorten(word)!r} is not an argument: write NAME=VALUE, or NAME:=JSON")
    return (name[:-1], ":=", text) if name.endswith(":") else (name, "=", text)


def read_word(name: str, how: str, text: str, schema: Any, root: Json) -> Any:
    """The value of one word."""
    if how == "=":
        return read_value(name, text, schema, root)
    if text.startswith("@"):
        return _file(name, Path(text[1:]), schema, root)
    try:
        return json.loads(text)
    except ValueError as error:
        raise WordError(f"{name}: what follows := is not JSON ({shorten(str(error), 100)})") from None


def read_value(name: str, text: str, schema: Any, root: Json) -> Any:
    """Text as the first type of the schema that it fits."""
    options = list(simple_schemas(schema, root))
    offered = [value for option in options for value in choices_of(option)]
    for value in offered:
        if text == value or (not isinstance(value, str) and text == json.dumps(value)):
            return value
    kinds = {kind for option in options if not list(choices_of(option)) for kind in kinds_of(option)}
    for kind in KINDS:
        if kind in kinds:
            fits, value = _as_kind(kind, text)
            if fits:
                return value
    if offered and not kinds:
        raise WordError(f"{name}: expected {_listed([str(one) for one in offered])}, got {shorten(text)!r}")
    expected = [KINDS[kind] for kind in KINDS if kind in kinds] or ["something else"]
    raise WordError(f"{name}: expected {_listed(expected)}, got {shorten(text)!r}")


def _as_kind(kind: str, text: str) -> tuple[bool, Any]:
    lowered = text.strip().lower()
    if kind == "string":
        return True, text
    if kind == "null":
        return lowered in ("null", "none"), None
    if kind == "boolean":
        return lowered in (*TRUE, *FALSE), lowered in TRUE
    try:
        value = json.loads(text, parse_constant=_no_number)
    except ValueError:
        return False, None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "integer":
        return (True, int(value)) if is_number and math.isfinite(value) and value == int(value) else (False, None)
    return is_number if kind == "number" else isinstance(value, list if kind == "array" else dict), value


def _no_number(name: str) -> None:
    """NaN and Infinity are Python's, not JSON's."""
    raise ValueError(name)


def simple_schemas(schema: Any, root: Json, depth: int = MAX_DEPTH) -> Iterator[Json]:
    """The alternatives of a schema, without references and unions."""
    if not isinstance(schema, dict) or depth == 0:
        yield {}
        return
    if isinstance(reference := schema.get("$ref"), str):
        yield from simple_schemas(_referred(reference, root), root, depth - 1)
        return
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            for one in schema[key]:
                yield from simple_schemas(one, root, depth - 1)
            return
    if isinstance(parts := schema.get("allOf"), list):
        merged = {key: value for key, value in schema.items() if key != "allOf"}
        for part in parts:
            for one in simple_schemas(part, root, depth - 1):
                merged = {**one, **merged}
        yield merged
        return
    yield schema


def kinds_of(schema: Json) -> list[str]:
    """The types that a simple schema allows; all of them when it names none."""
    kind = schema.get("type")
    named = [kind] if isinstance(kind, str) else kind if isinstance(kind, list) else []
    return [one for one in named if one in KINDS] or list(KINDS)


def choices_of(schema: Json) -> Iterator[Any]:
    """The values that a simple schema allows, where it lists them."""
    if "const" in schema:
        yield schema["const"]
    elif isinstance(schema.get("enum"), list):
        yield from schema["enum"]


def meant(name: str, known: Sequence[str] | Json) -> str:
    """What somebody who typed `name` may have meant."""
    near = get_close_matches(name, list(known), 1)
    if near:
        return f"did you mean {shorten(near[0])!r}?"
    some = [shorten(one, 60) for one in list(known)[:8]]
    more = ", …" if len(known) > len(some) else ""
    return f"there {'is' if len(some) == 1 else 'are'} {', '.join(some)}{more}" if some else "there are none"


def _referred(reference: str, root: Json) -> Any:
    found: Any = root
    for part in reference.removeprefix("#").strip("/").split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _file(name: str, path: Path, schema: Any, root: Json) -> Any:
    try:
        if path.stat().st_size > MAX_FILE:
            raise WordError(f"{name}: {shorten(str(path))} is larger than {MAX_FILE >> 20} MB")
        data = path.read_bytes()
    except OSError as error:
        raise WordError(f"{name}: {shorten(str(path))} cannot be read: {(error.strerror or '').lower()}") from None
    options = list(simple_schemas(schema, root))
    if any(one.get("contentEncoding") == "base64" or one.get("format") in ("byte", "binary") for one in options):
        return base64.b64encode(data).decode("ascii")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise WordError(f"{name}: {shorten(str(path))} is not text in UTF-8, and {name} takes no bytes") from None
    return read_value(name, text, schema, root)


def _hint(known: Json, name: str) -> str:
    schema = known.get(name)
    kind = schema.get("type") if isinstance(schema, dict) else None
    return {"integer": "1", "number": "1.5", "boolean": "true"}.get(str(kind), "…")


def _listed(items: Sequence[str]) -> str:
    shown = [shorten(one, 60) for one in items[:12]] + (["…"] if len(items) > 12 else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"
