"""A function's arguments: their JSON Schema and the decoder that turns a request into a call."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any

import msgspec

from cloche.errors import RegistrationError
from cloche.server.schema.annotated import Notes, Unsupported, is_field_info, read_notes
from cloche.server.schema.docstrings import describe
from cloche.server.schema.engine_choice import Typed, typed
from cloche.server.schema.engine_hints import split_annotated, union_of
from cloche.server.schema.hints_to_schema import Schema, assemble, merge
from cloche.server.schema.msgspec_bridge import REFUSALS, NativeReader
from cloche.server.schema.output import as_json
from cloche.server.schema.signature import MISSING, Parameter, parameters_of
from cloche.server.schema.value_problems import (
    SHORT,
    ArgumentsError,
    check_nesting,
    missing_argument,
    step,
    unknown_argument,
)

Call = tuple[tuple[Any, ...], dict[str, Any]]
Bind = Callable[[bytes | msgspec.Raw, object], Call]

_astuple = msgspec.structs.astuple
_COPIED = (list, dict, set, bytearray)
_IMMUTABLE = (str, int, float, bool, bytes, type(None))


class _Constant:
    """A default that msgspec may put in by itself, which is faster than calling back."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __call__(self) -> object:
        return self.value


class Argument:
    """One argument that a caller gives: how it is read, and what stands in when it is left out."""

    def __init__(self, parameter: Parameter, what: str) -> None:
        where = f"{what}, parameter {parameter.name!r}"
        hint = Any if parameter.hint is MISSING else parameter.hint
        default = parameter.default
        if is_field_info(default):
            hint, default = Annotated[hint, default], MISSING
        try:
            notes = read_notes(split_annotated(hint)[1])
        except Unsupported as error:
            raise RegistrationError(f"{where}: it has {error}") from error
        self.python_name = parameter.name
        self.keyword_only = parameter.keyword_only
        self.name = notes.alias or parameter.name
        self.factory = _factory(default, notes, where)
        if default is None and split_annotated(hint)[0] is not Any:
            hint = union_of([hint, None])
        self.typed: Typed = typed(hint, what=where)
        self.described: str | None = notes.facts.get("description")

    def property(self, defs: dict[str, Schema], description: str | None) -> Schema:
        """The schema of this argument, with its definitions added to `defs`."""
        schema = merge(self.typed.schema, self.typed.defs, defs)
        text = self.described or description
        if text:
            schema["description"] = text
        if self.factory is not None:
            with_default, value = as_json(self.factory())
            if with_default:
                schema["default"] = value
        return schema

    def field(self, at: int) -> tuple[str, Any, Any]:
        """The field of the struct that is decoded. Its name is made up: any parameter name must work, `self` too."""
        hint = self.typed.hint if self.typed.is_native else msgspec.Raw
        if self.factory is None:
            return f"p{at}", hint, msgspec.field(name=self.name)
        if isinstance(self.factory, _Constant):
            return f"p{at}", hint, msgspec.field(default=self.factory.value, name=self.name)
        return f"p{at}", hint, msgspec.field(default_factory=self.factory, name=self.name)


def _factory(default: Any, notes: Notes, where: str) -> Callable[[], Any] | None:
    """What makes the default, or None when the argument is required."""
    if default is MISSING and notes.field is not None:
        info = notes.field
        if info.default_factory is not None:
            if getattr(info, "default_factory_takes_validated_data", False):
                raise RegistrationError(f"{where}: a default_factory with an argument needs a model, use one without")
            return _called(info.default_factory)
        if not info.is_required():
            default = info.default
    if default is MISSING:
        return None
    if type(default) in _COPIED:
        # Python would share a mutable default between calls, and so between clients.
        return functools.partial(copy.deepcopy, default)
    return _Constant(default) if type(default) in _IMMUTABLE else lambda: default


def _called(factory: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: factory()  # noqa: PLW0108  (a function of ours, not whatever the author passed)


class Arguments:
    """The arguments of one function, made once at registration."""

    schema: dict[str, Any]
    wants_context: bool
    names: tuple[str, ...]
    required: frozenset[str]
    descriptions: Mapping[str, str]
    bind: Bind
    """Decode a JSON object into the positional and keyword arguments of a call; raises ArgumentsError."""

    def __init__(self, parameters: list[Parameter], descriptions: Mapping[str, str], what: str) -> None:
        self._arguments = [Argument(one, what) for one in parameters if not one.is_context]
        self.names = tuple(one.name for one in self._arguments)
        if len(set(self.names)) < len(self.names):
            raise RegistrationError(f"{what}: two parameters have the same alias, give each its own")
        self.required = frozenset(one.name for one in self._arguments if one.factory is None)
        self.schema = self._schema(descriptions)
        self.descriptions = MappingProxyType(
            {name: one["description"] for name, one in self.schema["properties"].items() if "description" in one}
        )
        self.wants_context = any(one.is_context for one in parameters)
        self._placed = _placing(parameters)
        self._positional = [one.name for one in parameters if not one.keyword_only]
        self._contexts = {one.name for one in parameters if one.is_context}
        self._reader = NativeReader(self._struct(), self.schema)
        self.bind = self._binder()

    def _schema(self, descriptions: Mapping[str, str]) -> Schema:
        defs: dict[str, Schema] = {}
        properties = {
            one.name: one.property(defs, descriptions.get(one.python_name) or descriptions.get(one.name))
            for one in self._arguments
        }
        schema: Schema = {"type": "object", "properties": properties}
        if self.required:
            schema["required"] = [name for name in self.names if name in self.required]
        schema["additionalProperties"] = False
        return assemble(schema, defs)

    def _struct(self) -> type[msgspec.Struct]:
        fields = [one.field(at) for at, one in enumerate(self._arguments)]
        return msgspec.defstruct("Arguments", fields, kw_only=True, forbid_unknown_fields=True, gc=False)

    def _binder(self) -> Bind:
        """The shortest way for this function; decided here, not per call."""
        decode, recover, placed = self._reader.decode, self._recover, self._placed
        bridged = [(at, one) for at, one in enumerate(self._arguments) if not one.typed.is_native]

        def bind_plain(data: bytes | msgspec.Raw, context: object) -> Call:
            if len(data) > SHORT:
                check_nesting(bytes(data))
            try:
                return _astuple(decode(data)), {}
            except REFUSALS as error:
                return _astuple(recover(data, error)), {}

        def bind_placed(data: bytes | msgspec.Raw, context: object) -> Call:
            return placed(bind_plain(data, context)[0], context)

        def bind_bridged(data: bytes | msgspec.Raw, context: object) -> Call:
            values = list(bind_plain(data, context)[0])
            for at, argument in bridged:
                # A default is in place already and is not a Raw.
                if type(values[at]) is msgspec.Raw:
                    values[at] = _read(argument, argument.typed.reader.read, values[at])
            return placed(tuple(values), context)

        if bridged:
            return bind_bridged
        return bind_plain if placed is _as_they_are else bind_placed

    def _recover(self, data: bytes | msgspec.Raw, error: Exception) -> Any:
        if bytes(data).strip(b" \t\r\n") in (b"", b"null"):
            return self._reader.read(b"{}")
        return self._reader.recover(data, error)

    def named(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """What `bind` gave, by the names of the function's parameters and without the context."""
        given = {**dict(zip(self._positional, args, strict=True)), **kwargs}
        return {name: value for name, value in given.items() if name not in self._contexts}

    def bind_strings(self, values: Mapping[str, str], context: object) -> Call:
        """Like `bind` for arguments that are all text, as prompts and URI templates have them."""
        for name in values:
            if name not in self.names:
                raise unknown_argument("$", name, self.names)
        return self._placed(tuple(_from_text(one, values) for one in self._arguments), context)


def _read(argument: Argument, read: Callable[[Any], Any], given: msgspec.Raw | str) -> Any:
    try:
        return read(given)
    except ArgumentsError as error:
        raise error.under(step("$", argument.name)) from error.__cause__


def _from_text(argument: Argument, values: Mapping[str, str]) -> Any:
    if argument.name in values:
        return _read(argument, argument.typed.reader.read_text, values[argument.name])
    if argument.factory is None:
        raise missing_argument("$", argument.name)
    return argument.factory()


def _as_they_are(values: tuple[Any, ...], context: object) -> Call:
    return values, {}


def _placing(parameters: list[Parameter]) -> Callable[[tuple[Any, ...], object], Call]:
    """How values in the order of `names` become positional and keyword arguments, with the context among them."""
    keywords = [one.name for one in parameters if one.keyword_only]
    context_at = next((at for at, one in enumerate(parameters) if one.is_context), None)
    positional = len(parameters) - len(keywords)
    if context_at is None and not keywords:
        return _as_they_are

    def placed(values: tuple[Any, ...], context: object) -> Call:
        if context_at is not None:
            values = (*values[:context_at], context, *values[context_at:])
        return values[:positional], dict(zip(keywords, values[positional:], strict=True))

    return placed


def arguments_of(fn: Callable[..., Any], *, what: str, context_type: type) -> Arguments:
    """Read `fn`'s signature; raises RegistrationError when it cannot be served."""
    return Arguments(parameters_of(fn, what=what, context_type=context_type), describe(fn)[1], what)
