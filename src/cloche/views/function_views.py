"""Views that are Python functions: the HTML made from each result travels in the result's `_meta`.

What is too large for that, or got lost on the way, the page fetches from a second tool that only views may call.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import RegistrationError, ToolError, shorten
from cloche.server.content import ToolResult
from cloche.server.context import Context
from cloche.server.result_hooks import ToolCall
from cloche.server.schema import ArgumentsError, schema_of
from cloche.server.schema.by_schema import SchemaOutput
from cloche.server.schema.signature import parameters_of, return_hint
from cloche.views.html import Html, h, raw
from cloche.views.scripts import script
from cloche.web import read_web

if TYPE_CHECKING:
    from cloche.server.entries import ToolEntry
    from cloche.server.server import Server
    from cloche.views.view import View

logger = logging.getLogger("cloche.views")

HTML_META_KEY = "cloche/html"
"""Where a result carries the HTML that its view shows."""

MAX_HTML = 64 * 1024
"""Characters of HTML that travel with a result; more is fetched by the page."""


class Renderer:
    """A view function: takes the result, and by name `input` (the arguments) and, by annotation, a `Context`."""

    def __init__(self, fn: Callable[..., Any], what: str) -> None:
        if inspect.iscoroutinefunction(fn):
            raise RegistrationError(
                f"{what}: a view function only makes HTML, so write `def`; let the tool do the waiting"
            )
        self._fn = fn
        parameters = parameters_of(fn, what=f"{what}, view function", context_type=Context)
        self._context = next((one.name for one in parameters if one.is_context), None)
        self._input = any(one.name == "input" for one in parameters)
        self.wants_context = self._context is not None
        others = [one for one in parameters if not one.is_context and one.name != "input"]
        if not others:
            raise RegistrationError(f"{what}: a view function takes the result as its first parameter")

    def __call__(self, result: Any, input: dict[str, Any], context: Any) -> str:
        """The HTML of a result."""
        options: dict[str, Any] = {"input": input} if self._input else {}
        if self._context is not None:
            options[self._context] = context
        made = self._fn(result, **options)
        if not isinstance(made, str):
            raise ToolError(f"The view function returned a {type(made).__name__}, and HTML is text: use cloche.views.h")
        return str(made)


def attach_renderer(server: Server, entry: ToolEntry, view: View) -> str:
    """Make the tool send the HTML of each result along, register the tool that renders again, and give the page."""
    assert view.renderer is not None
    what = f"tool {entry.name!r}"
    renderer = Renderer(view.renderer, what)
    reader = _reader(entry, what)
    entry.on_result(partial(_with_html, entry, renderer), context=renderer.wants_context)
    name = f"{entry.name}-render"
    _register_render_tool(server, entry, renderer, reader, name)
    title = view.title or entry.tool.title or entry.name
    return str(shell(name, title, styles=view.styles, own_script=view.own_script))


def shell(render_tool: str, title: str, *, styles: Sequence[str] = ("shell.css",), own_script: str = "") -> Html:
    """The page that shows what a view function made."""
    return h(
        raw("<!doctype html>"),
        h.html(
            h.head(h.meta(charset="utf-8"), h.title(title), h.style(raw(looks(styles)))),
            h.body(
                h.main(id="cloche-root", data_render=render_tool, aria_busy=True),
                h.script(raw(own_script)) if own_script else None,
                h.script(raw(script("shell.js"))),
            ),
            lang="en",
        ),
    )


def looks(styles: Sequence[str] = ("shell.css",)) -> str:
    """Style sheets of a page, with the variables of the theme that they use, for hosts that set none."""
    css = "\n".join(map(read_web, styles))
    theme = [
        line
        for line in read_web("theme.css").partition("*/\n")[2].splitlines()
        if not line.startswith("  --") or f"var({line.strip().partition(':')[0]})" in css
    ]
    return "\n".join([*theme, css])


def _with_html(entry: ToolEntry, renderer: Renderer, value: Any, call: ToolCall) -> ToolResult:
    """The result with its HTML in `_meta`."""
    if isinstance(value, ToolResult):
        result, shown = value, value.structured if value.structured is not None else value.content
    else:
        result, shown = entry.result(value), value
    if result.is_error:
        return result
    try:
        html = renderer(shown, call.arguments, call.context)
    except Exception:
        # The tool has done its work: the model gets the result, and the page is told why it has nothing to show.
        logger.exception("the view function of the tool %s failed", entry.name)
        return result
    if len(html) <= MAX_HTML:
        result.meta = {**(result.meta or {}), HTML_META_KEY: html}
    return result


def _reader(entry: ToolEntry, what: str) -> Callable[[Any], Any]:
    """How a result that comes back from the page becomes what the tool returned."""
    output = entry.output
    if output.schema is None:
        return lambda given: given
    hint = Any if isinstance(output, SchemaOutput) else return_hint(entry.fn, what=what)
    decode = schema_of(hint, what=f"{what}, return type")[1]

    def read(given: Any) -> Any:
        if output.wrapped and isinstance(given, dict) and given.keys() == {"result"}:
            given = given["result"]  # as older versions of the protocol carry what is not an object
        return decode(msgspec.json.encode(given))

    def read_text_too(given: Any) -> Any:
        try:
            return read(given)
        except ArgumentsError as error:
            # A host that drops the structured content leaves the same as text.
            if not isinstance(given, str):
                raise
            try:
                return read(msgspec.json.decode(given))
            except msgspec.DecodeError:
                raise error from None

    return read_text_too


def _register_render_tool(
    server: Server, entry: ToolEntry, renderer: Renderer, reader: Callable[[Any], Any], name: str
) -> None:
    def render(ctx: Context, result: Any = None, input: dict[str, Any] | None = None) -> Html:
        try:
            value = reader(result)
        except ArgumentsError as error:
            raise ToolError(f"This is not a result of {entry.name}: {shorten(str(error), 300)}") from None
        return Html(renderer(value, input or {}, ctx))

    server.register_helper(
        render, of=entry, name=name, description=f"The view of {entry.name} as HTML. Only views call it."
    )
