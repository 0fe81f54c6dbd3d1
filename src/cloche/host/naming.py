"""Names of tools for models: one per tool across all servers, safe for every API, and never given to another tool.

A model's API takes 64 letters, digits, `_` and `-`. `{server}_{tool}` is that mostly; where it is not, or where two
tools would have the same name, a few digits of a hash make the difference, so that no server can take a name that
belongs to another one's tool.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Literal, TypeAlias, get_args

from cloche.errors import ConfigurationError, UnknownNameError, shorten
from cloche.wire.types import Json

ToolFormat: TypeAlias = Literal["mcp", "openai", "anthropic"]

MAX_NAME = 64
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_SERVER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


def checked_server_name(name: object) -> str:
    """A name that servers can have: it becomes part of tool names and of the sandbox's host name."""
    if not isinstance(name, str) or not _SERVER.fullmatch(name):
        raise ConfigurationError(
            f"A server cannot be called {shorten(str(name))!r}: use up to 40 letters, digits, '_' and '-', "
            "such as Host(servers={'weather': …})"
        )
    return name


class Names:
    """The names of one session's tools. A name once given stays with its tool."""

    def __init__(self) -> None:
        self._tools: dict[str, tuple[str, str]] = {}
        self._names: dict[tuple[str, str], str] = {}

    def assign(self, server: str, tool: str) -> str:
        """The name of a tool."""
        key = (server, tool)
        if key not in self._names:
            name = _plain(server, tool)
            if name is None or name in self._tools:
                name = _with_hash(server, tool)
            self._names[key] = name
            self._tools[name] = key
        return self._names[key]

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def find(self, name: str, servers: tuple[str, ...]) -> tuple[str, str]:
        """Server and tool of a name that was given, or of `server.tool`."""
        if name in self._tools:
            return self._tools[name]
        server, dot, tool = name.partition(".")
        if not dot:
            raise UnknownNameError("tool", name, meant(name, [*self._tools, *map(".".join, self._names)]))
        if server not in servers:
            raise UnknownNameError("tool", name, f"no server of this host is called so: {meant(server, servers)}")
        return server, tool


def meant(name: str, known: Iterable[str]) -> str:
    """What somebody who wrote `name` may have meant: the nearest of those there are, else some of them."""
    names = list(known)
    near = get_close_matches(name, names, 1) or [one for one in names if one.endswith(f".{name}")]
    if near:
        return f"did you mean {shorten(near[0])!r}?"
    return (
        f"there {'are' if len(names) > 1 else 'is'} {', '.join(map(shorten, names[:5]))}" if names else "there is none"
    )


def _plain(server: str, tool: str) -> str | None:
    name = f"{server}_{tool}"
    return None if len(name) > MAX_NAME or _UNSAFE.search(name) else name


def _with_hash(server: str, tool: str) -> str:
    digest = hashlib.sha256(f"{server}\0{tool}".encode()).hexdigest()[:8]
    return f"{_UNSAFE.sub('_', f'{server}_{tool}')[: MAX_NAME - 9]}_{digest}"


def for_model(name: str, tool: Json, kind: ToolFormat) -> Json:
    """A tool as a model's API takes it, under the name it has here."""
    if kind not in get_args(ToolFormat):
        raise ConfigurationError(f"There is no format {shorten(str(kind))!r}: use 'mcp', 'openai' or 'anthropic'")
    schema = tool.get("inputSchema")
    schema = schema if isinstance(schema, dict) else {"type": "object"}
    description = tool.get("description") or tool.get("title") or ""
    if kind == "openai":
        return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}
    if kind == "anthropic":
        return {"name": name, "description": description, "input_schema": schema}
    return {**tool, "name": name}


def visibility(tool: Json) -> tuple[str, ...]:
    """Who may call a tool: both, unless it says otherwise. What is no list lets nobody (W14)."""
    meta = tool.get("_meta")
    ui = meta.get("ui") if isinstance(meta, dict) else None
    if not isinstance(ui, dict) or "visibility" not in ui:
        return ("model", "app")
    said = ui["visibility"]
    return tuple(one for one in said if one in ("model", "app")) if isinstance(said, list) else ()
