"""From a tool's name to its view: what a host reads before it can show anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cloche.client import Client, ResourceContents
from cloche.errors import McpError, shorten
from cloche.host.manner import PLAIN, Manner
from cloche.host.naming import visibility
from cloche.views.mime import (
    EXTENSION_ID,
    RESOURCE_MIME_TYPE,
    RESOURCE_URI_META_KEY,
    SKYBRIDGE_MIME_TYPE,
    is_profile_mime_type,
)
from cloche.wire.types import Json, Tool

EXTENSION: Json = {"extensions": {EXTENSION_ID: {"mimeTypes": [RESOURCE_MIME_TYPE]}}}
"""What a client that shows views says of itself."""


class ViewError(AssertionError):
    """A view that cannot be shown, does not answer, or did not do what the test waits for; the text says why.

    `reason` is the likeliest reason alone, in one sentence.
    """

    def __init__(self, text: str, reason: str = "") -> None:
        super().__init__(text)
        self.reason = reason or text.partition("\n")[0]


@dataclass(frozen=True)
class ViewSource:
    """A tool and the page that shows its results."""

    tool: Tool
    uri: str
    html: str
    csp: Any
    permissions: Any


async def find_view(client: Client, tools: list[Tool], name: str, manner: Manner = PLAIN) -> ViewSource:
    """The view of the tool `name`; raises `ViewError` with the fix."""
    tool = _tool(tools, name)
    uri = _resource_uri(tool, manner)
    try:
        contents = (await client.read_resource(uri)).contents
    except McpError as error:
        raise ViewError(f"Tool {name!r} shows {uri}, which the server does not give: {error}") from None
    content = _only(contents, uri, manner)
    key = "openai/widgetCSP" if manner.widget_csp else "ui"
    meta = content.meta if content.meta and key in content.meta else await _listed_meta(client, uri)
    ui = (meta or {}).get("ui") or {}
    return ViewSource(tool, uri, content.data.decode("utf-8"), manner.declared_csp(meta or {}), ui.get("permissions"))


def _tool(tools: list[Tool], name: str) -> Tool:
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        there = ", ".join(sorted(tool.name for tool in tools)) or "none at all"
        raise ViewError(f"The server has no tool {name!r}; it has {shorten(there, 300)}")
    if "model" not in visibility({"_meta": tool.meta}):
        raise ViewError(f"Only views may call {name!r} (its visibility lacks 'model'): no host opens a view for it")
    return tool


def _resource_uri(tool: Tool, manner: Manner) -> str:
    meta = tool.meta or {}
    ui = meta.get("ui")
    uri = (ui.get("resourceUri") if isinstance(ui, dict) else None) or meta.get(RESOURCE_URI_META_KEY)
    if uri is None and manner.openai:
        uri = meta.get("openai/outputTemplate")
    if uri is None:
        raise ViewError(f"Tool {tool.name!r} has no view: give it one with @server.tool(view=…)")
    if not isinstance(uri, str) or not uri.startswith("ui://"):
        raise ViewError(f"Tool {tool.name!r} names {shorten(repr(uri))} as its view: it must be a ui:// URI")
    return uri


def _only(contents: list[ResourceContents], uri: str, manner: Manner) -> ResourceContents:
    if len(contents) != 1:
        raise ViewError(f"{uri} has {len(contents)} contents: a view is exactly one")
    content = contents[0]
    is_widget = manner.openai and content.mime_type == SKYBRIDGE_MIME_TYPE
    if not is_widget and not is_profile_mime_type(content.mime_type):
        raise ViewError(f"{uri} is {content.mime_type!r}: hosts show a view only as mime_type={RESOURCE_MIME_TYPE!r}")
    return content


async def _listed_meta(client: Client, uri: str) -> Json | None:
    """What the list says of the resource, for servers that put it only there."""
    try:
        listed = await client.list_resources()
    except McpError:
        return None
    return next((resource.meta for resource in listed if resource.uri == uri), None)
