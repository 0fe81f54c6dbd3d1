"""`Component`: a function that makes HTML from typed props, with what a model and a gallery need to know of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, is_typeddict, overload

import msgspec

from cloche.components.nodes import Drawing, Node
from cloche.errors import RegistrationError, ToolError, shorten
from cloche.server.context import Context
from cloche.server.schema import Arguments, ArgumentsError, arguments_of, describe, schema_of
from cloche.server.schema.signature import Parameter, parameters_of
from cloche.views.html import Html, h, raw

if TYPE_CHECKING:
    from cloche.server.entries import ToolEntry
    from cloche.server.server import Server

P = ParamSpec("P")

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
"""Names of components: they are part of URIs and of tool names."""

MAX_PROPS = 8 * 1024 * 1024
"""Bytes of the props of one component, as JSON."""


class Component(Generic[P]):
    """A part of an interface: `table(rows, title="Orders")` makes its HTML, and `@server.tool(view=table)` shows a
    tool's result with it.

    The function's parameters are the props: their hints become the JSON Schema, its docstring describes them. A
    function with one parameter that is a dataclass, a Struct or a TypedDict takes its fields as props. `default_props`
    stand in for what a caller leaves out. `examples` are whole sets of props. `summary` makes the sentence that a model
    reads instead of the HTML. With `script`, the page draws: a JavaScript function `(element, props) => …`.
    """

    def __init__(
        self,
        fn: Callable[P, Any],
        *,
        name: str | None = None,
        description: str | None = None,
        props: Any = None,
        default_props: Mapping[str, Any] | None = None,
        category: str = "other",
        tags: Sequence[str] = (),
        examples: Sequence[Mapping[str, Any]] = (),
        summary: Callable[..., str] | None = None,
        script: str | None = None,
        nests: bool = False,
    ) -> None:
        self.fn = fn
        self.name = _checked_name(name or fn.__name__.replace("_", "-"))
        what = f"component {self.name!r}"
        if inspect.iscoroutinefunction(fn):
            raise RegistrationError(f"{what}: a component only makes HTML, so write `def`; let a tool do the waiting")
        if isinstance(tags, str):
            raise RegistrationError(f"{what}: tags is one text: give a list, such as [{shorten(tags)!r}]")
        self.description = description if description is not None else describe(fn)[0]
        self.category = category
        self.tags = tuple(tags)
        self.script = script
        self.nests = nests
        """Whether its props hold other components."""
        self.default_props = dict(default_props or {})
        self._summary = summary
        self._props = _Props(fn, props, what)
        self.schema: dict[str, Any] = _with_defaults(self._props.schema, self.default_props)
        """The JSON Schema of its props."""
        self.examples = [dict(one) for one in examples]
        for one in self.examples:
            try:
                self.bind(one)
            except ToolError as error:
                raise RegistrationError(f"{what}: an example does not fit its props: {error}") from None
        self.__doc__ = fn.__doc__
        self.__name__ = fn.__name__
        self.__wrapped__ = fn

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Html:
        """The HTML of the component with these props."""
        made = self.fn(*args, **kwargs)
        if not isinstance(made, Html):
            raise TypeError(
                f"The component {self.name} returned a {type(made).__name__}: return what cloche.views.h makes"
            )
        return made

    def __repr__(self) -> str:
        return f"<Component {self.name}>"

    def bind(self, props: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Props as JSON, checked: the arguments of a call. Raises `ToolError` with the path of what is wrong."""
        try:
            data = msgspec.json.encode({**self.default_props, **props})
        except (TypeError, ValueError, RecursionError):
            raise ToolError(f"The props of {self.name} are not JSON") from None
        if len(data) > MAX_PROPS:
            raise ToolError(f"The props of {self.name} have more than {MAX_PROPS:,} bytes: show a part of the data")
        try:
            return self._props.bind(data)
        except ArgumentsError as error:
            raise ToolError(f"Invalid props for {self.name}: {shorten(str(error), 300)}") from None

    def draw(self, props: Mapping[str, Any], drawing: Drawing) -> Html:
        """The HTML of props that came as JSON, with the components inside them drawn too."""
        args, kwargs = self.bind(props)
        if self.nests:
            inner = drawing.inside()
            args = tuple(_resolved(one, inner) for one in args)
            kwargs = {name: _resolved(one, inner) for name, one in kwargs.items()}
        else:
            drawing.say(self.summary(*args, **kwargs))
        if self.script is not None:
            return page_drawn(self.name, {**self.default_props, **props}, self(*args, **kwargs))
        return self(*args, **kwargs)

    def summary(self, *args: P.args, **kwargs: P.kwargs) -> str:
        """What a model reads of it: one sentence."""
        if self._summary is not None:
            given = inspect.signature(self.fn).bind(*args, **kwargs)
            given.apply_defaults()
            return self._summary(**given.arguments)
        return self.description.partition("\n")[0] or self.name

    def facts(self) -> dict[str, Any]:
        """What `component://name` says: everything that is needed to render it."""
        return {
            **self.short_facts(),
            "propsSchema": self.schema,
            "defaultProps": self.default_props,
            "examples": self.examples,
        }

    def short_facts(self) -> dict[str, Any]:
        """What `components://list` says of it."""
        return {
            "name": self.name,
            "description": self.description,
            "category": self.category,
            "tags": list(self.tags),
            "uri": f"component://{self.name}",
        }

    def attach(self, server: Server, entry: ToolEntry) -> None:
        """Show a tool's result with this component: what `@server.tool(view=component)` calls."""
        from cloche.components.view import ComponentView

        def show(result: Any) -> Html:
            return self(result)  # type: ignore[call-arg]

        ComponentView(show, components=[self]).attach(server, entry)


class _Props:
    """The props of a component: from its parameters, or from one type whose fields they are."""

    def __init__(self, fn: Callable[..., Any], hint: Any, what: str) -> None:
        self._read: Callable[[bytes], Any] | None = None
        arguments: Arguments = arguments_of(fn, what=what, context_type=Context)
        if arguments.wants_context:
            raise RegistrationError(f"{what}: a component is drawn from its props alone; take the Context in the tool")
        if hint is None:
            hint = _only_type(parameters_of(fn, what=what, context_type=Context))
        if hint is None:
            self.schema, self._bind = arguments.schema, arguments.bind
            return
        self.schema, self._read = schema_of(hint, what=what)
        if self.schema.get("type") != "object":
            raise RegistrationError(f"{what}: props are an object: use a dataclass, a Struct or a TypedDict")

    def bind(self, data: bytes) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if self._read is not None:
            return (self._read(data),), {}
        return self._bind(data, None)


def _only_type(parameters: Sequence[Parameter]) -> Any:
    """The type of the only parameter, when its fields are the props."""
    hint = parameters[0].hint if len(parameters) == 1 else None
    if not isinstance(hint, type):
        return None
    return hint if is_dataclass(hint) or issubclass(hint, msgspec.Struct) or is_typeddict(hint) else None


def _checked_name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise RegistrationError(
            f"component name {shorten(name)!r}: use a letter, then up to 63 letters, digits, '-' or '_'"
        )
    return name


def _with_defaults(schema: dict[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    if not defaults:
        return schema
    properties = dict(schema.get("properties", {}))
    for name, value in defaults.items():
        if name not in properties:
            raise RegistrationError(f"default_props has {shorten(name)!r}, which is not a prop of this component")
        properties[name] = {**properties[name], "default": value}
    required = [name for name in schema.get("required", ()) if name not in defaults]
    made = {**schema, "properties": properties}
    if required:
        made["required"] = required
    else:
        made.pop("required", None)
    return made


def _resolved(value: Any, drawing: Drawing) -> Any:
    """A prop with its components drawn."""
    if isinstance(value, Node):
        return drawing.draw(value.component, value.props)
    if isinstance(value, list):
        return [_resolved(one, drawing) for one in value]
    if isinstance(value, dict):
        return {key: _resolved(one, drawing) for key, one in value.items()}
    return value


def page_drawn(name: str, props: Mapping[str, Any], fallback: Html) -> Html:
    """The place where the page draws a component with its own script, and its props."""
    return h.div(fallback, data_script("props", props), data_cc="own", data_component=name)


def data_script(kind: str, data: Any) -> Html:
    """Data for a script of the page, where nothing in it can become markup."""
    text = msgspec.json.encode(data).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return h.script(raw(text), type="application/json", data_kind=kind)


@overload
def component(fn: Callable[P, Any], /) -> Component[P]: ...
@overload
def component(fn: None = None, /, **options: Any) -> Callable[[Callable[P, Any]], Component[P]]: ...
def component(fn: Any = None, /, **options: Any) -> Any:
    """Make a component of a function: `@component`, or with the options of `Component`."""
    if fn is not None:
        return Component(fn, **options)
    return lambda given: Component(given, **options)
