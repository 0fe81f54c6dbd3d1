"""Names of tools for models: one per tool across all servers, safe for every API, and never given to another tool.

A model's API takes 64 letters, digits, `_` and `-`. `{server}_{tool}` is that mostly. Where it is not, where it reads
as a tool of another server with a longer name, or where it looks like a name with a digest, 128 bits of a hash of
server and tool stand at its end. So a name follows from its tool and the host's servers alone: neither the order in
which servers answer nor what they list changes it, and no server can take a name that belongs to another one's tool.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Literal, TypeAlias, get_args

from cloche.errors import ConfigurationError, RemoteProtocolError, UnknownNameError, shorten
from cloche.wire.types import Json

ToolFormat: TypeAlias = Literal["mcp", "openai", "anthropic"]

MAX_NAME = 64

DIGEST = 26
"""Letters and digits of a digest: 128 bits, which nobody finds a second tool for."""

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_HASHED = re.compile(rf"_[a-z2-7]{{{DIGEST}}}\Z")
_SERVER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


def checked_server_name(name: object, what: str = "A server", where: str = "servers={'weather': …}") -> str:
    """A name that servers can have, and copilots: it becomes part of tool names and of the sandbox's host name."""
    if not isinstance(name, str) or not _SERVER.fullmatch(name):
        raise ConfigurationError(
            f"{what} cannot be called {shorten(str(name))!r}: use up to 40 letters, digits, '_' and '-', "
            f"such as Host({where})"
        )
    return name


class Names:
    """The names of one session's tools, at a host with these servers. A name never changes its tool."""

    def __init__(self, servers: tuple[str, ...]) -> None:
        self._servers = servers
        self._tools: dict[str, tuple[str, str]] = {}
        self._names: dict[tuple[str, str], str] = {}

    def assign(self, server: str, tool: str) -> str:
        """The name of a tool; raises `RemoteProtocolError` when another tool has it."""
        key = (server, tool)
        if key not in self._names:
            name = self._plain(server, tool) or _with_digest(server, tool)
            if name in self._tools:
                raise RemoteProtocolError(
                    f"The tool {shorten(tool)!r} of {server!r} is left out: no name is left for it"
                )
            self._names[key] = name
            self._tools[name] = key
        return self._names[key]

    def _plain(self, server: str, tool: str) -> str | None:
        """`{server}_{tool}`, where it can be read in no other way."""
        name = f"{server}_{tool}"
        others = (other for other in self._servers if len(other) > len(server))
        if len(name) > MAX_NAME or not tool or _UNSAFE.search(name) or _HASHED.search(name):
            return None
        return None if any(name.startswith(f"{other}_") for other in others) else name

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


def _with_digest(server: str, tool: str) -> str:
    return f"{_UNSAFE.sub('_', f'{server}_{tool}')[: MAX_NAME - DIGEST - 1]}_{_digest(server, tool)}"


def _digest(server: str, tool: str) -> str:
    # A tool's name comes from its server and need not be well-formed text.
    found = hashlib.sha256(f"{server}\0{tool}".encode(errors="surrogatepass")).digest()
    return base64.b32encode(found).decode("ascii").lower()[:DIGEST]


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
