"""What is inside a type, down to the fields of the classes it mentions.

msgspec reads dataclasses, TypedDicts and the like by itself, and passes over constraints that are not its own; so
before it gets a type, the fields are walked and foreign constraints found.
"""

from __future__ import annotations

import dataclasses
import enum
import sys
import typing
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from cloche.errors import RegistrationError
from cloche.server.schema.annotated import Notes, is_field_info, read_notes
from cloche.server.schema.engine_hints import is_alias, is_hint


@dataclasses.dataclass
class Survey:
    """What a walk through a type found; a place is written `Class.field`."""

    fields: dict[type, dict[str, Any]] = dataclasses.field(default_factory=dict)
    models: list[type] = dataclasses.field(default_factory=list)
    """Classes that bring their own pydantic validator."""
    foreign: str | None = None
    """The first field with a constraint that msgspec would not see."""
    native: str | None = None
    """The first field with a constraint that pydantic would not see."""
    choices: list[tuple[Any, ...]] = dataclasses.field(default_factory=list)
    """The values of every Literal and Enum, in the order they were written."""


def survey(hint: Any, *, what: str) -> Survey:
    """Walk `hint`."""
    found = Survey()
    _walk(hint, found, what, place=None, seen=set())
    return found


def _walk(hint: Any, found: Survey, what: str, place: str | None, seen: set[Any]) -> None:
    if get_origin(hint) is Annotated:
        if place is not None:
            _note(read_notes(hint.__metadata__), found, place)
        _walk(hint.__origin__, found, what, place, seen)
        return
    value = _named_value(hint)
    if value is not None:
        if id(hint) not in seen:
            seen.add(id(hint))
            _walk(value, found, what, place, seen)
        return
    if get_origin(hint) is Literal:
        found.choices.append(get_args(hint))
    for argument in get_args(hint):
        if is_hint(argument):
            _walk(argument, found, what, place, seen)
    cls = get_origin(hint) or hint
    if isinstance(cls, type) and cls not in seen:
        seen.add(cls)
        _walk_class(cls, found, what, seen)


def _named_value(hint: Any) -> Any:
    """What a `type X = ...` name or a NewType stands for."""
    if is_alias(hint):
        return hint.__value__
    if is_alias(get_origin(hint)):
        return get_origin(hint).__value__
    return hint.__supertype__ if isinstance(hint, typing.NewType) else None


def _walk_class(cls: type, found: Survey, what: str, seen: set[Any]) -> None:
    if hasattr(cls, "__pydantic_validator__") or hasattr(cls, "__get_pydantic_core_schema__"):
        found.models.append(cls)
        return
    if issubclass(cls, enum.Enum):
        found.choices.append(tuple(member.value for member in cls))
    if not _has_fields(cls):
        return
    hints = field_hints(cls, what=what)
    found.fields[cls] = hints
    for name in _fields_with_unseen_behaviour(cls):
        found.foreign = found.foreign or f"{cls.__name__}.{name}"
    for name, hint in hints.items():
        _walk(hint, found, what, f"{cls.__name__}.{name}", seen)


def _note(notes: Notes, found: Survey, place: str) -> None:
    native = any(isinstance(item, msgspec.Meta) for item in notes.for_pydantic) and notes.limits
    foreign = any(not isinstance(item, msgspec.Meta) for item in notes.for_pydantic)
    if native:
        found.native = found.native or place
    if foreign or notes.field is not None:
        found.foreign = found.foreign or place


def _has_fields(cls: type) -> bool:
    return (
        dataclasses.is_dataclass(cls)
        or issubclass(cls, msgspec.Struct)
        or typing.is_typeddict(cls)
        or hasattr(cls, "__total__")
        or hasattr(cls, "__attrs_attrs__")
        or (issubclass(cls, tuple) and hasattr(cls, "_fields"))
    )


def _fields_with_unseen_behaviour(cls: type) -> Iterator[str]:
    """Fields that do something when the class is made, which msgspec does not call."""
    for attribute in getattr(cls, "__attrs_attrs__", ()):
        if attribute.converter is not None:
            yield attribute.name
    if dataclasses.is_dataclass(cls):
        for field in dataclasses.fields(cls):
            if is_field_info(field.default):
                yield field.name


def field_hints(cls: type, *, what: str) -> dict[str, Any]:
    """The resolved hints of a class with fields."""
    try:
        return typing.get_type_hints(cls, include_extras=True)
    except NameError as error:
        raise RegistrationError(
            f"{what}: the name {error.name!r} in the annotations of {cls.__name__} cannot be resolved, "
            f"define it in {_module(cls)} at module level and outside of `if TYPE_CHECKING`"
        ) from error
    except (TypeError, SyntaxError, AttributeError) as error:
        raise RegistrationError(
            f"{what}: an annotation of {cls.__name__} is not a type ({error}), correct it"
        ) from error


def _module(cls: type) -> str:
    return cls.__module__ if cls.__module__ in sys.modules else "its module"
