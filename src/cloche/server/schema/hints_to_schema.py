"""JSON Schemas made small and valid in one place: no title noise, definitions only where a type repeats or recurs."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final, NotRequired, Required, get_args, get_origin

import msgspec

from cloche.server.schema.annotated import Unsupported
from cloche.server.schema.engine_hints import native_hint
from cloche.server.schema.schema_flaws import below, in_place
from cloche.server.schema.type_survey import Survey

Schema = dict[str, Any]
REF = "#/$defs/"

_QUALIFIERS = (Required, NotRequired, ClassVar, Final)


def native_schema(hint: Any, found: Survey, mode: str = "validation") -> tuple[Schema, dict[str, Schema]]:
    """The schema of a type that msgspec reads, and its definitions; `mode` says whether values come in or go out."""
    fields = list(_rewritten_fields(found))
    classes = [cls for cls, _, _ in fields]
    types = [hint, *classes, *(one for _, _, one in fields)]
    (schema, *places), defs = msgspec.json.schema_components(types, ref_template=REF + "{name}")
    for definition in defs.values():
        definition.pop("title", None)  # always the class's name
    for (cls, name, _), place, better in zip(fields, places, places[len(fields) :], strict=False):
        properties = defs[place["$ref"].removeprefix(REF)].get("properties", {})
        encoded = _encoded_name(cls, name)
        if encoded in properties:
            properties[encoded] = {**properties[encoded], **better}
    orders = {_as_set(values): values for values in found.choices}
    for one in _walk(schema, *defs.values()):
        _settle(one, orders, is_output=mode == "serialization")
    used = _reachable(schema, defs)
    return schema, {name: one for name, one in defs.items() if name in used}


def _as_set(values: Iterable[Any]) -> frozenset[tuple[type, Any]]:
    return frozenset((type(value), value) for value in values)


def _settle(schema: Schema, orders: dict[frozenset[tuple[type, Any]], tuple[Any, ...]], *, is_output: bool) -> None:
    """Say, in place, nothing that other validators read differently, or that a value that goes out may not keep.

    Enumerations stay as their author wrote them: msgspec sorts, and low, medium, high must not become high, low,
    medium. `"items": false` behind `prefixItems` forbids every item in the drafts before 2020-12, which many clients
    use, and adds nothing to `maxItems`. A date-time without an offset is none for a validator, nor is a duration with a
    fraction of a second or a sign.
    """
    if isinstance(schema.get("enum"), list):
        schema["enum"] = list(orders.get(_as_set(schema["enum"])) or schema["enum"])
    if schema.get("items") is False and "maxItems" in schema:
        del schema["items"]
    kind = schema.get("format")
    if kind in ("date-time?", "time?", "duration"):
        del schema["format"]
        if not is_output:
            schema["format"] = kind.removesuffix("?")


def _rewritten_fields(found: Survey) -> Iterator[tuple[type, str, Any]]:
    """Fields about which the hint says more than msgspec understands, such as a plain string as description."""
    for cls, hints in found.fields.items():
        if getattr(cls, "__parameters__", ()):
            continue  # which of its forms is meant is not known here
        for name, qualified in hints.items():
            hint = qualified
            while get_origin(hint) in _QUALIFIERS:
                hint = get_args(hint)[0]
            try:
                written = native_hint(hint)
            except Unsupported:
                continue  # msgspec has taken it as it is
            if written is not hint and written != hint:
                yield cls, name, written


def _encoded_name(cls: type, name: str) -> str:
    if issubclass(cls, msgspec.Struct):
        return dict(zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True)).get(name, name)
    return name


def _walk(*schemas: Any) -> Iterator[Schema]:
    """These schemas and every one inside them; defaults, examples and enums are values, not schemas."""
    for schema in schemas:
        if isinstance(schema, dict):
            yield schema
            yield from _walk(*(one for _, one in (*in_place(schema), *below(schema))))


def _references(*schemas: Schema) -> Iterator[str]:
    """The definitions that schemas name."""
    for one in _walk(*schemas):
        if str(one.get("$ref", "")).startswith(REF):
            yield one["$ref"].removeprefix(REF)
        for target in _mapping(one).values():
            yield target.removeprefix(REF)


def _mapping(schema: Schema) -> dict[str, str]:
    discriminator = schema.get("discriminator")
    mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
    return mapping if isinstance(mapping, dict) else {}


def _reachable(schema: Schema, defs: dict[str, Schema]) -> set[str]:
    found: set[str] = set()
    waiting = list(_references(schema))
    while waiting:
        name = waiting.pop()
        if name not in found and name in defs:
            found.add(name)
            waiting.extend(_references(defs[name]))
    return found


def merge(schema: Schema, defs: dict[str, Schema], into: dict[str, Schema]) -> Schema:
    """Add `defs` to `into` and return `schema` pointing there; a name taken by another definition gets a number."""
    names: dict[str, str] = {}
    number = 1
    while True:
        renamed = {names.get(name, name): _renamed(one, names) for name, one in defs.items()}
        taken = {name for name in renamed if name in into and into[name] != renamed[name]}
        if not taken:
            break
        number += 1
        clashing = _with_referrers({name for name in defs if names.get(name, name) in taken} | set(names), defs, into)
        names = {name: f"{name}_{number}" for name in clashing}
    into.update(renamed)
    return _renamed(schema, names)


def _renamed(schema: Schema, names: dict[str, str]) -> Schema:
    """`schema` with its references pointed at other definitions."""
    done = copy.deepcopy(schema)
    for one in _walk(done):
        if str(one.get("$ref", "")).startswith(REF):
            name = one["$ref"].removeprefix(REF)
            one["$ref"] = REF + names.get(name, name)
        mapping = _mapping(one)
        for tag, target in mapping.items():
            mapping[tag] = REF + names.get(target.removeprefix(REF), target.removeprefix(REF))
    return done


def _with_referrers(clashing: set[str], defs: dict[str, Schema], into: dict[str, Schema]) -> set[str]:
    """A definition that refers to a clashing one only looks the same as its namesake."""
    more = {name for name in defs if name in into and clashing & set(_references(defs[name]))} - clashing
    return _with_referrers(clashing | more, defs, into) if more else clashing


def assemble(schema: Schema, defs: dict[str, Schema]) -> Schema:
    """One self-contained schema: what is used once is written in place, a root reference too, the rest is `$defs`."""
    done = copy.deepcopy(schema)
    rest = copy.deepcopy(defs)
    for name in list(rest):
        everything = list(_walk(done, *rest.values()))
        places = [one for one in everything if one.get("$ref") == REF + name]
        is_mapped = any(REF + name in _mapping(one).values() for one in everything)
        if len(places) == 1 and not is_mapped and name not in _reachable(rest[name], rest):
            site = {key: value for key, value in places[0].items() if key != "$ref"}
            places[0].clear()
            places[0].update({**rest.pop(name), **site})
    if str(done.get("$ref", "")).startswith(REF):
        target = rest[done.pop("$ref").removeprefix(REF)]
        done = {**copy.deepcopy(target), **done}
    used = _reachable(done, rest)
    if used:
        done["$defs"] = {name: one for name, one in rest.items() if name in used}
    return done


def node_at(schema: Schema, keys: Iterable[str | int]) -> Schema | None:
    """The subschema that describes the value at `keys`, when that is unambiguous."""
    root = schema
    here: Schema | None = schema
    for key in keys:
        here = next((found for one in _alternatives(here, root) if (found := _child(one, key)) is not None), None)
        if here is None:
            return None
    return here


def resolved(schema: Schema, root: Schema) -> Schema:
    """What a schema stands for: the object behind a reference, or the first alternative that is an object."""
    return next((one for one in _alternatives(schema, root) if "properties" in one), schema)


def _alternatives(schema: Schema | None, root: Schema) -> Iterator[Schema]:
    if schema is None:
        return
    if str(schema.get("$ref", "")).startswith(REF):
        yield from _alternatives(root.get("$defs", {}).get(schema["$ref"].removeprefix(REF)), root)
    for one in schema.get("anyOf", []):
        yield from _alternatives(one, root)
    yield schema


def _child(schema: Schema, key: str | int) -> Schema | None:
    found: Any
    if isinstance(key, int):
        prefix = schema.get("prefixItems", [])
        found = prefix[key] if key < len(prefix) else schema.get("items")
    else:
        found = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
    return found if isinstance(found, dict) else None


def enumeration(schema: Schema, keys: Iterable[str | int]) -> list[Any] | None:
    """The values allowed at `keys`, when there is a closed set of them."""
    node = node_at(schema, keys)
    for one in _alternatives(node, schema):
        if isinstance(one.get("enum"), list):
            values: list[Any] = one["enum"]
            return values
        if "const" in one:
            return [one["const"]]
    return None
