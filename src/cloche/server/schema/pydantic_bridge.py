"""Reading and writing with pydantic, for what msgspec cannot do. pydantic is imported here only, and only when such a
type is met.

Reading is strict, as with msgspec: the JSON Schema says what is accepted, so `true` and `"3"` are not integers. A model
or a field that says `strict=False` itself is taken at its word.
"""

from __future__ import annotations

import functools
import operator
from typing import Annotated, Any, cast

import msgspec

from cloche.errors import shorten
from cloche.server.schema.annotated import Notes, Unsupported, apply_facts, discriminator_of, limits_of, read_notes
from cloche.server.schema.engine_hints import constrained_arms, is_union, rewrite, split_annotated
from cloche.server.schema.hints_to_schema import Schema
from cloche.server.schema.value_problems import (
    QUOTE_LIMIT,
    REASON_LIMIT,
    ArgumentsError,
    check_nesting,
    has_key,
    noun_of,
    quoted,
    step,
)

_REPAIRS = 100
"""How many integral floats of one argument are turned into integers."""


def is_installed() -> bool:
    """Can pydantic be imported?"""
    try:
        import pydantic  # noqa: F401
    except ImportError:
        return False
    return True


def write_pydantic(hint: Any, notes: Notes) -> Any:
    """Write notes for pydantic."""
    from pydantic import Field

    metadata: list[Any] = []
    for item in notes.for_pydantic:
        if isinstance(item, msgspec.Meta):
            hint = _meta_written(hint, item, metadata)
        elif discriminator_of(item) is not None:
            metadata.append(Field(discriminator=discriminator_of(item)))
        else:
            metadata.append(item)
    if notes.facts:
        facts = apply_facts({}, notes.facts)
        known = {name: facts.pop(name) for name in ("title", "description", "examples") if name in facts}
        metadata.append(Field(**known, json_schema_extra=facts or None))
    return Annotated[hint, *metadata] if metadata else hint


def _meta_written(hint: Any, meta: msgspec.Meta, metadata: list[Any]) -> Any:
    """`meta`'s limits for pydantic, on the arms of a union where they belong."""
    from pydantic import Field

    limits = limits_of(meta)
    if "tz" in limits:
        raise Unsupported(
            "msgspec.Meta(tz=...), which pydantic cannot hold: use pydantic.AwareDatetime or NaiveDatetime"
        )
    if not is_union(hint):
        metadata.extend([Field(**limits)] if limits else [])
        return hint
    written, rest = constrained_arms(hint, limits, lambda arm, mine: Annotated[arm, Field(**mine)])
    metadata.extend([Field(**rest)] if rest else [])
    return written


class PydanticReader:
    """Reads JSON into one type with pydantic."""

    def __init__(self, hint: Any, *, mode: str = "validation") -> None:
        from pydantic import TypeAdapter
        from pydantic.errors import PydanticUserError

        try:
            written = rewrite(hint, write_pydantic)
        except Unsupported as error:
            if "recursive alias" not in str(error):
                raise
            written = hint
        try:
            self.adapter: TypeAdapter[Any] = _adapter(written)
            schema, self.defs = _schema(self.adapter, hint, mode)
        except (PydanticUserError, TypeError, NameError) as error:
            raise Unsupported(str(error).splitlines()[0].partition(" Set `")[0].rstrip(".")) from error
        # Once more, because a type of pydantic's own overwrites such as `format`.
        self.schema = apply_facts(schema, read_notes(split_annotated(hint)[1]).facts)
        # The flag of a call beats the settings of models and fields, so an explicit strict=False must be looked for.
        self.strict = None if _is_lax(self.adapter.core_schema, set()) else True

    def read(self, data: bytes | msgspec.Raw) -> Any:
        """The value; raises ArgumentsError."""
        from pydantic import ValidationError

        try:
            return self.adapter.validate_json(bytes(data), strict=self.strict)
        except ValidationError as error:
            return self._second_pass(bytes(data), error)
        except RecursionError as error:
            raise ArgumentsError("$", "the JSON is nested too deeply") from error

    def read_text(self, text: str) -> Any:
        """The value that a plain string stands for; raises ArgumentsError."""
        from pydantic import ValidationError

        try:
            return self.adapter.validate_strings(text)
        except ValidationError as error:
            if text.startswith(("{", "[")):
                check_nesting(text)
                return self.read(text.encode())
            raise _explained(error, text) from error

    def dump(self, value: Any) -> bytes:
        """The JSON of a value of this type; raises ValueError when it is not one."""
        return self.adapter.dump_json(value, by_alias=True, warnings="error")

    def _second_pass(self, data: bytes, error: Any) -> Any:
        """Integral floats become integers where pydantic wanted one, as in `repair`."""
        from pydantic import ValidationError

        from cloche.server.schema.integral_floats import untyped

        try:
            tree = untyped(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise ArgumentsError("$", "not valid JSON") from error
        holder = [tree]
        repairs = 0
        while (changed := _repaired(holder, error)) and repairs < _REPAIRS:
            repairs += changed
            try:
                return self.adapter.validate_json(msgspec.json.encode(holder[0]), strict=self.strict)
            except ValidationError as again:
                error = again
        raise _explained(error, holder[0]) from error


def _adapter(hint: Any) -> Any:
    from pydantic import ConfigDict, TypeAdapter
    from pydantic.errors import PydanticUserError

    config = ConfigDict(val_json_bytes="base64", ser_json_bytes="base64")
    try:
        return TypeAdapter(hint, config=config)
    except PydanticUserError as error:
        if error.code != "type-adapter-config-unused":
            raise
        return TypeAdapter(hint)  # a model, a dataclass or a TypedDict has its own settings


def _schema(adapter: Any, hint: Any, mode: str) -> tuple[Schema, dict[str, Schema]]:
    from pydantic.errors import PydanticInvalidForJsonSchema
    from pydantic.json_schema import GenerateJsonSchema

    class Quiet(GenerateJsonSchema):
        def field_title_should_be_set(self, schema: Any) -> bool:
            return False

        def bytes_schema(self, schema: Any) -> dict[str, Any]:
            return (
                {"type": "string", "contentEncoding": "base64"}
                if self._config.val_json_bytes == "base64"
                else super().bytes_schema(schema)
            )

        # Of a value that goes out no format is said that it may not keep, as in `hints_to_schema`.
        def datetime_schema(self, schema: Any) -> dict[str, Any]:
            return self._kept(super().datetime_schema(schema), schema)

        def time_schema(self, schema: Any) -> dict[str, Any]:
            return self._kept(super().time_schema(schema), schema)

        def timedelta_schema(self, schema: Any) -> dict[str, Any]:
            return self._kept(super().timedelta_schema(schema), schema)

        def _kept(self, made: dict[str, Any], schema: Any) -> dict[str, Any]:
            if mode == "serialization" and schema.get("tz_constraint") != "aware":
                made.pop("format", None)
            return made

    try:
        schema: Schema = adapter.json_schema(mode=mode, schema_generator=Quiet)
    except PydanticInvalidForJsonSchema as error:
        raise Unsupported(str(error).splitlines()[0]) from error
    defs = schema.pop("$defs", {})
    for name, definition in defs.items():
        if "title" in definition and name.endswith(definition["title"]):
            del definition["title"]
    if schema.get("title") == getattr(hint, "__name__", None):
        schema.pop("title", None)
    return schema, defs


def _is_lax(schema: Any, seen: set[int]) -> bool:
    """Does a model or field in this core schema ask for conversions?"""
    if id(schema) in seen:
        return False
    seen.add(id(schema))
    if isinstance(schema, dict):
        if schema.get("strict") is False or schema.get("coerce_numbers_to_str"):
            return True
        return any(_is_lax(value, seen) for key, value in schema.items() if key not in ("metadata", "serialization"))
    if isinstance(schema, (list, tuple)):
        return any(_is_lax(value, seen) for value in schema)
    return False


def _repaired(holder: list[Any], error: Any) -> int:
    """Replace, in place, the integral floats that pydantic refused as integers; how many."""
    from cloche.server.schema.integral_floats import integral

    count = 0
    for problem in error.errors(include_url=False, include_context=False, include_input=False):
        if problem["type"] not in ("int_type", "int_from_float", "literal_error", "enum"):
            continue
        container, key = _place(holder, problem["loc"])
        value = container[key]
        whole = integral(bytes(value)) if isinstance(value, msgspec.Raw) else None
        if whole is not None:
            container[key] = whole
            count += 1
    return count


def _place(holder: list[Any], loc: tuple[Any, ...]) -> tuple[Any, Any]:
    """Where `loc` points; pydantic puts the names of union members between the keys, which are passed over."""
    *way, key = _keys(holder, (0, *loc))
    return functools.reduce(operator.getitem, way, cast(Any, holder)), key


def _keys(tree: Any, loc: tuple[Any, ...]) -> list[str | int]:
    """The parts of `loc` that are keys in `tree`."""
    keys = []
    for part in loc:
        if has_key(tree, part):
            keys.append(part)
            tree = tree[part]
    return keys


def _explained(error: Any, tree: Any) -> ArgumentsError:
    """The problem that lies deepest, and the first of equals: in a union, the one of the member that was meant."""
    problem = max(error.errors(include_url=False), key=lambda one: len(_keys(tree, one["loc"])))
    keys = _keys(tree, problem["loc"])
    path = functools.reduce(step, keys, "$")
    if problem["type"] == "missing":
        path = step(path, str(problem["loc"][-1]))
    got = functools.reduce(operator.getitem, keys, tree)
    return ArgumentsError(path, shorten(_reason(problem, got), REASON_LIMIT))


def _reason(problem: Any, got: Any) -> str:
    kind, context = problem["type"], problem.get("ctx", {})
    if kind == "missing":
        return f"the required field {quoted(str(problem['loc'][-1]))} is missing"
    if kind == "extra_forbidden":
        return f"there is no field {quoted(str(problem['loc'][-1]))}"
    if kind == "union_tag_invalid":
        return (
            f"expected {context['discriminator']} to be one of {context['expected_tags']}, got {quoted(context['tag'])}"
        )
    message = problem["msg"]
    if message.startswith("Input should be "):
        value = quoted(got) if kind.endswith(("_error", "_than", "_equal", "enum", "_parsing")) else noun_of(got)
        wanted = message.removeprefix("Input should be ").removeprefix("a valid integer, ")
        bound = "a value " if wanted.startswith(("greater", "less")) else ""
        return f"expected {bound}{wanted}, got {value}"
    return shorten(message[:1].lower() + message[1:], QUOTE_LIMIT)
