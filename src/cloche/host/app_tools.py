"""Tools that a view provides while it is open, for the product to offer to its model.

They come from the view, which is somebody else's page: names are checked, texts are shortened, and they are kept apart
from the servers' tools by the view they belong to (M02).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cloche.errors import (
    InvalidParamsError,
    LocalProtocolError,
    McpError,
    RemoteProtocolError,
    TransportError,
    UnknownNameError,
    shorten,
)
from cloche.wire.apps import params as parameters
from cloche.wire.apps.params import checked
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView

MAX_TOOLS = 50
MAX_DESCRIPTION = 1000
MAX_SCHEMA = 16 * 1024
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")


@dataclass(frozen=True)
class ViewTool:
    """A tool of a view that is open."""

    view: str
    server: str
    name: str
    description: str
    input_schema: Json
    annotations: Json | None = None


class ViewTools:
    """The tools of one view."""

    def __init__(self, view: MountedView) -> None:
        self._view = view
        self._listed: dict[str, ViewTool] | None = None
        self._registered: dict[str, ViewTool] = {}
        """Those that came by the legacy `ui/registerTool`."""

    def changed(self) -> None:
        """The view has other tools now."""
        self._listed = None
        self._view.session.view_tools_changed()

    def legacy(self, method: str, params: Json) -> Json:
        """`ui/registerTool` and `ui/unregisterTool`."""
        if method == "ui/unregisterTool":
            self._registered.pop(str(params.get("name")), None)
            self._view.session.view_tools_changed()
            return {}
        tool = self._checked(params)
        if len(self._registered) >= MAX_TOOLS and tool.name not in self._registered:
            raise InvalidParamsError(f"A view has at most {MAX_TOOLS} tools")
        self._registered[tool.name] = tool
        self._view.session.view_tools_changed()
        return {}

    async def all(self) -> list[ViewTool]:
        """The tools that the view has now, none before its handshake; it is asked again when it says they changed."""
        if self._listed is None and self._declared():
            self._listed = await self._ask()
        return list({**self._registered, **(self._listed or {})}.values())

    async def call(self, name: str, arguments: Json) -> Json:
        """Have the view run one of its tools."""
        if name not in {tool.name for tool in await self.all()}:
            raise UnknownNameError("tool of the view", name)
        params = {"name": name, "arguments": arguments}
        result = await self._view.ask("tools/call", params, self._view.limits.view_tool_seconds)
        if not isinstance(result, dict):
            raise RemoteProtocolError(f"The view answered the call of {name!r} with something that is not a result")
        return result

    def _declared(self) -> bool:
        offered = self._view.app.get("appCapabilities")
        return isinstance(offered, dict) and isinstance(offered.get("tools"), dict)

    async def _ask(self) -> dict[str, ViewTool]:
        answer = await self._view.ask("tools/list", {}, self._view.limits.view_tool_seconds)
        listed = answer.get("tools") if isinstance(answer, dict) else None
        found: dict[str, ViewTool] = {}
        for given in (listed if isinstance(listed, list) else [])[:MAX_TOOLS]:
            try:
                tool = self._checked(given)
            except McpError as error:
                self._view.misbehaved(f"offers a tool that is none: {error}")
                continue
            found.setdefault(tool.name, tool)
        return found

    def _checked(self, given: object) -> ViewTool:
        tool = checked("ui/registerTool", given, parameters.ProvidedTool)
        if not _NAME.fullmatch(tool.name):
            raise InvalidParamsError(f"A tool cannot be called {shorten(repr(tool.name))}")
        parameters.check_size("ui/registerTool", tool.input_schema, MAX_SCHEMA)
        description = shorten(tool.description, MAX_DESCRIPTION)
        return ViewTool(self._view.id, self._view.server, tool.name, description, tool.input_schema, tool.annotations)


async def tools_in(view: MountedView) -> list[ViewTool]:
    """The tools of a view; one that does not answer has none."""
    try:
        return await view.tools.all()
    except (McpError, TransportError, LocalProtocolError) as error:
        view.note("tools/list", problem=shorten(str(error), 300))
        return []
