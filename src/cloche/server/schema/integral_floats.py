"""`3.0` is an integer: JSON Schema says so, and JavaScript and some models write it.

msgspec refuses it, so after a refusal the value is read again untyped, integral floats become integers where the type
wants one, and the text is read a second time. Floats are carried as `msgspec.Raw`, their own text, so nothing loses
precision on the way.
"""

from __future__ import annotations

import decimal
import enum
from typing import Any

import msgspec
from msgspec import inspect as mi

_untyped = msgspec.json.Decoder(float_hook=lambda text: msgspec.Raw(text.encode()))

_LISTS = (mi.ListType, mi.VarTupleType, mi.SetType, mi.FrozenSetType)
_OBJECTS = (mi.TypedDictType, mi.DataclassType, mi.StructType)
_NUMBER_LENGTH = 400


def untyped(data: bytes) -> Any:
    """Any JSON; floats as their text in a Raw."""
    return _untyped.decode(data)


def integral(text: bytes) -> int | None:
    """The integer that the number in `text` is, if it is one."""
    if len(text) > _NUMBER_LENGTH:
        return None
    try:
        number = decimal.Decimal(text.decode())
    except decimal.InvalidOperation:  # an exponent beyond even Decimal
        return None
    # Without the limit, 1e999999999 would be written out.
    if number.adjusted() > _NUMBER_LENGTH:
        return None
    whole = number.to_integral_value()
    return int(whole) if whole == number else None


class Repair:
    """Turns integral floats into integers along a type; `count` says how many."""

    count = 0

    def value(self, value: Any, kind: mi.Type) -> Any:
        """`value` as `kind` wants it."""
        while isinstance(kind, mi.Metadata):
            kind = kind.type
        if isinstance(value, msgspec.Raw):
            return self._number(value, kind)
        if isinstance(value, list):
            return self._array(value, kind)
        if isinstance(value, dict):
            return self._object(value, kind)
        return value

    def _number(self, value: msgspec.Raw, kind: mi.Type) -> Any:
        if not _wants_integer(kind):
            return value
        whole = integral(bytes(value))
        if whole is None:
            return value
        self.count += 1
        return whole

    def _array(self, value: list[Any], kind: mi.Type) -> Any:
        for one in _arms(kind):
            if isinstance(one, _LISTS):
                return [self.value(item, one.item_type) for item in value]
            if isinstance(one, mi.TupleType):
                return self._items(value, one.item_types)
            if isinstance(one, mi.NamedTupleType) or (isinstance(one, mi.StructType) and one.array_like):
                return self._items(value, tuple(field.type for field in one.fields))
        return value

    def _items(self, value: list[Any], kinds: tuple[mi.Type, ...]) -> list[Any]:
        done = [self.value(item, kind) for item, kind in zip(value, kinds, strict=False)]
        return done + value[len(done) :]

    def _object(self, value: dict[str, Any], kind: mi.Type) -> Any:
        for one in _arms(kind):
            if isinstance(one, mi.DictType):
                return {key: self.value(item, one.value_type) for key, item in value.items()}
            if isinstance(one, _OBJECTS) and _tagged(one, value):
                kinds = {field.encode_name: field.type for field in one.fields}
                return {key: self.value(item, kinds[key]) if key in kinds else item for key, item in value.items()}
        return value


def _arms(kind: mi.Type) -> tuple[mi.Type, ...]:
    arms = kind.types if isinstance(kind, mi.UnionType) else (kind,)
    return tuple(arm.type if isinstance(arm, mi.Metadata) else arm for arm in arms)


def _tagged(kind: mi.Type, value: dict[str, Any]) -> bool:
    tag = kind.tag_field if isinstance(kind, mi.StructType) else None
    return tag is None or value.get(tag) == kind.tag  # type: ignore[attr-defined]


def _wants_integer(kind: mi.Type) -> bool:
    arms = _arms(kind)
    if any(isinstance(arm, (mi.FloatType, mi.DecimalType, mi.AnyType)) for arm in arms):
        return False
    return any(_is_integer(arm) for arm in arms)


def _is_integer(kind: mi.Type) -> bool:
    if isinstance(kind, mi.LiteralType):
        return any(type(value) is int for value in kind.values)
    if isinstance(kind, mi.EnumType):
        return any(isinstance(member.value, int) for member in list[enum.Enum](kind.cls))
    return isinstance(kind, mi.IntType)
