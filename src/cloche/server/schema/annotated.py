"""What `Annotated[...]` says about a type, whoever's vocabulary it uses.

`msgspec.Meta`, `pydantic.Field`, `annotated_types` and plain strings all end up in one `Notes`. Nothing here imports
pydantic or annotated_types: their objects are recognised by the shape that both libraries document.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

BOUNDS = ("gt", "ge", "lt", "le", "multiple_of")
LENGTHS = ("min_length", "max_length")
LIMITS = (*BOUNDS, *LENGTHS, "pattern", "tz")

# What pydantic puts into FieldInfo.metadata under a class of its own, and what it means here.
_GENERAL_PYDANTIC = "_PydanticGeneralMetadata"
_FACTS = ("title", "description", "examples")
_HARMLESS = {"DocInfo", "Unit"}


class Unsupported(Exception):
    """msgspec cannot do this; pydantic may."""


@dataclasses.dataclass
class Notes:
    """Everything that the metadata of one `Annotated` says."""

    limits: dict[str, Any] = dataclasses.field(default_factory=dict)
    facts: dict[str, Any] = dataclasses.field(default_factory=dict)
    """JSON Schema keywords that constrain nothing: title, description, examples, deprecated and extras."""
    foreign: list[object] = dataclasses.field(default_factory=list)
    """Metadata that only pydantic can carry out."""
    for_pydantic: list[object] = dataclasses.field(default_factory=list)
    """The constraining metadata, in order, as pydantic understands it; `Meta` stays as it is."""
    alias: str | None = None
    field: Any = None
    """The last `pydantic.FieldInfo`, for its default."""


def is_field_info(value: object) -> bool:
    """Is this what `pydantic.Field(...)` returns?"""
    cls = type(value)
    return cls.__name__ == "FieldInfo" and cls.__module__.startswith("pydantic")


def read_notes(metadata: Iterable[object]) -> Notes:
    """Sort the metadata of an `Annotated`."""
    notes = Notes()
    for item in metadata:
        _read(item, notes)
    return notes


def _read(item: object, notes: Notes) -> None:
    if isinstance(item, str):
        notes.facts["description"] = inspect.cleandoc(item)
    elif isinstance(item, msgspec.Meta):
        _read_meta(item, notes)
    elif is_field_info(item):
        _read_field_info(item, notes)
    elif type(item).__name__ in ("Doc", "DocInfo") and isinstance(getattr(item, "documentation", None), str):
        notes.facts["description"] = inspect.cleandoc(item.documentation)  # type: ignore[attr-defined]
    elif _from(item, "annotated_types"):
        _read_annotated_type(item, notes)
    elif _from(item, "pydantic") or hasattr(item, "__get_pydantic_core_schema__"):
        notes.foreign.append(item)
        notes.for_pydantic.append(item)
    # Anything else is another tool's business: PEP 593 asks readers to pass over metadata they don't know.


def _from(item: object, package: str) -> bool:
    return any(cls.__module__.partition(".")[0] == package for cls in type(item).__mro__) or (
        isinstance(item, type) and item.__module__.partition(".")[0] == package
    )


def limits_of(meta: msgspec.Meta) -> dict[str, Any]:
    """The constraints in a `Meta`."""
    return {name: value for name in LIMITS if (value := getattr(meta, name)) is not None}


def _read_meta(meta: msgspec.Meta, notes: Notes) -> None:
    for name, value in limits_of(meta).items():
        add_limit(notes.limits, name, value)
    _read_facts(meta, notes)
    notes.facts.update(meta.extra_json_schema or {})
    notes.for_pydantic.append(meta)


def _read_facts(item: Any, notes: Notes) -> None:
    notes.facts |= {name: text for name in _FACTS if (text := getattr(item, name)) is not None}


def _read_annotated_type(item: Any, notes: Notes) -> None:
    name = type(item).__name__
    if name in _HARMLESS:
        return
    notes.for_pydantic.append(item)
    parts = list(item) if hasattr(item, "__iter__") else [item]  # Interval and Len are groups
    for part in parts:
        limit = next((one for one in (*BOUNDS, *LENGTHS) if hasattr(part, one)), None)
        if limit is None or not type(part).__module__.startswith("annotated_types"):
            notes.foreign.append(part)
        elif getattr(part, limit) is not None:
            add_limit(notes.limits, limit, getattr(part, limit))


def _read_field_info(info: Any, notes: Notes) -> None:
    for item in info.metadata:
        if type(item).__name__ == _GENERAL_PYDANTIC:
            _read_general(item, notes)
        elif type(item).__name__ == "Strict" and item.strict:
            notes.for_pydantic.append(item)  # reading is strict anyway
        else:
            _read(item, notes)
    _read_facts(info, notes)
    if info.deprecated:
        notes.facts["deprecated"] = True
    if isinstance(info.json_schema_extra, dict):
        notes.facts.update(info.json_schema_extra)
    elif info.json_schema_extra is not None:
        notes.facts["json_schema_extra"] = info.json_schema_extra  # a callable: finished by `apply_facts`
    if info.discriminator is not None:
        notes.foreign.append(_Discriminated(info.discriminator))
        notes.for_pydantic.append(_Discriminated(info.discriminator))
    alias = info.validation_alias if info.validation_alias is not None else info.alias
    if alias is not None and not isinstance(alias, str):
        raise Unsupported("an alias with several names or a path, which a parameter cannot have: use one name")
    notes.alias = alias or notes.alias
    notes.field = info


@dataclasses.dataclass(frozen=True)
class _Discriminated:
    """`pydantic.Field(discriminator=...)`, without the rest of that field."""

    discriminator: Any


def discriminator_of(item: object) -> Any:
    """The discriminator that `item` stands for, or None."""
    return item.discriminator if isinstance(item, _Discriminated) else None


def _read_general(item: Any, notes: Notes) -> None:
    values = {name: value for name, value in vars(item).items() if value is not None}
    pattern = values.pop("pattern", None)
    if isinstance(pattern, re.Pattern):
        plain = not pattern.flags & ~re.UNICODE
        pattern = pattern.pattern if plain else pattern
    if isinstance(pattern, str):
        add_limit(notes.limits, "pattern", pattern)
    elif pattern is not None:
        notes.foreign.append(item)
    if values:
        notes.foreign.append(item)
    notes.for_pydantic.append(item)


def add_limit(limits: dict[str, Any], name: str, value: Any) -> None:
    """Both limits hold when one is given twice; msgspec would refuse that or take the last."""
    if name not in limits or limits[name] == value:
        limits[name] = value
    elif name in ("gt", "ge", "min_length"):
        limits[name] = max(limits[name], value)
    elif name in ("lt", "le", "max_length"):
        limits[name] = min(limits[name], value)
    elif name == "multiple_of" and isinstance(value, int) and isinstance(limits[name], int):
        limits[name] = math.lcm(limits[name], value)
    else:
        raise Unsupported(f"two different values for {name}")


def single_bounds(limits: dict[str, Any]) -> dict[str, Any]:
    """Keep the tighter of `gt`/`ge` and of `lt`/`le`: msgspec takes only one of each."""
    kept = dict(limits)
    if "gt" in kept and "ge" in kept:
        kept.pop("ge" if kept["gt"] >= kept["ge"] else "gt")
    if "lt" in kept and "le" in kept:
        kept.pop("le" if kept["lt"] <= kept["le"] else "lt")
    return kept


def integer_bounds(limits: dict[str, Any]) -> dict[str, Any]:
    """Bounds of an integer as integers: `ge=1.5` is `ge=2`."""
    rounding: dict[str, Callable[[float], int]] = {"ge": math.ceil, "gt": math.floor, "le": math.floor, "lt": math.ceil}
    kept: dict[str, Any] = {}
    for name, value in limits.items():
        if isinstance(value, float) and math.isinf(value):
            if (value < 0) == (name in ("ge", "gt")):
                continue  # no bound at all
            raise Unsupported(f"{name}={value} on an integer")
        if isinstance(value, float) and name in rounding:
            kept[name] = rounding[name](value)
        elif isinstance(value, float) and value.is_integer():
            kept[name] = int(value)
        else:
            kept[name] = value
    return kept


def apply_facts(schema: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
    """`schema` with title, description, examples and extras put on."""
    done = {**schema, **facts}
    change = done.pop("json_schema_extra", None)
    if change is not None:
        change(done)
    return done
