"""A function's result: its JSON Schema and its JSON."""

from __future__ import annotations

import collections.abc
import math
import os
import sys
import typing
from collections.abc import Callable
from typing import Any, NoReturn, get_args, get_origin

import msgspec

from cloche.server.schema.engine_choice import Typed, typed
from cloche.server.schema.engine_hints import is_alias, is_union, split_annotated
from cloche.server.schema.hints_to_schema import Schema, assemble
from cloche.server.schema.pydantic_bridge import PydanticReader
from cloche.server.schema.signature import MISSING, return_hint
from cloche.server.schema.value_problems import OutputError

_UNTYPED = (MISSING, None, type(None), Any, object, str, NoReturn, typing.Never)
_SEQUENCES = (list, tuple, collections.abc.Sequence)


def output_of(fn: Callable[..., Any], *, what: str, content_types: tuple[type, ...]) -> Output:
    """Read `fn`'s return annotation; raises RegistrationError when it has no JSON Schema."""
    hint = return_hint(fn, what=what)
    if _is_text(hint) or _has_content(hint, content_types):
        return Output(None, what)
    return Output(typed(hint, what=f"{what}, return type", mode="serialization"), what)


def _unwrapped(hint: Any) -> Any:
    hint, _ = split_annotated(hint)
    return _unwrapped(hint.__value__) if is_alias(hint) else hint


def _is_text(hint: Any) -> bool:
    """Text, HTML as text, nothing, or not said."""
    hint = _unwrapped(hint)
    if isinstance(hint, type) and issubclass(hint, str) and hasattr(hint, "__html__"):
        return True
    if is_union(hint):
        return all(_is_text(arm) for arm in get_args(hint))
    return any(hint is one for one in _UNTYPED)


def _has_content(hint: Any, content_types: tuple[type, ...]) -> bool:
    """Are there content blocks in it? Then the value decides at run time, and no schema holds."""
    hint = _unwrapped(hint)
    if hint in (list, tuple) or (get_origin(hint) in _SEQUENCES and Any in get_args(hint)):
        return True  # a list of anything may hold blocks
    if is_union(hint) or get_origin(hint) in _SEQUENCES:
        return any(_has_content(arm, content_types) for arm in get_args(hint) if arm is not Ellipsis)
    return isinstance(hint, type) and issubclass(hint, content_types)


class Output:
    """The result of one function, made once at registration."""

    schema: dict[str, Any] | None
    """Of the value as it is; None for text, content, nothing or an unknown type."""
    object_schema: dict[str, Any] | None
    """The same with an object at the root, as before 2026-07-28."""
    wrapped: bool
    """Must the value be put into `{"result": ...}` before 2026-07-28?"""
    plain: type | None
    """`int` or `bool` when that is declared: a value of exactly this type cannot go wrong."""

    def __init__(self, one: Typed | None, what: str) -> None:
        self._what = what
        self.schema = None if one is None else assemble(one.schema, one.defs)
        self.wrapped = self.schema is not None and self.schema.get("type") != "object"
        self.object_schema = _wrap(one) if one is not None and self.wrapped else self.schema
        self._dump = one.reader.dump if one is not None and isinstance(one.reader, PydanticReader) else None
        self._classes = None if one is None else _classes(one.hint)
        self._may_have_floats = self.schema is None or _has_number(self.schema)

        self.plain = one.hint if one is not None and one.hint in (int, bool) else None

    def encode(self, value: Any) -> bytes:
        """The JSON of `value`; raises OutputError when it is not JSON, or plainly not what the function declares."""
        if self._classes is not None and not _is_one_of(value, self._classes):
            self._check_mapping(value)
        try:
            data = self._encoded(value)
        except RecursionError as error:
            raise OutputError(f"{self._what} returned a value that contains itself, which is not JSON") from error
        except UnicodeEncodeError as error:
            raise OutputError(f"{self._what} returned text with a lone surrogate, which is not UTF-8") from error
        except (TypeError, ValueError, OverflowError) as error:
            raise OutputError(f"{self._what} returned a value that is not JSON: {_first_line(error)}") from error
        # NaN is written as null. Looking for it costs a walk, so only where there is a null and may be a float.
        if self._may_have_floats and b"null" in data and _has_nan(msgspec.to_builtins(value, enc_hook=to_plain)):
            raise OutputError(f"{self._what} returned NaN or infinity, which is not JSON: return None or text instead")
        return data

    def _encoded(self, value: Any) -> bytes:
        if self._dump is not None and not isinstance(value, dict):
            return self._dump(value)
        return _encode(value)

    def _check_mapping(self, value: Any) -> None:
        """A dict may stand for a class with fields when it has the required ones."""
        assert self._classes is not None
        assert self.schema is not None
        if isinstance(value, dict) and self.schema.get("type") == "object":
            missing = [name for name in self.schema.get("required", []) if name not in value]
            if not missing:
                return
            raise OutputError(f"{self._what} returned an object without {missing[0]!r}, which its return type requires")
        declared = " or ".join(sorted(cls.__name__ for cls in self._classes))
        raise OutputError(f"{self._what} returned {_article(type(value).__name__)}, its return type is {declared}")


def _wrap(one: Typed) -> Schema:
    return assemble({"type": "object", "properties": {"result": one.schema}, "required": ["result"]}, one.defs)


def _article(name: str) -> str:
    return "None" if name == "NoneType" else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


def _classes(hint: Any) -> frozenset[type] | None:
    """The classes a value of this type can have, or None when a cheap check cannot say."""
    hint = _unwrapped(hint)
    if hint is None:
        return frozenset([type(None)])
    if isinstance(hint, typing.NewType):
        return _classes(hint.__supertype__)
    if is_union(hint):
        arms = [_classes(arm) for arm in get_args(hint)]
        return None if None in arms else frozenset(cls for arm in arms if arm is not None for cls in arm)
    origin = get_origin(hint)
    if origin is typing.Literal:
        return frozenset(type(value) for value in get_args(hint))
    cls = origin or hint
    if not isinstance(cls, type) or cls is object or getattr(cls, "__pydantic_root_model__", False):
        return None
    return frozenset([dict]) if typing.is_typeddict(cls) or hasattr(cls, "__total__") else frozenset([cls])


def _is_one_of(value: Any, classes: frozenset[type]) -> bool:
    if type(value) in classes:
        return True
    if isinstance(value, bool):
        return False
    if isinstance(value, int) and float in classes:
        return True
    if isinstance(value, (list, tuple, set, frozenset)) and classes & {list, tuple, set, frozenset}:
        return True
    return isinstance(value, tuple(classes))


def _has_number(schema: Any) -> bool:
    if isinstance(schema, dict):
        kinds = schema.get("type")
        if kinds == "number" or (isinstance(kinds, list) and "number" in kinds):
            return True
        if kinds == "object" and "properties" not in schema and "additionalProperties" not in schema:
            return True
        return not schema or any(_has_number(value) for value in schema.values())
    return isinstance(schema, list) and any(_has_number(value) for value in schema)


def _has_nan(value: Any) -> bool:
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, dict):
        return any(_has_nan(one) for one in value.values())
    return isinstance(value, (list, tuple)) and any(_has_nan(one) for one in value)


def to_plain(value: Any) -> Any:
    """What msgspec does not encode by itself, as something that it does."""
    if type(value) in (list, dict):
        raise TypeError(f"a {type(value).__name__} cannot be a key")  # anywhere else msgspec would not have asked
    if hasattr(value, "__pydantic_serializer__"):
        return type(value).__pydantic_serializer__.to_python(value, mode="json", by_alias=True)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    for plain in (str, int, float):
        if isinstance(value, plain):
            return plain(value)
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    if isinstance(value, (collections.abc.Sequence, collections.abc.Set)):
        return list(value)
    if type(value).__module__ == "ipaddress":
        return str(value)
    core = sys.modules.get("pydantic_core")
    if core is not None:
        try:
            return core.to_jsonable_python(value)
        except core.PydanticSerializationError:
            pass
    raise TypeError(f"{type(value).__name__} has no JSON form")


def as_json(value: Any) -> tuple[bool, Any]:
    """(True, value as plain JSON), or (False, None) when it has no JSON form."""
    if isinstance(value, float) and not math.isfinite(value):
        return False, None
    try:
        return True, msgspec.json.decode(_encode(value))
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False, None


_encode = msgspec.json.Encoder(enc_hook=to_plain).encode
