"""What may be at each place of a state, read from type hints: a dataclass's fields, the items of a `list[Item]`.

A place without a hint takes any JSON. A place with one takes what the hint allows, checked the way a tool's arguments
are; what a browser could not hold exactly is refused everywhere.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import math
import types
import typing
from collections.abc import Callable
from typing import Any, NamedTuple, TypeGuard

import msgspec

from cloche.errors import RegistrationError, StoreValueError, shorten
from cloche.server.schema import ArgumentsError, schema_of

SCALARS = frozenset({str, int, float, bool, type(None)})
"""The types of single JSON values."""

EXACT_INTEGER = 2**53
"""From here on JavaScript's numbers have gaps."""

_LISTS = (list, collections.abc.Sequence, collections.abc.MutableSequence, collections.abc.Collection)
_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


class Field(NamedTuple):
    """One field of a dataclass or Struct."""

    attribute: str
    name: str
    """What it is called in JSON."""
    shape: Shape
    may_lack: bool = False
    """Whether it may be `UNSET`, and then is not in the JSON."""


class Shape:
    """What one place of a state may hold."""

    __slots__ = ("_items", "_members", "_read", "checks_whole", "hint", "scalars")

    def __init__(self, hint: Any) -> None:
        self.hint = hint
        self.scalars = SCALARS if hint is Any else frozenset(arm for arm in _arms(hint) if arm in SCALARS)
        """Types of single values that need no further look."""
        self.checks_whole = hint is not Any and _needs_whole(hint)
        """Whether the hint says something of a whole list or dict that no single item shows."""
        self._read: Callable[[bytes], Any] | None = None
        self._items: Shape | None = None
        self._members: dict[str, Shape] | Shape | None = None

    def read(self, value: Any) -> Any:
        """The value as this place's type: a plain copy. Raises `StoreValueError` when it does not fit."""
        if self._read is None:
            self._read = schema_of(self.hint, what="a place of a store")[1]
        try:
            return self._read(msgspec.json.encode(value))
        except (TypeError, ValueError, RecursionError, ArgumentsError) as error:
            raise StoreValueError(f"{shorten(str(error), 300)}") from None

    @property
    def items(self) -> Shape:
        """What the items of a list at this place may be."""
        if self._items is None:
            found = [typing.get_args(arm) for arm in _containers(self.hint) if typing.get_origin(arm) in _LISTS]
            self._items = shape_of(found[0][0]) if found else ANY
        return self._items

    def member(self, key: str) -> Shape:
        """What a dict at this place may hold under this key."""
        if self._members is None:
            self._members = self._find_members()
        return self._members if isinstance(self._members, Shape) else self._members.get(key, ANY)

    def _find_members(self) -> dict[str, Shape] | Shape:
        for arm in _containers(self.hint):
            if typing.is_typeddict(arm):
                hints = typing.get_type_hints(arm, include_extras=True)
                return {name: shape_of(_required(hint)) for name, hint in hints.items()}
            if typing.get_origin(arm) in _DICTS:
                return shape_of(typing.get_args(arm)[1])
        return ANY


_shapes: dict[Any, Shape] = {}
_fields: dict[type, tuple[Field, ...]] = {}


def shape_of(hint: Any) -> Shape:
    """The shape for a type hint."""
    try:
        found = _shapes.get(hint)
    except TypeError:  # an annotation that cannot be hashed
        return Shape(hint)
    if found is None:
        found = _shapes[hint] = Shape(hint)
    return found


def fields_of(cls: type) -> tuple[Field, ...]:
    """The fields of a dataclass or Struct that JSON has."""
    found = _fields.get(cls)
    if found is None:
        found = _fields[cls] = tuple(_read_fields(cls))
    return found


def _read_fields(cls: type) -> collections.abc.Iterator[Field]:
    hints = typing.get_type_hints(cls, include_extras=True)
    if issubclass(cls, msgspec.Struct):
        if cls.__struct_config__.array_like:
            raise RegistrationError(
                f"{cls.__name__} is a Struct with array_like=True, whose JSON has no names: leave that out in a store"
            )
        for attribute, name in zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True):
            hint = hints.get(attribute, Any)
            known = _without_unset(hint)
            yield Field(attribute, name, shape_of(known), known is not hint)
    else:
        for field in dataclasses.fields(cls):  # type: ignore[arg-type]
            yield Field(field.name, field.name, shape_of(hints.get(field.name, Any)))


def is_object(value: object) -> TypeGuard[Any]:
    """Whether a value is an instance of a dataclass or Struct."""
    return isinstance(value, msgspec.Struct) or (dataclasses.is_dataclass(value) and not isinstance(value, type))


def check_scalar(value: Any) -> None:
    """Refuse a single value that JSON, or a browser, could not hold exactly."""
    if type(value) is int and not -EXACT_INTEGER < value < EXACT_INTEGER:
        raise StoreValueError("an integer from 2**53 on is not exact in a browser: keep it as text")
    if type(value) is float and not math.isfinite(value):
        raise StoreValueError("NaN and infinity are not JSON: use None")
    if type(value) is str and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise StoreValueError("half of a surrogate pair is not text that JSON can carry") from None


def _arms(hint: Any) -> collections.abc.Iterator[Any]:
    """The alternatives of a hint, without their annotations: `Item | None` has two."""
    origin = typing.get_origin(hint)
    if origin is typing.Annotated:
        return  # what it says beside the type must be looked at, so nothing is accepted unread
    if origin in (typing.Union, types.UnionType):
        for arm in typing.get_args(hint):
            yield from _arms(arm)
    elif isinstance(hint, typing.TypeVar):
        return
    elif hasattr(hint, "__supertype__"):
        yield from _arms(hint.__supertype__)
    elif hasattr(hint, "__value__"):
        yield from _arms(hint.__value__)
    else:
        yield hint


def _containers(hint: Any) -> collections.abc.Iterator[Any]:
    """The alternatives of a hint, annotated ones too."""
    if typing.get_origin(hint) is typing.Annotated:
        yield from _containers(typing.get_args(hint)[0])
    else:
        yield from _arms(hint)


def _needs_whole(hint: Any) -> bool:
    annotated = typing.get_origin(hint) is typing.Annotated
    for arm in _containers(hint):
        origin = typing.get_origin(arm)
        if typing.is_typeddict(arm) or (annotated and (origin in (*_LISTS, *_DICTS) or arm in (list, dict))):
            return True
        if origin in _DICTS and typing.get_args(arm)[0] not in (str, Any):
            return True
    return False


def _required(hint: Any) -> Any:
    """The type inside `Required[…]`, `NotRequired[…]` or `ReadOnly[…]`."""
    while getattr(typing.get_origin(hint), "_name", None) in ("Required", "NotRequired", "ReadOnly"):
        (hint,) = typing.get_args(hint)
    return hint


def _without_unset(hint: Any) -> Any:
    """A Struct's hint without `UnsetType`, which says that JSON may lack the field."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        arms = [arm for arm in typing.get_args(hint) if arm is not msgspec.UnsetType]
        if arms and len(arms) < len(typing.get_args(hint)):
            return typing.Union[tuple(arms)]  # noqa: UP007 - the arms are known only now
    return hint


ANY = Shape(Any)
"""A place without a type."""
_shapes[Any] = ANY
