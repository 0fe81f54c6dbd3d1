"""`Capability`: something a server can do that is not built into `Server`, attached with `server.attach`.

Views are one. State, components and a setup phase are others: each registers its tools, resources and methods on the
server, announces itself, and hears who subscribes to its resources.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.server.entries import ToolEntry
    from cloche.server.server import Server


class Capability:
    """Base class of what `server.attach` takes. Override what the capability needs; the rest does nothing."""

    name: str
    """How the server knows it: `server.capabilities[name]`. A server has one of each name."""
    extensions: Mapping[str, Mapping[str, Any]] = {}
    """Extensions of the protocol that the server announces, by identifier, with their settings."""

    def attach(self, server: Server) -> None:
        """Register tools, resources, prompts, methods and middleware: called once, by `server.attach`."""

    def lifespan(self, server: Server) -> AbstractAsyncContextManager[Any] | None:
        """What is open while the server runs: entered before the server's own lifespan, and left after it."""
        return None

    def on_subscribe(self, uri: str, principal: Principal | None) -> None:
        """A client subscribed to `uri`, of this capability or not. Raise an `McpError` to refuse it."""

    def on_unsubscribe(self, uri: str, principal: Principal | None) -> None:
        """A subscription ended: called once for each that `on_subscribe` let pass."""

    def audience(self, uri: str, principal: Principal | None, session: object) -> str | None:
        """Whose version of a resource this subscriber has, for a resource that differs from user to user; None for one
        that is the same for all. `server.resource_updated(uri, audience)` tells one audience. `session` is the
        session or connection that subscribes; None in the stateless era over HTTP. Raise an `McpError` to refuse.
        """
        return None


class ToolView(Protocol):
    """What `@server.tool(view=…)` takes: it is given the tool, and makes it show something. `cloche.View` is one."""

    def attach(self, server: Server, tool: ToolEntry, /) -> None:
        """Register what the tool shows, and say in the tool's `_meta` where that is."""


def as_view(given: Any) -> ToolView:
    """A view as it is; a file's name, HTML or a function is what `cloche.View` is made from.

    The public name is looked up when it is needed: the server knows nothing else of views.
    """
    view: ToolView = given if hasattr(given, "attach") else import_module("cloche").View(given)
    return view
