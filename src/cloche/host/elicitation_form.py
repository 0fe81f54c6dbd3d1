"""The form that a server asks a user to fill in: what MCP allows in one, made safe to show, and the answer checked.

A form is flat: texts, numbers, yes or no, one choice or several. It is put together again from its parts, so that a
server's schema brings nothing else to the page, and every text in it is shown as `plain_text` has it. What a person
entered is checked here once more before it goes to the server, whatever the page did.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from cloche.errors import InvalidParamsError, shorten
from cloche.host import plain_text
from cloche.host.secret_fields import asks_for_secret, looks
from cloche.wire.types import Json

MAX_FIELDS = 40
"""Fields of one form."""

MAX_CHOICES = 200
"""Values to choose from in one field."""

MAX_MESSAGE = 2000
"""Characters of the server's own words above a form."""

MAX_LABEL, MAX_ABOUT, MAX_VALUE = 100, 300, 10_000
"""Characters of a field's title, of what is said about it, and of one text that a person enters."""

FORMATS = ("email", "uri", "date", "date-time")
"""The formats that MCP has for texts."""

_KEY = re.compile(r"[^\x00-\x1f\x7f]{1,100}")
_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s.]+(?:\.[^@\s.]+)*")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")


class Form:
    """A form that may be shown. Raises `InvalidParamsError` for a schema that is none of those MCP allows, or that asks
    for a password or another secret.
    """

    def __init__(self, message: str, schema: object) -> None:
        self.message = plain_text.middle_cut(plain_text.visible(message), MAX_MESSAGE)
        given = schema if isinstance(schema, dict) else {}
        fields = given.get("properties")
        if given.get("type") != "object" or not isinstance(fields, dict):
            raise InvalidParamsError("A form's requestedSchema is an object with properties")
        if len(fields) > MAX_FIELDS:
            raise InvalidParamsError(f"A form has {len(fields)} fields: at most {MAX_FIELDS} are shown")
        required = given.get("required")
        self.required = (
            frozenset(one for one in required if one in fields) if isinstance(required, list) else frozenset()
        )
        self.fields: Json = {name: _field(name, field) for name, field in fields.items()}
        """The schema of each field, cleaned."""
        secret = asks_for_secret(message, given)
        if secret is not None:
            raise InvalidParamsError(
                f"A form must not ask for passwords or other secrets, and {secret} does: use URL mode for them"
            )

    @property
    def schema(self) -> Json:
        """What the page makes the form of."""
        return {"type": "object", "properties": self.fields, "required": sorted(self.required)}

    def checked(self, content: object) -> Json:
        """What goes to the server; raises `ValueError`, with a sentence, when it is not what the form asks for."""
        if not isinstance(content, dict):
            raise ValueError("The answer is an object with the form's fields")
        unknown = next((name for name in content if name not in self.fields), None)
        if unknown is not None:
            raise ValueError(f"The form has no field {shorten(str(unknown))!r}")
        missing = next((name for name in sorted(self.required) if content.get(name) is None), None)
        if missing is not None:
            raise ValueError(f"The field {shorten(missing)!r} is required")
        return {name: _checked(name, self.fields[name], value) for name, value in content.items() if value is not None}


# The schema


def _field(name: str, given: object) -> Json:
    if not _KEY.fullmatch(name) or not isinstance(given, dict):
        raise InvalidParamsError("A field of a form has a name of at most 100 characters, and a schema")
    kind = given.get("type")
    found: Json = {"title": plain_text.name(given.get("title") or name, MAX_LABEL)}
    if isinstance(given.get("description"), str):
        found["description"] = plain_text.name(given["description"], MAX_ABOUT)
    choices = _choices(given, "oneOf")
    if choices is not None:
        found |= {"type": "string", "oneOf": choices}
    elif kind == "array":
        found |= _several(name, given)
    elif kind == "string":
        found |= {"type": "string", **_bounds(given, ("minLength", "maxLength"), int)}
        if given.get("format") in FORMATS:
            found["format"] = given["format"]
    elif kind in ("number", "integer"):
        found |= {"type": kind, **_bounds(given, ("minimum", "maximum"), (int, float))}
    elif kind == "boolean":
        found["type"] = "boolean"
    else:
        raise InvalidParamsError(
            f"The field {shorten(name)!r} of a form is a string, number, integer, boolean, choice or list of choices"
        )
    if "default" in given:
        try:
            found["default"] = _checked(name, found, given["default"])
        except ValueError:
            raise InvalidParamsError(f"The default of the field {shorten(name)!r} does not fit its schema") from None
    return found


def _choices(given: Json, titled: str) -> list[Json] | None:
    """What a person chooses from, with titles; None where the field is not a choice."""
    values, names = given.get("enum"), given.get("enumNames")
    if isinstance(values, list):
        titles = names if isinstance(names, list) and len(names) == len(values) else values
        pairs: list[tuple[Any, Any]] = list(zip(values, titles, strict=True))
    elif isinstance(given.get(titled), list):
        entries = [one if isinstance(one, dict) else {} for one in given[titled]]
        pairs = [(one.get("const"), one.get("title", one.get("const"))) for one in entries]
    else:
        return None
    if not pairs or len(pairs) > MAX_CHOICES or not all(isinstance(value, str) for value, _ in pairs):
        raise InvalidParamsError(f"A choice in a form is between 1 and {MAX_CHOICES} texts")
    found = [{"const": value, "title": plain_text.name(title, MAX_LABEL)} for value, title in pairs]
    if len({looks(one["title"]) for one in found}) < len(found):
        raise InvalidParamsError("Two choices in a form look the same: nobody could tell which one they choose")
    return found


def _several(name: str, given: Json) -> Json:
    items = given.get("items")
    choices = _choices(items, "anyOf") if isinstance(items, dict) else None
    if choices is None:
        raise InvalidParamsError(f"The field {shorten(name)!r} of a form is a list: its items need 'enum' or 'anyOf'")
    return {"type": "array", "items": {"anyOf": choices}, **_bounds(given, ("minItems", "maxItems"), int)}


def _bounds(given: Json, names: Iterable[str], kind: Any) -> Json:
    return {
        name: given[name]
        for name in names
        if isinstance(given.get(name), kind) and not isinstance(given[name], bool) and math.isfinite(given[name])
    }


# The answer


def _checked(name: str, field: Json, value: Any) -> Any:
    label = f"The field {shorten(name)!r}"
    kind = field["type"]
    if kind == "boolean":
        if not isinstance(value, bool):
            raise ValueError(f"{label} is true or false")
        return value
    if kind in ("number", "integer"):
        return _number(label, field, value)
    if kind == "array":
        return _chosen(label, field, value)
    if not isinstance(value, str) or len(value) > MAX_VALUE:
        raise ValueError(f"{label} is a text of at most {MAX_VALUE} characters")
    if "oneOf" in field:
        if value not in [one["const"] for one in field["oneOf"]]:
            raise ValueError(f"{label} is none of the choices")
        return value
    if not field.get("minLength", 0) <= len(value) <= field.get("maxLength", MAX_VALUE):
        raise ValueError(f"{label} is too short or too long")
    if "format" in field and not _has_format(field["format"], value):
        raise ValueError(f"{label} is no {field['format']}")
    return value


def _number(label: str, field: Json, value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{label} is a number")
    if field["type"] == "integer":
        if value != int(value):
            raise ValueError(f"{label} is a whole number")
        value = int(value)
    number: int | float = value
    if not field.get("minimum", -math.inf) <= value <= field.get("maximum", math.inf):
        raise ValueError(f"{label} is too small or too large")
    return number


def _chosen(label: str, field: Json, value: Any) -> list[str]:
    known = [one["const"] for one in field["items"]["anyOf"]]
    if not isinstance(value, list) or any(one not in known for one in value) or len(set(value)) != len(value):
        raise ValueError(f"{label} is a list of some of the choices, each once")
    if not field.get("minItems", 0) <= len(value) <= field.get("maxItems", MAX_CHOICES):
        raise ValueError(f"{label} has too few or too many choices")
    return value


def _has_format(name: str, value: str) -> bool:
    try:
        if name == "date":
            return bool(date.fromisoformat(value)) and len(value) == len("2026-07-28")
        if name == "date-time":
            return datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False
    return (_EMAIL if name == "email" else _URI).fullmatch(value) is not None
