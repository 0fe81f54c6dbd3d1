"""From a tool's name to its view: what a host reads before it can show anything."""

from __future__ import annotations

import msgspec

from cloche.client import Client
from cloche.errors import ViewUnavailableError, shorten
from cloche.host.limits import HostLimits
from cloche.host.profile import PLAIN, HostProfile
from cloche.host.view_resource import ViewSource, embedded_source, read_view
from cloche.wire.apps.metadata import embedded_view, named_view, view_uri, visibility
from cloche.wire.apps.mime import EXTENSION_ID, RESOURCE_MIME_TYPE, SKYBRIDGE_MIME_TYPE, is_profile_mime_type
from cloche.wire.types import Json, Tool

EXTENSION: Json = {"extensions": {EXTENSION_ID: {"mimeTypes": [RESOURCE_MIME_TYPE]}}}
"""What a client that shows views says of itself."""

LIMIT = HostLimits().html_bytes


class ViewError(AssertionError):
    """A view that cannot be shown, does not answer, or did not do what the test waits for; the text says why.

    `reason` is the likeliest reason alone, in one sentence.
    """

    def __init__(self, text: str, reason: str = "") -> None:
        super().__init__(text)
        self.reason = reason or text.partition("\n")[0]


def find_tool(tools: list[Tool], name: str) -> Tool:
    """The tool `name`, which a model may call; raises `ViewError` with the fix."""
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        there = ", ".join(sorted(tool.name for tool in tools)) or "none at all"
        raise ViewError(f"The server has no tool {name!r}; it has {shorten(there, 300)}")
    if "model" not in visibility({"_meta": tool.meta}):
        raise ViewError(f"Only views may call {name!r} (its visibility lacks 'model'): no host opens a view for it")
    return tool


def leads_to_view(tool: Tool, result: Json | None, profile: HostProfile = PLAIN) -> bool:
    """Whether there is a view: of the tool, or of this result of it. Raises `ViewError` when it is named wrongly."""
    entry = as_json(tool)
    if view_uri(entry, result, openai=profile.openai) is not None:
        return True
    named = named_view(entry)
    if named is not None:
        raise ViewError(f"Tool {tool.name!r} names {shorten(repr(named))} as its view: it must be a ui:// URI")
    return False


async def find_view(client: Client, tool: Tool, result: Json | None = None, profile: HostProfile = PLAIN) -> ViewSource:
    """The view that a host shows for a call of a tool, or for this result of it; raises `ViewError` with the fix."""
    if not leads_to_view(tool, result, profile):
        raise ViewError(f"Tool {tool.name!r} has no view: give it one with @server.tool(view=…)")
    uri = str(view_uri(as_json(tool), result, openai=profile.openai))
    try:
        if result is not None and (page := embedded_view(result)) is not None:
            return embedded_source(page, LIMIT)
        source = await read_view("under test", client.request, uri, LIMIT, profile)
    except ViewUnavailableError as error:
        raise ViewError(f"The view of tool {tool.name!r} cannot be shown: {error}") from None
    is_widget = profile.openai and source.mime_type == SKYBRIDGE_MIME_TYPE
    if not is_widget and not is_profile_mime_type(source.mime_type):
        raise ViewError(f"{uri} is {source.mime_type!r}: hosts show a view only as mime_type={RESOURCE_MIME_TYPE!r}")
    return source


def as_json(tool: Tool) -> Json:
    """A tool as its server wrote it."""
    return msgspec.json.decode(msgspec.json.encode(tool))  # type: ignore[no-any-return]
