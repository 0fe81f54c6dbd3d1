"""A tool and its view registered as two parts, linked by the view's URI. `@server.tool(view=…)` does both at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cloche.errors import RegistrationError, shorten
from cloche.views import metadata
from cloche.views.resources import RegisteredPage
from cloche.views.view import View
from cloche.wire.apps.metadata import link_meta, merged
from cloche.wire.apps.mime import is_app_mime_type

if TYPE_CHECKING:
    from cloche.server.entries import ResourceEntry, ToolEntry
    from cloche.server.server import Server


def register_app_resource(
    server: Server, uri: str, source: str | Path | View, *, script: bool = False, **options: Any
) -> ResourceEntry:
    """Register a view under a `ui://` URI: `register_app_resource(server, "ui://map/app.html", "map.html", csp=…)`.

    The options are those of `View`. The page is served as it is, because a page that comes with a registration of its
    own mostly brings its own runtime; `script=True` puts Cloche's in.
    """
    metadata.checked_uri(uri)
    if isinstance(source, View):
        if options:
            raise RegistrationError(f"Give {', '.join(options)} to the View itself: View(…, {next(iter(options))}=…)")
        view = source
    else:
        view = View(source, uri=uri, script=script, **options)
    if view.source is None:
        raise RegistrationError(
            "A function makes its HTML from a tool's result, so it belongs to the tool: @server.tool(view=function)"
        )
    view.register(server, RegisteredPage(view.source, owner=view, script=view.script), uri)
    return server.resources.entries[uri]


def register_app_tool(
    server: Server,
    fn: Callable[..., Any],
    *,
    resource_uri: str,
    visibility: Sequence[str] | None = None,
    partial_input: bool = False,
    tool_list_changed: bool = False,
    **options: Any,
) -> ToolEntry:
    """Register a tool that shows a view which is registered already; the other options are those of `server.tool`."""
    check_link(server, resource_uri)
    template = metadata.skybridge_uri(resource_uri)
    if server.resources.get(template) is None:
        template = resource_uri
    link = link_meta(resource_uri, template, partial_input=partial_input, tool_list_changed=tool_list_changed)
    options["meta"] = merged(link, options.get("meta"))
    return server.register_tool(fn, visibility=visibility, **options)


def check_link(server: Server, uri: str) -> None:
    """Refuse a link that leads nowhere, or to something that hosts do not take for a view."""
    metadata.checked_uri(uri)
    entry = server.resources.get(uri)
    if entry is None:
        raise RegistrationError(
            f"There is no resource {shorten(uri)!r} to show: call register_app_resource(server, {shorten(uri)!r}, …) "
            "before register_app_tool"
        )
    if not is_app_mime_type(entry.mime_type):
        raise RegistrationError(
            f"The resource {shorten(uri)!r} is {entry.mime_type or 'of no MIME type'}, which hosts do not show: "
            "register it with register_app_resource"
        )
