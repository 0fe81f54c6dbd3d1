"""Values on their way into a state and out of it: tracked copies of what comes in, plain copies of what goes out."""

from __future__ import annotations

import datetime
import decimal
import enum
import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import StoreValueError
from cloche.store.links import Link
from cloche.store.objects import base_of, make_object, plain_object
from cloche.store.shapes import SCALARS, Shape, check_scalar, fields_of, is_object
from cloche.store.tracked import TrackedDict, TrackedList, check_key

if TYPE_CHECKING:
    from cloche.store.tree import Tree

MAX_DEPTH = 100
"""Levels of a state."""

_LEAVES = (
    datetime.date,
    datetime.time,
    datetime.timedelta,
    decimal.Decimal,
    enum.Enum,
    uuid.UUID,
    bytes,
)
"""Single values that JSON has as text, in places whose type says so."""


def tracked_copy(value: Any, shape: Shape, tree: Tree) -> Any:
    """A value as it is kept in a tree: containers and objects are copied, and tell the tree of changes."""
    kind = type(value)
    if kind in SCALARS and kind in shape.scalars:
        check_scalar(value)
        return value
    if shape.hint is Any:
        return _build(value, shape, tree, 0)
    return _build(shape.read(value), shape, tree, 0)


def _build(value: Any, shape: Shape, tree: Tree, depth: int) -> Any:
    if type(value) in SCALARS:
        check_scalar(value)
        return value
    if depth >= MAX_DEPTH:
        raise StoreValueError(f"a state has at most {MAX_DEPTH} levels, and nothing in it contains itself")
    node: Any
    if isinstance(value, dict):
        node = TrackedDict()
        node._cloche_link = Link(tree, shape)
        for key, one in value.items():
            check_key(key)
            dict.__setitem__(node, key, _child(one, shape.member(key), tree, depth, node, key))
        return node
    if isinstance(value, list):
        node = TrackedList()
        node._cloche_link = Link(tree, shape)
        items = shape.items
        list.extend(node, [_child(one, items, tree, depth, node, at) for at, one in enumerate(value)])
        return node
    if is_object(value):
        return _build_object(value, shape, tree, depth)
    if shape.hint is not Any and (isinstance(value, _LEAVES) or _is_leaf_tuple(value)):
        return value
    raise StoreValueError(_refusal(value))


def _child(value: Any, shape: Shape, tree: Tree, depth: int, parent: Any, key: str | int) -> Any:
    node = _build(value, shape, tree, depth + 1)
    adopt(node, parent, key)
    return node


def _build_object(value: Any, shape: Shape, tree: Tree, depth: int) -> Any:
    values: dict[str, Any] = {}
    cls = base_of(type(value))
    for field in fields_of(cls):
        one = getattr(value, field.attribute)
        known = one if one is msgspec.UNSET else _build(one, field.shape, tree, depth + 1)
        values[field.attribute] = known
    node = make_object(cls, Link(tree, shape), values)
    for field in fields_of(cls):
        adopt(values[field.attribute], node, field.name)
    return node


def adopt(child: Any, parent: Any, key: str | int) -> None:
    """Link a tracked value to what holds it."""
    link: Link | None = getattr(child, "_cloche_link", None)
    if link is not None:
        link.parent = parent
        link.key = key


def plain_copy(value: Any) -> Any:
    """A copy with plain lists and dicts and the author's own classes, all the way down."""
    if isinstance(value, dict):
        return {key: plain_copy(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain_copy(one) for one in value]
    if is_object(value):
        cls = base_of(type(value))
        values = {field.attribute: plain_copy(getattr(value, field.attribute)) for field in fields_of(cls)}
        return plain_object(cls, values)
    return value


def as_json(value: Any) -> Any:
    """A value of a state as plain JSON."""
    return value if type(value) in SCALARS else msgspec.to_builtins(value)


def same_kind(node: Any, value: Any) -> bool:
    """Whether a tracked container can become equal to a value and stay what it is."""
    if isinstance(node, TrackedDict):
        return isinstance(value, Mapping)
    if isinstance(node, TrackedList):
        return isinstance(value, list)
    return is_object(node) and base_of(type(value)) is base_of(type(node)) and not _is_frozen(type(node))


def _is_frozen(cls: Any) -> bool:
    return bool(cls.__struct_config__.frozen if issubclass(cls, msgspec.Struct) else cls.__dataclass_params__.frozen)


def _is_leaf_tuple(value: Any) -> bool:
    return isinstance(value, tuple | frozenset) and all(
        type(one) in SCALARS or isinstance(one, _LEAVES) or _is_leaf_tuple(one) for one in value
    )


def _refusal(value: Any) -> str:
    name = type(value).__name__
    if isinstance(value, set | frozenset | tuple):
        return f"changes inside a {name} cannot be seen: use a list"
    if isinstance(value, _LEAVES):
        return f"a {name} needs a place with that type, so that it can be read back: give the store a dataclass"
    return f"a {name} is not something a store keeps: use dataclasses, Structs, dicts, lists and single values"
