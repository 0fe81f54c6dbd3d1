"""What is registered on a server: tools, resources, templates, prompts, completions. Made once, looked up by name."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, Unpack

import msgspec

from cloche.auth import Principal
from cloche.auth.discovery import checked_scopes
from cloche.errors import ForbiddenError, InvalidParamsError, RegistrationError, shorten
from cloche.server.content import CONTENT_TYPES, ToolResult, blocks
from cloche.server.options import EntryOptions, ResourceOptions, ToolOptions, checked_task
from cloche.server.result_hooks import ResultHook, bind_call, invocation
from cloche.server.schema import Arguments, Output, arguments_of, describe, output_of, schema_of
from cloche.server.schema.by_schema import OneParameter, SchemaArguments, SchemaOutput
from cloche.server.schema.signature import MISSING
from cloche.wire import types
from cloche.wire.headers import header_parameters
from cloche.wire.uri_template import UriTemplate, check_uri
from cloche.wire.versions import Features

NAME = re.compile(r"[A-Za-z0-9_.\-/]{1,128}")
"""Names that every known host accepts."""


class Entry:
    """Base of what is registered: a function, how lists show it, and who may use it."""

    item: Any

    def __init__(self, key: str, fn: Callable[..., Any], options: EntryOptions) -> None:
        if inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn):
            raise RegistrationError(
                f"{shorten(key)!r} is a generator, and a request has one result: return a list, "
                "and tell about the steps with ctx.progress"
            )
        self.key = key
        self.fn = fn
        """The author's function."""
        self.invoke = fn
        """What is called with the bound arguments: the function, with whatever was added to it."""
        self.is_async = is_async(fn)
        self.timeout = options.get("timeout")
        self.scopes = checked_scopes(options.get("scopes", ()))
        self.visible_to = options.get("visible_to")
        self.guarded = bool(self.scopes) or self.visible_to is not None
        self.is_helper = False
        """Whether only views call it: then it is listed after everything else."""
        self.on_remove: list[Callable[[], None]] = []
        """What else goes when this goes."""
        given = options.get("description")
        self.description = given if given is not None else describe(fn)[0] or None
        self.icons = list(options.get("icons") or ()) or None

    def admits(self, principal: Principal | None) -> bool:
        """Whether this principal may see and use it."""
        if self.visible_to is not None and not self.visible_to(principal):
            return False
        return not self.scopes or (principal is not None and principal.has(*self.scopes))

    def exists_for(self, principal: Principal | None) -> bool:
        """Whether this exists for a principal who names it. When only a scope is missing, `ForbiddenError` names the
        scope, so that the client can ask its user for it.
        """
        if self.admits(principal):
            return True
        if self.visible_to is None or self.visible_to(principal):
            raise ForbiddenError(self.scopes)
        return False

    def shown(self, features: Features) -> Any:
        """The entry as this version's list shows it."""
        return msgspec.structs.replace(
            self.item,
            title=self.item.title if features.titles else None,
            icons=self.item.icons if features.icons else None,
            meta=self.item.meta if features.item_meta else None,
        )


class ToolEntry(Entry):
    """A tool: its function, its arguments, its output and who may call it."""

    def __init__(self, fn: Callable[..., Any], *, context_type: type, **options: Unpack[ToolOptions]) -> None:
        name = check_name("tool", options.get("name") or function_name(fn, "tool"))
        super().__init__(name, fn, options)
        what = f"tool {name!r}"
        self.name = name
        input_schema, output_schema = options.get("input_schema"), options.get("output_schema")
        self.arguments: Arguments | SchemaArguments
        if input_schema is None:
            self.arguments = arguments_of(fn, what=what, context_type=context_type)
        else:
            self.arguments = SchemaArguments(input_schema, fn, what=what, context_type=context_type)
        self.output: Output
        if output_schema is None:
            self.output = output_of(fn, what=what, content_types=CONTENT_TYPES)
        else:
            self.output = SchemaOutput(output_schema, what)
        if self.timeout is not None and self.timeout <= 0:
            raise RegistrationError(f"{what}: timeout must be a number of seconds above 0, or None for the server's")
        self.headers = header_parameters(self.arguments.schema, what)
        self.task = checked_task(options.get("task"), what)
        """How it runs as a task: "optional", "required" or "later"; None if it does not."""
        self.item = self.tool = types.Tool(
            name,
            self.arguments.schema,
            options.get("title"),
            self.description,
            None,
            as_annotations(options.get("annotations")),
            self.icons,
            options.get("meta"),
        )
        self.hooks: list[ResultHook] = []
        # Bound once: the path of a call should not look them up.
        self.bind = self.arguments.bind
        self.name_bytes = name.encode()
        self.wants_context = self.arguments.wants_context

    def on_result(self, hook: ResultHook, *, context: bool = False) -> None:
        """Pass what the tool returns through `hook(value, call)`, which returns the value that goes on.

        Hooks run in the order in which they were added, in the worker thread of a `def` tool and on the loop after an
        `async def` one. With `context`, `call.context` is there even if the function does not take one.
        """
        if not self.hooks:
            self.bind, self.invoke = bind_call(self), invocation(self)
        self.hooks.append(hook)
        self.wants_context = self.wants_context or context

    def result(self, value: Any) -> ToolResult:
        """What the tool returned, as a result to which `_meta` can be added."""
        if isinstance(value, ToolResult):
            return value
        if self.output.schema is None:
            return ToolResult(blocks(value))
        data = self.output.encode(value)
        return ToolResult(value if isinstance(value, str) else data.decode(), structured=msgspec.json.decode(data))

    def shown(self, features: Features) -> Any:
        """The tool as this version's `tools/list` shows it."""
        output = None
        if features.structured:
            output = self.output.schema if features.any_structure else self.output.object_schema
        annotations = self.tool.annotations if features.annotations else None
        execution = None
        if self.task is not None and features.task_requests:
            execution = {"taskSupport": "required" if self.task == "required" else "optional"}
        return msgspec.structs.replace(
            super().shown(features), output_schema=output, annotations=annotations, execution=execution
        )


class ResourceEntry(Entry):
    """A resource with a fixed URI, or a family of them behind a template."""

    def __init__(
        self,
        uri: str,
        fn: Callable[..., Any],
        *,
        template: bool = False,
        context_type: type,
        **options: Unpack[ResourceOptions],
    ) -> None:
        super().__init__(uri, fn, options)
        what = f"resource {uri!r}"
        self.uri = uri
        self.mime_type = options.get("mime_type")
        self.content_meta = options.get("content_meta")
        self.arguments = arguments_of(fn, what=what, context_type=context_type)
        self.template = UriTemplate(uri) if template else None
        self._check_names(what)
        about: dict[str, Any] = {
            "name": options.get("name") or function_name(fn, what),
            "description": self.description,
            "mime_type": self.mime_type,
            "icons": self.icons,
            **{name: options.get(name) for name in ("title", "annotations", "meta")},
        }
        self.item: types.Resource | types.ResourceTemplate
        if template:
            self.item = types.ResourceTemplate(uri, **about)
        else:
            self.item = types.Resource(uri, size=options.get("size"), **about)

    def _check_names(self, what: str) -> None:
        if self.template is None:
            check_uri(self.uri)
            if self.arguments.required:
                missing = ", ".join(sorted(self.arguments.required))
                raise RegistrationError(
                    f"{what}: nothing gives the parameter {missing}; put it into the URI: {self.uri}/{{{missing}}}"
                )
            return
        given, wanted = set(self.template.names), set(self.arguments.names)
        if extra := given - wanted:
            raise RegistrationError(
                f"{what}: the function has no parameter {', '.join(sorted(extra))}, which the URI template gives"
            )
        if missing_names := set(self.arguments.required) - given:
            raise RegistrationError(
                f"{what}: the URI template does not give the parameter {', '.join(sorted(missing_names))}"
            )


class PromptEntry(Entry):
    """A prompt and its arguments, which are always text."""

    def __init__(self, fn: Callable[..., Any], *, context_type: type, **options: Unpack[EntryOptions]) -> None:
        self.name = name = check_name("prompt", options.get("name") or function_name(fn, "prompt"))
        super().__init__(name, fn, options)
        self.arguments = arguments_of(fn, what=f"prompt {name!r}", context_type=context_type)
        arguments = [
            types.PromptArgument(
                argument, None, self.arguments.descriptions.get(argument), argument in self.arguments.required or None
            )
            for argument in self.arguments.names
        ]
        self.item = types.Prompt(
            name, options.get("title"), self.description, arguments or None, self.icons, options.get("meta")
        )


def function_name(fn: Callable[..., Any], what: str) -> str:
    """The name a function gives what it is registered as."""
    name = getattr(fn, "__name__", None) or getattr(getattr(fn, "func", None), "__name__", None)
    if not name or name == "<lambda>":
        raise RegistrationError(f"This {what} has no name of its own: pass name='…'")
    return str(name)


def check_name(kind: str, name: str) -> str:
    """Refuse a name that known hosts refuse."""
    if not NAME.fullmatch(name):
        raise RegistrationError(f"{kind} name {shorten(name)!r}: use 1 to 128 letters, digits, '_', '-', '.' or '/'")
    return name


def is_async(fn: Callable[..., Any]) -> bool:
    """Whether calling `fn` gives a coroutine."""
    return inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(type(fn).__call__)


def as_annotations(given: types.ToolAnnotations | dict[str, Any] | None) -> types.ToolAnnotations | None:
    """Tool annotations from a struct or a dict, in Python's or the wire's spelling."""
    if given is None or isinstance(given, types.ToolAnnotations):
        return given
    known = {name: name for name in types.ToolAnnotations.__struct_fields__}
    known |= dict(
        zip(types.ToolAnnotations.__struct_encode_fields__, types.ToolAnnotations.__struct_fields__, strict=True)
    )
    if unknown := set(given) - set(known):
        names = ", ".join(types.ToolAnnotations.__struct_fields__)
        raise RegistrationError(f"Unknown tool annotation {sorted(unknown)[0]!r}: use one of {names}")
    return types.ToolAnnotations(**{known[key]: value for key, value in given.items()})


class MethodEntry(Entry):
    """A JSON-RPC method of the user's own: `async def handler(params) -> result`, with a `Context` if it wants one."""

    def __init__(
        self, method: str, fn: Callable[..., Any], *, timeout: float | None = None, context_type: type
    ) -> None:
        super().__init__(method, fn, {"timeout": timeout})
        what = f"method {method!r}"
        self._one = OneParameter(fn, what=what, context_type=context_type)
        self.wants_context = self._one.wants_context
        hint = self._one.hint
        self._decode = schema_of(hint, what=what)[1] if hint is not MISSING and hint is not Any else None

    def bind(self, params: Any, context: object) -> tuple[Any, ...]:
        """The arguments of a call."""
        value = None
        if self._one.takes_value:
            data = b"{}" if params is msgspec.UNSET else bytes(params)
            try:
                value = self._decode(data) if self._decode is not None else msgspec.json.decode(data)
            except Exception as error:
                raise InvalidParamsError(f"Invalid params: {shorten(str(error), 300)}") from None
        return self._one.place(value, context)
