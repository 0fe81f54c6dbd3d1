"""Tools by schema: arguments and results that are described by a JSON Schema instead of a function's signature."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from cloche.errors import RegistrationError
from cloche.server.schema.arguments import Call
from cloche.server.schema.output import Output
from cloche.server.schema.schema_flaws import BY_NAME
from cloche.server.schema.signature import MISSING, parameters_of
from cloche.server.schema.validator import JsonSchema
from cloche.server.schema.value_problems import SHORT, ArgumentsError, OutputError, check_nesting


class OneParameter:
    """A function that takes everything as one argument, and a `Context` where it wants one."""

    def __init__(self, fn: Callable[..., Any], *, what: str, context_type: type) -> None:
        parameters = parameters_of(fn, what=what, context_type=context_type)
        others = [one for one in parameters if not one.is_context]
        if len(others) > 1 or any(one.keyword_only for one in parameters):
            raise RegistrationError(
                f"{what}: the function takes the parameters as one argument, and a Context if it likes"
            )
        self.hint: Any = others[0].hint if others else MISSING
        self.takes_value = bool(others)
        self.wants_context = len(parameters) > len(others)
        self._context_first = bool(parameters) and parameters[0].is_context

    def place(self, value: Any, context: object) -> tuple[Any, ...]:
        """The arguments of a call."""
        values: tuple[Any, ...] = (value,) if self.takes_value else ()
        if self.wants_context:
            values = (context, *values) if self._context_first else (*values, context)
        return values


class SchemaArguments:
    """The arguments of a tool with an `input_schema`: its handler gets them as a dict, after they were checked."""

    def __init__(self, schema: Mapping[str, Any], fn: Callable[..., Any], *, what: str, context_type: type) -> None:
        self._checked = _schema(schema, what, "input_schema")
        self.schema: dict[str, Any] = self._checked.schema
        if self.schema.get("type") != "object":
            raise RegistrationError(f"{what}: arguments are an object, so write 'type': 'object' into its input_schema")
        self._one = OneParameter(fn, what=what, context_type=context_type)
        self.wants_context = self._one.wants_context

    def bind(self, data: bytes | msgspec.Raw, context: object) -> Call:
        """Decode and check a JSON object; raises ArgumentsError."""
        if len(data) > SHORT:
            check_nesting(bytes(data))
        try:
            given = msgspec.json.decode(data) if len(data) else None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise ArgumentsError("$", "the arguments are not JSON") from None
        value = {} if given is None else given
        problem = self._checked.misfit(value)
        if problem is not None:
            raise problem
        return self._one.place(value, context), {}

    def named(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """What `bind` gave, by name and without the context."""
        return next((one for one in args if isinstance(one, dict)), {})


class SchemaOutput(Output):
    """The result of a tool with an `output_schema`: checked before it goes out."""

    def __init__(self, schema: Mapping[str, Any], what: str) -> None:
        super().__init__(None, what)
        self._checked = _schema(schema, what, "output_schema")
        own = self._checked.schema
        self.schema = own if isinstance(own, dict) else {}
        self.wrapped = self.schema.get("type") != "object"
        self.object_schema = _wrapped(self.schema) if self.wrapped else self.schema

    def encode(self, value: Any) -> bytes:
        """The JSON of `value`; raises OutputError when the schema does not allow it."""
        data = super().encode(value)
        problem = self._checked.misfit(msgspec.json.decode(data))
        if problem is not None:
            raise OutputError(f"its output_schema does not allow this, {problem}")
        return data


def _schema(schema: Any, what: str, option: str) -> JsonSchema:
    try:
        return JsonSchema(schema)
    except ValueError as error:
        raise RegistrationError(f"{what}: its {option} cannot be checked: {error}") from None


def _wrapped(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of `{"result": value}`: what leads into the value's own schema leads one step further."""
    return {"type": "object", "properties": {"result": _moved(schema)}, "required": ["result"]}


def _moved(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_moved(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found: dict[str, Any] = {}
    for word, value in schema.items():
        if word == "$ref" and isinstance(value, str):
            found[word] = "#/properties/result" + value[1:]
        elif word in (*BY_NAME, "dependentSchemas") and isinstance(value, dict):
            found[word] = {name: _moved(one) for name, one in value.items()}
        else:
            found[word] = value if word in ("const", "enum", "default", "examples") else _moved(value)
    return found
