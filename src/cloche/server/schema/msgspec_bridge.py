"""Reading with msgspec: the fast way, and what happens when it refuses."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import inspect as mi

from cloche.server.schema.annotated import Unsupported
from cloche.server.schema.hints_to_schema import Schema, enumeration, node_at, resolved
from cloche.server.schema.value_problems import (
    ArgumentsError,
    check_nesting,
    choices,
    field_problem,
    has_key,
    missing_argument,
    quoted,
    reworded,
    step,
    unknown_argument,
)

_PLACE = re.compile(r"(?P<reason>.*?)(?: - at (?P<key>`key` in )?`(?P<path>\$[^`]*)`)?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[(\.\.\.)\]")
_TRIALS = 64
"""How many keys of an object are tried to find the one that msgspec writes as `[...]`."""


REFUSALS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that it does not take; anything else comes from a class of the author's."""


class NativeReader:
    """Reads JSON into one type with msgspec."""

    def __init__(self, hint: Any, schema: Schema) -> None:
        self.hint = hint
        self.schema = schema
        self.decode = msgspec.json.Decoder(hint).decode

    def read(self, data: bytes | msgspec.Raw) -> Any:
        """The value; raises ArgumentsError."""
        try:
            return self.decode(data)
        except REFUSALS as error:
            return self.recover(data, error)

    def read_text(self, text: str) -> Any:
        """The value that a plain string stands for; raises ArgumentsError."""
        try:
            return msgspec.convert(text, self.hint, strict=False)
        except msgspec.ValidationError as error:
            if not text.startswith('"'):
                check_nesting(text)
                try:
                    return self.read(text.encode())
                except (ArgumentsError, UnicodeEncodeError):
                    pass
            raise _text_problem(str(error), text, self.schema) from error

    def recover(self, data: bytes | msgspec.Raw, error: Exception) -> Any:
        """Second pass after `decode` refused: integral floats become integers, or the error becomes a sentence."""
        if isinstance(error, RecursionError):
            raise ArgumentsError("$", "the JSON is nested too deeply") from error
        if isinstance(error, UnicodeDecodeError):
            raise ArgumentsError("$", "the JSON is not valid UTF-8") from error
        if not isinstance(error, msgspec.ValidationError):
            raise ArgumentsError("$", f"not valid JSON, {str(error)[:1].lower()}{str(error)[1:]}") from error
        return self._second_pass(bytes(data), error)

    def _second_pass(self, data: bytes, error: msgspec.ValidationError) -> Any:
        from cloche.server.schema.integral_floats import Repair, untyped

        tree: Any = None
        try:
            tree = untyped(data)
            repair = Repair()
            tree = repair.value(tree, mi.type_info(self.hint))
            if repair.count:
                return self.decode(msgspec.json.encode(tree))
        except msgspec.ValidationError as second:
            error = second
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as broken:
            return self.recover(data, broken)  # the first pass stopped at a wrong value before it saw this
        raise self._explained(str(error), tree) from error

    def _explained(self, message: str, tree: Any) -> ArgumentsError:
        reason, path, is_key = _placed(message)
        keys = self._pinned(_keys(path), tree, message)
        known, value = _value_at(tree, keys)
        where = _written(keys)
        field = field_problem(reason)
        noun = "argument" if not keys else "field"
        if field is not None:
            missing, name = field
            if missing:
                return missing_argument(where, name, noun)
            return unknown_argument(where, name, self._field_names(keys), noun)
        if is_key:
            return ArgumentsError(where, f"a key does not fit: {reworded(reason, None, False)}")
        if reason.startswith(("Invalid enum value", "Invalid value")):
            allowed = enumeration(self.schema, [key for key in keys if key is not Ellipsis])
            return ArgumentsError(where, choices(allowed, value) if allowed else f"{quoted(value)} is not allowed")
        return ArgumentsError(where, reworded(reason, value, known))

    def _field_names(self, keys: list[Any]) -> list[str]:
        node = node_at(self.schema, [key for key in keys if key is not Ellipsis])
        return list(resolved(node, self.schema).get("properties", {})) if node is not None else []

    def _pinned(self, keys: list[Any], tree: Any, message: str) -> list[Any]:
        """`keys` with the object keys that msgspec does not name."""
        while Ellipsis in keys:
            at = keys.index(Ellipsis)
            _, container = _value_at(tree, keys[:at])
            if not isinstance(container, dict):
                break
            found = next(
                (key for key in list(container)[:_TRIALS] if self._fails_alone(tree, keys[:at], key, message)), None
            )
            if found is None:
                break
            keys = [*keys[:at], found, *keys[at + 1 :]]
        return keys

    def _fails_alone(self, tree: Any, keys: list[Any], key: str, message: str) -> bool:
        """Does the same error come when the object at `keys` has only `key`?"""
        try:
            self.decode(msgspec.json.encode(_only(tree, keys, key)))
        except (msgspec.ValidationError, RecursionError) as error:
            return str(error) == message
        return False


def _placed(message: str) -> tuple[str, str, bool]:
    found = _PLACE.fullmatch(message)
    assert found is not None, "the pattern matches any text"
    return found["reason"], found["path"] or "$", found["key"] is not None


def _keys(path: str) -> list[Any]:
    return [int(index) if index else name or Ellipsis for name, index, _ in _STEP.findall(path)]


def _written(keys: list[Any]) -> str:
    path = "$"
    for key in keys:
        path = f"{path}[...]" if key is Ellipsis else step(path, key)
    return path


def _value_at(tree: Any, keys: list[Any]) -> tuple[bool, Any]:
    for key in keys:
        if not has_key(tree, key):
            return False, None
        tree = tree[key]
    return True, tree


def _only(tree: Any, keys: list[Any], key: str) -> Any:
    if not keys:
        return {key: tree[key]}
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[keys[0]] = _only(tree[keys[0]], keys[1:], key)
    return copy


def _text_problem(message: str, text: str, schema: Schema) -> ArgumentsError:
    reason, _, _ = _placed(message)
    if reason.startswith("Invalid enum value"):
        allowed = enumeration(schema, [])
        return ArgumentsError("$", choices(allowed, text) if allowed else f"{quoted(text)} is not allowed")
    worded = reworded(reason, text, True)
    return ArgumentsError(
        "$", worded.removesuffix("got a string") + f"got {quoted(text)}" if worded.endswith("got a string") else worded
    )


def check_native(hint: Any) -> None:
    """Raise Unsupported when msgspec cannot read `hint`, now instead of at the first call."""
    try:
        msgspec.json.Decoder(hint)
        info = mi.type_info(hint)
    except (TypeError, ValueError, NotImplementedError, NameError) as error:
        raise Unsupported(str(error).partition(" - type ")[0].splitlines()[0]) from error
    _refuse_custom(info, set())


def _refuse_custom(info: Any, seen: set[int]) -> None:
    """msgspec accepts any class and then fails on every value; that must be found at registration."""
    if id(info) in seen:
        return
    seen.add(id(info))
    if isinstance(info, (mi.CustomType, mi.ExtType)):
        raise Unsupported(f"the class {getattr(info, 'cls', mi.ExtType).__name__}")
    for name in ("type", "item_type", "key_type", "value_type"):
        child = getattr(info, name, None)
        if isinstance(child, mi.Type):
            _refuse_custom(child, seen)
    for name in ("types", "item_types"):
        for child in getattr(info, name, ()):
            _refuse_custom(child, seen)
    for field in getattr(info, "fields", ()):
        _refuse_custom(field.type, seen)
