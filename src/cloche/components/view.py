"""The page that shows components: the shell of a view that is a function, with their styles and scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cloche.errors import RegistrationError
from cloche.server.content import ToolResult
from cloche.server.context import Context
from cloche.server.result_hooks import ToolCall
from cloche.views.declared_csp import Csp
from cloche.views.function_views import HTML_META_KEY, MAX_HTML, looks, shell
from cloche.views.html import Html, h, raw
from cloche.views.resources import RegisteredPage
from cloche.views.scripts import INTERACTION, generate_bridge, inject
from cloche.views.view import View

if TYPE_CHECKING:
    from cloche.components.component import Component
    from cloche.server.entries import ToolEntry
    from cloche.server.server import Server

STYLES = ("shell.css", "components/components.css")
SCRIPTS = (*INTERACTION, "components.js")


class ComponentView(View):
    """A view whose function makes HTML with components: `@server.tool(view=ComponentView(show))`.

    The options are those of `View`. `components` are those that the page draws with a script of its own.
    """

    styles: Sequence[str] = STYLES
    scripts: Sequence[str] = SCRIPTS

    def __init__(
        self, source: Callable[..., Any], *, components: Iterable[Component[Any]] = (), **options: Any
    ) -> None:
        super().__init__(source, **options)
        self.own_script = own_scripts(components)


class InstanceView(View):
    """The view of every tool that shows instances: one page for all of them, and one tool that it asks for HTML."""

    scripts: Sequence[str] = SCRIPTS

    def __init__(
        self,
        draw: Callable[[Any, Context[Any]], Html],
        *,
        render_tool: str,
        components: Iterable[Component[Any]],
        csp: Csp | None,
    ) -> None:
        page = shell(render_tool, "Component", styles=STYLES, own_script=own_scripts(components))
        super().__init__(html=str(page), csp=csp)
        self._draw = draw

    def attach(self, server: Server, entry: ToolEntry) -> None:
        """Show the instances that a tool returns."""
        super().attach(server, entry)
        entry.on_result(partial(self._with_html, entry), context=True)

    def _page(self, server: Server, entry: ToolEntry) -> RegisteredPage:
        assert self.source is not None
        return RegisteredPage(self.source, owner=self, scripts=self.scripts)

    def _with_html(self, entry: ToolEntry, value: Any, call: ToolCall) -> ToolResult:
        result = entry.result(value)
        if result.is_error or call.context is None:
            return result
        html = str(self._draw(result.structured, call.context))
        if len(html) <= MAX_HTML:
            result.meta = {**(result.meta or {}), HTML_META_KEY: html}
        return result


def own_scripts(components: Iterable[Component[Any]]) -> str:
    """The script that tells the page how to draw components of the page."""
    return "".join(
        f"cloche.component({one.name!r},{checked_script(one)});" for one in components if one.script is not None
    )


def checked_script(component: Component[Any]) -> str:
    """The JavaScript of a component, when it can stand in a page."""
    script = (component.script or "").strip().rstrip(";")
    if re.search(r"</script|<!--", script, re.IGNORECASE):
        raise RegistrationError(
            f"component {component.name!r}: its script holds '</script' or '<!--', which would end it: split the text"
        )
    return f"({script})"


def document(body: Html, title: str, *, components: Iterable[Component[Any]] = ()) -> str:
    """A whole page with components in it, that needs no server to be shown."""
    own = own_scripts(components)
    page = h(
        raw("<!doctype html>"),
        h.html(
            h.head(h.meta(charset="utf-8"), h.title(title), h.style(raw(looks(STYLES)))),
            h.body(h.main(body), h.script(raw(own)) if own else None),
            lang="en",
        ),
    )
    return inject(str(page), bridge=generate_bridge(), scripts=SCRIPTS)
