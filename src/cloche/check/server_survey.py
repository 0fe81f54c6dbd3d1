"""What a server says of itself, read once, as raw JSON: what is wrong must be seen."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from cloche.errors import McpError, shorten
from cloche.wire.apps.metadata import named_view, ui_of

Json = dict[str, Any]

MAX_PAGES = 50
"""Pages of a list that are read."""


Ask: TypeAlias = Callable[[str, Json], Awaitable[Any]]
"""Asks a server, such as the `request` of a client: method, parameters. Raises `McpError`."""


@dataclass
class ViewOfTool:
    """The view that a tool names, as far as it could be read."""

    tool: str
    uri: Any
    problem: str | None = None
    """Why it could not be read."""
    contents: list[Json] = field(default_factory=list)
    listed: Json = field(default_factory=dict)
    """Its entry in `resources/list`."""

    @property
    def html(self) -> str:
        """The page; empty when there is none."""
        return text_of(self.contents[0]) if self.contents else ""

    @property
    def ui(self) -> Json:
        """`_meta.ui` of the page, as hosts read it: the content item comes before the list."""
        return ui_of(one.get("_meta") for one in (*self.contents[:1], self.listed))


@dataclass
class Survey:
    """Everything that rules look at."""

    tools: list[Json]
    views: list[ViewOfTool]
    resources: list[Json] = field(default_factory=list)


async def survey(ask: Ask) -> Survey:
    """Read the lists of a server and the page of every view."""
    tools = await read_list(ask, "tools/list", "tools")
    resources = await read_list(ask, "resources/list", "resources")
    listed = {entry.get("uri"): entry for entry in resources}
    views: list[ViewOfTool] = []
    read: dict[str, ViewOfTool] = {}
    for tool in tools:
        uri = named_view(tool)
        if uri is None:
            continue
        view = ViewOfTool(str(tool.get("name")), uri)
        views.append(view)
        if not isinstance(uri, str):
            continue
        if uri in read:
            view.problem, view.contents, view.listed = read[uri].problem, read[uri].contents, read[uri].listed
            continue
        read[uri] = view
        view.listed = listed.get(uri, {})
        try:
            found = (await ask("resources/read", {"uri": uri})).get("contents")
            view.contents = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
        except McpError as error:
            view.problem = shorten(str(error), 200)
    return Survey(tools, views, resources)


def text_of(content: Json) -> str:
    """The text of a content item, also when it came as base64."""
    text = content.get("text")
    if isinstance(text, str):
        return text
    try:
        return base64.b64decode(str(content.get("blob", "")), validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""


async def read_list(ask: Ask, method: str, key: str) -> list[Json]:
    """A list with all its pages; a server without such a list has none."""
    found: list[Json] = []
    cursor: Any = None
    for _ in range(MAX_PAGES):
        try:
            page = await ask(method, {} if cursor is None else {"cursor": cursor})
        except McpError:
            break
        entries = page.get(key)
        found += [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
        cursor = page.get("nextCursor")
        if cursor is None:
            break
    return found
