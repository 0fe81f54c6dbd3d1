"""Forms of an elicitation: flat objects of text, numbers, yes/no and choices, which is all that a client can show."""

from __future__ import annotations

from typing import Any

from cloche.errors import InvalidParamsError, LocalError, shorten

_PRIMITIVES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


def form_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """`schema` with its references resolved, checked to be a form that clients can show."""
    definitions = schema.get("$defs", {})
    properties = {
        name: _field(name, _resolve(member, definitions)) for name, member in schema.get("properties", {}).items()
    }
    if schema.get("type") != "object":
        raise LocalError(
            "The form of an elicitation must be an object: use a dataclass or a dict schema with 'type': 'object'"
        )
    form: dict[str, Any] = {"type": "object", "properties": properties}
    if schema.get("required"):
        form["required"] = list(schema["required"])
    return form


def _resolve(member: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    reference = member.get("$ref")
    if reference is None:
        return member
    target = definitions.get(reference.rsplit("/", 1)[-1], {})
    return {
        **{key: value for key, value in target.items() if key != "title"},
        **{k: v for k, v in member.items() if k != "$ref"},
    }


def _field(name: str, member: dict[str, Any]) -> dict[str, Any]:
    choices = [option for option in member.get("anyOf", ()) if option.get("type") != "null"]
    if len(choices) == 1:
        member = {**{key: value for key, value in member.items() if key != "anyOf"}, **choices[0]}
    if member.get("default", ...) is None:
        member = {key: value for key, value in member.items() if key != "default"}
    if "enum" in member and "type" not in member:
        member = {**member, "type": "string"}
    kind = member.get("type")
    if kind in _PRIMITIVES or (kind == "array" and _is_choice(member.get("items", {}))):
        return member
    raise LocalError(
        f"The form field {name!r} must be text, a number, a boolean or a choice: clients cannot show anything else"
    )


def _is_choice(items: dict[str, Any]) -> bool:
    return "enum" in items or "anyOf" in items or "oneOf" in items


def check_form(schema: dict[str, Any], content: dict[str, Any]) -> None:
    """Refuse an answer that does not fit the form."""
    for name in schema.get("required", ()):
        if name not in content:
            raise InvalidParamsError(f"The answer to the elicitation lacks {name!r}")
    for name, value in content.items():
        member = schema["properties"].get(name)
        if member is None:
            raise InvalidParamsError(f"The answer to the elicitation has {shorten(name)!r}, which was not asked for")
        _check_value(name, member, value)


def _check_value(name: str, member: dict[str, Any], value: Any) -> None:
    if value is None:
        return
    kind = member["type"]
    if kind == "array":
        fits = isinstance(value, list) and all(isinstance(item, str) for item in value)
    else:
        fits = isinstance(value, _PRIMITIVES[kind]) and (kind == "boolean" or not isinstance(value, bool))
        fits = fits or (kind == "integer" and isinstance(value, float) and value.is_integer())
    if not fits:
        raise InvalidParamsError(f"The answer to the elicitation has {name!r} that is not of type {kind}")
    allowed = _choices(member)
    chosen = value if kind == "array" else [value]
    if allowed is not None and any(item not in allowed for item in chosen):
        raise InvalidParamsError(f"The answer to the elicitation has {name!r} that is not one of the choices")


def _choices(member: dict[str, Any]) -> list[Any] | None:
    source = member.get("items", member)
    if "enum" in source:
        return list(source["enum"])
    options = source.get("oneOf") or source.get("anyOf")
    return [option["const"] for option in options if "const" in option] if options else None
