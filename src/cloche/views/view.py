"""`View`: what a tool shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cloche.errors import RegistrationError
from cloche.views import metadata
from cloche.views.declared_csp import Csp
from cloche.views.resources import RegisteredPage, Views, check_free, remove_unused, uri_of
from cloche.views.scripts import INTERACTION
from cloche.views.source import Source, TextSource, file_source, is_html
from cloche.wire.apps.metadata import link_meta, merged, resource_meta, skybridge_meta
from cloche.wire.apps.mime import RESOURCE_MIME_TYPE, SCHEME, SKYBRIDGE_MIME_TYPE

if TYPE_CHECKING:
    from cloche.server.entries import ToolEntry
    from cloche.server.server import Server

Renderer = Callable[[Any], Any]
"""A function that makes HTML from a tool's result."""


class View:
    """An interface for a tool: `View("chart.html", csp=Csp(connect=["https://api.example.com"]))`.

    The first argument is an HTML file, relative to the Python file that says so; or a text that is HTML; or a function
    that makes HTML from the tool's result. `csp` lists the origins the view needs, `permissions` the devices
    (`"camera"`, `"microphone"`, `"geolocation"`, `"clipboard-write"`), `domain` the origin a host should give it;
    `width` and `height` are what it would like to have, in pixels. `partial_input` says that it shows arguments while
    the model still writes them, `tool_list_changed` that it offers tools of its own. `invoking` and `invoked` are what
    ChatGPT says while the tool runs and after. `script=False` leaves Cloche's view runtime out, for a page that brings
    another. `state=True` keeps what the page gives to `cloche.setState` on this server, in hosts that keep no state.
    """

    styles: Sequence[str] = ("shell.css",)
    """Style sheets of `cloche.web` for the page of a view that is a function."""
    scripts: Sequence[str] = INTERACTION
    """Scripts of `cloche.web` for the page of a view that is a function."""
    own_script: str = ""
    """JavaScript that this page gets after those."""

    def __init__(
        self,
        source: str | Path | Renderer | None = None,
        *,
        html: str | None = None,
        file: str | Path | None = None,
        uri: str | None = None,
        title: str | None = None,
        csp: Csp | Mapping[str, Any] | None = None,
        permissions: Sequence[str] = (),
        domain: str | None = None,
        prefers_border: bool | None = None,
        width: int | None = None,
        height: int | None = None,
        partial_input: bool = False,
        tool_list_changed: bool = False,
        invoking: str | None = None,
        invoked: str | None = None,
        script: bool = True,
        state: bool = False,
    ) -> None:
        self.renderer: Renderer | None = None
        self.source: Source | None = self._find(source, html, file)
        self.uri = metadata.checked_uri(uri) if uri is not None else None
        self.title = title
        self.csp = Csp.of(csp)
        self.permissions = metadata.checked_permissions(permissions)
        self.domain = metadata.checked_domain(domain)
        self.prefers_border = prefers_border
        self.width = metadata.checked_side("width", width)
        self.height = metadata.checked_side("height", height)
        self.partial_input = partial_input
        self.tool_list_changed = tool_list_changed
        self.invoking = metadata.checked_status("invoking", invoking)
        self.invoked = metadata.checked_status("invoked", invoked)
        self.script = script
        self.state = state
        if state and not script:
            raise RegistrationError("View(state=True) needs Cloche's view runtime: leave script=False out")

    def _find(self, source: str | Path | Renderer | None, html: str | None, file: str | Path | None) -> Source | None:
        given = [one for one in (source, html, file) if one is not None]
        if len(given) != 1:
            raise RegistrationError(
                "A view is one thing: View('chart.html'), View('<p>Hello</p>') or View(function that returns HTML)"
            )
        if html is not None:
            return TextSource(html)
        if file is not None:
            return file_source(file)
        if isinstance(source, str) and is_html(source):
            return TextSource(source)
        if isinstance(source, str | Path):
            return file_source(source)
        if not callable(source) or isinstance(source, type):
            raise RegistrationError(
                f"A view is a file's name, a text that is HTML or a function, and not a {type(source).__name__}"
            )
        self.renderer = source
        return None

    def __repr__(self) -> str:
        return f"<View {self.uri or getattr(self.renderer, '__name__', None) or getattr(self.source, 'path', 'HTML')}>"

    def attach(self, server: Server, entry: ToolEntry) -> None:
        """Register the view's resources, and tell in the tool's `_meta` where they are.

        One view can serve several tools; then they share its resources. A view that is a function belongs to one tool.
        """
        uri = uri_of(server, self) if self.renderer is None else None
        if uri is None:
            uri = self.uri or metadata.default_uri(server.name, entry.name)
            check_free(server, uri, metadata.skybridge_uri(uri))
            self.register(server, self._page(server, entry), uri, entry)
        if self.state:
            from cloche.views.state import attach_state

            attach_state(server, entry)
        skybridge = metadata.skybridge_uri(uri)
        entry.on_remove.append(partial(remove_unused, server, uri, skybridge))
        link = link_meta(
            uri,
            skybridge,
            partial_input=self.partial_input,
            tool_list_changed=self.tool_list_changed,
        )
        for key, text in (("invoking", self.invoking), ("invoked", self.invoked)):
            if text is not None:
                link[f"openai/toolInvocation/{key}"] = text
        entry.tool.meta = merged(link, entry.tool.meta)

    def _page(self, server: Server, entry: ToolEntry) -> RegisteredPage:
        own = ("state.js",) if self.state else ()
        if self.source is not None:
            return RegisteredPage(self.source, owner=self, script=self.script, scripts=own)
        from cloche.views.function_views import attach_renderer

        shell = TextSource(attach_renderer(server, entry, self))
        return RegisteredPage(shell, owner=self, script=self.script, scripts=(*own, *self.scripts), filled_by=server)

    def register(self, server: Server, page: RegisteredPage, uri: str, entry: ToolEntry | None = None) -> None:
        """Register the view's resource under this URI and its Skybridge resource beside it; both or none."""
        skybridge = metadata.skybridge_uri(uri)
        check_free(server, uri, skybridge)
        name = entry.name if entry is not None else uri.removeprefix(SCHEME)
        title = self.title or (entry.tool.title if entry is not None else None)
        meta = resource_meta(
            csp={} if self.csp is None else self.csp.as_meta(),
            permissions=self.permissions,
            domain=self.domain,
            prefers_border=self.prefers_border,
            width=self.width,
            height=self.height,
        )
        chatgpt_meta = skybridge_meta(
            meta,
            csp=None if self.csp is None else self.csp.as_meta(),
            description=entry.tool.description if entry is not None else None,
        )
        description = f"The view of the tool {name}" if entry is not None else f"The view {title or name}"
        for one, mime_type, own in ((uri, RESOURCE_MIME_TYPE, meta), (skybridge, SKYBRIDGE_MIME_TYPE, chatgpt_meta)):
            server.register_resource(
                one,
                page.read,
                name=name,
                title=title,
                description=description,
                mime_type=mime_type,
                meta=own or None,
                content_meta=own or None,
            )
        if Views.name not in server.capabilities:
            server.attach(Views())
