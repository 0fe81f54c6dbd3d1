"""What others than the product's model are offered of a user's tools: browser agents, and copilots in frames.

An offer has a version that stands for everything that its reader was told: a tool that has changed since is another
tool (M03).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from cloche.errors import ConfigurationError, shorten
from cloche.host.app_tools import MAX_DESCRIPTION
from cloche.host.policy import Kind
from cloche.wire.json import encode
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.app_tools import ViewTool
    from cloche.host.bridge import MountedView

MAX_NAME = 128
"""Characters of a name, in WebMCP and in what copilots get."""

_PATTERN = re.compile(r"[A-Za-z0-9*][A-Za-z0-9_*-]{0,39}\.\S+")


@dataclass(frozen=True)
class Offered:
    """One tool as it is listed."""

    kind: Kind
    server: str
    name: str
    """What its server or its view calls it."""
    entry: Json
    """What whoever may use it is told."""
    view: str | None = None

    @property
    def version(self) -> str:
        """Stands for everything that is told of it."""
        version: str = self.entry["version"]
        return version


def checked_patterns(given: Sequence[str], servers: Sequence[str], what: str) -> tuple[str, ...]:
    """Patterns of tools, as `server.tool` with `*` for anything; raises `ConfigurationError`, which begins with `what`
    lists them.
    """
    if isinstance(given, str):
        raise ConfigurationError(f"{what} is one text: give a list, such as [{shorten(given)!r}]")
    for pattern in given:
        server = pattern.partition(".")[0]
        if not _PATTERN.fullmatch(pattern) or not any(fnmatchcase(name, server) for name in servers):
            raise ConfigurationError(
                f"{what} names {shorten(pattern)!r}: it is 'server.tool' of a server of this host, or 'server.*'"
            )
    return tuple(given)


def of_server(kind: Kind, name: str, server: str, tool: Json) -> Offered:
    """The offer of a server's tool, under this name."""
    annotations = tool.get("annotations")
    given = annotations if isinstance(annotations, dict) else {}
    return Offered(kind, server, tool["name"], entry(name, tool, tool.get("description"), given))


def of_view(number: int, view: MountedView, tool: ViewTool) -> Offered:
    """The offer of a tool of the view with this number."""
    # Names of servers' tools have no dot: so a view takes the place of none.
    given = {"description": tool.description, "inputSchema": tool.input_schema}
    description = f"Of the app {view.server!r} on this page: {tool.description or tool.name}"
    # What a view says of its own tools is no reason to trust them.
    told = entry(f"{view.server}.{number}.{tool.name}", given, description, {})
    return Offered("agent-view-tool", view.server, tool.name, told, view.id)


def entry(name: str, tool: Json, description: object, annotations: Mapping[str, object]) -> Json:
    """What is told of a tool, with the version of it."""
    title, schema = tool.get("title"), tool.get("inputSchema")
    said = description if isinstance(description, str) and description.strip() else title or name
    told: Json = {
        "name": name,
        **({"title": shorten(title)} if isinstance(title, str) else {}),
        "description": shorten(str(said), MAX_DESCRIPTION),
        "inputSchema": schema if isinstance(schema, dict) else {"type": "object"},
        "annotations": {key: value for key, value in annotations.items() if isinstance(value, bool)},
    }
    # What is not shown counts as well: a description may change behind its first thousand characters.
    version = hashlib.sha256(encode([told, str(said)])).hexdigest()[:32]
    return {**told, "version": version}
