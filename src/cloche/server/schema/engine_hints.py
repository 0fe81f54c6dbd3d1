"""Type hints in the dialect of the engine that will read them: msgspec's or pydantic's.

msgspec silently ignores `pydantic.Field(ge=1)` and `annotated_types.Ge(1)`, and refuses a constraint on a union;
pydantic silently ignores `msgspec.Meta(ge=1)`. So a hint is rebuilt from the inside out: every `Annotated` is read
once and written again in the engine's words.
"""

from __future__ import annotations

import collections.abc
import datetime
import types
from collections.abc import Callable
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin

import msgspec

from cloche.server.schema.annotated import (
    BOUNDS,
    LENGTHS,
    Notes,
    Unsupported,
    add_limit,
    apply_facts,
    integer_bounds,
    read_notes,
    single_bounds,
)

_SIZED: tuple[type, ...] = (str, bytes, bytearray, list, set, frozenset, dict, tuple)
_SIZED_ABSTRACT: tuple[type, ...] = (
    collections.abc.Collection,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Set,
    collections.abc.MutableSet,
    collections.abc.Mapping,
    collections.abc.MutableMapping,
)

# msgspec names the format only when an offset is required. A model that writes an argument is told in any case; of a
# result it would be a lie, because the value may have none. `hints_to_schema` decides which, so it must know ours.
_FORMATS = {datetime.datetime: "date-time?", datetime.time: "time?"}

Writer = Callable[[Any, Notes], Any]
"""Puts notes on a type whose inside is already written."""


def is_union(hint: Any) -> bool:
    """Is this `X | Y`, `Union` or `Optional`?"""
    return get_origin(hint) in (Union, types.UnionType)


def is_alias(hint: Any) -> bool:
    """Is this a name made by a `type X = ...` statement?"""
    return type(hint).__name__ == "TypeAliasType" and hasattr(hint, "__value__")


def split_annotated(hint: Any) -> tuple[Any, tuple[object, ...]]:
    """The bare type and the metadata of an `Annotated`; other hints have none."""
    if get_origin(hint) is Annotated:
        return hint.__origin__, hint.__metadata__
    return hint, ()


def union_of(arms: list[Any]) -> Any:
    """The union of `arms`."""
    return Union[tuple(arms)]  # noqa: UP007 - the arms are known at run time only


def rewrite(hint: Any, write: Writer, unfolding: tuple[Any, ...] = ()) -> Any:
    """Rebuild `hint` with every `Annotated` in it written by `write`."""
    bare, metadata = split_annotated(hint)
    if metadata:
        return write(rewrite(bare, write, unfolding), read_notes(metadata))
    if is_alias(hint) or is_alias(get_origin(hint)):
        return _unfold(hint, write, unfolding)
    if isinstance(hint, NewType):
        return rewrite(hint.__supertype__, write, unfolding)
    if write is write_native and isinstance(hint, type) and hint in _FORMATS:
        return write(hint, Notes(facts={"format": _FORMATS[hint]}))
    origin = get_origin(hint)
    if origin is None or origin is Literal or origin is collections.abc.Callable:
        return hint
    arguments = tuple(rewrite(one, write, unfolding) if is_hint(one) else one for one in get_args(hint))
    if is_union(hint):
        return union_of(list(arguments))
    if origin is collections.abc.Iterable and write is write_native:
        return list[arguments[0]]  # type: ignore[valid-type] # pydantic would check it only while it is iterated
    if arguments == get_args(hint):
        return hint
    return origin[arguments]


def is_hint(argument: Any) -> bool:
    """Whether an argument of a generic is a type, and not `...`, a list of parameters or a value."""
    return argument is not Ellipsis and not isinstance(argument, (list, str, int))


def _unfold(hint: Any, write: Writer, unfolding: tuple[Any, ...]) -> Any:
    if hint in unfolding:
        raise Unsupported(f"the recursive alias {hint}")
    origin = get_origin(hint)
    value = hint.__value__ if origin is None else origin.__value__[get_args(hint)]
    return rewrite(value, write, (*unfolding, hint))


def write_native(hint: Any, notes: Notes) -> Any:
    """Write notes for msgspec."""
    if notes.foreign:
        raise Unsupported(f"{_name(notes.foreign[0])} in Annotated")
    constrained = constrain(hint, notes.limits) if notes.limits else hint
    if not notes.facts:
        return constrained
    return Annotated[constrained, _facts_meta(notes.facts)]


def _facts_meta(facts: dict[str, Any]) -> msgspec.Meta:
    return msgspec.Meta(extra_json_schema=apply_facts({}, facts))


def _name(item: object) -> str:
    return item.__name__ if isinstance(item, type) else type(item).__name__


def constrain(hint: Any, limits: dict[str, Any]) -> Any:
    """`hint` with `limits` as `msgspec.Meta`, inside a union on the arms they fit."""
    bare, metadata = split_annotated(hint)
    if not is_union(bare):
        unfit = sorted(set(limits) - set(fitting(bare)))
        if unfit:
            raise Unsupported(f"{unfit[0]} on {getattr(bare, '__name__', bare)}")
        return _with_limits(hint, limits)
    constrained, rest = constrained_arms(bare, limits, _with_limits)
    if rest:
        raise Unsupported(f"{min(rest)} on {bare}")
    return Annotated[constrained, *metadata] if metadata else constrained


def constrained_arms(
    union: Any, limits: dict[str, Any], constrained: Callable[[Any, dict[str, Any]], Any]
) -> tuple[Any, dict[str, Any]]:
    """A union with limits on the arms that they fit, and the limits that fit none."""
    arms = []
    rest = dict(limits)
    for arm in get_args(union):
        mine = {name: limits[name] for name in fitting(split_annotated(arm)[0]) if name in limits}
        rest = {name: value for name, value in rest.items() if name not in mine}
        arms.append(constrained(arm, mine) if mine else arm)
    return union_of(arms), rest


def fitting(bare: Any) -> tuple[str, ...]:
    """The limits that msgspec can hold on this type."""
    origin = get_origin(bare) or bare
    if origin is int or origin is float:
        return BOUNDS
    if origin is str:
        return (*LENGTHS, "pattern")
    if origin in (datetime.datetime, datetime.time):
        return ("tz",)
    if origin in _SIZED or origin in _SIZED_ABSTRACT:
        return LENGTHS
    return ()


def _with_limits(hint: Any, limits: dict[str, Any]) -> Any:
    """One `Meta` with these limits and those that `hint` already has."""
    bare, metadata = split_annotated(hint)
    inner = read_notes(metadata)
    merged = inner.limits
    for name, value in limits.items():
        add_limit(merged, name, value)
    if bare is int:
        merged = integer_bounds(merged)
    try:
        meta = [msgspec.Meta(**single_bounds(merged))] if merged else []
    except (TypeError, ValueError) as error:
        raise Unsupported(str(error)) from error
    if inner.facts:
        meta.append(_facts_meta(inner.facts))
    return Annotated[bare, *meta] if meta else bare


def native_hint(hint: Any) -> Any:
    """`hint` as msgspec must see it; raises Unsupported when it would lose something."""
    try:
        return rewrite(hint, write_native)
    except TypeError as error:
        raise Unsupported(str(error)) from error
