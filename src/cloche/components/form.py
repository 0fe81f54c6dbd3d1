"""`form`: fields made from a JSON Schema, by the product's own form generator, and what happens when they are sent."""

from __future__ import annotations

from typing import Any

from cloche.components.component import component, data_script
from cloche.errors import ToolError, shorten
from cloche.server.schema import schema_of
from cloche.server.schema.validator import JsonSchema
from cloche.views.html import Html, h

EXAMPLE = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "minLength": 1},
        "email": {"type": "string", "title": "E-mail", "format": "email"},
        "guests": {"type": "integer", "title": "Guests", "minimum": 1, "maximum": 12, "default": 2},
        "date": {"type": "string", "title": "Date", "format": "date"},
        "table": {"enum": ["inside", "terrace"], "title": "Table", "default": "inside"},
        "note": {"type": "string", "title": "Note", "description": "Allergies, or a birthday."},
    },
    "required": ["name", "email", "guests"],
}


def _summary(schema: Any, title: str, tool: str | None, **_: Any) -> str:
    names = ", ".join(checked_schema(schema).get("properties", {}))
    sent = f"Its answers go to the tool {tool}." if tool else "Its answers are events of the instance."
    return f"A form is shown{f', {title}' if title else ''}, with the fields {shorten(names, 300)}. {sent}"


@component(
    category="input",
    tags=("form", "fields", "input"),
    summary=_summary,
    examples=[{"title": "Book a table", "schema": EXAMPLE, "submit": "Book"}],
)
def form(
    schema: dict[str, Any],
    title: str = "",
    tool: str | None = None,
    values: dict[str, Any] | None = None,
    submit: str = "Send",
    done: str = "Sent.",
) -> Html:
    """A form with a field for each property of a JSON Schema. Filled in, it calls a tool, or the instance has an event.

    Args:
        schema: The JSON Schema of an object. From Python also a dataclass, a Struct or a TypedDict.
        title: What stands above the form.
        tool: The tool that gets the answers as its arguments; without one, the instance has an event `submit`.
        values: What the fields begin with.
        submit: What the button says.
        done: What is said afterwards, when the tool's answer has no text.
    """
    checked = checked_schema(schema)
    settings = {"schema": checked, "values": values, "tool": tool, "done": done}
    return h.form(
        h.strong(title, class_="cc-title") if title else None,
        h.div(class_="cc-fields"),
        h.p(class_="problem", role="alert"),
        h.div(h.button(submit, class_="cc-main"), h.span(role="status", class_="cc-said"), class_="cc-actions"),
        data_script("form", settings),
        class_="cc cc-form",
        data_cc="form",
        novalidate=True,
        aria_label=title or None,
    )


def checked_schema(given: Any) -> dict[str, Any]:
    """The JSON Schema of a form: of an object, and without flaws."""
    schema = given if isinstance(given, dict) else schema_of(given, what="form")[0]
    try:
        JsonSchema(schema)
    except ValueError as error:
        raise ToolError(f"The form's schema cannot be used: {shorten(str(error), 200)}") from None
    if schema.get("type") != "object" or not isinstance(schema.get("properties"), dict):
        raise ToolError("A form's schema is one of an object: {'type': 'object', 'properties': {…}}")
    return schema
