"""The `ui://` resources through which hosts fetch a view."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from cloche.errors import InternalError, RegistrationError, shorten
from cloche.server.capability import Capability
from cloche.store.tools import StoreTools
from cloche.views.scripts import BINDING, generate_bridge, inject
from cloche.views.source import Source
from cloche.wire.apps.metadata import named_view
from cloche.wire.apps.mime import EXTENSION_ID, RESOURCE_MIME_TYPE

if TYPE_CHECKING:
    from cloche.server.entries import ResourceEntry
    from cloche.server.server import Server

logger = logging.getLogger("cloche.views")


class Views(Capability):
    """MCP Apps on a server: attached by the first view, and announced to clients."""

    name = "views"
    extensions: Mapping[str, Mapping[str, Any]] = {EXTENSION_ID: {"mimeTypes": [RESOURCE_MIME_TYPE]}}


class RegisteredPage:
    """A view as hosts get it: its HTML with the scripts it needs, put together when it changed."""

    def __init__(
        self,
        source: Source,
        *,
        owner: object,
        script: bool = True,
        scripts: Collection[str] = (),
        filled_by: Server | None = None,
    ) -> None:
        self.source = source
        self.owner = owner
        self._script = script
        self._scripts = scripts
        """Scripts that the page gets whether or not its HTML shows that it needs them."""
        self._filled_by = filled_by
        """The server whose HTML comes into the page later."""
        self._made: tuple[str, bool, str] | None = None

    def read(self) -> str:
        """The HTML for a host."""
        try:
            html = self.source.text()
        except RegistrationError as error:
            # The sentence names a file of this machine: it is for the log, not for whoever asks.
            logger.error("a view cannot be read: %s", error)
            raise InternalError("This view's file cannot be read at the moment: the server's log says why") from None
        if not self._script:
            return html
        # A store may be attached after the tool whose view shows it.
        has_store = self._filled_by is not None and StoreTools.name in self._filled_by.capabilities
        made = self._made
        if made is None or made[0] is not html or made[1] is not has_store:
            scripts = (*self._scripts, BINDING) if has_store else self._scripts
            made = self._made = (html, has_store, inject(html, bridge=generate_bridge(), scripts=scripts))
        return made[2]


def page_of(entry: ResourceEntry | None) -> RegisteredPage | None:
    """The page behind a resource, when it is a view."""
    owner = getattr(entry.fn, "__self__", None) if entry is not None else None
    return owner if isinstance(owner, RegisteredPage) else None


def uri_of(server: Server, owner: object) -> str | None:
    """Where this server has the view already."""
    for entry in server.resources:
        page = page_of(entry)
        if page is not None and page.owner is owner:
            return entry.uri
    return None


def remove_unused(server: Server, *uris: str) -> None:
    """Take a view's resources out when the last tool that leads to them is gone."""
    for tool in server.tools:
        if named_view({"_meta": tool.tool.meta}) in uris:
            return
    for uri in uris:
        if server.resources.get(uri) is not None:
            server.remove_resource(uri)


def check_free(server: Server, *uris: str) -> None:
    """Refuse a URI that is taken."""
    for uri in uris:
        if server.resources.get(uri) is not None:
            raise RegistrationError(
                f"There is a resource {shorten(uri)!r} already: give this view another one, View(…, uri='ui://…'), "
                "or pass one View object to both tools"
            )
