"""Which engine reads a type: msgspec when it can do all that the hint says, else pydantic, else registration fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from cloche.errors import RegistrationError
from cloche.server.schema.annotated import Unsupported
from cloche.server.schema.engine_hints import is_union, native_hint, split_annotated
from cloche.server.schema.hints_to_schema import Schema, assemble, native_schema
from cloche.server.schema.msgspec_bridge import NativeReader, check_native
from cloche.server.schema.pydantic_bridge import PydanticReader, is_installed
from cloche.server.schema.type_survey import Survey, survey

Reader = NativeReader | PydanticReader


@dataclass(frozen=True, eq=False)
class Typed:
    """A type with its reader and its schema; `schema` may refer to `defs`."""

    hint: Any
    reader: Reader
    schema: Schema
    defs: dict[str, Schema]

    @property
    def is_native(self) -> bool:
        """Does msgspec read it?"""
        return isinstance(self.reader, NativeReader)


def typed(hint: Any, *, what: str, mode: str = "validation") -> Typed:
    """Choose the engine for `hint`; `what` names the tool and parameter in errors."""
    found = survey(hint, what=what)
    if found.models:
        return _bridged(hint, found, what, mode, f"{found.models[0].__name__} is a pydantic type")
    if found.foreign is not None:
        return _bridged(hint, found, what, mode, f"the constraint on {found.foreign} is one that msgspec would ignore")
    try:
        written = native_hint(hint)
        check_native(written)
        schema, defs = native_schema(written, found, mode)
    except Unsupported as error:
        return _bridged(hint, found, what, mode, f"msgspec cannot do it ({error})")
    except TypeError as error:
        return _bridged(hint, found, what, mode, f"msgspec cannot describe it ({str(error).splitlines()[0]})")
    return Typed(written, NativeReader(written, assemble(schema, defs)), schema, defs)


def _bridged(hint: Any, found: Survey, what: str, mode: str, why: str) -> Typed:
    fix = _fix(hint, found)
    if not is_installed():
        raise RegistrationError(f"{what}: {why}, install pydantic or {fix}")
    if found.native is not None:
        raise RegistrationError(
            f"{what}: {why}, and pydantic would ignore the msgspec.Meta on {found.native}: "
            "write all constraints with pydantic.Field or all with msgspec.Meta"
        )
    try:
        reader = PydanticReader(hint, mode=mode)
    except Unsupported as error:
        raise RegistrationError(f"{what}: {why}, and pydantic cannot either ({error}): {fix}") from error
    return Typed(hint, reader, reader.schema, reader.defs)


def _fix(hint: Any, found: Survey) -> str:
    bare, _ = split_annotated(hint)
    if found.foreign is not None:
        return f"write the constraint on {found.foreign} as msgspec.Meta(...)"
    if getattr(bare, "__module__", "").partition(".")[0] == "pathlib":
        return "annotate it as str and make the path in the function"
    if is_union(bare):
        classes = [arm for arm in get_args(bare) if arm in found.fields]
        if len(classes) > 1:
            return "make the members msgspec.Struct classes with tag=True"
        return "use one type instead of the union"
    return "use a builtin type, a dataclass, a TypedDict or a msgspec.Struct"


def schema_of(hint: Any, *, what: str) -> tuple[dict[str, Any], Callable[[bytes], Any]]:
    """The JSON Schema of a type and its decoder, which raises ArgumentsError."""
    one = typed(hint, what=what)
    return assemble(one.schema, one.defs), one.reader.read
